import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, open as openFile, readdir, readFile, symlink, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  createWriter,
  importSession,
  openWrites,
  readSession,
  recoverSession,
  relinkProject,
  type Root,
  type Writes,
} from '../../../src/core/index';
import { beginOperation } from '../../../src/core/files/storage/operationRecord';
import { beginRelink } from '../../../src/core/files/history/relinkLog';
import { SessionManager } from '../../../src/core/files/api/sessionManager';
import { addNote } from '../../../src/core/files/git/gitNotes';
import { ReadOnlyRootError } from '../../../src/core/files/locate/readOnlyRoots';
import { Mover } from '../../../src/core/files/relink/mover';
import { noMoveLog } from '../../../src/core/files/write/moveLog';
import { relinkHandler } from '../../../src/core/files/history/relinkRecovery';
import { recoverOperations } from '../../../src/core/files/storage/operationRecord';
import { TRASH_FOLDER } from '../../../src/core/files/trash/trash';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { hashTree } from '../../fixtures/hashTree';
import { refusalCode } from '../../fixtures/refusals';
import { age, countingStamp } from '../../fixtures/writes';

const NAME = '2026-03-04T05-06-07-890Z_a.jsonl';

describe('The guard of read-only session folders', function () {
  this.timeout(60_000);
  const folder = testFolder();
  const own = (...names: string[]): string => join(folder.path, 'own', ...names);
  const kept = (...names: string[]): string => join(folder.path, 'kept', ...names);
  const storage = (): string => join(folder.path, 'storage');
  let roots: Root[];

  const writable = (path: string, flat = false): Root => ({ path, dialect: 'pi', flat });
  const readOnly = (path: string, flat = false): Root => ({ path, dialect: 'pi', flat, readOnly: true });
  const lines = (cwd = '/here/demo'): string => session({ cwd }).user('Make it so').assistant('done').text();
  const put = async (file: string, text = lines()): Promise<string> => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
    return age(file);
  };
  const open = (): Promise<Writes> =>
    openWrites({
      folder: storage(),
      writer: createWriter({ ...countingStamp(), locksDir: join(storage(), 'windows'), roots: () => roots }),
      roots: () => roots,
      onProblem: (error) => {
        throw error;
      },
    });
  const untouched = async <T>(root: string, work: () => Promise<T>): Promise<T> => {
    const before = await hashTree(root);
    try {
      return await work();
    } finally {
      assert.equal(await hashTree(root), before);
    }
  };

  interface Layout {
    readonly roots: Root[];
    /** The real folder of the read-only root. */
    readonly root: string;
    /** A folder of sessions in it, by the name under which a writable root has it. */
    readonly at: string;
  }
  const layouts: Readonly<Record<string, () => Promise<Layout>>> = {
    'in a writable one': () => {
      const at = own('--here-ro--');
      return Promise.resolve({ roots: [writable(own()), readOnly(at, true)], root: at, at });
    },
    'around a writable one': () =>
      Promise.resolve({ roots: [readOnly(kept()), writable(kept('--here-ro--'), true)], root: kept(), at: kept('--here-ro--') }),
    'linked into a writable one': async () => {
      await mkdir(kept(), { recursive: true });
      await mkdir(own(), { recursive: true });
      await symlink(kept(), own('--here-ro--'));
      return { roots: [writable(own()), readOnly(kept(), true)], root: kept(), at: own('--here-ro--') };
    },
    'that is itself a link': async () => {
      await mkdir(own('--here-ro--'), { recursive: true });
      await symlink(own('--here-ro--'), kept());
      return { roots: [writable(own()), readOnly(kept(), true)], root: own('--here-ro--'), at: own('--here-ro--') };
    },
  };

  for (const [title, lay] of Object.entries(layouts))
    it(`is passed by every write: nothing changes in a root ${title}`, async () => {
      const { at, root, roots: all } = await lay();
      const path = await put(join(at, NAME));
      await put(join(at, NAME.replace('.jsonl', ''), 'sub.jsonl'));
      const old = await put(
        join(at, 'old.jsonl'),
        '{"type":"session","id":"x","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/here/demo"}\n',
      );
      const damaged = await put(join(at, 'damaged.jsonl'), `${lines()}no JSON\n`);
      const outside = await put(own('--here-x--', 'x.jsonl'), lines('/here/x'));
      const toArchive = await put(join(at, 'packed.jsonl'));
      roots = [writable(own()), writable(kept())];
      const { archive } = await (await open()).writer.archive(toArchive);
      const place = join(dirname(at), TRASH_FOLDER, 'x');
      roots = all;
      const { writer, trash, queue } = await open();
      const entryId = (await readSession(path)).entries[0]?.id ?? '';
      const tools = { roots };
      const writes: Readonly<Record<string, () => Promise<unknown>>> = {
        label: () => writer.submit(path, { kind: 'label', entryId, label: 'x' }),
        branch: () => writer.submit(path, { kind: 'branch', entryId, summary: 'x' }, { force: true }),
        rename: () => writer.submit(path, { kind: 'rename', name: 'x' }),
        append: () => writer.submit(path, { kind: 'append', lines: [] }),
        queue: () => queue.enqueue(path, { kind: 'rename', name: 'x' }),
        guarded: () => writer.guarded(path, ({ path: given }) => unlink(given)),
        delete: () => trash.delete(path),
        migrate: () => writer.migrate(old),
        archive: () => writer.archive(path),
        unarchive: () => writer.unarchive(archive),
        'delete an archive': () => trash.delete(archive),
        endArchiving: () => writer.endArchiving({ path, archive }),
        recover: () => writer.create('recover', damaged, (more) => recoverSession(damaged, { ...more, ...tools })),
        import: () => writer.create('import', outside, (more) => importSession(outside, { ...more, ...tools, sessionDir: at })),
        fork: () => writer.forkSession(outside, { sessionDir: at }),
        restoreFound: async () => {
          await mkdir(place, { recursive: true, mode: 0o700 });
          const note = { trashId: 'x', path: join(at, 'new.jsonl'), name: 'n', at: 1, things: [{ from: join(at, 'new.jsonl'), as: '0' }] };
          await writeFile(join(place, 'note.json'), JSON.stringify(note));
          await put(join(place, '0'));
          return trash.restoreFound(place);
        },
      };
      for (const [name, write] of Object.entries(writes)) {
        // The trash folder of the root around it is in it.
        if (name === 'restoreFound' && root === dirname(at)) continue;
        assert.equal(await untouched(root, () => refusalCode(write())), 'read-only', name);
      }
      for (const dryRun of [true, false]) {
        const into = await untouched(root, () => relinkProject({ from: '/here/x', to: '/here/ro', roots, writer, dryRun }));
        const from = await untouched(root, () => relinkProject({ from: '/here/demo', to: '/here/y', roots, writer, dryRun }));
        assert.deepEqual([...into.moved, ...from.moved], [], JSON.stringify({ dryRun }));
        assert.ok(from.left.length > 0);
      }
      assert.equal(existsSync(outside), true);
    });

  it('keeps a root in the folder that belongs to a session, which would move along', async () => {
    const path = await put(own('--here-demo--', NAME));
    const inner = own('--here-demo--', NAME.replace('.jsonl', ''), 'root');
    await put(join(inner, 'b.jsonl'), lines('/elsewhere'));
    roots = [writable(own()), readOnly(inner, true)];
    const { writer, trash } = await open();
    assert.equal(await untouched(inner, () => refusalCode(trash.delete(path))), 'read-only');
    // The system's trash gets a session under this guard.
    assert.equal(await untouched(inner, () => refusalCode(writer.guarded(path, () => Promise.resolve()))), 'read-only');
    for (const dryRun of [true, false]) {
      const { left } = await untouched(inner, () => relinkProject({ from: '/here/demo', to: '/here/new', roots, writer, dryRun }));
      assert.deepEqual(
        left.map((one) => [one.path, one.reason.code]),
        [
          [path, 'read-only'],
          [join(inner, 'b.jsonl'), 'read-only'],
        ],
        JSON.stringify({ dryRun }),
      );
    }
    assert.equal(existsSync(path), true);
  });

  it('is passed by a relink without a writer of its own', async () => {
    await put(own('--here-x--', NAME), lines('/here/x'));
    await mkdir(own('--here-ro--'));
    roots = [writable(own()), readOnly(own('--here-ro--'), true)];
    const { left } = await untouched(own('--here-ro--'), () => relinkProject({ from: '/here/x', to: '/here/ro', roots }));
    assert.deepEqual(
      left.map(({ reason }) => reason.code),
      ['read-only'],
    );
  });

  it('is passed by the new path of a move, whatever was planned', async () => {
    const path = await put(own('--here-x--', NAME));
    await mkdir(own('--here-ro--'));
    roots = [writable(own()), readOnly(own('--here-ro--'), true)];
    const { writer } = await open();
    const move = { path, newPath: own('--here-ro--', NAME), headerOf: ({ text }: { readonly text: string }) => text };
    assert.equal(await untouched(own(), () => refusalCode(new Mover({ writer, log: noMoveLog }).move(move, 'pi'))), 'read-only');
  });

  it('keeps the end of an interrupted move from removing a session of a root', async () => {
    const header = (cwd: string): string => lines(cwd).split('\n')[0] ?? '';
    const path = await put(own('--here-x--', NAME), lines('/here/x'));
    const newPath = await put(own('--here-ro--', NAME), `${header('/here/ro')}\n`);
    roots = [writable(own())];
    const { journal, writer } = await open();
    const log = await beginRelink(journal, [], (error) => assert.ifError(error));
    await log.begin({ path, newPath, before: header('/here/x'), after: header('/here/ro') });
    const record = join(journal.folder, 'relinking', (await readdir(join(journal.folder, 'relinking')))[0] ?? '');
    await writeFile(record, (await readFile(record, 'utf8')).replace(`"pid":${process.pid}`, '"pid":4194303'));
    const recover = (): Promise<void> =>
      recoverOperations(journal.folder, { relinking: relinkHandler({ journal, writer, roots: () => roots }, () => undefined) });
    roots = [writable(own()), readOnly(own('--here-ro--'), true)];
    await untouched(own('--here-ro--'), recover);
    roots = [writable(own())];
    await recover();
    assert.deepEqual([existsSync(path), existsSync(newPath)], [true, false]);
  });

  it('keeps undo from bringing a session back into a root, until the setting is off', async () => {
    const path = await put(own('--here-ro--', NAME), lines('/here/ro'));
    roots = [writable(own())];
    const writes = await open();
    await relinkProject({ from: '/here/ro', to: '/here/new', roots, writer: writes.writer });
    assert.equal(existsSync(path), false);
    await mkdir(dirname(path), { recursive: true });
    roots = [writable(own()), readOnly(dirname(path), true)];
    assert.equal(await untouched(dirname(path), () => refusalCode(writes.undo())), 'read-only');
    // It's the setting's refusal, so the change can be undone once it's gone.
    roots = [writable(own())];
    assert.equal(await refusalCode(writes.undo()), 'done');
    assert.equal(existsSync(path), true);
  });

  it('never uses up undo and pending changes: they work again after the setting', async () => {
    const path = await put(own('p', NAME));
    roots = [writable(own())];
    const writes = await open();
    const { writer, queue } = writes;
    await writer.submit(path, { kind: 'rename', name: 'one' });
    await age(path);
    await queue.enqueue(path, { kind: 'rename', name: 'two' });
    roots = [readOnly(own())];
    assert.equal(await untouched(own(), () => refusalCode(writes.undo())), 'read-only');
    assert.deepEqual((await untouched(own(), () => queue.settle(path, writer))).written, []);
    assert.equal((await queue.list())[0]?.stuck?.code, 'read-only');
    roots = [writable(own())];
    assert.equal((await queue.list())[0]?.stuck, undefined);
    assert.equal((await writes.nextUndo())?.kind, 'rename');
    assert.equal((await queue.settle(path, writer)).written.length, 1);
    assert.equal((await readSession(path)).name, 'two');
  });

  it('empties the rest of the trash, and leaves what is in a root', async () => {
    const [here, there] = [await put(own('p', 'a.jsonl')), await put(kept('p', 'b.jsonl'))];
    roots = [writable(own()), writable(kept())];
    const { trash } = await open();
    for (const path of [here, there]) await trash.delete(path);
    roots = [writable(own()), readOnly(kept())];
    const removable = await trash.removable();
    const names = (items: readonly { path: string }[]): string[] => items.map(({ path }) => basename(path));
    assert.deepEqual(names(removable), ['a.jsonl']);
    assert.deepEqual(names(await untouched(kept(), () => trash.empty())), ['a.jsonl']);
    assert.deepEqual(names(await untouched(kept(), () => trash.prune(-1))), []);
    assert.deepEqual(names(await trash.list()), ['b.jsonl']);
  });

  it('leaves an interrupted deletion in a root for later, without a failure at each start', async () => {
    const path = await put(kept('p', 'b.jsonl'));
    roots = [writable(kept())];
    const writes = await open();
    await writes.trash.delete(path);
    const records = join(storage(), 'trash', 'records');
    for (const name of await readdir(records)) {
      const record = JSON.parse(await readFile(join(records, name), 'utf8')) as object;
      await beginOperation(join(storage(), 'trash'), 'trashing', { task: 'restore', ...record, pid: 4_194_303 });
    }
    roots = [readOnly(kept())];
    await untouched(kept(), async () => (await open()).recover());
    roots = [writable(kept())];
    await (await open()).recover();
    assert.equal(existsSync(path), true);
  });

  it('is passed by new files of the session manager, and by notes of a repository', async () => {
    await mkdir(kept(), { recursive: true });
    roots = [readOnly(kept())];
    const { writer } = await open();
    const git = (...args: readonly string[]): Buffer =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x', ...args], { cwd: kept() });
    git('init', '-q');
    git('commit', '-q', '--allow-empty', '-m', 'one');
    const commit = git('rev-parse', 'HEAD').toString().trim();
    await untouched(kept(), async () => {
      await assert.rejects(addNote(kept(), commit, 'x', { assertChangeable: writer.assertChangeable }), ReadOnlyRootError);
      const manager = SessionManager.create('/here/demo', kept('p'), { writer });
      await assert.rejects(manager.appendMessage({ role: 'user', content: 'x', timestamp: 0 }), ReadOnlyRootError);
    });
  });

  it('refuses with a reason that passes while the real path isn’t known', async () => {
    const path = await put(kept('p', NAME));
    await mkdir(own());
    await symlink(kept(), own('link'));
    roots = [writable(own()), readOnly(kept())];
    const { writer } = await open();
    const { writer: another } = await open();
    const named = own('link', 'p', NAME);
    assert.equal(await refusalCode(writer.assertChangeable(named)), 'read-only');
    const pipes = Array.from({ length: Number(process.env['UV_THREADPOOL_SIZE'] ?? 4) }, (_, at) => join(folder.path, `${at}.pipe`));
    execFileSync('mkfifo', pipes);
    const waiting = pipes.map((pipe) => openFile(pipe, 'r'));
    try {
      assert.equal(await refusalCode(writer.assertChangeable(named)), 'permission');
      // A writer that has never had an answer names the folder, and says what to do.
      await assert.rejects(another.assertChangeable(own('p', NAME)), (error: Error) =>
        error.message.includes(`folder ${kept()} doesn’t answer`),
      );
    } finally {
      for (const pipe of pipes) spawn('sh', ['-c', ': > "$0"', pipe], { stdio: 'ignore' });
      for (const file of await Promise.all(waiting)) await file.close();
    }
    assert.equal(await refusalCode(writer.assertChangeable(named)), 'read-only');
    assert.equal(path, kept('p', NAME));
  });
});
