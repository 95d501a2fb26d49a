import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, open, readdir, readFile, rm, symlink, unlink, utimes, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { withProgramLock } from '../../../src/core/files/write/writeGuard';
import { presence, type Presence } from '../../../src/core/files/presence/presence';
import { createFutureMtimeCheck } from '../../../src/core/files/presence/recentWrites';
import { lockPaths } from '../../../src/core/files/presence/programLocks';
import { createWriter } from '../../../src/core/files/write/sessionWriter';
import { entryId, session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { age, grow, refuses } from '../../fixtures/writes';

const text = () => session().user('a').assistant('b').text();

/** Returns the first sign of a presence, without the system's name for the process. */
const shape = (of: Presence | undefined) =>
  of === undefined || of.state === 'free' ? ['free'] : [of.state, of.signs[0].how, of.signs[0].pid];

/** Starts a process that keeps a file open until it's stopped. */
async function holder(path: string): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['-e', 'require("fs").openSync(process.argv[1], "r"); console.log("ready"); process.stdin.resume()', path],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  await once(child.stdout, 'data');
  return child;
}

describe('presence', function () {
  // Starting a process is slow on a busy machine.
  this.timeout(60_000);
  const folder = testFolder();
  let child: ChildProcess | undefined;
  afterEach(async () => {
    if (child?.exitCode === null && child.kill()) await once(child, 'exit');
    child = undefined;
  });

  it('finds a process that has the file open, by any name, and refuses even when forced', async () => {
    // Only Linux lists the open files of its processes.
    if (platform() !== 'linux') return;
    const path = await age(await folder.write('a.jsonl', text()));
    const other = join(folder.path, 'link.jsonl');
    await symlink(path, other);
    child = await holder(path);
    const found = (await presence([path, other, join(folder.path, 'none.jsonl')])).values();
    const [first, second, third] = [...found];
    for (const one of [first, second]) assert.deepEqual(shape(one), ['live', 'open', child.pid]);
    assert.deepEqual(third, { state: 'free' });
    const message = await refuses(folder.path, 'live', () =>
      createWriter().submit(path, { kind: 'label', entryId: entryId(1), label: 'x' }, { force: true }),
    );
    assert.match(message, new RegExp(`PID ${child.pid}\\) has this session open.*fork instead`));
    child.kill();
    await once(child, 'exit');
    await createWriter().submit(path, { kind: 'label', entryId: entryId(1), label: 'x' });
  });

  it('ignores this process', async () => {
    const path = await age(await folder.write('a.jsonl', text()));
    await writeFile(lockPaths(path).files[0], `${process.pid}:1\n`);
    const file = await open(path);
    assert.deepEqual((await presence([path])).get(path), { state: 'free' });
    await file.close();
  });

  it("distinguishes growth that is recent, old, or the extension's own", async () => {
    const path = await folder.write('a.jsonl', text());
    const state = async (whose?: 'ours' | 'theirs') =>
      (await presence([path], { lastBytes: () => Promise.resolve(whose) })).get(path)?.state;
    assert.deepEqual(
      [await state(), await state('theirs'), await state('ours')],
      ['unsure', 'unsure', 'free'],
      'a new file grew, unless it is known as ours',
    );
    await grow(path);
    assert.deepEqual([await state(), await state('ours')], ['unsure', 'free']);
    const near = Date.now() / 1000;
    await utimes(path, near - 11, near - 11);
    assert.equal(await state(), 'free');
  });

  it('counts a file with a future time as growing until it has been unchanged for ten seconds', async () => {
    const path = await folder.write('a.jsonl', text());
    let clock = 5;
    const futures = createFutureMtimeCheck(() => clock);
    const state = async () => (await presence([path], { futures })).get(path)?.state;
    const ahead = async (seconds: number) => utimes(path, Date.now() / 1000 + seconds, Date.now() / 1000 + seconds);
    await ahead(3600);
    assert.deepEqual([await state(), (await presence([path])).get(path)?.state], ['unsure', 'unsure']);
    clock += 9_999;
    assert.equal(await state(), 'unsure');
    clock += 1;
    assert.equal(await state(), 'free', 'not for ever');
    // A line that was appended since has a time of the same clock.
    await appendFile(path, '\n');
    await ahead(3601);
    assert.equal(await state(), 'unsure');
    clock += 10_000;
    assert.equal(await state(), 'free');
    // The oldest ones are removed.
    for (let n = 0; n < 1000; n++) futures(String(n), { size: 1, mtimeMs: 1 });
    assert.equal(await state(), 'unsure');
  });

  it('finds the locks of the programs, except for stale ones', async () => {
    const path = await age(await folder.write('a.jsonl', text()));
    const { files, folder: lock } = lockPaths(path);
    assert.deepEqual(
      [...files, lock].map((name) => basename(name)),
      ['.a.jsonl.lock', '.a.lock', 'a.jsonl.lock'],
    );
    const found = async () => (await presence([path])).get(path);
    await writeFile(files[1], `${process.ppid}:${Date.now()}`);
    assert.deepEqual(shape(await found()), ['live', 'lock', process.ppid]);
    await writeFile(files[1], 'half');
    assert.equal((await found())?.state, 'live');
    await age(files[1]);
    assert.equal((await found())?.state, 'free');
    await unlink(files[1]);
    await mkdir(lock);
    assert.deepEqual(await found(), { state: 'live', signs: [{ how: 'lock' }] });
    await age(lock);
    assert.deepEqual(await found(), { state: 'free' });
  });
});

