import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { session } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { testFolder } from '../../fixtures/folder';

describe('Rows of a catalog', () => {
  const folder = testFolder();
  const store = testCatalog();

  it('have the repository of the worktree that a session is in, until Git no longer knows the worktree', async () => {
    const [main, linked] = [join(folder.path, 'größe'), join(folder.path, 'wt')];
    mkdirSync(main);
    const git = (...args: string[]): void =>
      void execFileSync('git', ['-C', main, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { stdio: 'ignore' });
    git('init');
    git('commit', '--allow-empty', '-m', 'x');
    git('worktree', 'add', linked, '-b', 'b');
    const catalog = await store.open({
      main: session({ cwd: main, id: 'main' }).user('a'),
      linked: session({ cwd: linked, id: 'linked' }).user('b').assistant('c'),
      nowhere: session({ cwd: join(folder.path, 'gone'), id: 'nowhere' }).user('c'),
    });
    const repositories = async (): Promise<unknown> =>
      Object.fromEntries((await catalog.sessions()).map(({ id, repository }) => [id, repository]));
    await catalog.refresh();
    assert.deepEqual(await repositories(), { main: undefined, linked: main, nowhere: undefined });
    // Usage has the same projects as lists.
    assert.deepEqual(
      (await catalog.usageFacts('UTC')).map(({ project }) => project),
      [main],
    );
    rmSync(linked, { recursive: true });
    await catalog.refresh();
    assert.deepEqual(await repositories(), { main: undefined, linked: main, nowhere: undefined });
    git('worktree', 'prune');
    await catalog.refresh();
    assert.deepEqual(await repositories(), { main: undefined, linked: undefined, nowhere: undefined });
  });

  it('name the session above a subagent’s, which is a row itself', async () => {
    mkdirSync(store.path('parent/child').slice(0, -'.jsonl'.length), { recursive: true });
    const catalog = await store.open({
      parent: session({ id: 'parent' }).user('a'),
      'parent/child': session({ id: 'child' }).user('b'),
      'parent/child/inner': session({ id: 'inner' }).user('c'),
    });
    await catalog.refresh();
    const rows = await catalog.sessions();
    assert.deepEqual(Object.fromEntries(rows.map(({ id, parentPath }) => [id, parentPath && basename(parentPath)])), {
      parent: undefined,
      child: 'parent.jsonl',
      inner: 'child.jsonl',
    });
    assert.ok(rows.every(({ parentPath }) => parentPath === undefined || rows.some(({ path }) => path === parentPath)));
  });
});
