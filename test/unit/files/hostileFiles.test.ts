import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { copyFile, mkdir, open, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { mock } from 'node:test';
import {
  createWriter,
  findRoots,
  followSession,
  forkSession,
  openCatalog,
  presence,
  ProcessThread,
  readBlob,
  readBlobStart,
  readBodies,
  readSession,
  sessionKey,
  SessionManager,
  SessionStore,
} from '../../../src/core/index';
import { readSessionOrigin } from '../../../src/core/files/presence/sessionOrigin';
import { thisSystem } from '../../../src/core/files/presence/system';
import { testFolder } from '../../fixtures/folder';

const HASH = 'ab'.repeat(32);
const LINES = [
  { type: 'session', version: 3, id: 's1', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/work' },
  {
    type: 'message',
    id: 'u1',
    parentId: null,
    timestamp: '2026-01-01T00:00:01.000Z',
    message: { role: 'user', content: 'hello', timestamp: 1 },
  },
];
const SESSION = LINES.map((line) => `${JSON.stringify(line)}\n`).join('');

/** Objects in the place of a small file. None of them is read, and none blocks. */
const HOSTILE: Readonly<Record<string, (path: string) => Promise<unknown>>> = {
  'a FIFO': (path) => Promise.resolve(execFileSync('mkfifo', [path])),
  'a device without an end': (path) => symlink('/dev/zero', path),
  'a folder': (path) => mkdir(path),
  'a file of 5 GB': async (path) => {
    const file = await open(path, 'w');
    await file.truncate(5 * 1024 ** 3);
    await file.close();
  },
};

(process.platform === 'win32' ? describe.skip : describe)('Hostile files where others can write', () => {
  const folder = testFolder();
  const session = (): string => join(folder.path, 'a.jsonl');
  const put = async (path: string, make: (path: string) => Promise<unknown>): Promise<string> => {
    const whole = join(folder.path, path);
    await mkdir(dirname(whole), { recursive: true });
    await make(whole);
    return whole;
  };
  beforeEach(() => writeFile(session(), SESSION));
  /** Defines a test, after which the threads that read files must be free, and the session unchanged. */
  const meets = (title: string, test: () => Promise<void>): void => {
    it(title, async () => {
      await test();
      assert.equal(await readFile(session(), 'utf8'), SESSION);
    });
  };

  for (const [kind, make] of Object.entries(HOSTILE)) {
    meets(`${kind}, seven times named like locks, holds no session`, async () => {
      const paths = ['a', 'b', 'c'].map((name) => join(folder.path, `${name}.jsonl`));
      for (const path of paths) await writeFile(path, SESSION);
      const locks = ['.a.jsonl.lock', '.a.lock', '.b.jsonl.lock', '.b.lock', 'b.jsonl.lock', '.c.jsonl.lock', '.c.lock'];
      for (const lock of locks) await put(lock, make);
      const found = await presence(paths, { now: Date.now() + 3_600_000 });
      assert.deepEqual(
        paths.map((path) => found.get(path)?.state),
        ['free', 'free', 'free'],
      );
    });

    meets(`${kind} as the lock that a change would take refuses the change, and stays`, async () => {
      await put('.a.jsonl.lock', make);
      const writer = createWriter({ signs: { system: { proc: '/nowhere', run: () => Promise.resolve('') } } });
      await assert.rejects(writer.submit(session(), { kind: 'label', entryId: 'u1', label: 'x' }, { dialect: 'omp', force: true }), {
        code: 'live',
      });
    });

    meets(`${kind} as an image differs from one that is gone`, async () => {
      await put(join('blobs', HASH), make);
      await assert.rejects(readBlob(session(), HASH), { code: 'invalid' });
      if (kind === 'a file of 5 GB') assert.equal((await readBlobStart(session(), HASH))?.length, 64 * 1024);
      else await assert.rejects(readBlobStart(session(), HASH), { code: 'invalid' });
    });

    meets(`${kind} as settings is a problem, and all other roots are found`, async () => {
      await put(join('agent', 'settings.json'), make);
      const settings = await put(join('project', '.pi', 'settings.json'), make);
      const problems: string[] = [];
      const roots = await findRoots(
        { env: { PI_CODING_AGENT_DIR: join(folder.path, 'agent') }, home: folder.path, projects: [join(folder.path, 'project')] },
        (path, error) => problems.push(`${path} ${(error as { code: string }).code}`),
      );
      assert.deepEqual(problems, [`${join(folder.path, 'agent', 'settings.json')} invalid`, `${settings} invalid`]);
      assert.ok(roots.length >= 5);
    });

    meets(`${kind} as the list of session keys is refused`, async () => {
      await put('sessions.json', make);
      await assert.rejects(sessionKey(await readSession(session())), { code: 'invalid' });
    });

    meets(`${kind} as a breadcrumb leads nowhere`, async () => {
      await put(join('crumbs', 'pts-1'), make);
      await put(join('crumbs', 'pts-2'), make);
      await put(join('crumbs', 'pts-3'), (path) => writeFile(path, `/work\n${session()}\n`));
      const system = { proc: '/nowhere', run: () => Promise.resolve('') };
      const found = await presence([session()], { system, crumbs: [join(folder.path, 'crumbs')], now: Date.now() + 20_000 });
      assert.deepEqual(found.get(session()), { state: 'unsure', signs: [{ how: 'breadcrumb' }] });
    });
  }

  for (const [kind, make] of Object.entries(HOSTILE).filter(([kind]) => kind !== 'a file of 5 GB')) {
    meets(`${kind} with a session's name is refused by everything that reads sessions`, async () => {
      const before = await readSession(await put('x.jsonl', (path) => copyFile(session(), path)));
      const { path } = before;
      await rm(path);
      await put('x.jsonl', make);
      const refused = { code: 'not-a-session' };
      await assert.rejects(readSession(path), refused);
      await assert.rejects(forkSession(path), refused);
      await assert.rejects(SessionManager.open(path), refused);
      await assert.rejects(followSession(before), refused);
      await assert.rejects(readBodies(before, ['u1']), refused);
      const writer = createWriter();
      await assert.rejects(writer.submit(path, { kind: 'rename', name: 'x' }, { dialect: 'omp', force: true }), refused);
      await assert.rejects(writer.migrate(path, { force: true }), refused);
      assert.deepEqual(await readSessionOrigin(path), {});
    });

    meets(`${kind} with a session's name is a row with a problem, beside the others`, async () => {
      const path = await put(join('root', 'p', 'x.jsonl'), make);
      await put(join('root', 'p', 'good.jsonl'), (at) => writeFile(at, SESSION));
      const catalog = await openCatalog({ roots: [join(folder.path, 'root')], cacheDir: join(folder.path, 'cache') });
      try {
        await catalog.refresh();
        const rows = await catalog.sessions();
        // A folder isn't listed as a session.
        assert.equal(rows.find((row) => row.path === path)?.problem?.code, kind === 'a folder' ? undefined : 'not-a-session');
        assert.equal(rows.find((row) => row.path !== path)?.firstMessage, 'hello');
      } finally {
        await catalog.close();
      }
    });
  }

  meets('a session of 5 GB in one line can be given up at any time', async () => {
    const path = await put('x.jsonl', HOSTILE['a file of 5 GB']!);
    const stop = new AbortController();
    const reading = readSession(path, { signal: stop.signal });
    setImmediate(() => stop.abort(new Error('enough')));
    await assert.rejects(reading, /enough/);
    assert.deepEqual(await readSessionOrigin(path), {});
  });
});

describe('A disk that doesn’t answer', () => {
  const folder = testFolder();
  afterEach(() => mock.restoreAll());

  it('never blocks the calling thread in anything that the extension host does', async () => {
    const paths = ['a', 'b', 'c'].map((name) => join(folder.path, 'root', 'p', `${name}.jsonl`));
    await mkdir(dirname(paths[0]!), { recursive: true });
    for (const path of paths) await writeFile(path, SESSION);
    const before = await readSession(paths[0]!);
    const waited: string[] = [];
    const { default: fs } = await import('node:fs');
    for (const name of Object.keys(fs).filter(
      (key) => key.endsWith('Sync') && typeof fs[key as 'statSync'] === 'function',
    ) as 'statSync'[]) {
      const original = fs[name] as (...args: unknown[]) => unknown;
      // Calls on descriptors concern files that are already open. All others count, except in the extension's own
      // storage.
      mock.method(fs, name, (...args: unknown[]) => {
        if (typeof args[0] === 'number' || String(args[0]).startsWith(join(folder.path, 'root'))) waited.push(`${name} ${String(args[0])}`);
        return original(...args);
      });
    }
    fs.statSync(paths[0]!);
    assert.equal(waited.splice(0).length, 1, 'a call that waits is seen');

    await writeFile(paths[0]!, `${SESSION}${JSON.stringify({ ...LINES[1], id: 'u2', parentId: 'u1' })}\n`);
    const roots = [{ path: join(folder.path, 'root'), dialect: 'pi' as const, flat: false }];
    const catalog = await openCatalog({ roots, cacheDir: join(folder.path, 'cache') });
    const store = new SessionStore({ roots: () => roots, onProblem: () => undefined, onChange: () => undefined });
    const writer = createWriter();
    try {
      assert.equal((await followSession(before)).entries.length, 2);
      await catalog.refresh();
      await writeFile(paths[1]!, `${SESSION}${JSON.stringify({ ...LINES[1], id: 'u2', parentId: 'u1' })}\n`);
      await catalog.refresh();
      await catalog.session(paths[0]!);
      await catalog.search('hello');
      await store.refresh();
      await store.session(paths[2]!);
      await writer.submit(paths[2]!, { kind: 'label', entryId: 'u1', label: 'x' }, { force: true });
      await writer.presence(paths);
      await writer.forkSession(paths[1]!);
      await readBodies(await readSession(paths[1]!), ['u1', 'u2']);
    } finally {
      await catalog.close();
    }
    assert.deepEqual(waited, []);
  });
});

describe('The process thread', () => {
  const folder = testFolder();

  (process.platform === 'linux' ? it : it.skip)('finds who has a file open, and what runs', async () => {
    const thread = new ProcessThread();
    const path = await folder.write('open.jsonl', SESSION);
    const file = await open(path);
    const reader = spawn('sleep', ['60'], { stdio: [file.fd, 'ignore', 'ignore'] });
    try {
      const { open: found, agents } = await thread.inspect([path], thisSystem);
      assert.deepEqual([...found], [[path, { pid: reader.pid, program: 'sleep' }]]);
      assert.ok(Array.isArray(agents));
    } finally {
      reader.kill();
      await file.close();
      thread.dispose();
    }
  });

  it("isn't waited for when it hangs, nor used again until it answers", async () => {
    const script = await folder.write(
      'hangs.js',
      `const { parentPort } = require('node:worker_threads'); parentPort.once('message', ({ id }) => parentPort.once('message', () => undefined));`,
    );
    const thread = new ProcessThread(script, 20);
    try {
      for (let time = 0; time < 3; time++) assert.deepEqual(await thread.inspect([], thisSystem), { open: new Map(), agents: undefined });
    } finally {
      thread.dispose();
    }
  });

  it("starts again after it ended, and finds nothing where it can't start", async () => {
    const script = await folder.write(
      'ends.js',
      `const { parentPort } = require('node:worker_threads'); parentPort.once('message', ({ id }) => { if (id === 1) process.exit(); parentPort.postMessage({ id, open: new Map([['/a', { pid: 7 }]]), agents: [] }); });`,
    );
    const thread = new ProcessThread(script);
    const missing = new ProcessThread(join(folder.path, 'none.js'));
    try {
      assert.deepEqual(await thread.inspect([], thisSystem), { open: new Map(), agents: undefined });
      assert.deepEqual(await thread.inspect([], thisSystem), { open: new Map([['/a', { pid: 7 }]]), agents: [] });
      assert.deepEqual(await missing.inspect([], thisSystem), { open: new Map(), agents: undefined });
    } finally {
      thread.dispose();
      missing.dispose();
    }
  });
});
