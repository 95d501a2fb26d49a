import assert from 'node:assert/strict';
import fs, { link, mkdir, readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { mock } from 'node:test';
import { readSession } from '../../../src/core/files/read/sessionFile';
import { createWriter } from '../../../src/core/files/write/sessionWriter';
import { createCrossWindowLocks } from '../../../src/core/files/storage/crossWindowLocks';
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
  const lockIn = async (dir: string) =>
    join(
      dir,
      'locks',
      (await readdir(join(dir, 'locks'))).find((name) => name.endsWith('.lock'))!,
    );

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
    assert.deepEqual(await readdir(join(dir, 'locks')), []);
    assert.equal((await stat(join(dir, 'locks'))).mode & 0o777, 0o700);
  });

  it('wait equally long when the clock is changed meanwhile', async () => {
    const dir = join(folder.path, 'storage');
    const windows = createCrossWindowLocks(dir);
    const { now } = Date;
    let ahead = 0;
    const clock = mock.method(Date, 'now', () => now() + ahead);
    try {
      let second: Promise<number> | undefined;
      await windows.withFileLock('/x', async () => {
        const over = new AbortController();
        second = windows.withFileLock('/x', () => Promise.resolve(2)).finally(() => over.abort());
        second.catch(() => undefined);
        await new Promise(setImmediate);
        ahead = 15_000;
        while (!over.signal.aborted && !(await readdir(join(dir, 'locks'))).some((name) => name.endsWith('.next')))
          await new Promise(setImmediate);
      });
      assert.equal(await second, 2);
    } finally {
      clock.mock.restore();
    }
  });

  it('take over from processes that are gone, and from none other', async () => {
    const dir = join(folder.path, 'storage');
    const windows = createCrossWindowLocks(dir);
    let lock = '';
    let mine = '';
    await windows.withFileLock('/x', async () => {
      lock = await lockIn(dir);
      mine = await readFile(lock, 'utf8');
    });
    const holder = JSON.parse(mine) as { pid: number; host: string; started: string };
    assert.equal(holder.host, hostname());
    for (const gone of [
      { ...holder, pid: 2 ** 30 },
      { ...holder, started: '1' },
      { ...holder, host: 'elsewhere' },
    ]) {
      await writeFile(lock, JSON.stringify(gone));
      if (gone.host !== holder.host) await age(lock);
      // On systems that don't report when a process began, an existing process id alone counts as alive.
      if (gone.started === '1' && holder.started === '') continue;
      assert.equal(await windows.withFileLock('/x', () => Promise.resolve(1)), 1);
    }
    await writeFile(lock, '');
    await age(lock);
    assert.equal(await windows.withFileLock('/x', () => Promise.resolve(2)), 2);
    // The lock of a live process is respected.
    await writeFile(lock, mine);
    let got = false;
    const waiting = windows.withFileLock('/x', () => Promise.resolve((got = true)));
    await new Promise((done) => setTimeout(done, 100));
    assert.equal(got, false);
    await writeFile(lock, JSON.stringify({ ...holder, pid: 2 ** 30 }));
    await waiting;
    assert.deepEqual(await readdir(join(dir, 'locks')), []);
  });

  it("are respected if their process couldn't read when it started, for as long as a write may take", async () => {
    const dir = join(folder.path, 'storage');
    const windows = createCrossWindowLocks(dir);
    const { open } = fs;
    let hidden = 0;
    const busy = mock.method(fs, 'open', (...args: Parameters<typeof open>) =>
      String(args[0]) === `/proc/${process.pid}/stat` && hidden++ === 0
        ? Promise.reject(Object.assign(new Error('too many open files'), { code: 'EMFILE' }))
        : open(...args),
    );
    try {
      await windows.withFileLock('/x', async () => {
        const lock = await lockIn(dir);
        const text = await readFile(lock, 'utf8');
        assert.equal((JSON.parse(text) as { started: string }).started, '');
        await createCrossWindowLocks(dir).recoverLocks(() => Promise.resolve());
        assert.equal(await readFile(lock, 'utf8').catch(() => undefined), text);
        await age(lock);
        await createCrossWindowLocks(dir).recoverLocks(() => Promise.resolve());
        assert.deepEqual(await readdir(join(dir, 'locks')), []);
      });
    } finally {
      busy.mock.restore();
    }
  });

  it('are held by one window only and leave nothing, when many take over at once', async () => {
    const dir = join(folder.path, 'storage');
    let lock = '';
    let gone = '';
    await createCrossWindowLocks(dir).withFileLock('/x', async () => {
      lock = await lockIn(dir);
      gone = JSON.stringify({ ...(JSON.parse(await readFile(lock, 'utf8')) as object), pid: 2 ** 30 });
    });
    let inside = 0;
    let turns = 0;
    let left = 0;
    const take = async (): Promise<void> => {
      const windows = createCrossWindowLocks(dir);
      for (let count = 0; count < 25; count++) {
        await windows.withFileLock('/x', async () => {
          assert.equal(++inside, 1);
          turns++;
          for (let times = 0; times < 5; times++) await readdir(dir);
          inside--;
        });
        // The process ends while it has the lock, or while it takes it.
        const dead = await age(
          await folder.write(`${String(left++)}.dead`, left % 2 === 0 ? gone.replace('"at":"', `"at":"${String(left)}`) : ''),
        );
        await link(dead, lock).catch(() => undefined);
      }
    };
    await Promise.all(Array.from({ length: 4 }, take));
    assert.equal(turns, 100);
    await createCrossWindowLocks(dir).withFileLock('/x', () => Promise.resolve());
    assert.deepEqual(await readdir(join(dir, 'locks')), []);
  });

  it("are taken over once: a window that is slower to find a stale lock doesn't remove the new one", async () => {
    const dir = join(folder.path, 'storage');
    const [slow, quick] = [createCrossWindowLocks(dir), createCrossWindowLocks(dir)];
    let lock = '';
    await quick.withFileLock('/x', async () => {
      lock = await lockIn(dir);
    });
    await writeFile(lock, JSON.stringify({ pid: 2 ** 30, host: hostname(), started: '' }));
    const order: string[] = [];
    const { open, link: give } = fs;
    let tries = 0;
    let end = (): void => undefined;
    let quickTurn: Promise<void> | undefined;
    // The slow window has inspected the lock and is about to remove it.
    const about = mock.method(fs, 'link', async (...args: Parameters<typeof give>) => {
      if (args[1] !== lock && quickTurn === undefined) {
        await new Promise<void>((begun) => {
          quickTurn = quick.withFileLock('/x', async () => {
            order.push('quick in');
            begun();
            await new Promise<void>((resolve) => (end = resolve));
            order.push('quick out');
          });
        });
      }
      return give(...args);
    });
    // It has tried again without success.
    const again = mock.method(fs, 'open', (...args: Parameters<typeof open>) => {
      if (args[0] === lock && order.length > 0 && ++tries === 3) end();
      return open(...args);
    });
    try {
      await slow.withFileLock('/x', () => {
        order.push('slow');
        end();
        return Promise.resolve();
      });
      await quickTurn;
    } finally {
      about.mock.restore();
      again.mock.restore();
    }
    assert.deepEqual(order, ['quick in', 'quick out', 'slow']);
    assert.deepEqual(await readdir(join(dir, 'locks')), []);
  });

  it('contain their owner from the first moment', async () => {
    const dir = join(folder.path, 'storage');
    const { open, link: give } = fs;
    const opened: string[] = [];
    const linked: string[] = [];
    const mocks = [
      mock.method(fs, 'open', (...args: Parameters<typeof open>) => {
        if (args[1] === 'wx') opened.push(String(args[0]));
        return open(...args);
      }),
      mock.method(fs, 'link', async (...args: Parameters<typeof give>) => {
        await give(...args);
        linked.push(await readFile(args[1], 'utf8'));
      }),
    ];
    try {
      await createCrossWindowLocks(dir).withFileLock('/x', () => Promise.resolve());
    } finally {
      for (const one of mocks) one.mock.restore();
    }
    assert.deepEqual(
      [opened.length, opened.filter((name) => name.endsWith('.lock')), linked.map((text) => (JSON.parse(text) as { pid: number }).pid)],
      [1, [], [process.pid]],
    );
    assert.deepEqual(await readdir(join(dir, 'locks')), []);
  });

  /** Simulates a file system without hard links. */
  const withoutLinks = () => mock.method(fs, 'link', () => Promise.reject(Object.assign(new Error('not permitted'), { code: 'EPERM' })));

  it("aren't acquired if they were taken over while still empty, without hard links", async () => {
    const dir = join(folder.path, 'storage');
    const none = withoutLinks();
    const [slow, quick] = [createCrossWindowLocks(dir), createCrossWindowLocks(dir)];
    const order: string[] = [];
    const { open } = fs;
    let quickTurn: Promise<void> | undefined;
    let tries = 0;
    const standing = mock.method(fs, 'open', async (...args: Parameters<typeof open>) => {
      if (args[1] !== 'wx' && order.length > 0 && String(args[0]).endsWith('.lock')) tries++;
      const file = await open(...args);
      if (args[1] !== 'wx' || !String(args[0]).endsWith('.lock') || quickTurn !== undefined) return file;
      // Simulates a computer that slept for an hour.
      await age(String(args[0]));
      await new Promise<void>((begun) => {
        quickTurn = quick.withFileLock('/x', async () => {
          order.push('quick in');
          begun();
          // Lasts as long as the other one tries.
          while (tries < 2) await new Promise(setImmediate);
          order.push('quick out');
        });
      });
      return file;
    });
    try {
      await slow.withFileLock('/x', () => {
        order.push('slow');
        tries = 2;
        return Promise.resolve();
      });
      await quickTurn;
    } finally {
      standing.mock.restore();
      none.mock.restore();
    }
    assert.deepEqual(order, ['quick in', 'quick out', 'slow']);
    assert.deepEqual(await readdir(join(dir, 'locks')), []);
  });

  it("leave no lock if one is created but can't be read afterwards", async () => {
    const dir = join(folder.path, 'storage');
    const none = withoutLinks();
    const { open } = fs;
    let made = 0;
    let refused = 0;
    const full = mock.method(fs, 'open', (...args: Parameters<typeof open>) => {
      if (args[1] === 'wx') made++;
      return made === 2 && args[1] !== 'wx' && refused++ === 0
        ? Promise.reject(Object.assign(new Error('too many open files'), { code: 'EMFILE' }))
        : open(...args);
    });
    try {
      assert.equal(await createCrossWindowLocks(dir).withFileLock('/x', () => Promise.resolve(1)), 1);
    } finally {
      full.mock.restore();
      none.mock.restore();
    }
    assert.ok(refused > 0 && made === 4, `${String(refused)} ${String(made)}`);
    assert.deepEqual(await readdir(join(dir, 'locks')), []);
  });

  it('are released after the disk refused for a moment', async () => {
    const dir = join(folder.path, 'storage');
    const { unlink: remove } = fs;
    let refused = 0;
    const busy = mock.method(fs, 'unlink', (...args: Parameters<typeof remove>) =>
      String(args[0]).endsWith('.lock') && refused++ < 2
        ? Promise.reject(Object.assign(new Error('busy'), { code: 'EBUSY' }))
        : remove(...args),
    );
    try {
      assert.equal(await createCrossWindowLocks(dir).withFileLock('/x', () => Promise.resolve(1)), 1);
    } finally {
      busy.mock.restore();
    }
    assert.equal(refused, 3);
    assert.deepEqual(await readdir(join(dir, 'locks')), []);
  });

  it("of processes that are gone are removed at start, with those processes' program locks, and no others", async () => {
    const path = await write();
    const locksDir = join(folder.path, 'storage');
    const writer = createWriter({ locksDir });
    const lockOf = (file: string): Promise<{ lock: string; text: string }> =>
      writer.guarded(file, async () => {
        const lock = await lockIn(locksDir);
        return { lock, text: await readFile(lock, 'utf8') };
      });
    const mine = await lockOf(path);
    const alive = await lockOf(await age(await folder.write('b.jsonl', session().user('a').text())));
    const gone = JSON.stringify({ ...(JSON.parse(mine.text) as object), pid: 2 ** 30 });
    const dead = `${String(2 ** 30)}:${String(Date.now())}\n`;
    await writeFile(mine.lock, gone);
    await writeFile(`${mine.lock}.next`, gone);
    await age(await folder.write('storage/locks/empty.lock', ''));
    await writeFile(alive.lock, alive.text);
    await folder.write('.a.jsonl.lock', dead);
    await folder.write('.b.jsonl.lock', dead);
    await mkdir(`${path}.lock`);
    await age(`${path}.lock`);
    await writer.recover();
    assert.deepEqual(await readdir(join(locksDir, 'locks')), [basename(alive.lock)]);
    assert.deepEqual((await readdir(folder.path)).sort(), ['.b.jsonl.lock', 'a.jsonl', 'b.jsonl', 'storage']);
    await unlink(alive.lock);

    // A lock that a program has taken by now is kept.
    for (const lock of [
      () => folder.write('.a.jsonl.lock', `${String(process.ppid)}:${String(Date.now())}\n`),
      () => mkdir(`${path}.lock`),
    ]) {
      await writeFile(mine.lock, gone);
      await lock();
      await writer.recover();
    }
    assert.deepEqual((await readdir(folder.path)).sort(), [
      '.a.jsonl.lock',
      '.b.jsonl.lock',
      'a.jsonl',
      'a.jsonl.lock',
      'b.jsonl',
      'storage',
    ]);
    assert.deepEqual(await readdir(join(locksDir, 'locks')), []);
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
