// Tests for writes from a person's view: refusals and ways out, pending changes, undo, deletion and restoration.
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { openWriteStorage } from '../../src/writing/writeStorage';
import { session, type SessionBuilder } from '../fixtures/build';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { pressButton, showsMessage } from './messages';
import { refuses } from './refusals';
import { answerDialogs, atEnd, changeSetting } from './replacements';
import { linesOf, oldSession } from './temporarySessions';
import { menu, open as expand, row, showProject } from './treeRows';
import { eventually } from './waiting';

const talk = (cwd: string): SessionBuilder =>
  session({ cwd })
    .user('Which way?', { id: 'ask' })
    .assistant('Left or right.', { id: 'answer' })
    .user('Right.', { id: 'right' })
    .assistant('A door.', { id: 'door' });

describe('writes that can be taken back', () => {
  let release: (() => Promise<void>) | undefined;
  before(() => vscode.commands.executeCommand('sessionTree.sessions.focus'));
  afterEach(async () => {
    await release?.();
    release = undefined;
    await run('emptyTrash', {});
  });
  editorSuite();

  /** Selects a row with a click, and waits until it has the focus. */
  const select = async (text: string): Promise<void> => {
    await driver.click(row(text));
    await driver.waitFor(`.monaco-list:focus-within .focused${row(text).replace('.sidebar ', '')}`);
  };
  const input = '.quick-input-widget:visible input';
  const fill = async (text: string): Promise<void> => {
    await driver.waitFor(input);
    await driver.find(input).fill(text);
    await driver.press('Enter');
  };
  const whileAnswering = async (answer: string, work: () => Thenable<unknown>): Promise<readonly string[]> => {
    const asked = answerDialogs(answer);
    assert.equal(await work(), undefined);
    return asked;
  };

  /** Keeps the session's lock open in another process until it is released. */
  const hold = async (path: string): Promise<void> => {
    const lock = join(own.folder, `.${basename(path)}.lock`);
    const holder: ChildProcess = spawn('sleep', ['120']);
    await writeFile(lock, `${String(holder.pid)}:${String(Date.now())}\n`);
    release = async () => {
      release = undefined;
      holder.kill();
      await rm(lock, { force: true });
    };
  };

  describe('a session that another program is using', () => {
    it('is refused with two alternatives; a fork is made at once', async () => {
      const path = await own.put('talk', talk(own.cwd));
      const before = await readFile(path);
      await hold(path);
      const pendingCommand = run('label', { row: 'entry', path, entryId: 'answer' });
      await fill('x');
      assert.equal(await pendingCommand, undefined);
      await showsMessage(/locked this session/);
      await driver.waitFor('.notification-toast .monaco-button >> text=Apply When Closed');
      await pressButton('Fork Instead');
      await eventually('the fork', async () =>
        (await readdir(own.folder)).find((name) => name.endsWith('.jsonl') && name !== 'talk.jsonl'),
      );
      assert.deepEqual(await readFile(path), before);
    });

    it('gets the change when it is free: it is a row while pending, is written, and undone like any other @oldest', async () => {
      const path = await own.put('talk', talk(own.cwd));
      const before = await readFile(path);
      await showProject();
      await hold(path);
      const pendingCommand = run('label', { row: 'entry', path, entryId: 'answer' });
      await fill('later');
      await pendingCommand;
      await pressButton('Apply When Closed');
      await driver.waitFor(row('pending: label “later”'));
      await expand('Which way?');
      await driver.waitFor('.sidebar [role=treeitem][aria-label^="pending: label “later”"]');
      assert.deepEqual(await readFile(path), before);

      await release?.();
      const line = await eventually('the line', async () => (await linesOf(path)).find(({ type }) => type === 'label'));
      assert.deepEqual([line['targetId'], line['label']], ['answer', 'later']);
      await showsMessage(/Applied pending change: label “later”/);
      await driver.waitFor(row('pending:'), { state: 'detached' });
      await driver.waitFor(row('label later'));
      assert.deepEqual(await run('undo', {}), { did: 'inverse', path });
    });

    it('pending changes can be dropped', async () => {
      const path = await own.put('talk', talk(own.cwd));
      await showProject();
      await hold(path);
      const pendingCommand = run('rename', { row: 'session', path });
      await fill('Never');
      await pendingCommand;
      await pressButton('Apply When Closed');
      await driver.waitFor(row('pending: name “Never”'));
      await vscode.commands.executeCommand('workbench.action.quickOpen', '>Discard Pending Change');
      await driver.waitFor('.quick-input-list .monaco-list-row[aria-label*="Discard Pending Change"]');
      await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
      await menu('pending: name “Never”', 'Discard Pending Change');
      await driver.waitFor(row('pending:'), { state: 'detached' });
      await refuses('not-found', run('dropWaiting', { waitingId: 'nothing' }));
    });

    it('does not get a change that has lost its meaning: its row gives the reason until it is dropped', async () => {
      const path = await own.put('talk', talk(own.cwd));
      await showProject();
      await hold(path);
      const pendingCommand = run('label', { row: 'entry', path, entryId: 'answer' });
      await fill('mine');
      await pendingCommand;
      await pressButton('Apply When Closed');
      await driver.waitFor(row('pending: label “mine”'));
      await appendFile(path, talk(own.cwd).label('answer', 'theirs').lines().at(-1)! + '\n');
      const before = await readFile(path);
      const longAgo = Date.now() / 1000 - 60;
      await utimes(path, longAgo, longAgo);
      await release?.();
      await showsMessage(/The label was changed while this change was pending/);
      await driver.waitFor(row('can’t apply: label “mine”'));
      assert.deepEqual(await readFile(path), before);
      await pressButton('Discard');
      await driver.waitFor(row('can’t apply'), { state: 'detached' });
    });

    it('is not deleted', async () => {
      const path = await own.put('talk', talk(own.cwd));
      await hold(path);
      await refuses('live', run('delete', { path, force: true }));
      assert.equal(await run('delete', { row: 'session', path }), undefined);
      await showsMessage(/Close it there first/);
      assert.equal(existsSync(path), true);
    });
  });

  it('a write that is unsure is confirmed once for each session', async () => {
    const path = await own.put('talk', talk(own.cwd), { fresh: true });
    const asked = answerDialogs('Apply Anyway');
    const pendingCommand = run('rename', { row: 'session', path });
    await fill('Doors');
    await pendingCommand;
    // Another program writes again.
    const file = await open(path, 'a');
    await file.write('{"type":"custom","id":"c0000001","parentId":"door","timestamp":"2026-01-02T11:00:00.000Z","customType":"x"}\n');
    await file.close();
    const again = run('rename', { row: 'session', path });
    await fill('Doors again');
    await again;
    assert.equal(asked.length, 1);
    assert.equal((await linesOf(path)).at(-1)?.['name'], 'Doors again');
  });

  describe('undo', () => {
    it('takes back the label, then the name, then reports that there is nothing more', async () => {
      const path = await own.put('talk', talk(own.cwd));
      await run('rename', { path, name: 'Doors' });
      await run('label', { path, entryId: 'ask', label: 'start' });
      const { size } = await stat(path);
      assert.deepEqual(await run('undo', {}), { did: 'inverse', path });
      const line = (await linesOf(path)).at(-1)!;
      assert.deepEqual([line['type'], line['targetId'], line['label']], ['label', 'ask', undefined]);
      assert.ok((await stat(path)).size > size, 'nothing is shortened');
      assert.deepEqual(await run('undo'), { did: 'inverse', path }, 'without arguments it speaks and answers');
      await showsMessage(/Undid rename: cleared the name of/);
      assert.equal((await linesOf(path)).at(-1)?.['name'], '');
    });

    it('has a key while the view has the focus', async () => {
      const path = await own.put('talk', talk(own.cwd));
      await run('label', { path, entryId: 'ask', label: 'start' });
      await showProject();
      await select('Which way?');
      await driver.press('ControlOrMeta+z');
      await showsMessage(/cleared “start”/);
      assert.equal((await linesOf(path)).at(-1)?.['label'], undefined);
    });

    it('takes back the forks of several rows at once', async () => {
      await own.put('one', talk(own.cwd).name('First'));
      await own.put('two', talk(own.cwd).name('Second'));
      const sessions = async (): Promise<number> => (await readdir(own.folder)).filter((name) => name.endsWith('.jsonl')).length;
      await showProject();
      await select('First');
      await driver.find(row('Second')).click({ modifiers: ['Control'] });
      await driver.waitFor(`${row('First')}[aria-selected="true"]`);
      await driver.waitFor(`${row('Second')}[aria-selected="true"]`);
      await vscode.commands.executeCommand('sessionTree.fork');
      await showsMessage(/Forked into new sessions: 2/);
      assert.equal(await sessions(), 4);
      await pressButton('Undo');
      await eventually('the first two alone', async () => (await sessions()) === 2);
    });

    it('takes back a fork and a migration as files', async () => {
      const path = await own.put('old', oldSession(own.cwd));
      const before = await readFile(path);
      await run('migrate', { path });
      assert.deepEqual(await run('undo', {}), { did: 'file', path });
      assert.deepEqual(await readFile(path), before);
      const fork = await run<{ path: string }>('fork', { path });
      assert.deepEqual(await run('undo', {}), { did: 'file', path: fork.path });
      assert.equal(existsSync(fork.path), false);
    });
  });

  describe('delete', () => {
    it('resolves to the argument of restore; the row disappears and comes back @oldest', async () => {
      const path = await own.put('talk', talk(own.cwd));
      const before = await readFile(path);
      await mkdir(join(own.folder, 'talk'));
      await writeFile(join(own.folder, 'talk', 'notes.txt'), 'kept');
      await showProject();
      await driver.waitFor(row('Which way?'));
      const { trashId } = await run<{ trashId: string }>('delete', { path });
      await driver.waitFor(row(basename(own.cwd)), { state: 'detached' });
      assert.equal(existsSync(join(own.folder, 'talk')), false);
      assert.deepEqual(await run('restore', { trashId }), { path });
      assert.deepEqual(await readFile(path), before);
      assert.equal(await readFile(join(own.folder, 'talk', 'notes.txt'), 'utf8'), 'kept');
      await driver.waitFor(row(basename(own.cwd)));
      await refuses('not-found', run('restore', { trashId }));
      await refuses('not-found', run('delete', { path: join(own.folder, 'missing.jsonl') }));
      await refuses('invalid', run('restore', {}));
    });

    it('from the menu shows a message with Undo, which restores the session', async () => {
      const path = await own.put('talk', talk(own.cwd));
      await showProject();
      await menu('Which way?', 'Move to Trash');
      await showsMessage(/Moved to the trash: Which way\?/);
      assert.equal(existsSync(path), false);
      await pressButton('Undo');
      await eventually('the session', () => existsSync(path));
      await driver.waitFor(row(basename(own.cwd)));
    });

    it('the key deletes the selected sessions; for an entry it offers to delete the whole session', async () => {
      const one = await own.put('one', talk(own.cwd));
      const two = await own.put('two', talk(own.cwd).name('Second'));
      await showProject();
      await select('Second');
      await driver.press('Delete');
      await showsMessage(/Moved to the trash: Second/);
      assert.deepEqual([existsSync(one), existsSync(two)], [true, false]);
      const questions = await whileAnswering('', () => run('delete', { row: 'entry', path: one, entryId: 'ask' }));
      assert.match(questions[0] ?? '', /Move the entire session “Which way\?” to the trash/);
      assert.equal(existsSync(one), true);
    });

    it('of several sessions gives one message, and one Undo', async () => {
      const paths = [await own.put('one', talk(own.cwd)), await own.put('two', talk(own.cwd))];
      const [first, second] = paths.map((path) => ({ row: 'session', path }));
      await run('delete', first, [first, second]);
      await showsMessage(/Moved 2 sessions to the trash/);
      assert.deepEqual(
        paths.map((path) => existsSync(path)),
        [false, false],
      );
      await pressButton('Undo');
      await eventually('both', () => paths.every((path) => existsSync(path)));
    });

    it('of a session with forks gives a warning first', async () => {
      const path = await own.put('talk', talk(own.cwd));
      const fork = await run<{ path: string }>('fork', { path });
      const declined = await whileAnswering('', () => run('delete', { row: 'session', path }));
      assert.match(
        declined[0] ?? '',
        /Move “Which way\?” to the trash\? 1 fork is kept, but no longer nested here\.\n[^]*\[Move to Trash\]/,
      );
      assert.equal(existsSync(path), true);
      await whileAnswering('Move to Trash', () => run('delete', { row: 'session', path }));
      assert.deepEqual([existsSync(path), existsSync(fork.path)], [false, true]);
    });

    it('restore lists the sessions in the trash', async () => {
      const path = await own.put('talk', talk(own.cwd).name('Lost and found'));
      await run('delete', { path });
      const pendingCommand = run('restore');
      await driver.pick('Lost and found');
      assert.equal(await pendingCommand, undefined);
      assert.equal(existsSync(path), true);
    });

    it('emptying the trash lists its content', async () => {
      const path = await own.put('talk', talk(own.cwd).name('Going'));
      const { trashId } = await run<{ trashId: string }>('delete', { path });
      const declined = await whileAnswering('', () => run('emptyTrash'));
      assert.match(declined[0] ?? '', /Permanently delete 1 session\? Going \([^]*can’t undo this[^]*\[Empty Trash\]/);
      await run('restore', { trashId });
      await run('delete', { path });
      await whileAnswering('Empty Trash', () => run('emptyTrash'));
      assert.deepEqual(await run('emptyTrash', {}), { removed: 0 });
      await refuses('not-found', run('restore', { trashId }));
    });
  });

  describe('migrate all', () => {
    it('shows the planned changes first, and the result afterwards', async () => {
      const one = await own.put('one', oldSession(own.cwd));
      await own.put('two', oldSession(own.cwd, { id: '01a1fa45-0000-4000-8000-000000000002' }));
      const current = await own.put('three', talk(own.cwd));
      const before = await readFile(current);
      const project = { row: 'project', cwd: own.cwd };
      const declined = await whileAnswering('', () => run('migrateAll', project));
      assert.match(
        declined[0] ?? '',
        /Migrate 2 of 3 sessions in [^]*Long ago · format 1, 1 KB[^]*1 session is already in the current format[^]*\[Migrate All\]/,
      );
      assert.equal((await linesOf(one))[0]?.['version'], undefined);

      await whileAnswering('Migrate All', () => run('migrateAll', project));
      await showsMessage(/Migrated 2 sessions\./);
      assert.deepEqual((await readdir(own.folder)).filter((name) => name.endsWith('.bak')).sort(), [
        'one.jsonl.v1.bak',
        'two.jsonl.v1.bak',
      ]);
      assert.deepEqual(await readFile(current), before);
      assert.deepEqual(await run('undo', {}).then((undone) => (undone as { did: string }).did), 'file');
    });

    it('resolves to the result for each file', async () => {
      const one = await own.put('one', oldSession(own.cwd));
      const current = await own.put('three', talk(own.cwd));
      const answer = await run<{ migrated: { path: string; backupPath: string }[]; left: { path: string; reason: string }[] }>(
        'migrateAll',
        { cwd: own.cwd },
      );
      assert.deepEqual(answer.migrated, [{ path: one, backupPath: `${one}.v1.bak` }]);
      assert.deepEqual(
        answer.left.map(({ path }) => path),
        [current],
      );
      assert.match(answer.left[0]?.reason ?? '', /already/);
      await refuses('invalid', run('migrateAll', {}));
    });
  });

  describe('relink', () => {
    it('shows a project whose folder is gone, and moves its sessions to the folder where it is now', async () => {
      const [from, to] = [join(own.cwd, 'gone'), join(own.cwd, 'elsewhere', 'gone')];
      const path = await own.put('one', talk(from));
      await own.put('two', session({ cwd: own.cwd, parentSession: path }).user('A fork?'));
      await eventually('the row of the project', async () => {
        const rows = await driver.texts('.part.sidebar .monaco-list-row');
        return rows.some((row) => row.includes('folder not found'));
      });
      await mkdir(to, { recursive: true });
      const planned = await run<{ moved: { path: string; newPath: string }[]; left: unknown[] }>('relink', { from, to, dryRun: true });
      assert.ok(existsSync(path));
      const done = await run<typeof planned>('relink', { from, to });
      assert.deepEqual(done, planned);
      assert.deepEqual([done.moved.map((one) => one.path), done.left], [[path], []]);
      assert.ok(!existsSync(path));
      const moved = done.moved[0]?.newPath ?? '';
      assert.equal((await linesOf(moved))[0]?.['cwd'], to);
      assert.equal((await linesOf(join(own.folder, 'two.jsonl')))[0]?.['parentSession'], moved);
      assert.deepEqual(await run('undo', {}), { did: 'file', path });
      assert.ok(existsSync(path) && !existsSync(moved));
      await refuses('invalid', run('relink', { from: 'no path', to }));
    });
  });

  describe('archive and cleanUp', () => {
    it('compress sessions, which stay listed and searchable, refuse changes, and come back byte by byte', async () => {
      const path = await own.put('one', session({ cwd: own.cwd }).user('Where is the lighthouse?').assistant('There.'));
      const old = new Date(Date.UTC(2020, 0, 1));
      await utimes(path, old, old);
      const before = await readFile(path);
      const options = { to: 'archive', olderThanDays: 100, project: own.cwd };
      const planned = await run<{ cleaned: { path: string; newPath?: string; bytes: number }[]; left: unknown[] }>('cleanUp', {
        ...options,
        dryRun: true,
      });
      assert.deepEqual(await readFile(path), before);
      assert.deepEqual(await run('cleanUp', options), planned);
      const archive = planned.cleaned[0]?.newPath ?? '';
      assert.deepEqual(planned, { cleaned: [{ path, newPath: archive, bytes: before.length }], left: [] });
      assert.match(archive, /\.jsonl\.zst$/);
      assert.ok(!existsSync(path) && existsSync(archive));
      const hits = await run<{ path: string }[]>('search', { query: 'lighthouse' });
      assert.deepEqual([...new Set(hits.map((hit) => hit.path))], [archive]);
      assert.deepEqual(await run('showContext', { path: archive }), { messages: 2 });
      await refuses('read-only', run('rename', { path: archive, name: 'x' }));
      await refuses('read-only', run('resume', { path: archive }));
      assert.equal(await run('unarchive', [{ path: archive }]), undefined);
      assert.deepEqual(await readFile(path), before);
      assert.equal(await run('archive', { path }), undefined);
      assert.ok(existsSync(archive));
      assert.deepEqual(await run('undo', {}), { did: 'file', path });
      assert.deepEqual(await readFile(path), before);
      await refuses('invalid', run('cleanUp', { to: 'nowhere' }));
      await refuses('invalid', run('cleanUp', { to: 'trash', olderThanDays: -1 }));
    });
  });

  describe('the storage', () => {
    const errors: unknown[] = [];
    const storageIn = (folder: string) => openWriteStorage({ folder, roots: () => [], onError: (error) => errors.push(error) });
    beforeEach(() => errors.splice(0));

    it('that can’t be used is reported, and writing continues without it', async () => {
      const path = await own.put('talk', talk(own.cwd));
      const blocked = join(own.cwd, 'blocked');
      await writeFile(blocked, 'no folder');
      const storage = storageIn(join(blocked, 'storage'));
      atEnd(() => storage.dispose());
      await refuses('permission', storage.writes());
      assert.equal(errors.length, 1);
      await storage.recoverAndPrune(() => assert.fail('there is nothing to end'));
      const { entryId } = await storage.writer.submit(path, { kind: 'label', entryId: 'ask', label: 'start' });
      assert.equal((await linesOf(path)).at(-1)?.['id'], entryId);
      await storage.writer.forkSession(path);
      await hold(path);
      await refuses('live', storage.writer.submit(path, { kind: 'label', entryId: 'ask', label: 'x' }));
    });

    it('is for this person alone, and an invalid setting empties nothing', async function () {
      if (process.platform === 'win32') this.skip();
      const path = await own.put('talk', talk(own.cwd));
      const folder = join(own.cwd, 'storage');
      const storage = storageIn(folder);
      atEnd(() => storage.dispose());
      await changeSetting('sessionTree.keepDays', -1);
      await storage.writer.submit(path, { kind: 'label', entryId: 'ask', label: 'start' });
      const { trash } = await storage.writes();
      const { trashId } = await trash.delete(path);
      await storage.recoverAndPrune(() => assert.fail('there is nothing to end'));
      assert.deepEqual(
        (await trash.list()).map((item) => item.trashId),
        [trashId],
      );
      for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
        const { mode } = await stat(join(entry.parentPath, entry.name));
        assert.equal(mode & 0o077, 0, join(entry.parentPath, entry.name));
      }
      assert.deepEqual(errors, []);
    });
  });

  it('records that are older than the setting allows are removed: journal, queue and trash', async () => {
    const errors: unknown[] = [];
    const folder = join(own.cwd, 'storage');
    const storage = openWriteStorage({ folder, roots: () => [], onError: (error) => errors.push(error) });
    atEnd(() => storage.dispose());
    const { trash, queue, journal } = await storage.writes();
    const paths = [await own.put('one', talk(own.cwd)), await own.put('two', talk(own.cwd))] as const;
    await queue.enqueue(paths[0], { kind: 'rename', name: 'later' });
    const { trashId } = await trash.delete(paths[1]);
    const [waiting] = await readdir(join(folder, 'queue')).then((names) => names.filter((name) => name.endsWith('.waiting')));
    const [day] = await readdir(journal.folder).then((names) => names.filter((name) => name.endsWith('.writes')));
    const place = join(own.folder, '.session-tree-trash', trashId);
    const threeDays = 3 * 24 * 60 * 60 * 1000;
    for (const file of [join(folder, 'trash', 'records', `${trashId}.json`), join(folder, 'queue', waiting!)]) {
      const kept = JSON.parse(await readFile(file, 'utf8')) as { at: number };
      await writeFile(file, JSON.stringify({ ...kept, at: kept.at - threeDays }));
    }
    await rename(join(journal.folder, day!), join(journal.folder, `${new Date(Date.now() - threeDays).toISOString().slice(0, 10)}.writes`));
    const kept = async () => [
      (await queue.list()).length,
      (await trash.list()).length,
      (await readdir(journal.folder)).filter((name) => name.endsWith('.writes')).length,
    ];
    await storage.recoverAndPrune(() => assert.fail('there is nothing to end'));
    assert.deepEqual(await kept(), [1, 1, 1], 'thirty days by default');
    await changeSetting('sessionTree.keepDays', 2);
    // Changing the setting is enough.
    await eventually('all is forgotten', async () => (await kept()).every((count) => count === 0));
    await eventually('the deleted session is removed', () => !existsSync(place));
    assert.deepEqual([existsSync(paths[0]), errors], [true, []]);
  });

  it('branchAndResume branches and opens the terminal; a session that can not be resumed is not branched', async function () {
    if (process.platform === 'win32') this.skip();
    const path = await own.put('talk', talk(own.cwd));
    const before = await readFile(path);
    await changeSetting('sessionTree.programs', { pi: ['no-such-program'] });
    await refuses('not-found', run('branchAndResume', { path, entryId: 'answer' }));
    assert.deepEqual(await readFile(path), before);
    await changeSetting('sessionTree.programs', { pi: ['sh', '-c', 'sleep 30'] });
    const answer = await run<{ entryId: string; command: string[] }>('branchAndResume', { path, entryId: 'answer' });
    assert.deepEqual(answer.command, ['sh', '-c', 'sleep 30', '--session', path]);
    const last = (await linesOf(path)).at(-1)!;
    assert.deepEqual([last['id'], last['parentId']], [answer.entryId, 'answer']);
    assert.equal(vscode.window.terminals.length, 1);
    const pendingCommand = run('branchAndResume', { row: 'entry', path, entryId: 'right' });
    await fill('');
    await pendingCommand;
    await showsMessage(/If it’s open elsewhere, reopen it there/);
    assert.equal((await linesOf(path)).at(-1)?.['parentId'], 'answer', 'before what was asked');
    assert.equal(vscode.window.terminals.length, 2);
  });
});
