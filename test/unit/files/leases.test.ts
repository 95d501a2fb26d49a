import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';
import { ProcessThread } from '../../../src/core/files/presence/processThread';
import { presence, type PresenceOptions } from '../../../src/core/files/presence/presence';
import { leaseFolders, leaseName } from '../../../src/core/files/presence/sessionLeases';
import { createWriter } from '../../../src/core/files/write/sessionWriter';
import { PresenceList } from '../../../src/watch/presenceList';
import { entryId, session } from '../../fixtures/build';
import { openWindow } from '../../fixtures/doomed';
import { testFolder } from '../../fixtures/folder';
import { age, refuses } from '../../fixtures/writes';

const ID = '019a2b3c-0000-7000-8000-00000000abcd';
const talk = (id = ID) => session({ id }).user('one').assistant('first').text();

describe('Leases of oh-my-pi', function () {
  this.timeout(60_000);
  const folder = testFolder();
  let holder: ChildProcess | undefined;
  let owners: string;
  let path: string;
  beforeEach(async function () {
    // Other systems show no locks; `lsof` is imitated below.
    if (platform() !== 'linux') this.skip();
    owners = join(folder.path, 'run', 'session-owners');
    await mkdir(owners, { recursive: true });
    await mkdir(join(folder.path, 'agent', 'sessions', 'p'), { recursive: true });
    path = await age(await folder.write('agent/sessions/p/a.jsonl', talk()));
  });
  const letGo = async (): Promise<void> => {
    const { stdin } = holder ?? {};
    if (holder?.exitCode === null && stdin) {
      stdin.end();
      await once(holder, 'exit');
    }
    holder = undefined;
  };
  afterEach(letGo);

  /** Has another process take a lock, until `letGo`. */
  const hold = async (file: string, kind: '--exclusive' | '--shared' = '--exclusive'): Promise<void> => {
    holder = spawn('flock', ['--no-fork', kind, file, '/bin/sh', '-c', 'echo; exec cat'], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(holder.stdout!, 'data');
  };
  const lease = (id = ID): string => join(owners, `${id}.lock`);
  const signs = (options: PresenceOptions = {}): PresenceOptions => ({ crumbs: [], leases: [owners], ...options });
  const found = async (options: PresenceOptions = {}, of = path) => (await presence([of], signs(options))).get(of);

  it('are a sign of their own while a process holds the lock', async () => {
    await hold(lease());
    assert.deepEqual(await found(), { state: 'live', signs: [{ how: 'lease', pid: holder?.pid, program: 'omp' }] });
    await letGo();
    assert.deepEqual(await found(), { state: 'free' }, 'the file stays, without its lock');
  });

  it('are found beside the folder of the sessions, and on the thread for processes', async () => {
    await hold(lease());
    const thread = new ProcessThread();
    try {
      for (const processes of [undefined, thread.inspect])
        assert.equal((await presence([path], { crumbs: [], ...(processes && { processes }) })).get(path)?.state, 'live');
    } finally {
      thread.dispose();
    }
  });

  it('aren’t held by a shared lock, by a lock on another file of that name, or by a file that’s only open', async () => {
    await hold(lease(), '--shared');
    assert.deepEqual(await found(), { state: 'free' });
    await letGo();
    await writeFile(lease(), '');
    await mkdir(join(folder.path, 'elsewhere'));
    await hold(await folder.write(`elsewhere/${ID}.lock`, ''));
    assert.deepEqual(await found(), { state: 'free' });
    await letGo();
    holder = spawn('/bin/sh', ['-c', 'exec 9<"$0"; echo; exec cat', lease()], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(holder.stdout!, 'data');
    assert.deepEqual(await found(), { state: 'free' });
    await letGo();
    await hold(lease(`${ID}x`));
    assert.deepEqual(await found(), { state: 'free' }, 'another session’s');
  });

  it('are small files in the folder, nothing else', async () => {
    const elsewhere = await folder.write('elsewhere.lock', '');
    await hold(elsewhere);
    await symlink(elsewhere, lease());
    assert.deepEqual(await found(), { state: 'free' });
    await letGo();
    await rm(lease());
    await writeFile(lease(), '');
    await truncate(lease(), 2 ** 32);
    await hold(lease());
    assert.deepEqual(await found(), { state: 'free' });
    await letGo();
    await rm(lease());
    execFileSync('mkfifo', [lease()]);
    assert.deepEqual(await found(), { state: 'free' });
    await rm(lease());
    await mkdir(lease());
    await hold(lease());
    assert.deepEqual(await found(), { state: 'free' }, 'a folder can be locked, too');
  });

  it('aren’t made by looking for them, and no id leads out of the folder', async () => {
    const outside = await folder.write('run/x.lock', '');
    const odd = await age(await folder.write('agent/sessions/p/odd.jsonl', talk('../x')));
    await hold(outside);
    assert.deepEqual(await found({}, odd), { state: 'free' });
    assert.deepEqual(await found(), { state: 'free' });
    assert.deepEqual(await readdir(owners), []);
  });

  it('are held by processes whose open files nobody else may see', async () => {
    await hold(lease());
    const proc = join(folder.path, 'proc');
    await mkdir(join(proc, '1'), { recursive: true });
    await symlink('/proc/locks', join(proc, 'locks'));
    const system = { proc, run: () => Promise.resolve('') };
    assert.deepEqual(await found({ system }), { state: 'live', signs: [{ how: 'lease', pid: holder?.pid, program: 'omp' }] });
    await letGo();
    assert.deepEqual(await found({ system }), { state: 'free' });
  });

  it('are held by an exclusive lock in the list of locks, of that file and another process', async () => {
    await hold(lease());
    const line = (await readFile('/proc/locks', 'utf8')).split('\n').find((one) => one.includes(` WRITE ${String(holder?.pid)} `)) ?? '';
    await letGo();
    const proc = join(folder.path, 'proc');
    await mkdir(join(proc, '1'), { recursive: true });
    const stateWith = async (list: string): Promise<string | undefined> => {
      await writeFile(join(proc, 'locks'), list);
      return (await found({ system: { proc, run: () => Promise.resolve('') } }))?.state;
    };
    assert.equal(await stateWith(`1: POSIX  ADVISORY  READ 1 00:01:5 0 EOF\n${line}\n`), 'live');
    const others = [
      line.replace('WRITE', 'READ '),
      line.replace('FLOCK', 'POSIX'),
      line.replace('FLOCK', '-> FLOCK'),
      line.replace(/WRITE \d+/, `WRITE ${String(process.pid)}`),
      line.replace(/(:\d+) 0 EOF/, '$10 0 EOF'),
      line.replace(/[\da-f]+:([\da-f]+:\d+)/, 'fff:$1'),
      `text ${line}`,
      '',
    ];
    assert.equal(new Set([line, ...others]).size, others.length + 1);
    for (const other of others) assert.equal(await stateWith(`${other}\n`), 'free', other);
  });

  it('are held by the child of a process that took the lock and ended', async () => {
    await writeFile(lease(), '');
    holder = spawn('/bin/sh', ['-c', 'exec 9<"$0"; flock 9; echo; exec cat', lease()], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(holder.stdout!, 'data');
    assert.deepEqual(await found(), { state: 'live', signs: [{ how: 'lease', pid: holder.pid, program: 'omp' }] });
  });

  it('of odd ids have hashed names', async () => {
    assert.equal(leaseName('some data here'), `h-${11562320457524636935n.toString(16)}.lock`);
    assert.equal(leaseName(''), 'h-0409638ee2bde459.lock');
    for (const id of ['../x', 'Größe 🦀', 'a.b', 'a\n', 'x'.repeat(129)]) {
      const odd = await age(await folder.write('agent/sessions/p/odd.jsonl', talk(id)));
      assert.match(leaseName(id), /^h-[\da-f]{16}\.lock$/);
      await hold(join(owners, leaseName(id)));
      assert.equal((await found({}, odd))?.state, 'live', id);
      await letGo();
      assert.equal((await found({}, odd))?.state, 'free', id);
    }
    assert.equal(leaseName('x'.repeat(128)), `${'x'.repeat(128)}.lock`);
  });

  it('are found by the descriptor, whatever device the system names for the file', async () => {
    await writeFile(lease(), '');
    const proc = join(folder.path, 'proc');
    const process = join(proc, '7');
    await mkdir(join(process, 'fd'), { recursive: true });
    await mkdir(join(process, 'fdinfo'));
    await symlink(lease(), join(process, 'fd', '12'));
    const system = { proc, run: () => Promise.resolve('') };
    const info = (kind: string) => writeFile(join(process, 'fdinfo', '12'), `pos:\t0\nlock:\t1: ${kind} 7 00:1f:99 0 EOF\n`);
    const states: unknown[] = [];
    for (const kind of ['FLOCK  ADVISORY  WRITE', 'FLOCK  ADVISORY  READ ', 'POSIX  ADVISORY  WRITE']) {
      await info(kind);
      states.push((await found({ system }))?.state);
    }
    assert.deepEqual(states, ['live', 'free', 'free']);
  });

  it('are held by whoever has the file open, where only `lsof` tells', async () => {
    await writeFile(lease(), '');
    const asked: (readonly string[])[] = [];
    const run = (name: string, args: readonly string[]): Promise<string> => {
      if (name === 'lsof') asked.push(args);
      return Promise.resolve(name === 'lsof' ? `p7\ncomp\nf12\nn${lease()}\n` : '');
    };
    assert.deepEqual(await found({ system: { proc: '/nowhere', run } }), {
      state: 'live',
      signs: [{ how: 'lease', pid: 7, program: 'omp' }],
    });
    assert.deepEqual(asked[0]?.slice(-3), ['--', path, lease()]);
  });

  it('refuse every change, also a forced one, and allow a fork', async () => {
    await hold(lease());
    const writes = await openWindow(join(folder.path, 'storage'), join(folder.path, 'agent'), { signs: signs() });
    const { writer } = writes;
    const options = { force: true };
    const project = dirname(path);
    const changes: (() => Promise<unknown>)[] = [
      () => writer.submit(path, { kind: 'label', entryId: entryId(1), label: 'x' }, options),
      () => writer.submit(path, { kind: 'rename', name: 'x' }, options),
      () => writer.submit(path, { kind: 'branch', entryId: entryId(1) }, options),
      () => writer.archive(path, options),
      () => writes.trash.delete(path, options),
    ];
    for (const change of changes)
      assert.match(await refuses(project, 'live', change), /^omp \(PID \d+\) has claimed this session and wouldn’t notice/);
    const fork = await createWriter({ signs: signs() }).forkSession(path);
    assert.equal((await readdir(project)).length, 2);
    assert.deepEqual(await found({}, await age(fork.path)), { state: 'free' });
  });

  it('keep a change pending until they are let go', async () => {
    await hold(lease());
    const { queue, writer } = await openWindow(join(folder.path, 'storage'), join(folder.path, 'agent'), { signs: signs() });
    await queue.enqueue(path, { kind: 'label', entryId: entryId(1), label: 'x' });
    assert.equal((await queue.settle(path, writer)).written.length, 0);
    await letGo();
    assert.equal((await queue.settle(path, writer)).written.length, 1);
  });

  it('show the session as running, with what it waits for', async () => {
    await hold(lease());
    const list = new PresenceList(
      (paths) => presence(paths, signs()),
      () => Promise.resolve(true),
    );
    assert.deepEqual(await list.refresh([path]), [path]);
    assert.deepEqual([list.get(path)?.state, list.needsInput(path)], ['live', true]);
    await letGo();
    assert.deepEqual(await list.refresh([]), [path]);
    assert.equal(list.get(path), undefined);
  });
});

describe('Folders of leases', () => {
  it('are beside the agent’s folder of a session, and where oh-my-pi has them by default', () => {
    const paths = [
      '/x/agent/sessions/-p/a.jsonl',
      '/x/agent/sessions/-p/a/sub.jsonl',
      '/y/profiles/work/agent/sessions/-p/a.jsonl',
      '/elsewhere/a.jsonl',
    ];
    assert.deepEqual(leaseFolders(paths, '/home/me', {}), [
      '/x/run/session-owners',
      '/y/run/session-owners',
      '/home/me/.omp/run/session-owners',
    ]);
    assert.deepEqual(leaseFolders([], '/home/me', { PI_CONFIG_DIR: '.my', XDG_STATE_HOME: '/state' }), [
      '/home/me/.my/run/session-owners',
      '/state/omp/run/session-owners',
    ]);
    assert.deepEqual(leaseFolders([], '/home/me', { XDG_STATE_HOME: 'relative' }), ['/home/me/.omp/run/session-owners']);
  });
});
