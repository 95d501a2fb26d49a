import assert from 'node:assert/strict';
import { appendFile, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findRoots, followSession, forkSession, migrate, readSession, SessionManager } from '../../../src/core/index';
import { dialectOfPath, defaultSessionDir } from '../../../src/core/files/locate/programs/programFolders';
import { scanLines } from '../../../src/core/files/read/scanLines';
import { entryId, session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { age, refuses } from '../../fixtures/writes';
import type { FileHandle } from 'node:fs/promises';

describe('Edge cases of reading', () => {
  const folder = testFolder();

  it('stops following when aborted', async () => {
    const path = await folder.write('a.jsonl', session().user('a').text());
    const before = await readSession(path);
    await appendFile(path, `${session().assistant('b').lines()[1]!}\n`);
    await assert.rejects(followSession(before, { signal: AbortSignal.abort(new Error('enough')) }), /enough/);
  });

  it('skips a line longer than any string, and reads on after it', async () => {
    // A sparse file whose second line has 600 MB.
    const [first, last] = ['{"type":"session","id":"s"}\n', '\n{"type":"custom"}\n'].map((text) => Buffer.from(text)) as [Buffer, Buffer];
    const size = 600 * 1024 * 1024;
    const read = (into: Buffer, at: number, length: number, position: number): Promise<{ bytesRead: number }> => {
      if (position < first.length) return Promise.resolve({ bytesRead: first.copy(into, at, position) });
      const left = first.length + size - position;
      if (left > 0) {
        into.fill(0, at, at + Math.min(left, length));
        return Promise.resolve({ bytesRead: Math.min(left, length) });
      }
      return Promise.resolve({ bytesRead: last.copy(into, at, -left, Math.min(last.length, -left + length)) });
    };
    const found: unknown[] = [];
    const sink = {
      add: (text: string) => void found.push(text),
      addLong: () => void found.push('long'),
      skip: (place: unknown) => found.push(place),
    };
    await scanLines({ read } as unknown as FileHandle, { offset: 0, line: 0 }, sink);
    assert.deepEqual(found, [
      '{"type":"session","id":"s"}',
      { line: 2, offset: 28, length: size, hasLineBreak: true },
      '{"type":"custom"}',
    ]);
  }).timeout(120_000);

  it('dates a session without any time by its file', async () => {
    const path = await folder.write(
      'a.jsonl',
      session({ timestamp: undefined })
        .message({ role: 'assistant' }, { timestamp: 'never', message: { timestamp: 'never' } })
        .text(),
    );
    const [info] = await SessionManager.list('/work/demo', folder.path);
    assert.deepEqual([info!.modified, info!.firstMessage, info!.messageCount], [(await stat(path)).mtime, '(no messages)', 1]);
  });

  it('refuses a body of a file that is gone with a sentence', async () => {
    const path = await folder.write('a.jsonl', session().user('a').text());
    const manager = await SessionManager.open(path);
    await rm(path);
    assert.throws(() => manager.getEntries(), { code: 'not-found' });
  });
});

describe('Edge cases of writing', () => {
  const folder = testFolder();
  const deep = (id: string, parentId: string | null): string =>
    `{"type":"custom","id":"${id}","parentId":${JSON.stringify(parentId)},"data":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;

  it('copies lines nested too deeply, and refuses to rewrite them', async () => {
    const path = await age(
      await folder.write(
        'a.jsonl',
        session()
          .user('a')
          .raw(deep('d', entryId(1)))
          .text(),
      ),
    );
    const fork = await forkSession(path);
    assert.equal((await readFile(fork.path, 'utf8')).split('\n').at(-2), deep('d', entryId(1)));
    await rm(fork.path);
    const moved = await age(
      await folder.write(
        'b.jsonl',
        session()
          .user('a')
          .label(entryId(1), 'x')
          .raw(deep('d', entryId(2)))
          .text(),
      ),
    );
    assert.match(await refuses(folder.path, 'invalid', () => forkSession(moved)), /Line 4/);
    await rm(path);
    await rm(moved);
    const old = await age(await folder.write('c.jsonl', session({ version: 1 }).user('a', { id: undefined }).raw(deep('d', null)).text()));
    assert.match(await refuses(folder.path, 'invalid', () => migrate(old)), /Line 3/);
  });
});

describe('Edge cases of roots', () => {
  const folder = testFolder();

  it('assigns a path to the program whose folders contain it', () => {
    const at = { env: { XDG_DATA_HOME: '/data', OPENCLAW_STATE_DIR: '~/claw', GSD_HOME: '/gsd' }, home: '/home/me' };
    const found = [
      '/home/me/.pi/agent/sessions/a',
      '/home/me/.omp/x/a',
      '/data/omp/sessions/a',
      '/home/me/.jensen/a',
      '/gsd/a',
      '/home/me/.gsd/a',
      '/home/me/claw/a',
      '/elsewhere/a',
    ];
    assert.deepEqual(
      found.map((path) => dialectOfPath(path, at)),
      ['pi', 'omp', 'omp', 'jensen', 'gsd', 'gsd', 'openclaw', undefined],
    );
    assert.equal(dialectOfPath('/home/me/.openclaw/a', { env: {}, home: '/home/me' }), 'openclaw');
    for (const folder of ['.openclaw-work', '.openclaw-работа', '.clawdbot'])
      assert.equal(dialectOfPath(`/home/me/${folder}/agents/main/sessions/a.jsonl`, { env: {}, home: '/home/me' }), 'openclaw', folder);
    assert.equal(dialectOfPath('/home/me/.openclawed/a', { env: {}, home: '/home/me' }), undefined);
  });

  it('has one folder for OpenClaw, and one per project for the others', () => {
    assert.ok(!defaultSessionDir('/work/demo', 'openclaw').includes('demo'));
    assert.ok(defaultSessionDir('/work/demo', 'gsd').endsWith(join('sessions', '--work-demo--')));
    assert.ok(defaultSessionDir(join(homedir(), 'demo'), 'omp').endsWith('-demo'));
  });

  it('finds folders according to the environment', async () => {
    await mkdir(join(folder.path, 'omp', 'sessions'), { recursive: true });
    const env = {
      XDG_DATA_HOME: folder.path,
      JENSEN_CODING_AGENT_DIR: '/j',
      GSD_HOME: '/g',
      OMP_PROFILE: 'work',
      PI_CODING_AGENT_SESSION_DIR: '/flat',
    };
    const roots = await findRoots({ env, home: folder.path });
    for (const path of [
      '/flat',
      '/j/sessions',
      '/g/sessions',
      join(folder.path, '.omp/profiles/work/agent/sessions'),
      join(folder.path, 'omp/sessions'),
    ]) {
      assert.equal(roots.filter((root) => root.path === path).length, 1, path);
    }
  });
});
