import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { mock } from 'node:test';
import { readSession } from '../../../src/core/files/read/sessionFile';
import { createWriter } from '../../../src/core/files/write/sessionWriter';
import { createCrossWindowLocks, withLock } from '../../../src/core/files/storage/crossWindowLocks';
import { loadSqlite } from '../../../src/core/files/io/loadSqlite';
import { withFreeSqliteLock, withSqliteLock } from '../../../src/core/files/storage/sqliteLock';
import { entryId, session } from '../../fixtures/build';
import { startChild, type Child } from '../../fixtures/children';
import { testFolder } from '../../fixtures/folder';
import { age, grow, refuses } from '../../fixtures/writes';

/** Number of writes of each of the two processes: many more than are lost at once without the lock. */
const TIMES = Number(process.env['SESSION_TREE_WRITES'] ?? 250);

describe('Locks between windows', function () {
  this.timeout(120_000);
  const folder = testFolder();
  const children: Child[] = [];
  afterEach(async () => {
    for (const child of children.splice(0)) await child.end();
  });
  const write = async () => age(await folder.write('a.jsonl', session().user('a').assistant('b').text()));
  const locksIn = (dir: string) => readdir(join(dir, 'locks'));
  const lockIn = async (dir: string) =>
    join(
      dir,
      'locks',
      (await locksIn(dir)).find((name) => name.endsWith('.lock'))!,
    );
  const isFree = async (lock: string): Promise<boolean> => {
    let isRun = false;
    await withFreeSqliteLock(lock, () => Promise.resolve(void (isRun = true)));
    return isRun;
  };

  it('let one window at a time work on a file', async () => {
    const dir = join(folder.path, 'storage');
    const [a, b] = [createCrossWindowLocks(dir), createCrossWindowLocks(dir)];
    const order: string[] = [];
    const turn = (windows: typeof a, name: string) =>
      windows.withFileLock('/x', async () => {
        order.push(`${name} in`);
        await new Promise(setImmediate);
        order.push(`${name} out`);
      });
    await Promise.all([turn(a, 'a'), turn(b, 'b'), turn(a, 'c'), turn(b, 'd')]);
    order.forEach((step, n) => assert.equal(step.slice(2), n % 2 === 0 ? 'in' : 'out', order.join()));
    await assert.rejects(
      turn(a, 'e').then(() => a.withFileLock('/x', () => Promise.reject(new Error('no')))),
      /no/,
    );
    assert.deepEqual(await locksIn(dir), []);
    assert.equal((await stat(join(dir, 'locks'))).mode & 0o777, 0o700);
  });

  it('let one process at a time work on a file, many times at once', async () => {
    const dir = join(folder.path, 'storage');
    const counter = await folder.write('counter', '0');
    for (let n = 0; n < 3; n++) children.push(await startChild('lockChild', dir, 'count', counter, '200'));
    for (const child of children) child.say('go');
    assert.deepEqual(await Promise.all(children.map((child) => child.heard())), ['done', 'done', 'done']);
    assert.equal(await readFile(counter, 'utf8'), '600');
    assert.deepEqual(await locksIn(dir), []);
  });

  it('are freed when their process is killed, and not before', async () => {
    const dir = join(folder.path, 'storage');
    const child = await startChild('lockChild', dir, 'hold');
    const lock = await lockIn(dir);
    assert.equal(await isFree(lock), false);
    const waiting = withLock(dir, '/x', () => isFree(lock));
    process.kill(child.pid, 'SIGKILL');
    assert.equal(await waiting, false);
    assert.deepEqual(await locksIn(dir), []);
  });

  it("aren't acquired on a file that the last holder has removed meanwhile", async () => {
    const dir = join(folder.path, 'storage');
    await mkdir(join(dir, 'locks'), { recursive: true });
    const lock = join(dir, 'locks', 'x.lock');
    const { DatabaseSync } = loadSqlite();
    const exec = Reflect.get(DatabaseSync.prototype, 'exec');
    let isReplaced = false;
    const replaced = mock.method(DatabaseSync.prototype, 'exec', function (this: unknown, sql: string) {
      if (!isReplaced) {
        isReplaced = true;
        rmSync(lock);
        writeFileSync(lock, '');
      }
      Reflect.apply(exec, this, [sql]);
    });
    try {
      assert.equal(await withSqliteLock(lock, '/x', () => isFree(lock)), false);
    } finally {
      replaced.mock.restore();
    }
    assert.ok(isReplaced);
  });

  it('are given up after ten seconds, by a clock that nobody sets', async () => {
    const dir = join(folder.path, 'storage');
    const real = performance.now.bind(performance);
    let ahead = 0;
    const clocks = [mock.method(performance, 'now', () => real() + ahead), mock.method(Date, 'now', () => 0)];
    try {
      await withLock(dir, '/x', async () => {
        const second = withSqliteLock(await lockIn(dir), '/x', () => Promise.resolve());
        ahead = 10_001;
        await assert.rejects(second, { code: 'live', message: /Another window is still writing.*: \/x$/ });
      });
    } finally {
      for (const clock of clocks) clock.mock.restore();
    }
  });

  it('replace whatever else is in their place', async function () {
    if (process.platform === 'win32') this.skip();
    const dir = join(folder.path, 'storage');
    let lock = '';
    await withLock(dir, '/x', async () => void (lock = await lockIn(dir)));
    const letter = await folder.write('letter.txt', 'dear');
    const places: (() => unknown)[] = [
      () => writeFile(lock, JSON.stringify({ pid: process.pid, path: '/x' })),
      () => writeFile(lock, 'x'.repeat(5000)),
      () => mkdir(join(lock, 'inside'), { recursive: true }),
      () => symlink(letter, lock),
      () => execFileSync('mkfifo', [lock]),
      () => execFileSync('mkfifo', [`${lock}-journal`]),
    ];
    for (const put of places) {
      await put();
      assert.equal(await withLock(dir, '/x', () => Promise.resolve(1)), 1, String(put));
      assert.deepEqual(await locksIn(dir), [], String(put));
    }
    assert.equal(await readFile(letter, 'utf8'), 'dear');
  });

  it('of killed processes are ended at start, with the program locks of their sessions, and no others', async () => {
    const locksDir = join(folder.path, 'storage');
    const locks = join(locksDir, 'locks');
    const windows = createCrossWindowLocks(locksDir);
    const writer = createWriter({ locksDir });
    const path = await write();
    const letter = await folder.write('letter.txt', 'dear');
    const lockedNow = await age(await folder.write('b.jsonl', session().user('a').text()));
    let note = '';
    await windows.withFileLock(
      path,
      async () =>
        void (note = join(
          locks,
          (await locksIn(locksDir)).find((name) => name.endsWith('.path'))!,
        )),
    );
    const dead = `${String(2 ** 30)}:${String(Date.now())}\n`;
    for (const name of ['a.jsonl', 'b.jsonl', 'letter.txt']) await folder.write(`.${name}.lock`, dead);
    await mkdir(`${path}.lock`);
    await age(`${path}.lock`);
    await writeFile(note, path);
    for (const [n, text] of [letter, 'a.jsonl', `${folder.path}/../a.jsonl`].entries())
      await writeFile(join(locks, `${String(n)}.path`), text);
    await windows.withFileLock(lockedNow, async () => {
      const held = (await locksIn(locksDir)).sort();
      await writer.recover();
      assert.deepEqual(
        (await locksIn(locksDir)).sort(),
        held.filter((name) => !/^\d\.path$/.test(name) && name !== basename(note)),
      );
    });
    const left = ['.b.jsonl.lock', '.letter.txt.lock', 'a.jsonl', 'b.jsonl', 'letter.txt', 'storage'];
    assert.deepEqual((await readdir(folder.path)).sort(), left);
    assert.deepEqual(await locksIn(locksDir), []);

    // A lock that a program has taken by now is kept.
    await writeFile(note, path);
    await folder.write('.a.jsonl.lock', `${String(process.ppid)}:${String(Date.now())}\n`);
    await writer.recover();
    assert.deepEqual((await readdir(folder.path)).sort(), ['.a.jsonl.lock', ...left]);
    assert.deepEqual(await locksIn(locksDir), []);
  });

  it("of sessions that can't be recovered are tried again at the next start, and keep no other from it", async () => {
    const dir = join(folder.path, 'storage');
    const windows = createCrossWindowLocks(dir);
    await mkdir(join(dir, 'locks'), { recursive: true });
    for (const name of ['a', 'b']) await writeFile(join(dir, 'locks', `${name}.path`), `/x/${name}.jsonl`);
    const ended: string[] = [];
    const recover = (path: string) => (path === '/x/a.jsonl' ? Promise.reject(new Error('no')) : Promise.resolve(void ended.push(path)));
    await assert.rejects(windows.recover(recover), /no/);
    assert.deepEqual([ended, await locksIn(dir)], [['/x/b.jsonl'], ['a.path']]);
  });

  it("distinguish the windows' own writes from those of other programs", async () => {
    const path = await write();
    const locksDir = join(folder.path, 'storage');
    const [a, b] = [createWriter({ locksDir }), createWriter({ locksDir })];
    const label = (writer: typeof a, text: string) => writer.submit(path, { kind: 'label', entryId: entryId(1), label: text });
    await label(a, 'one');
    await grow(path);
    await refuses(folder.path, 'unsure', () => label(b, 'two'));
    await age(path);
    await label(b, 'three');
    await label(a, 'four');
    await label(b, 'five');
    await writeFile(path, '{"type":"custom","id":"theirs","parentId":null}\n', { flag: 'a' });
    for (const writer of [a, b, createWriter({ locksDir })]) await refuses(folder.path, 'unsure', () => label(writer, 'six'));
    const kept = JSON.parse(await readFile(join(locksDir, 'writes', (await readdir(join(locksDir, 'writes')))[0]!), 'utf8')) as object;
    assert.deepEqual(Object.keys(kept), ['version', 'foreignMs']);
    await writeFile(join(locksDir, 'writes', (await readdir(join(locksDir, 'writes')))[0]!), '{"ver');
    await grow(path);
    await refuses(folder.path, 'unsure', () => label(createWriter({ locksDir }), 'seven'));
  });

  it('forget old records', async () => {
    const locksDir = join(folder.path, 'storage');
    const writer = createWriter({ locksDir });
    const kept = () => readdir(join(locksDir, 'writes'));
    await writer.prune(0);
    await writer.own(await write());
    const [old] = await kept();
    await age(join(locksDir, 'writes', old!));
    await writer.own(await folder.write('b.jsonl', session().user('a').text()));
    await writer.prune(2 * 3600 * 1000);
    assert.equal((await kept()).length, 2);
    await writer.prune(1800 * 1000);
    assert.equal((await kept()).length, 1);
    assert.notDeepEqual(await kept(), [old]);
    // Without windows there is nothing to remove.
    await createWriter().prune(0);
  });

  it(`keep ${TIMES} writes each of two processes, all of them whole`, async () => {
    const path = await write();
    const locksDir = join(folder.path, 'storage');
    for (const name of ['a', 'b']) children.push(await startChild('labelChild', path, locksDir, String(TIMES), name, entryId(1)));
    for (const child of children) child.say('go');
    const results = await Promise.all(children.map((child) => child.heard()));
    assert.deepEqual(
      results.map((text) => JSON.parse(text) as unknown),
      [{ written: TIMES }, { written: TIMES }],
    );
    const read = await readSession(path);
    assert.deepEqual([read.problems, read.entries.length], [[], 2 + 2 * TIMES]);
    // Each line has the line before it as parent, so no process wrote from an outdated state.
    read.entries.slice(2).forEach((head, n) => assert.equal(head.parentId, read.entries[n + 1]!.id));
    const labels = (await readFile(path, 'utf8'))
      .trimEnd()
      .split('\n')
      .slice(3)
      .map((line) => (JSON.parse(line) as { label: string }).label);
    for (const name of ['a', 'b'])
      assert.deepEqual(
        labels.filter((label) => label.startsWith(name)),
        Array.from({ length: TIMES }, (_, n) => `${name}${n}`),
      );
    assert.deepEqual(await readdir(join(locksDir, 'locks')), []);
  });
});
