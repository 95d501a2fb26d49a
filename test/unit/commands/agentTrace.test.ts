import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { notedCommits, type Catalog, type TraceRecord } from '../../../src/core/index';
import type { CommandDeps } from '../../../src/commands/handler/commandDeps';
import type * as inputModule from '../../../src/commands/lines/agentTrace/agentTraceInput';
import { traceProblems } from '../../fixtures/agentTraceRules';
import { session } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { fakeEditor, Uri, type FakeEditor } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { gitRepository } from '../../fixtures/gitRepository';
import { loadWithVscode } from '../../fixtures/loadWithVscode';
import { until } from '../../fixtures/until';
import { runCommands } from './runCommands';

describe('the commands of Agent Trace', () => {
  const project = testFolder();
  const store = testCatalog();
  const repository = gitRepository(() => project.path);
  const file = (name = 'a.ts'): string => join(project.path, name);
  let editor: FakeEditor;
  let run: (id: string, ...args: unknown[]) => Promise<unknown>;
  let shown: string[];

  beforeEach(async () => {
    editor = fakeEditor();
    shown = [];
    repository.git('09:00:00', 'init', '-q');
    for (const [name, value] of Object.entries({ 'user.name': 'a', 'user.email': 'a@b' }))
      repository.git('09:00:00', 'config', name, value);
    await project.write('a.ts', 'const person = 0;\n');
    repository.commit('09:00:00', 'person');
    await project.write('a.ts', 'const person = 0;\nconst agent = 1;\n');
    repository.commit('11:00:00', 'agent $(bad)');
    const written = session({ cwd: project.path, id: 'agent 1' }).user('go');
    written.tool('edit', { path: 'a.ts', oldText: 'person = 0;\n', newText: 'person = 0;\nconst agent = 1;\n' });
    const catalog: Catalog = await store.open({ a: written });
    const deps: Partial<CommandDeps> = {
      catalog: { open: () => Promise.resolve(catalog), settled: () => Promise.resolve() } as Partial<CommandDeps['catalog']> as never,
      roots: () => [{ path: store.root, dialect: 'pi', flat: false }],
    };
    let provide: ((uri: Uri) => string) | undefined;
    Object.assign(editor.api.workspace, {
      registerTextDocumentContentProvider: (scheme: string, provider: { provideTextDocumentContent: typeof provide }) => {
        if (scheme === 'session-tree-report') provide = provider.provideTextDocumentContent;
        return { dispose: () => undefined };
      },
      openTextDocument: (uri: Uri) => Promise.resolve(shown.push(provide!(uri))),
      workspaceFolders: [{ uri: Uri.file(project.path) }],
    });
    Object.assign(editor.api.window, {
      showTextDocument: () => Promise.resolve(),
    });
    ({ run } = runCommands(deps, editor));
  });

  const saves = (path: string | undefined): object[] => {
    const options: object[] = [];
    Object.assign(editor.api.window, {
      showSaveDialog: (given: object) => {
        options.push(given);
        return Promise.resolve(path === undefined ? undefined : Uri.file(path));
      },
    });
    return options;
  };
  const saved = (path: string): TraceRecord[] =>
    readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as TraceRecord);

  describe('with plain arguments', () => {
    it('answer with records of files, whose links the extension opens', async () => {
      const { records, path } = (await run('sessionTree.exportAgentTrace', { files: [file()] })) as {
        records: TraceRecord[];
        path?: string;
      };
      assert.equal(path, undefined);
      assert.deepEqual(records.flatMap(traceProblems), []);
      const [record] = records;
      assert.deepEqual(record?.tool, { name: 'pi-session-tree', version: '1.2.3' });
      const [conversation] = record.files[0]!.conversations;
      assert.equal(conversation?.url, 'vscode://pi-session-tree.pi-session-tree/open?program=pi&session=agent%201');
      assert.match(conversation.related![0]!.url, /&entry=e0000001$/);
    });

    it('write records of commits, and replace a file only if asked to', async () => {
      const target = file('trace.jsonl');
      const args = { repository: project.path, from: 'HEAD~1', target };
      const { records, path } = (await run('sessionTree.exportAgentTrace', args)) as { records: TraceRecord[]; path?: string };
      assert.equal(path, target);
      assert.deepEqual(saved(target), records);
      assert.equal(records.length, 1);
      await assert.rejects(run('sessionTree.exportAgentTrace', args), { code: 'invalid' });
      assert.deepEqual(saved(target), records);
      await run('sessionTree.exportAgentTrace', { ...args, overwrite: true });
      assert.notDeepEqual(saved(target), records, 'with new ids');
    });

    it('write nothing into session folders', async () => {
      for (const target of [store.path('a'), join(store.root, 'new.jsonl')])
        await assert.rejects(run('sessionTree.exportAgentTrace', { files: [file()], target, overwrite: true }), { code: 'invalid' });
    });

    it('refuse arguments of another shape', async () => {
      for (const args of [
        {},
        { files: 'a' },
        { files: ['a.ts'] },
        { files: [1] },
        { repository: 'a', from: '' },
        { repository: project.path },
      ])
        await assert.rejects(run('sessionTree.exportAgentTrace', args), { code: 'invalid' }, JSON.stringify(args));
    });

    it('add notes, but not with dryRun, and keep those that are there', async () => {
      const head = repository.git('09:00:00', 'rev-parse', 'HEAD').trim();
      const args = { repository: project.path, from: '' };
      assert.deepEqual(await run('sessionTree.addAgentTraceNotes', { ...args, dryRun: true }), { added: [head], kept: [] });
      assert.deepEqual(await notedCommits(project.path), new Set());
      assert.deepEqual(await run('sessionTree.addAgentTraceNotes', args), { added: [head], kept: [] });
      const note = (): unknown => JSON.parse(repository.git('09:00:00', 'notes', '--ref=agent-trace', 'show', head));
      assert.deepEqual(traceProblems(note()), []);
      const before = note();
      assert.deepEqual(await run('sessionTree.addAgentTraceNotes', args), { added: [], kept: [head] });
      assert.deepEqual(note(), before);
      assert.deepEqual(await run('sessionTree.addAgentTraceNotes', { ...args, overwrite: true }), { added: [head], kept: [] });
      assert.notDeepEqual(note(), before);
    });

    it('run Git in trusted workspaces only', async () => {
      editor.api.workspace.isTrusted = false;
      const range = { repository: project.path, from: '' };
      await assert.rejects(run('sessionTree.exportAgentTrace', range), { code: 'invalid' });
      await assert.rejects(run('sessionTree.addAgentTraceNotes', range), { code: 'invalid' });
      const { records } = (await run('sessionTree.exportAgentTrace', { files: [file()] })) as { records: TraceRecord[] };
      assert.deepEqual(
        records.map(({ vcs, files }) => [vcs, files.map(({ path }) => path)]),
        [[undefined, ['a.ts']]],
      );
    });
  });

  describe('for a person', () => {
    it('save records of the files that are selected in the Explorer, where the person says', async () => {
      const target = file('out.jsonl');
      const dialogs = saves(target);
      await project.write('none.ts', 'nobody knows\n');
      await run('sessionTree.exportAgentTrace', Uri.file(file('none.ts')), [Uri.file(file('none.ts')), Uri.file(file())]);
      assert.equal(dialogs.length, 1);
      assert.deepEqual(
        saved(target).flatMap(({ files }) => files.map(({ path }) => path)),
        ['a.ts'],
      );
      assert.deepEqual(editor.messages, [[`Saved the records: ${target}`, 'Open']]);
    });

    it('write nothing if the dialog is closed, or if it leads into a session folder', async () => {
      saves(undefined);
      await run('sessionTree.exportAgentTrace', Uri.file(file()));
      assert.deepEqual(editor.messages, []);
      const session = readFileSync(store.path('a'), 'utf8');
      saves(store.path('a'));
      await run('sessionTree.exportAgentTrace', Uri.file(file()));
      assert.match(editor.messages[0]![0], /session folder/);
      assert.equal(readFileSync(store.path('a'), 'utf8'), session);
    });

    it('report that there is nothing', async () => {
      const dialogs = saves(file('x'));
      await project.write('none.ts', 'nobody knows\n');
      await run('sessionTree.exportAgentTrace', Uri.file(file('none.ts')));
      assert.deepEqual(dialogs, []);
      assert.match(editor.messages[0]![0]!, /None of these lines/);
      assert.equal(existsSync(file('x')), false);
    });

    it('ask for commits, and reject an unknown name at once', async () => {
      editor.input = '..';
      saves(file('out.jsonl'));
      await run('sessionTree.exportAgentTrace');
      const { validateInput } = editor.inputs[0] as { validateInput: (value: string) => Promise<string | undefined> };
      assert.equal(await validateInput('HEAD~1..HEAD'), undefined);
      assert.equal(await validateInput('HEAD~1'), undefined);
      assert.equal(await validateInput('HEAD~7..HEAD'), '“HEAD~7” isn’t a commit of this repository.');
      assert.equal(await validateInput('..--all'), '“--all” isn’t a commit of this repository.');
      assert.equal(saved(file('out.jsonl')).length, 1);
    });

    it('ask whether the open file or commits are meant', async () => {
      const { TabInputText } = editor.api;
      const input = Object.assign(new TabInputText({}), { uri: Uri.file(file()) });
      editor.api.window.tabGroups.activeTabGroup.activeTab = { input };
      saves(file('out.jsonl'));
      const ended = run('sessionTree.exportAgentTrace');
      await until(() => editor.picks.length > 0);
      const pick = editor.picks[0]!;
      const labels = (pick.items as readonly { label: string }[]).map(({ label }) => label);
      assert.deepEqual(labels, ['This File', 'Range of Commits…']);
      pick.accept(pick.items[0]!);
      await ended;
      assert.equal(saved(file('out.jsonl')).length, 1);
    });

    it('show notes before any is written, and write them by a button', async () => {
      editor.input = 'HEAD~1..HEAD';
      const head = repository.git('09:00:00', 'rev-parse', 'HEAD').trim();
      await run('sessionTree.addAgentTraceNotes');
      assert.deepEqual(await notedCommits(project.path), new Set());
      assert.match(shown[0]!, new RegExp(`^${head} agent \\$\\(bad\\)$`, 'm'));
      assert.match(shown[0]!, /"model_id": "anthropic\/claude-x"/);
      assert.deepEqual(editor.messages, [['The notes in the preview aren’t written yet.', 'Add Notes']]);
      editor.action = 'Add Notes';
      await run('sessionTree.addAgentTraceNotes');
      await until(() => editor.messages.some(([text]) => text?.startsWith('Added the notes') === true));
      assert.deepEqual(await notedCommits(project.path), new Set([head]));
    });

    it('replace notes only after a question', async () => {
      editor.input = '..';
      const head = repository.git('09:00:00', 'rev-parse', 'HEAD').trim();
      repository.git('09:00:00', 'notes', '--ref=agent-trace', 'add', '-m', 'mine', head);
      editor.action = 'Add and Replace…';
      await run('sessionTree.addAgentTraceNotes');
      await until(() => editor.messages.some(([text]) => text?.startsWith('Replace the notes') === true));
      assert.match(shown[0]!, /already has a note, which is kept/);
      assert.equal(repository.git('09:00:00', 'notes', '--ref=agent-trace', 'show', head), 'mine\n');
    });
  });

  it('read ranges as Git does', () => {
    const { parseRange } = loadWithVscode(
      join(__dirname, '../../../src/commands/lines/agentTrace/agentTraceInput.js'),
      editor.api,
    ) as typeof inputModule;
    assert.deepEqual(
      ['a..b', ' a .. b ', 'a', 'a..', '..b', '..'].map((text) => Object.values(parseRange(text))),
      [
        ['a', 'b'],
        ['a', 'b'],
        ['a', 'HEAD'],
        ['a', 'HEAD'],
        ['', 'b'],
        ['', 'HEAD'],
      ],
    );
  });
});
