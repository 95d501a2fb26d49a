import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Arrangement, Row } from '../../../src/contract';
import {
  createWriter,
  openWrites,
  projectFolderName,
  readSession,
  SessionError,
  UntrustedPaths,
  type Catalog,
  type Writes,
  type SessionSummary,
  type Writer,
} from '../../../src/core/index';
import type { CommandDeps } from '../../../src/commands/handler/commandDeps';
import { entryId, session } from '../../fixtures/build';
import { fakeEditor, Uri, type FakeQuickPick } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { until } from '../../fixtures/until';
import { FakeEmitter } from '../../fixtures/loadWithVscode';
import { age, noPrograms } from '../../fixtures/writes';
import { file } from '../tree/storedFiles';
import { runCommands } from './runCommands';

const entryRow = (path: string, n: number) => ({ row: 'entry', path, entryId: entryId(n) });

describe('Commands on rows', () => {
  const folder = testFolder();
  /** Writes that are recorded, as the extension's are. */
  const recordedWrites = async (): Promise<Pick<CommandDeps, 'writes' | 'writer'>> => {
    const onProblem = (error: unknown): never => assert.fail(String(error));
    const writes = await openWrites({ folder: join(folder.path, 'storage'), writer: createWriter(), roots: () => [], onProblem });
    return { writes: () => Promise.resolve(writes), writer: writes.writer };
  };
  const twoMessages = (): Promise<string> => folder.write('s.jsonl', session().user('What is it?').assistant('A test.').text());

  it('copy the texts of all selected rows, that of the clicked one first', async () => {
    const path = await twoMessages();
    const { run, editor } = runCommands();
    const rows = [entryRow(path, 1), entryRow(path, 2)];
    await run('sessionTree.copyText', rows[1], rows);
    assert.equal(editor.clipboard, 'A test.\n\nWhat is it?');
    await run('sessionTree.copyText', rows[0], undefined);
    assert.equal(editor.clipboard, 'What is it?');
  });

  it('let the person choose an entry of the active branch that has a row, the newest first', async () => {
    const built = session().user('first').user('gone').branchFrom(entryId(1)).custom('x', {}).assistant('last').label(entryId(1), 'here');
    const path = await folder.write('s.jsonl', built.text());
    const { run, editor } = runCommands();
    const done = run('sessionTree.copyText', { row: 'session', path });
    await until(() => (editor.picks[0]?.items.length ?? 0) > 0);
    const pick = editor.picks[0] as unknown as FakeQuickPick<{ label: string; description?: string; value: string }>;
    assert.deepEqual(pick.items, [
      { label: 'assistant: last', value: entryId(4) },
      { label: 'user: first', description: 'here', value: entryId(1) },
    ]);
    pick.accept(pick.items[1]!);
    await done;
    assert.equal(editor.clipboard, 'first');
  });

  it('refuse to change a read-only file before anything is typed', async () => {
    const path = await twoMessages();
    await chmod(path, 0o444);
    const { run, editor } = runCommands();
    for (const [id, row] of [
      ['sessionTree.label', entryRow(path, 2)],
      ['sessionTree.branchHere', entryRow(path, 2)],
      ['sessionTree.rename', { row: 'session', path }],
    ] as const) {
      editor.messages.length = 0;
      await run(id, row);
      assert.match(editor.messages[0]?.[0] ?? '', /^The file is read-only\./, id);
    }
    assert.deepEqual(editor.inputs, []);
  });

  it('name the session in a read-only folder when they refuse to change it, instead of its long path', async () => {
    const path = await twoMessages();
    const listed = file(path, '/work', 1, { name: 'Fix the build' });
    const sessions = listed.kind === 'session' ? [listed.summary] : [];
    const writer = createWriter({ roots: () => [{ path: folder.path, dialect: 'pi', flat: true, readOnly: true }] });
    const { run, editor } = runCommands({ writer, sessions: () => sessions });
    await run('sessionTree.label', entryRow(path, 2));
    assert.match(editor.messages[0]?.[0] ?? '', /^This session folder is read-only .* or import it there: Fix the build$/);
  });

  it('never apply to another row if that of the menu was replaced in the meantime', async () => {
    const path = await twoMessages();
    const { run, editor } = runCommands({ selection: () => [{ row: 'entry', path, entryId: entryId(1) }] });
    for (const rest of [[], [undefined], [[entryRow(path, 1)]]]) {
      editor.clipboard = 'as before';
      editor.messages.length = 0;
      await run('sessionTree.copyText', undefined, ...rest);
      assert.equal(editor.clipboard, 'as before');
      assert.match(JSON.stringify(editor.messages), /The list has changed\. Try again\./);
    }
    await run('sessionTree.copyText');
    assert.equal(editor.clipboard, 'What is it?');
  });

  it('copy ids and paths of all selected rows, a line for each', async () => {
    const path = await twoMessages();
    const { run, editor } = runCommands();
    const rows = [entryRow(path, 1), entryRow(path, 2)];
    await run('sessionTree.copyId', rows[0], rows);
    assert.equal(editor.clipboard, `${entryId(1)}\n${entryId(2)}`);
  });

  it('copy the folder of a project', async () => {
    const { run, editor } = runCommands();
    await run('sessionTree.copyPath', { row: 'project', cwd: '/work/app' });
    assert.equal(editor.clipboard, '/work/app');
  });

  it('let a key act on the rows that have the focus, through whichever of its commands', async () => {
    const keys: string[] = [];
    const { run, editor } = runCommands({
      runKey: (key) => {
        keys.push(key);
        return Promise.resolve();
      },
    });
    for (const command of ['rename', 'label', 'delete', 'dropWaiting']) await run(`sessionTree.${command}`, { row: 'focused' });
    assert.deepEqual(keys, ['rename', 'rename', 'delete', 'delete']);
    assert.deepEqual([editor.inputs, editor.messages], [[], []]);
  });

  it('let a key act on the message of the context view that has the focus', async () => {
    const keys: string[] = [];
    const { run, editor } = runCommands({ runMessageKey: (key) => void keys.push(key) });
    for (const command of ['label', 'copyText', 'showContextToSide']) await run(`sessionTree.${command}`, { row: 'focusedMessage' });
    assert.deepEqual(keys, ['rename', 'copy', 'openToSide']);
    assert.deepEqual([editor.inputs, editor.messages], [[], []]);
  });

  it('open what an abandoned branch changed since its fork point, and of other rows the whole branch', async () => {
    const path = await folder.write('s.jsonl', session().user('a').assistant('b').branchFrom(entryId(1)).assistant('c').text());
    const opened: unknown[] = [];
    const { run, editor } = runCommands({
      openChanges: (ref) => {
        opened.push(ref);
        return Promise.resolve([]);
      },
      changeCount: () => Promise.resolve(6),
    });
    const row = { path, entryId: entryId(2) };
    await run('sessionTree.openChanges', { row: 'branch', ...row, branch: { head: { id: entryId(2) } } });
    await run('sessionTree.openChanges', { row: 'entry', ...row });
    assert.deepEqual(opened, [{ ...row, since: entryId(1) }, row]);
    await until(() => editor.messages.length === 2);
    assert.deepEqual(editor.messages[0], ['Restore Files to This Point: 6 files would change · assistant: b']);
    await assert.rejects(run('sessionTree.openChanges', { ...row, since: 'other' }), { code: 'unknown-entry' });
  });

  it('compare the files of two branches, the older one on the left', async () => {
    const path = await folder.write('s.jsonl', session().user('a').assistant('b').branchFrom(entryId(1)).assistant('c').text());
    const compared: unknown[] = [];
    const { run } = runCommands({
      compareFiles: (...pair) => {
        compared.push(pair.map(({ entryId: id }) => id));
        return Promise.resolve(['a.ts']);
      },
    });
    const rows = [3, 2].map((nth) => ({ row: 'entry', path, entryId: entryId(nth) }));
    await run('sessionTree.compareFiles', rows[0], rows);
    const sides = [2, 3].map((nth) => ({ path, entryId: entryId(nth) }));
    assert.deepEqual(await run('sessionTree.compareFiles', sides), { files: ['a.ts'] });
    const expected = [entryId(2), entryId(3)];
    assert.deepEqual(compared, [expected, expected]);
  });

  it('arrange the sessions by menus and by arguments', async () => {
    const changes: Partial<Arrangement>[] = [];
    const { run } = runCommands({
      arrange: (change) => {
        changes.push(change);
        return Promise.resolve();
      },
    });
    await run('sessionTree.sortBy.cost');
    await run('sessionTree.groupBy.day.current');
    await run('sessionTree.showWorkspaceOnly');
    await run('sessionTree.arrange', { sort: 'name', workspaceOnly: false });
    assert.deepEqual(changes, [{ sort: 'cost' }, { group: 'day' }, { workspaceOnly: true }, { sort: 'name', workspaceOnly: false }]);
    await assert.rejects(async () => run('sessionTree.arrange', { sort: 'magic' }), SessionError);
  });

  it('refuse a session that can not be written to before anything is typed', async () => {
    const path = await folder.write('old.jsonl', session({ version: 2 }).user('Hello').assistant('Hi').text());
    const { run, editor } = runCommands();
    await run('sessionTree.rename', { row: 'session', path });
    const { entries } = await readSession(path);
    for (const command of ['label', 'branchHere']) await run(`sessionTree.${command}`, { row: 'entry', path, entryId: entries[0]!.id });
    assert.deepEqual(editor.inputs, []);
    assert.equal(editor.messages.length, 3);
  });

  it('offer the undo of a branch in its own message, which closes with it', async () => {
    const path = await folder.write('b.jsonl', session().user('What is it?').assistant('A test.').user('Why?').text()).then(age);
    const writes = await recordedWrites();
    const { run, editor } = runCommands({ ...writes, reveal: () => Promise.resolve(true) });
    [editor.input, editor.action] = ['', 'Undo'];
    await run('sessionTree.branchHere', entryRow(path, 2));
    assert.deepEqual(editor.messages.at(-1)?.slice(1), ['Resume in Terminal', 'Undo']);
    await until(() => editor.messages.length > 1);
    assert.deepEqual(editor.messages.at(-1), ['Undid branch in “b.jsonl”']);
    const { byId, leafId } = await readSession(path);
    assert.equal(byId.get(leafId ?? '')?.parentId, entryId(3));
  });

  it('undo the change that a message reports, not one that came later', async () => {
    const built = session().user('What is it?').assistant('A test.').label(entryId(1), 'one').label(entryId(2), 'two');
    const path = await folder.write('l.jsonl', built.text()).then(age);
    const { run, editor } = runCommands(await recordedWrites());
    const shown: { readonly text: string; readonly choose: (action: string) => void }[] = [];
    const { window } = editor.api as { readonly window: { showInformationMessage: (text: string) => Promise<string> } };
    window.showInformationMessage = (text) => new Promise((choose) => shown.push({ text, choose }));
    for (const entry of [1, 2]) await run('sessionTree.clearLabel', entryRow(path, entry));
    shown[0]!.choose('Undo');
    await until(() => shown.length === 3);
    assert.equal(shown[2]!.text, 'Undid label: restored “one”');
    assert.deepEqual([...(await readSession(path)).labels], [[entryId(1), 'one']]);
    await run('sessionTree.undo');
    assert.deepEqual([...(await readSession(path)).labels].sort(), [
      [entryId(1), 'one'],
      [entryId(2), 'two'],
    ]);
    shown[1]!.choose('Undo');
    await until(() => editor.messages.length > 0);
    assert.deepEqual(editor.messages, [['This change was already undone.']]);
  });

  it('don’t restore again from the message of a move to the trash that was undone by the key', async () => {
    const paths = [await twoMessages().then(age), await folder.write('m.jsonl', session().user('x').text()).then(age)];
    const listed = (): SessionSummary[] =>
      paths.filter(existsSync).flatMap((path) => {
        const found = file(path, '/work', 1);
        return found.kind === 'session' ? [found.summary] : [];
      });
    const { run, editor } = runCommands({ ...(await recordedWrites()), sessions: listed });
    const shown: ((action: string) => void)[] = [];
    Object.assign((editor.api as { window: object }).window, {
      showInformationMessage: () => new Promise<string>((choose) => shown.push(choose)),
      showWarningMessage: (text: string, ...rest: unknown[]) => {
        editor.messages.push([text]);
        return Promise.resolve(typeof rest[0] === 'object' ? rest[1] : undefined);
      },
    });
    const rows = paths.map((path) => ({ row: 'session', path }));
    await run('sessionTree.delete', rows[0], rows);
    assert.deepEqual(paths.map(existsSync), [false, false]);
    await run('sessionTree.undo');
    assert.deepEqual(paths.map(existsSync), [true, true]);
    editor.messages.length = 0;
    shown[0]?.('Undo');
    await until(() => editor.messages.length > 0);
    assert.deepEqual(editor.messages, [['This change was already undone.']]);
    await rm(paths[0]!);
  });

  it('clear the labels of several rows, which one undo brings back', async () => {
    const built = session().user('What is it?').assistant('A test.').label(entryId(1), 'one').label(entryId(2), 'two');
    const paths = [await folder.write('l.jsonl', built.text()).then(age), await folder.write('m.jsonl', built.text()).then(age)];
    const labels = async (): Promise<string[]> =>
      (await Promise.all(paths.map((path) => readSession(path)))).flatMap((read) => [...read.labels.values()]).sort();
    const { run, editor } = runCommands(await recordedWrites());
    const rows = paths.flatMap((path) => [entryRow(path, 1), entryRow(path, 2)]);
    await run('sessionTree.clearLabel', rows[1], rows.slice(1));
    assert.deepEqual([editor.messages, await labels()], [[['Cleared labels: 3', 'Undo']], ['one']]);
    await run('sessionTree.undo');
    assert.deepEqual(editor.messages.at(-1), ['Undid changes of labels: the labels are restored']);
    assert.deepEqual(await labels(), ['one', 'one', 'two', 'two']);
    await run('sessionTree.undo');
    assert.deepEqual(editor.messages.at(-1), ['There’s nothing to undo.']);
  });

  it('fork several rows, and one undo moves all of the new sessions to the trash', async () => {
    const path = await folder.write('f.jsonl', session().user('What is it?').assistant('A test.').user('Why?').text()).then(age);
    const forks = async (): Promise<string[]> =>
      (await readdir(dirname(path))).filter((name) => name.endsWith('.jsonl') && name !== 'f.jsonl');
    const { run, editor } = runCommands(await recordedWrites());
    const rows = [{ row: 'session', path }, entryRow(path, 2)];
    await run('sessionTree.fork', rows[0], rows);
    assert.deepEqual([editor.messages, (await forks()).length, editor.clipboard], [[['Forked into new sessions: 2', 'Undo']], 2, '']);
    await run('sessionTree.undo');
    assert.deepEqual(editor.messages.at(-1), ['Undid forks: moved the new sessions to the trash']);
    assert.deepEqual(await forks(), []);
  });

  it('say that there are no sessions instead of showing an empty list', async () => {
    const { run, editor } = runCommands();
    await run('sessionTree.label');
    assert.deepEqual(editor.messages, [['There are no sessions yet.']]);
  });

  it('prompt for the name of a session without one, and write nothing if it stays so', async () => {
    const path = await twoMessages();
    const { run, editor } = runCommands();
    editor.input = ' ';
    await run('sessionTree.rename', { row: 'session', path });
    assert.deepEqual(
      editor.inputs.map(({ value, prompt }) => [value, prompt]),
      [['', 'Without a name, the session’s first message is shown.']],
    );
    assert.equal((await readSession(path)).entries.length, 2);
    assert.deepEqual(editor.messages, []);
  });

  it('say how many sessions a migration changed', async () => {
    const old = (name: string): Promise<string> =>
      folder.write(name, session({ version: 2, cwd: '/work/old' }).user('Hello').text()).then(age);
    const paths = [await old('a.jsonl'), await old('b.jsonl')];
    const listed = paths.map((path) => file(path, '/work/old', 1, { isOld: true }));
    const sessions = listed.flatMap((one) => (one.kind === 'session' ? [one.summary] : []));
    const { run, editor } = runCommands({ sessions: () => sessions, roots: () => [{ path: folder.path, dialect: 'pi', flat: true }] });
    editor.action = 'Migrate All';
    await run('sessionTree.migrateAll', { row: 'project', cwd: '/work/old' });
    assert.match(editor.messages[0]?.[0] ?? '', /^Migrate 2 sessions in old\?/);
    assert.deepEqual(editor.messages.at(-1), ['Migrated 2 sessions.', 'Show Report']);
  });

  it('show what relinking a project will do, do that, and offer to undo it', async () => {
    const root = join(folder.path, 'root');
    const to = join(folder.path, 'new', 'demo');
    const project = join(root, projectFolderName(join(folder.path, 'demo'), 'pi', { home: '', temp: '' }));
    await mkdir(project, { recursive: true });
    await mkdir(to, { recursive: true });
    await writeFile(
      join(project, 'a.jsonl'),
      session({ cwd: join(folder.path, 'demo') })
        .user('Hello')
        .text(),
    );
    await age(join(project, 'a.jsonl'));
    const { run, editor } = runCommands({
      roots: () => [{ path: root, dialect: 'pi', flat: false }],
      rootsReady: () => Promise.resolve(),
      untrustedPaths: new UntrustedPaths(),
      refresh: () => Promise.resolve(),
    });
    editor.action = 'Relink';
    const running = run('sessionTree.relink', { row: 'project', cwd: join(folder.path, 'demo') });
    await until(() => editor.picks.length > 0);
    const pick = editor.picks[0] as unknown as FakeQuickPick<{ label: string; value: string }>;
    assert.deepEqual(
      pick.items.map(({ label, value }) => [label, value]),
      [
        ['demo', to],
        ['Browse…', ''],
      ],
    );
    const [likely] = pick.items;
    if (likely) pick.accept(likely);
    await running;
    assert.match(JSON.stringify(editor.messages), /Relink 1 session to [^?]*new.demo\?/);
    assert.deepEqual(editor.messages.at(-1), ['Relinked 1 session.', 'Show Report', 'Undo']);
    const moved = join(root, projectFolderName(to, 'pi', { home: '', temp: '' }), 'a.jsonl');
    assert.equal((await readSession(moved)).header.cwd, to);
    const answer = await run('sessionTree.relink', { from: to, to: join(folder.path, 'third'), dryRun: true });
    assert.equal((answer as { moved: { path: string }[] }).moved[0]?.path, moved);
  });

  it('offer only likely folders for a project that moved, and any other in the dialog, which begins where the project was', async () => {
    const names = ['far/other', 'near', 'far/demo', 'gone/demo', 'renamed'];
    const folders = names.map((name) => join(folder.path, name));
    for (const each of folders) if (!each.includes('gone')) await mkdir(each, { recursive: true });
    const sessions = folders.map((cwd, at) => ({ path: `/s/${at}`, cwd, modified: 9 - at }) as SessionSummary);
    const { run, editor } = runCommands({ untrustedPaths: new UntrustedPaths(), sessions: () => sessions });
    const dialogs: { title: string; defaultUri?: { fsPath: string } }[] = [];
    const { api } = editor as { api: { window: object; workspace: object } };
    Object.assign(api.window, { showOpenDialog: (given: (typeof dialogs)[number]) => Promise.resolve(void dialogs.push(given)) });
    Object.assign(api.workspace, {
      workspaceFolders: ['renamed', 'far/other'].map((name) => ({ uri: Uri.file(join(folder.path, name)) })),
    });
    const running = run('sessionTree.relink', { row: 'project', cwd: join(folder.path, 'demo') });
    await until(() => editor.picks.length > 0);
    const pick = editor.picks[0] as unknown as FakeQuickPick<{ value: string }>;
    assert.equal(pick.placeholder, 'Select the folder where the project is now');
    assert.deepEqual(
      pick.items.map(({ value }) => value),
      [folders[2], folders[4], ''],
    );
    pick.accept(pick.items[2]!);
    await running;
    // Without a likely folder, nothing is listed.
    await run('sessionTree.relink', { row: 'project', cwd: join(folder.path, 'no', 'where') });
    assert.deepEqual(
      [editor.picks.length, ...dialogs.map(({ title, defaultUri }) => `${title}: ${String(defaultUri?.fsPath)}`)],
      [1, `Relink Project: ${folder.path}`, `Relink Project: ${folder.path}`],
    );
  });

  it('ask for the project of a new session that starts from the title of the view while no row has the focus', async () => {
    const sessions = [{ path: '/s/a', cwd: folder.path, modified: 1 } as SessionSummary];
    const { run, editor } = runCommands({ untrustedPaths: new UntrustedPaths(), sessions: () => sessions });
    // The editor passes undefined for the row with the focus.
    const running = run('sessionTree.newSession', undefined);
    await until(() => editor.picks.length > 0);
    const pick = editor.picks[0] as unknown as FakeQuickPick<{ value: string }>;
    assert.deepEqual(
      pick.items.map(({ value }) => value),
      [folder.path, ''],
    );
    pick.hide();
    await running;
    assert.deepEqual(editor.messages, []);
  });

  it('say that a waiting change is gone, also if it was dropped elsewhere', async () => {
    const { run, editor } = runCommands();
    await run('sessionTree.dropWaiting', { row: 'waiting', path: '/s.jsonl', waitingId: 'w' });
    assert.deepEqual(editor.messages, [['This change is no longer pending.']]);
    await assert.rejects(run('sessionTree.dropWaiting', { waitingId: 'w' }), {
      code: 'not-found',
      message: 'This change is no longer pending.',
    });
  });

  it('offer a fork of the session or of the entry that a refused command was called on', async () => {
    const path = await twoMessages();
    const submit = (): Promise<never> => Promise.reject(new SessionError('live', 'A program has it: {path}', { path }));
    const { run, editor } = runCommands({ writer: { ...createWriter(), submit } });
    editor.action = 'Fork Instead';
    editor.input = 'A name';
    await run('sessionTree.rename', { row: 'session', path });
    await run('sessionTree.label', entryRow(path, 1));
    assert.deepEqual(editor.executed, [
      ['sessionTree.fork', { row: 'session', path }],
      ['sessionTree.fork', entryRow(path, 1)],
    ]);
  });

  it('ask about the one session of a clean-up', async () => {
    const path = await folder.write('a.jsonl', session().user('Hello').text());
    await utimes(path, 0, 0);
    const listed = file(path, '/work', 0);
    const { run, editor } = runCommands({
      sessions: () => (listed.kind === 'session' ? [listed.summary] : []),
      roots: () => [{ path: folder.path, dialect: 'pi', flat: true }],
      catalog: {
        open: () => Promise.resolve({ labels: () => Promise.resolve([]) } as unknown as Catalog),
      } as unknown as CommandDeps['catalog'],
    });
    const running = run('sessionTree.cleanUp');
    for (const step of [1, 2]) {
      await until(() => editor.picks.length === step);
      const pick = editor.picks[step - 1] as unknown as FakeQuickPick<{ label: string }>;
      pick.accept(pick.items[0]!);
    }
    await until(() => editor.picks.length === 3);
    const list = editor.picks[2] as unknown as FakeQuickPick<{ label: string }>;
    list.select(list.items);
    list.acceptSelected();
    await running;
    assert.match(editor.messages[0]?.[0] ?? '', /^Archive 1 session \(/);
  });

  it('list old sessions with the reasons for keeping them, archive the chosen ones, and report the others', async () => {
    const day = 24 * 60 * 60 * 1000;
    const put = async (name: string): Promise<string> => {
      const path = await folder.write(name, session().user('Hello').text());
      await utimes(path, 0, 0);
      return path;
    };
    const [plain, kept, labeled] = [await put('plain.jsonl'), await put('kept.jsonl'), await put('labeled.jsonl')];
    const hours = (days: number): number => (Date.now() - days * day) / 3_600_000;
    const listed = [
      file(join(folder.path, 'new.jsonl'), '/work', hours(1)),
      file(plain, '/work', hours(100), { name: undefined, firstMessage: 'Hello' } as object),
      file(kept, '/work', hours(100), { name: 'Kept', parentSession: plain }),
      file(labeled, '/other', hours(100), { marks: { isPinned: true } }),
    ];
    const sessions = listed.flatMap((one) => (one.kind === 'session' ? [one.summary] : []));
    const writer = createWriter();
    let lists = 0;
    const { run, editor } = runCommands({
      sessions: () => (lists++, sessions),
      summary: (path) => sessions.find((one) => one.path === path),
      writer,
      writes: () => Promise.resolve({ writer, trash: {} } as unknown as Writes),
      roots: () => [{ path: folder.path, dialect: 'pi', flat: true }],
      catalog: {
        open: () =>
          Promise.resolve({
            labels: () => Promise.resolve([{ path: labeled, entryId: '', label: 'x', timestamp: 0 }]),
          } as unknown as Catalog),
      } as unknown as CommandDeps['catalog'],
    });
    editor.action = 'Archive';
    const running = run('sessionTree.cleanUp');
    await until(() => editor.picks.length === 1);
    const ages = editor.picks[0] as unknown as FakeQuickPick<{ label: string; description?: string }>;
    assert.deepEqual(
      [...ages.items.slice(0, 3), ...ages.items.slice(4)].map(({ label, description }) => `${label}: ${description ?? ''}`),
      [
        'Older than 30 days: 3 sessions',
        'Older than 90 days: 3 sessions',
        'Older than 180 days: 0 sessions',
        'Larger than 10 MB and older than 30 days: 0 sessions',
      ],
    );
    ages.accept(ages.items[1]!);
    await until(() => editor.picks.length === 2);
    const targets = editor.picks[1] as unknown as FakeQuickPick<{ label: string }>;
    assert.deepEqual(
      targets.items.map(({ label }) => label),
      ['Archive', 'Move to Trash'],
    );
    targets.accept(targets.items[0]!);
    await until(() => editor.picks.length === 3);
    const list = editor.picks[2] as unknown as FakeQuickPick<{ label: string; detail?: string; path: string }>;
    // The size and the age are below the title, which may be too long for anything beside it.
    assert.deepEqual(
      Object.fromEntries(list.items.map(({ path, detail }) => [path, detail?.replace(/^0\.\d KB · [^·]+ · .*?pi · /, '')])),
      {
        [plain]: 'has forks',
        [kept]: 'named',
        [labeled]: '1 label · pinned · newest of its project',
      },
    );
    assert.deepEqual([list.selectedItems, list.placeholder], [[], '0 of 3 sessions selected (0 KB)']);
    list.select(list.items.filter(({ path }) => path !== kept));
    assert.match(list.placeholder, /^2 of 3 sessions selected \(0\.\d KB\)$/);
    lists = 0;
    list.acceptSelected();
    await running;
    assert.equal(lists, 0, 'no list of all sessions is made for the chosen ones');
    assert.match(editor.messages[0]?.[0] ?? '', /^Archive 2 sessions \(0\.\d KB\)\?/);
    assert.match(editor.messages.at(-1)?.[0] ?? '', /^Archived sessions: 2 /);
    assert.deepEqual(editor.messages.at(-1)?.slice(1), ['Show Report', 'Undo']);
    assert.deepEqual((await readdir(folder.path)).map((name) => name.replace(/\.(gz|zst)$/, ' archived')).sort(), [
      'kept.jsonl',
      'labeled.jsonl archived',
      'plain.jsonl archived',
    ]);
  });

  it('offer to unarchive a session instead of changing it', async () => {
    const path = await twoMessages().then(age);
    const writer = createWriter();
    const { archive } = await writer.archive(path);
    const refreshed: string[] = [];
    const { run, editor } = runCommands({
      writer,
      reveal: () => Promise.resolve(true),
      refreshAfterWrite: (paths) => Promise.resolve(void refreshed.push(...paths)),
    });
    editor.action = 'Unarchive';
    await run('sessionTree.label', entryRow(archive, 1));
    assert.deepEqual(editor.messages.at(-1)?.slice(1), ['Unarchive', 'Fork Instead']);
    await until(() => editor.executed.length > 0);
    assert.deepEqual(editor.executed[0], ['sessionTree.unarchive', { row: 'session', path: archive }]);
    await run('sessionTree.unarchive', { row: 'session', path: archive });
    assert.equal((await readSession(path)).entries.length, 2);
    assert.deepEqual(refreshed, [path, archive]);
  });

  it('archive several sessions as one change, and one without a group, so that its undo names it', async () => {
    const paths = await Promise.all(
      ['a.jsonl', 'b.jsonl', 'c.jsonl'].map((name) => folder.write(name, session().user('Hello').text()).then(age)),
    );
    const rows = paths.map((path) => ({ row: 'session', path }) as const);
    const groups: (string | undefined)[] = [];
    const writer = {
      archive: (path: string, { group }: { group?: string }) => Promise.resolve(groups.push(group)).then(() => ({ path, archive: path })),
    } as unknown as CommandDeps['writer'];
    const { run } = runCommands({ writer });
    await run('sessionTree.archive', rows[0]);
    await run('sessionTree.archive', rows[0], rows);
    const [single, first, ...others] = groups;
    assert.deepEqual([single, others], [undefined, [first, first]]);
    assert.ok(first);
  });

  it('refuse a migration, and a move to the trash, before they ask anything', async () => {
    const old = await folder.write('old.jsonl', session({ version: 2 }).user('Hello').text()).then(age);
    const locked = await folder.write('locked.jsonl', session({ version: 2 }).user('Hello').text());
    await chmod(locked, 0o444);
    const open = { open: new Map([[old, { pid: 7, program: 'pi' }]]), agents: [] };
    const writer = createWriter({ signs: { ...noPrograms, processes: () => Promise.resolve(open) } });
    const { run, editor } = runCommands({ writer });
    const shown: string[] = [];
    // A move to the trash asks if not the session's own row was selected.
    for (const [command, row] of [
      ['migrate', { row: 'session', path: locked }],
      ['migrate', { row: 'session', path: old }],
      ['delete', { row: 'entry', path: old, entryId: entryId(1) }],
    ] as const) {
      await run(`sessionTree.${command}`, row);
      shown.push(...editor.messages.splice(0).map(([text]) => `${command}: ${text ?? ''}`));
    }
    assert.match(shown.shift() ?? '', /^migrate: The file is read-only\./);
    assert.match(shown.shift() ?? '', /^migrate: pi \(PID 7\) has this session open/);
    assert.deepEqual(shown, ['delete: pi (PID 7) is using “old.jsonl”. Close it there first.']);
  });

  it('offer to fork the session that refuses a migration, not the last one of the selection', async () => {
    const names = ['used.jsonl', 'free.jsonl'];
    const [used = '', free = ''] = await Promise.all(
      names.map((name) => folder.write(name, session({ version: 2 }).user('Hello').text()).then(age)),
    );
    const open = { open: new Map([[used, { pid: 7, program: 'pi' }]]), agents: [] };
    const writer = createWriter({ signs: { ...noPrograms, processes: () => Promise.resolve(open) } });
    const { run, editor } = runCommands({ writer });
    editor.action = 'Fork Instead';
    const rows = [used, free].map((path) => ({ row: 'session', path }) as const);
    await run('sessionTree.migrate', rows[0], rows);
    await until(() => editor.executed.length > 0);
    assert.deepEqual(editor.executed, [['sessionTree.fork', { row: 'session', path: used }]]);
  });

  it('keep what a refusal to move says that helps, such as to unarchive a session first', async () => {
    const path = await twoMessages().then(age);
    const guardedRemoval = (): Promise<never> => Promise.reject(new SessionError('live', 'Unarchive it first: {path}', { path }));
    const trash = { delete: guardedRemoval };
    const { run, editor } = runCommands({ writes: () => Promise.resolve({ trash } as unknown as Writes) });
    await run('sessionTree.delete', { row: 'session', path });
    assert.deepEqual(editor.messages, [[`Unarchive it first: ${path}`]]);
  });

  it('name the session that a program uses when it can not be moved, without a fork that does not help', async () => {
    const path = await twoMessages().then(age);
    const open = { open: new Map([[path, { pid: 7, program: 'pi' }]]), agents: [] };
    const writer = createWriter({ signs: { ...noPrograms, processes: () => Promise.resolve(open) } });
    const { run, editor } = runCommands({ writer });
    await run('sessionTree.archive', { row: 'session', path });
    assert.deepEqual(editor.messages, [['pi (PID 7) is using “s.jsonl”. Close it there first.']]);
  });

  it('name the session that a program uses when it can not be changed, and ask with its name in doubt', async () => {
    const path = await twoMessages().then(age);
    const listed = file(path, '/work', 1, { name: 'Fix the build' });
    const sessions = listed.kind === 'session' ? [listed.summary] : [];
    const used = { open: new Map([[path, { pid: 7, program: 'pi' }]]), agents: [] };
    const writer = createWriter({ signs: { ...noPrograms, processes: () => Promise.resolve(used) } });
    const { run, editor } = runCommands({ writer, sessions: () => sessions });
    editor.input = 'x';
    const refusals: unknown[] = [];
    for (const [command, row] of [
      ['label', entryRow(path, 1)],
      ['branchHere', entryRow(path, 1)],
      ['rename', { row: 'session', path }],
    ] as const) {
      await run(`sessionTree.${command}`, row);
      refusals.push(...editor.messages.splice(0).map(([text]) => text));
    }
    const sentence = 'pi (PID 7) has this session open and wouldn’t notice the change. Close it there, or fork instead: Fix the build';
    assert.deepEqual(refusals, [sentence, sentence, sentence]);
    const submit = (): Promise<never> => Promise.reject(new SessionError('unsure', 'A program may have it: {path}', { path }));
    const inDoubt = runCommands({ writer: { ...createWriter(), submit }, sessions: () => sessions });
    inDoubt.editor.input = 'x';
    await inDoubt.run('sessionTree.rename', { row: 'session', path });
    assert.equal(inDoubt.editor.messages[0]?.[0], 'A program may have it: Fix the build');
  });

  it('do nothing in doubt when Enter chooses the first answer, but try again', async () => {
    const path = await twoMessages().then(age);
    const forced: boolean[] = [];
    const real = createWriter({ signs: noPrograms });
    const submit: Writer['submit'] = (file, change, options = {}) => {
      forced.push(options.force === true);
      return forced.length < 3
        ? Promise.reject(new SessionError('unsure', 'A program may have it: {path}', { path }))
        : real.submit(file, change, options);
    };
    const editor = fakeEditor();
    const asked: unknown[][] = [];
    Object.assign((editor.api as { window: object }).window, {
      showWarningMessage: (_text: string, _options: object, ...answers: unknown[]) => {
        asked.push(answers);
        return Promise.resolve(answers[0]);
      },
    });
    const { run } = runCommands({ writer: { ...real, submit } }, editor);
    editor.input = 'x';
    await run('sessionTree.rename', { row: 'session', path });
    const answers = ['Retry', 'Fork Instead', 'Apply Anyway'];
    assert.deepEqual(
      [asked, forced],
      [
        [answers, answers],
        [false, false, false],
      ],
    );
  });

  it('that remove a row leave the keyboard at its place, those that bring it back at the row', async () => {
    const path = await twoMessages().then(age);
    const row = { id: 'a row', row: 'session', path } as const;
    const steps: unknown[] = [];
    const { run } = runCommands({
      rememberPlace: (removed) => {
        steps.push(removed, existsSync(path));
        return () => Promise.resolve(void steps.push('go', existsSync(path)));
      },
      reveal: (ref, options) => Promise.resolve(steps.push(ref, options) > 0),
      writes: () =>
        Promise.resolve({
          trash: {
            delete: async () => {
              await rm(path);
              return { trashId: '1', name: 'a' };
            },
          },
        } as unknown as Writes),
    });
    await run('sessionTree.archive', row);
    assert.deepEqual(steps.splice(0), [row, true, 'go', false]);
    const [archive = ''] = await readdir(folder.path);
    await run('sessionTree.unarchive', { id: 'a row', row: 'session', path: join(folder.path, archive) });
    assert.deepEqual(steps.splice(0), [{ path }, { focus: true }]);
    await run('sessionTree.delete', row);
    assert.deepEqual(steps, [row, true, 'go', false]);
  });

  it('that discard a pending change leave the keyboard at its place', async () => {
    const steps: unknown[] = [];
    const { run } = runCommands({
      rememberPlace: (removed) => {
        steps.push(removed);
        return () => Promise.resolve(void steps.push('go'));
      },
      pendingChanges: {
        forSession: () => [],
        add: () => Promise.reject(new Error('Nothing is added.')),
        drop: (id) => Promise.resolve(steps.push(id) > 0),
        onSettled: new FakeEmitter<never>().event,
      },
    });
    const row = { id: 'a row', row: 'waiting', path: '/a.jsonl', waitingId: '1' } as const;
    await run('sessionTree.dropWaiting', row);
    assert.deepEqual(steps, [row, '1', 'go']);
  });

  it('that show a new session or leaf move the keyboard there from rows of the view, not from the context view', async () => {
    const focused: unknown[] = [];
    const { run, editor } = runCommands({
      writer: createWriter({ signs: noPrograms }),
      reveal: (_, options) => Promise.resolve(focused.push(options?.focus) > 0),
    });
    editor.input = '';
    const damaged = `${session().user('What is it?').text()}{"type":`;
    for (const command of ['fork', 'branchHere', 'recoverSession']) {
      for (const own of [{ id: 'a row' }, {}]) {
        const path = await (command === 'recoverSession' ? folder.write('damaged.jsonl', damaged) : twoMessages()).then(age);
        await run(`sessionTree.${command}`, { ...own, ...entryRow(path, 1) });
      }
      assert.deepEqual(focused.splice(0), [true, false], `${command}: ${editor.messages.join('; ')}`);
    }
  });

  it('from the palette leave the keyboard at the place of the selected row, unless a context view has it', async () => {
    const path = await twoMessages();
    await age(path);
    const record = { id: '1', kind: 'archive', path };
    let selected = { id: 'a row', row: 'session', path };
    let contextHasFocus = false;
    const steps: unknown[] = [];
    const { run } = runCommands({
      // The editor removes rows that are gone from the selection.
      selection: () => (existsSync(selected.path) ? [selected as Row] : []),
      contextHasFocus: () => contextHasFocus,
      rememberPlace: (row) => {
        steps.push(row);
        return () => Promise.resolve(void steps.push('go'));
      },
      reveal: (_, options) => Promise.resolve(steps.push(options) > 0),
      writes: () =>
        Promise.resolve({
          nextUndo: () => Promise.resolve(record),
          undo: () => Promise.resolve({ did: 'file', path, paths: [], record }),
        } as unknown as Writes),
    });
    for (const hasFocus of [false, true]) {
      contextHasFocus = hasFocus;
      selected = { id: 'a row', row: 'session', path };
      await run('sessionTree.archive');
      assert.deepEqual(steps.splice(0), hasFocus ? [selected] : [selected, 'go']);
      const archive = (await readdir(folder.path)).find((name) => !name.endsWith('.jsonl'));
      selected = { id: 'its archive', row: 'session', path: join(folder.path, String(archive)) };
      await run('sessionTree.unarchive');
      assert.deepEqual(steps.splice(0), [{ focus: !hasFocus }]);
      selected = { id: 'a row', row: 'session', path };
      await run('sessionTree.undo');
      assert.deepEqual(steps.splice(0), hasFocus ? [selected] : [selected, 'go']);
    }
  });
});
