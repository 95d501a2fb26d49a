/** The real pi and oh-my-pi list the sessions of a relinked project in its new folder, and nowhere else. */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { projectFolderName, relinkProject, SessionManager } from '../../src/core/index';
import { home, withEnvironment } from '../fixtures/environment';
import { testFolder } from '../fixtures/folder';
import { age } from '../fixtures/writes';
import { startOmp, type Omp } from './omp';
import { loadPiManager } from './piManager';

describe('A relinked project', function () {
  this.timeout(120_000);
  const folder = testFolder();

  it('has its sessions in the new folder for the real pi, with forks that lead to their parents', async () => {
    await withEnvironment(home(folder.path), async () => {
      const pi = await loadPiManager();
      const [from, to] = [join(folder.path, 'old project'), join(folder.path, 'new project')];
      const root = join(folder.path, '.pi', 'agent', 'sessions');
      const manager = SessionManager.create(from);
      await manager.appendMessage({ role: 'user', content: 'hello', timestamp: 1 });
      await manager.appendMessage({ role: 'assistant', content: [{ type: 'text', text: 'yes' }], timestamp: 2 });
      const parent = manager.getSessionFile() ?? '';
      const fork = pi.forkFrom(parent, from, join(root, basename(join(parent, '..')))).getSessionFile() ?? '';
      for (const path of [parent, fork]) await age(path);
      const listed = async (cwd: string): Promise<string[]> => ((await pi.list(cwd)) as { path: string }[]).map(({ path }) => path).sort();
      assert.deepEqual(await listed(from), [parent, fork].sort());
      const { moved, left } = await relinkProject({ from, to, roots: [{ path: root }] });
      assert.deepEqual(left, []);
      assert.deepEqual(await listed(from), []);
      assert.deepEqual(await listed(to), moved.map(({ newPath }) => newPath).sort());
      const newFork = moved.find(({ path }) => path === fork)?.newPath ?? '';
      const header = pi.open(newFork).getHeader();
      assert.deepEqual([header?.['cwd'], header?.['parentSession']], [to, moved.find(({ path }) => path === parent)?.newPath]);
    });
  });

  it('has its sessions in the new folder for the real oh-my-pi', async () => {
    const homeFolder = join(folder.path, 'home');
    await mkdir(homeFolder, { recursive: true });
    let omp: Omp | undefined;
    try {
      omp = await startOmp(homeFolder);
      await withEnvironment(home(homeFolder), async () => {
        const [from, to] = [join(homeFolder, 'old'), join(homeFolder, 'new')];
        const manager = SessionManager.create(from, undefined, { dialect: 'omp' });
        await manager.appendMessage({ role: 'user', content: 'hello', timestamp: 1 });
        const path = await age(manager.getSessionFile() ?? '');
        const root = join(homeFolder, '.omp', 'agent', 'sessions');
        const body = (await readFile(path, 'utf8')).split('\n').slice(2);
        const { moved } = await relinkProject({ from, to, roots: [{ path: root, dialect: 'omp' }] });
        const names = { home: homeFolder, temp: tmpdir() };
        const inFolder = async (cwd: string): Promise<readonly string[]> =>
          ((await omp?.list(join(root, projectFolderName(cwd, 'omp', names)))) ?? []).map((one) => `${one.cwd} ${one.path}`);
        assert.deepEqual(await readdir(root), [projectFolderName(to, 'omp', names)]);
        assert.deepEqual(await inFolder(to), [`${to} ${moved[0]?.newPath ?? ''}`]);
        assert.deepEqual((await readFile(moved[0]?.newPath ?? '', 'utf8')).split('\n').slice(2), body);
        const copy = join(folder.path, 'copy.jsonl');
        await writeFile(copy, await readFile(moved[0]?.newPath ?? ''));
        assert.equal((await omp?.read(copy))?.ids.length, body.length - 1);
      });
    } finally {
      await omp?.end();
    }
  });
});