describe('Program locks, held during writes', () => {
  const folder = testFolder();
  const inside = async (dialect: 'pi' | 'omp' | 'gsd') => {
    const path = await folder.write('a.jsonl', text());
    return withProgramLock(path, dialect, async () =>
      Promise.all(
        (await readdir(dirname(path))).map(async (name) => [name, await readFile(join(dirname(path), name), 'utf8').catch(() => 'folder')]),
      ),
    );
  };

  it('have the form of each program, and are removed afterwards', async () => {
    const lines = Object.fromEntries(await inside('omp')) as Record<string, string>;
    assert.match(lines['.a.jsonl.lock']!, new RegExp(`^${process.pid}:\\d{13}\\n$`));
    assert.deepEqual(Object.fromEntries(await inside('gsd')), { 'a.jsonl': text(), 'a.jsonl.lock': 'folder' });
    assert.deepEqual(
      (await inside('pi')).map(([name]) => name),
      ['a.jsonl'],
    );
    assert.deepEqual(await readdir(folder.path), ['a.jsonl']);
  });

  it('are released when the work fails', async () => {
    const path = await folder.write('a.jsonl', text());
    await assert.rejects(
      withProgramLock(path, 'omp', () => Promise.reject(new Error('no'))),
      /no/,
    );
    assert.deepEqual(await readdir(folder.path), ['a.jsonl']);
  });

  it('are waited for, and given up after half a second', async () => {
    const path = await folder.write('a.jsonl', text());
    const [lock] = lockPaths(path).files;
    await writeFile(lock, `${process.ppid}:1\n`);
    await refuses(folder.path, 'live', () => withProgramLock(path, 'omp', () => Promise.resolve(1)));
    const soon = withProgramLock(path, 'omp', () => Promise.resolve(2));
    await rm(lock);
    assert.equal(await soon, 2);
  });

  it('are taken over from processes that are gone', async () => {
    const path = await folder.write('a.jsonl', text());
    await writeFile(lockPaths(path).files[0], `${2 ** 30}:1\n`);
    assert.equal(await withProgramLock(path, 'omp', () => Promise.resolve(1)), 1);
    await mkdir(lockPaths(path).folder);
    await age(lockPaths(path).folder);
    assert.equal(await withProgramLock(path, 'gsd', () => Promise.resolve(1)), 1);
    assert.deepEqual(await readdir(folder.path), ['a.jsonl']);
  });
});
