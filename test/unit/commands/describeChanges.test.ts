import assert from 'node:assert/strict';
import type { Catalog } from '../../../src/core/index';
import type { CommandDeps } from '../../../src/commands/handler/commandDeps';
import { session } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { fakeEditor, Uri, type FakeEditor } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { gitRepository } from '../../fixtures/gitRepository';
import { TOKENS } from '../../fixtures/plantedSecrets';
import { until } from '../../fixtures/until';
import { runCommands } from './runCommands';

interface Review {
  readonly items: readonly { readonly label: string }[];
  selectedItems: readonly { readonly label: string }[];
  acceptSelected(): void;
  hide(): void;
}

describe('the command that describes changes', () => {
  const project = testFolder();
  const store = testCatalog();
  const repository = gitRepository(() => project.path);
  const inputBox = { value: '' };
  let editor: FakeEditor;
  let catalog: Catalog;
  let run: (id: string, ...args: unknown[]) => Promise<unknown>;
  let opened: { language: string; content: string }[];
  let executed: string[];
  /** What GitHub's extension for pull requests exports; absent if it isn't installed. */
  let pullRequests: object | undefined;
  let settings: Readonly<Record<string, unknown>>;

  beforeEach(async () => {
    editor = fakeEditor();
    [opened, executed, inputBox.value, pullRequests, settings] = [[], [], '', undefined, {}];
    repository.git('09:00:00', 'init', '-q');
    await project.write('a.ts', 'const person = 0;\n');
    repository.commit('09:00:00');
    const written = session({ cwd: project.path })
      .user('Zähle die Größen')
      .tool('write', { path: 'b.ts', content: 'export const größe = 1;\n' });
    await project.write('b.ts', 'export const größe = 1;\n');
    catalog = await store.open({ a: written });
    const deps: Partial<CommandDeps> = {
      catalog: { open: () => Promise.resolve(catalog), settled: () => Promise.resolve() } as Partial<CommandDeps['catalog']> as never,
    };
    Object.assign(editor.api.workspace, {
      openTextDocument: (given: (typeof opened)[0]) => {
        opened.push(given);
        return Promise.resolve({ getText: () => `${given.content}edited\n` });
      },
      getConfiguration: (section: string) => ({
        get: (name: string) => (section.startsWith('sessionTree.') ? settings[name] : undefined),
      }),
      workspaceFolders: [{ uri: Uri.file(project.path) }],
    });
    Object.assign(editor.api.window, { showTextDocument: () => Promise.resolve() });
    Object.assign(editor.api.extensions, {
      getExtension: (id: string) =>
        id === 'vscode.git'
          ? {
              activate: () =>
                Promise.resolve({ getAPI: () => ({ getRepository: (uri: Uri) => (uri.fsPath === project.path ? { inputBox } : null) }) }),
            }
          : id === 'GitHub.vscode-pull-request-github' && pullRequests
            ? { activate: () => Promise.resolve(pullRequests) }
            : undefined,
    });
    Object.assign(editor.api.commands, { executeCommand: (id: string) => Promise.resolve(executed.push(id)) });
    ({ run } = runCommands(deps, editor));
  });

  const choose = async (label: string): Promise<void> => {
    await until(() => editor.picks.length > 0);
    const pick = editor.picks.shift()!;
    pick.accept((pick.items as readonly { label: string }[]).find((item) => item.label === label) as never);
  };

  it('answers plain arguments without a document', async () => {
    const { markdown, redacted } = (await run('sessionTree.describeChanges', { repository: project.path })) as {
      markdown: string;
      redacted: [];
    };
    assert.match(markdown, /^1 session wrote 1 of 1 added or changed line in 1 file\./);
    assert.deepEqual([redacted, opened], [[], []]);
    settings = { cost: false };
    const without = (await run('sessionTree.describeChanges', { repository: project.path })) as { markdown: string };
    assert.deepEqual([markdown.includes('## Models and cost'), without.markdown.includes('Models')], [true, false]);
    await assert.rejects(run('sessionTree.describeChanges', { repository: 'relative' }), { code: 'invalid' });
    await assert.rejects(run('sessionTree.describeChanges', {}), { code: 'invalid' });
  });

  it('opens the text as a document, and takes it along as the person left it', async () => {
    editor.action = 'Use as Commit Message';
    const ended = run('sessionTree.describeChanges');
    await choose('Uncommitted Changes');
    await ended;
    const [document] = opened;
    assert.ok(document);
    assert.equal(document.language, 'markdown');
    assert.match(document.content, /1\. Zähle die Größen/);
    assert.deepEqual(editor.messages, [['Described the changes.', 'Copy', 'Use as Commit Message']]);
    await until(() => executed.length > 0);
    assert.equal(inputBox.value, `${document.content}edited\n`);
    assert.deepEqual(executed, ['workbench.view.scm']);
  });

  it('goes to GitHub’s extension for pull requests, once, as the person left it', async () => {
    interface Provider {
      provideTitleAndDescription: (context: object) => Promise<object>;
    }
    const providers = new Map<string, Provider>();
    pullRequests = {
      registerTitleAndDescriptionProvider: (title: string, provider: Provider) => {
        providers.set(title, provider);
        return { dispose: () => providers.delete(title) };
      },
    };
    editor.action = 'Use for Pull Request';
    for (let turn = 0; turn < 2; turn++) {
      const ended = run('sessionTree.describeChanges');
      await choose('Uncommitted Changes');
      await ended;
      await until(() => executed.length > turn);
    }
    assert.deepEqual([executed, providers.size], [['pr.create', 'pr.create'], 1]);
    const [[name, provider] = []] = providers;
    assert.equal(name, 'Pi Session Tree');
    assert.deepEqual(await provider?.provideTitleAndDescription({ commitMessages: ['Zähle\n\nmehr', 'x'], patches: [] }), {
      title: 'Zähle',
      description: `${opened[1]?.content ?? ''}edited\n`,
    });
    assert.equal(providers.size, 0);
  });

  it('says that GitHub’s extension is too old to take it', async () => {
    pullRequests = {};
    editor.action = 'Use for Pull Request';
    const ended = run('sessionTree.describeChanges');
    await choose('Uncommitted Changes');
    await ended;
    await until(() => editor.messages.length > 1);
    assert.deepEqual(editor.messages[1]?.[0], 'GitHub Pull Requests takes no descriptions. Update that extension.');
    assert.deepEqual(executed, []);
  });

  it('explains a commit that is named in a field, from the palette', async () => {
    repository.commit('11:00:00');
    editor.input = ' HEAD ';
    await run('sessionTree.explainCommit');
    assert.equal(editor.inputs[0]?.['value'], 'HEAD');
    assert.match(opened[0]?.content ?? '', /1\. Zähle die Größen/);
    editor.input = undefined;
    await run('sessionTree.explainCommit');
    assert.equal(opened.length, 1);
  });

  describe('with secrets', () => {
    const token = TOKENS['ghp']!();
    const uncertain = ['qL8vT2xZ', 'p0RkY7mW', 'c4NsB9dH'].join('');
    beforeEach(async () => {
      catalog = await store.open({
        a: session({ cwd: project.path })
          .user(`use ${token} and ${uncertain} for Blue Heron`)
          .tool('write', { path: 'b.ts', content: 'export const größe = 1;\n' }),
      });
    });

    /** Starts the command, and returns the review's list. */
    const review = async (): Promise<{ ended: Promise<unknown>; list: Review }> => {
      const ended = run('sessionTree.describeChanges');
      await choose('Uncommitted Changes');
      await until(() => (editor.picks[0]?.items.length ?? 0) > 0);
      assert.deepEqual([opened, editor.messages], [[], []], 'nothing is opened before the review');
      return { ended, list: editor.picks.shift() as never };
    };

    it('opens once the person has reviewed what was found', async () => {
      const { ended, list } = await review();
      assert.deepEqual(
        list.items.map(({ label }) => label),
        ['Secrets', 'use [redacted:github-token-1] and …', 'Uncertain', '… and [redacted:long-random-text-1] for Blue Heron'],
      );
      assert.deepEqual(
        list.selectedItems.map(({ label }) => label),
        ['use [redacted:github-token-1] and …'],
      );
      list.acceptSelected();
      await ended;
      const { content = '' } = opened[0] ?? {};
      assert.ok(content.includes('redacted:github-token-1') && content.includes(uncertain) && !content.includes(token), content);
      assert.equal(editor.messages[0]?.[0], 'Described the changes.');
    });

    it('replaces what the person selects, and keeps what they don’t', async () => {
      const { ended, list } = await review();
      list.selectedItems = list.items.filter(({ label }) => label.includes('long-random'));
      list.acceptSelected();
      await ended;
      const { content = '' } = opened[0] ?? {};
      assert.ok(
        content.includes('redacted:long-random-text-1') && content.includes(token.slice(4)) && !content.includes(uncertain),
        content,
      );
    });

    it('opens nothing if the person closes the list', async () => {
      const { ended, list } = await review();
      list.hide();
      await ended.catch(() => undefined);
      assert.deepEqual([opened, executed, editor.messages], [[], [], []]);
    });

    it('replaces the person’s own words, also without a review', async () => {
      settings = { patterns: ['Blue Heron'] };
      const { markdown } = (await run('sessionTree.describeChanges', { repository: project.path })) as { markdown: string };
      assert.ok(!markdown.includes('Blue Heron') && !markdown.includes(token) && markdown.includes(uncertain), markdown);
    });
  });

  it('says that no session wrote a line', async () => {
    repository.commit('10:00:00');
    const ended = run('sessionTree.describeChanges');
    await choose('This Branch');
    await ended;
    assert.deepEqual([editor.messages, opened], [[['No session is known to have written a line of these changes.']], []]);
  });

  it('is refused in an untrusted workspace', async () => {
    Object.assign(editor.api.workspace, { isTrusted: false });
    await assert.rejects(run('sessionTree.describeChanges', { repository: project.path }), { code: 'invalid' });
  });
});
