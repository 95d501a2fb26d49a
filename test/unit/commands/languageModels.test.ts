import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createWriter, parseSessionEntries } from '../../../src/core/index';
import { entryId, session } from '../../fixtures/build';
import { fakeEditor, FakeQuickPick, type FakeEditor } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { until } from '../../fixtures/until';
import { age, noPrograms } from '../../fixtures/writes';
import { runCommands } from './runCommands';

const SECRET = ['ghp', 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5'].join('_');

interface Item {
  readonly label: string;
  readonly detail: string;
}

/** A model that answers with a fixed text, as the editor offers it. */
class FakeModel {
  readonly vendor = 'test';
  readonly requests: string[] = [];
  constructor(
    readonly name: string,
    readonly answer: string | Error,
    readonly maxInputTokens = 100_000,
    readonly id = name,
  ) {}
  sendRequest(messages: readonly { text: string }[]): Promise<{ text: AsyncIterable<string> }> {
    this.requests.push(messages.map(({ text }) => text).join(''));
    const { answer } = this;
    if (answer instanceof Error) return Promise.reject(answer);
    async function* parts(): AsyncGenerator<string> {
      for (const part of answer as string) yield await Promise.resolve(part);
    }
    return Promise.resolve({ text: parts() });
  }
}

describe('Language models', () => {
  const folder = testFolder();
  let editor: FakeEditor;
  let boxes: FakeQuickPick<never>[];
  let models: FakeModel[];
  let kept: Map<string, unknown>;
  let run: (id: string, ...args: unknown[]) => Promise<unknown>;

  beforeEach(() => {
    editor = fakeEditor();
    boxes = [];
    models = [];
    kept = new Map();
    Object.assign(editor.api, {
      lm: { selectChatModels: () => Promise.resolve(models) },
      LanguageModelChatMessage: { User: (text: string) => ({ text }) },
      CancellationTokenSource: class {
        token = {};
        cancel(): void {}
        dispose(): void {}
      },
    });
    Object.assign(editor.api.window, {
      createInputBox: () => {
        const box = new FakeQuickPick<never>();
        boxes.push(box);
        return box;
      },
    });
    const workspaceState = {
      get: (key: string) => kept.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
    };
    ({ run } = runCommands(
      { writer: createWriter({ signs: noPrograms }), reveal: () => Promise.resolve(true), workspaceState: workspaceState as never },
      editor,
    ));
  });

  const pressButton = async (count: number): Promise<FakeQuickPick<never>> => {
    await until(() => boxes.length === count);
    const box = boxes[count - 1]!;
    box.press(box.buttons[0]!);
    return box;
  };
  const chooseModel = async (name: string): Promise<Item> => {
    await until(() => editor.picks.length > 0);
    const pick = editor.picks.shift() as unknown as FakeQuickPick<Item>;
    const item = pick.items.find(({ label }) => label === name)!;
    pick.accept(item);
    return item;
  };
  const abandoned = async (): Promise<string> => {
    const built = session()
      .user('Count the sizes')
      .user(`Try a cache, the token is ${SECRET}`)
      .tool('edit', { path: 'a.ts', edits: [{ oldText: 'a', newText: 'b' }] })
      .assistant('The cache is slower.');
    const path = await folder.write('s.jsonl', built.text());
    await age(path);
    return path;
  };

  it('summarize the branch that is left, as pi records it, with the files and the name of the model', async () => {
    models = [new FakeModel('Small', 'Tried a cache.\nIt was slower.'), new FakeModel('Large', 'unused')];
    const path = await abandoned();
    const done = run('sessionTree.branchHere', { row: 'entry', path, entryId: entryId(1) });
    await pressButton(1);
    const { detail } = await chooseModel('Small');
    await done;
    // Branching at a prompt abandons it, too.
    assert.match(detail, /^messages: 5, tokens: about \d+$/);
    const line = parseSessionEntries(await readFile(path, 'utf8')).at(-1) as unknown as Record<string, unknown>;
    assert.equal(line['type'], 'branch_summary');
    assert.equal(line['summary'], 'Tried a cache.\nIt was slower.\n\n(This summary was written by the language model Small.)');
    assert.deepEqual(line['details'], { readFiles: [], modifiedFiles: ['a.ts'] });
    const [request = ''] = models[0]!.requests;
    assert.match(request, /Try a cache, the token is /);
    assert.ok(!request.includes(SECRET));
    assert.equal(kept.get('languageModel'), 'Small');
  });

  it('write nothing when the person cancels, or when the model fails', async () => {
    models = [new FakeModel('Small', new Error('quota [x](command:y)'))];
    const path = await abandoned();
    const before = await readFile(path, 'utf8');
    let done = run('sessionTree.branchHere', { row: 'entry', path, entryId: entryId(1) });
    await pressButton(1);
    await until(() => editor.picks.length > 0);
    editor.picks.shift()!.hide();
    await done;
    assert.deepEqual([models[0]!.requests, editor.messages], [[], []]);
    done = run('sessionTree.branchHere', { row: 'entry', path, entryId: entryId(1) });
    await pressButton(2);
    await chooseModel('Small');
    await done;
    assert.match(String(editor.messages[0]?.[0]), /^Small gave no answer: quota /);
    assert.ok(!String(editor.messages[0]?.[0]).includes('](command:'));
    assert.equal(await readFile(path, 'utf8'), before);
  });

  it('tell a small model only the end', async () => {
    models = [new FakeModel('Tiny', 'x', 60)];
    const path = await abandoned();
    const done = run('sessionTree.branchHere', { row: 'entry', path, entryId: entryId(1) });
    await pressButton(1);
    assert.match((await chooseModel('Tiny')).detail, /^the last [1-3] of 5 messages, tokens: about \d+$/);
    await done;
    assert.match(models[0]!.requests[0]!, /Its first [2-4] messages are left out\./);
  });

  it('suggest a name that the person may change', async () => {
    models = [new FakeModel('Small', '**“Größen zählen”.**\nmore')];
    const path = await abandoned();
    const done = run('sessionTree.rename', { row: 'session', path });
    await pressButton(1);
    await chooseModel('Small');
    await until(() => boxes.length === 2);
    assert.equal(boxes[1]!.value, 'Größen zählen');
    boxes[1]!.value = 'Größen';
    boxes[1]!.accept(undefined as never);
    await done;
    assert.match(await readFile(path, 'utf8'), /"type":"session_info".*"name":"Größen"/);
  });

  it('say what is missing: a model, or messages', async () => {
    const path = await abandoned();
    await run('sessionTree.recap', { row: 'session', path });
    assert.match(String(editor.messages.shift()?.[0]), /^No language model is available/);
    models = [new FakeModel('Small', 'x')];
    await run('sessionTree.recap', { row: 'session', path: await folder.write('empty.jsonl', session().text()) });
    assert.match(String(editor.messages.shift()?.[0]), /^There are no messages/);
    await assert.rejects(run('sessionTree.recap', { path }), { code: 'invalid' });
  });

  it('leave no way for a recap to load or to run something', async () => {
    models = [new FakeModel('Small', 'Done. ![x](https://example.org/a.png) [run](command:x) <img src=y>')];
    const opened: { uri: { path: string } }[] = [];
    let text = '';
    Object.assign(editor.api.workspace, {
      registerTextDocumentContentProvider: (scheme: string, provider: { provideTextDocumentContent: (uri: object) => string }) => {
        if (scheme !== 'session-tree-report') return { dispose: () => undefined };
        Object.assign(editor.api.workspace, {
          openTextDocument: (uri: { path: string }) => {
            opened.push({ uri });
            text = provider.provideTextDocumentContent(uri);
            return Promise.resolve({ uri });
          },
        });
        return { dispose: () => undefined };
      },
    });
    ({ run } = runCommands({ workspaceState: { get: () => undefined, update: () => Promise.resolve() } as never }, editor));
    const done = run('sessionTree.recap', { row: 'session', path: await abandoned() });
    await chooseModel('Small');
    await done;
    assert.deepEqual(editor.executed.at(-1)?.[0], 'markdown.showPreview');
    assert.match(text, /^Written by Small\. It may be wrong\.\n\n---\n\nDone\. /);
    assert.doesNotMatch(text, /!\[|[^\\]\]\(|<img/);
  });
});
