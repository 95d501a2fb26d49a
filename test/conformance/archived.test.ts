/** The real pi and oh-my-pi don't list a session that we have archived, and list and open it again once it's unarchived. */
import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createWriter, readSession, SessionManager } from '../../src/core/index';
import { home, withEnvironment } from '../fixtures/environment';
import { testFolder } from '../fixtures/folder';
import { age } from '../fixtures/writes';
import { startOmp, type Omp } from './omp';
import { loadPiManager } from './piManager';

describe('An archived session', function () {
  this.timeout(120_000);
  const folder = testFolder();

  it('isn’t listed by the real pi until it’s unarchived, and stays the parent of its fork', async () => {
    await withEnvironment(home(folder.path), async () => {
      const pi = await loadPiManager();
      const cwd = join(folder.path, 'project');
      const manager = SessionManager.create(cwd);
      await manager.appendMessage({ role: 'user', content: 'hello', timestamp: 1 });
      await manager.appendMessage({ role: 'assistant', content: [{ type: 'text', text: 'yes' }], timestamp: 2 });
      const parent = manager.getSessionFile() ?? '';
      const fork = pi.forkFrom(parent, cwd, join(parent, '..')).getSessionFile() ?? '';
      for (const path of [parent, fork]) await age(path);
      const before = await readFile(parent);
      const listed = async (): Promise<string[]> => ((await pi.list(cwd)) as { path: string }[]).map(({ path }) => path).sort();
      assert.deepEqual(await listed(), [parent, fork].sort());
      const { archive } = await createWriter().archive(parent);
      assert.deepEqual(await listed(), [fork]);
      assert.equal((await readSession(fork)).header.parentSession, parent);
      await createWriter().unarchive(archive);
      assert.deepEqual(await listed(), [parent, fork].sort());
      assert.equal(pi.open(parent).getEntries().length, 2);
      assert.deepEqual(await readFile(parent), before);
    });
  });

  it('isn’t listed by the real oh-my-pi until it’s unarchived', async () => {
    const homeFolder = join(folder.path, 'home');
    await mkdir(homeFolder, { recursive: true });
    let omp: Omp | undefined;
    try {
      omp = await startOmp(homeFolder);
      await withEnvironment(home(homeFolder), async () => {
        const manager = SessionManager.create(join(homeFolder, 'project'), undefined, { dialect: 'omp' });
        await manager.appendMessage({ role: 'user', content: 'hello', timestamp: 1 });
        const path = await age(manager.getSessionFile() ?? '');
        const listed = async (): Promise<readonly string[]> => ((await omp?.list(join(path, '..'))) ?? []).map((one) => one.path);
        assert.deepEqual(await listed(), [path]);
        const { archive } = await createWriter().archive(path);
        assert.deepEqual(await listed(), []);
        await createWriter().unarchive(archive);
        assert.deepEqual(await listed(), [path]);
      });
    } finally {
      await omp?.end();
    }
  });
});
