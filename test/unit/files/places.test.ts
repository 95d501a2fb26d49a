import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readBlob, SessionError, sessionKey } from '../../../src/core/index';
import { defaultRoot } from '../../../src/core/files/locate/programs/programFolders';
import { fileError } from '../../../src/core/files/io/fileErrors';
import { testFolder } from '../../fixtures/folder';

describe('The default root of a program', () => {
  const folder = testFolder();
  const root = (dialect: Parameters<typeof defaultRoot>[0], env: Record<string, string> = {}): string =>
    defaultRoot(dialect, { env, home: '/home/me' });

  it('is in its own folder, or where the environment says', () => {
    assert.equal(root('pi'), join('/home/me', '.pi', 'agent', 'sessions'));
    assert.equal(root('pi', { PI_CODING_AGENT_DIR: '~/other' }), join('/home/me', 'other', 'sessions'));
    assert.equal(root('jensen'), join('/home/me', '.jensen', 'agent', 'sessions'));
    assert.equal(root('jensen', { PI_CODING_AGENT_DIR: '/a' }), join('/a', 'sessions'));
    assert.equal(root('jensen', { PI_CODING_AGENT_DIR: '/a', JENSEN_CODING_AGENT_DIR: '/b' }), join('/b', 'sessions'));
    assert.equal(root('gsd'), join('/home/me', '.gsd', 'sessions'));
    assert.equal(root('gsd', { GSD_HOME: '~' }), join('/home/me', 'sessions'));
    assert.equal(root('openclaw'), join('/home/me', '.openclaw', 'agents', 'main', 'sessions'));
    assert.equal(root('openclaw', { OPENCLAW_STATE_DIR: '/state' }), join('/state', 'agents', 'main', 'sessions'));
  });

  it('of oh-my-pi is in a profile, or in the data folder if that exists', async () => {
    assert.equal(root('omp'), join('/home/me', '.omp', 'agent', 'sessions'));
    assert.equal(
      root('omp', { PI_CONFIG_DIR: '.mine', OMP_PROFILE: 'work' }),
      join('/home/me', '.mine', 'profiles', 'work', 'agent', 'sessions'),
    );
    assert.equal(root('omp', { PI_CODING_AGENT_DIR: '/a' }), join('/a', 'sessions'));
    assert.equal(root('omp', { XDG_DATA_HOME: folder.path }), join('/home/me', '.omp', 'agent', 'sessions'));
    const data = join(folder.path, 'omp');
    await mkdir(data, { recursive: true });
    const env = { XDG_DATA_HOME: folder.path };
    assert.equal(root('omp', env), join(data, 'sessions'));
    assert.equal(root('omp', { ...env, PI_CODING_AGENT_DIR: '/a' }), join('/a', 'sessions'));
    const work = { ...env, PI_PROFILE: 'work' };
    assert.equal(root('omp', work), join('/home/me', '.omp', 'profiles', 'work', 'agent', 'sessions'));
    await mkdir(join(data, 'profiles', 'work'), { recursive: true });
    assert.equal(root('omp', work), join(data, 'profiles', 'work', 'sessions'));
  });
});

describe('Images beside a session', () => {
  const folder = testFolder();
  const hash = 'ab'.repeat(32);

  it('are found in the agent folder above it, by their hash alone', async () => {
    const session = join(folder.path, 'agent', 'sessions', '-work', 'owner', 'sub.jsonl');
    await mkdir(join(folder.path, 'agent', 'blobs'), { recursive: true });
    await mkdir(dirname(session), { recursive: true });
    await writeFile(session, '');
    assert.equal(await readBlob(session, hash), undefined);
    await writeFile(join(folder.path, 'agent', 'blobs', hash), 'bytes');
    assert.equal(String(await readBlob(session, hash)), 'bytes');
    // A file in the place of a folder does no harm.
    await writeFile(join(dirname(session), 'blobs'), '');
    assert.equal(String(await readBlob(session, hash)), 'bytes');
    for (const name of ['', hash.toUpperCase(), `../blobs/${hash}`, hash.slice(1)])
      assert.equal(await readBlob(session, name), undefined, name);
    assert.equal(await readBlob('/a.jsonl', hash), undefined);
  });

  it("are an error if they exist but can't be read", async () => {
    await mkdir(join(folder.path, 'blobs', hash), { recursive: true });
    await assert.rejects(readBlob(join(folder.path, 'a.jsonl'), hash), { code: 'invalid' });
  });
});

describe('Errors of the file system', () => {
  const folder = testFolder();

  it('become sentences where a person can fix them, and stay unchanged otherwise', () => {
    const codes = {
      ENOENT: 'not-found',
      ENOTDIR: 'not-found',
      EISDIR: 'not-a-session',
      EACCES: 'permission',
      EPERM: 'permission',
      EROFS: 'permission',
      ENOSPC: 'no-space',
      EDQUOT: 'no-space',
    };
    for (const [code, ours] of Object.entries(codes)) {
      const error = fileError(Object.assign(new Error(code), { code }), '/a.jsonl');
      assert.ok(error instanceof SessionError && error.code === ours && error.message.includes('/a.jsonl'), code);
      assert.equal((error.cause as NodeJS.ErrnoException).code, code);
    }
    const other = new Error('other');
    assert.equal(fileError(other, '/a'), other);
    assert.equal(fileError(undefined, '/a'), undefined);
  });

  it('become sentences for the list of session keys, too', async () => {
    await mkdir(join(folder.path, 'sessions.json'));
    await assert.rejects(sessionKey({ path: join(folder.path, 'a.jsonl'), header: { type: 'session', id: 'a', timestamp: '', cwd: '' } }), {
      code: 'invalid',
    });
  });
});
