import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as countsModule from '../../../src/commands/restore/changeCounts';
import { readSession, UntrustedPaths, type Catalog, type Writes } from '../../../src/core/index';
import { entryId, session } from '../../fixtures/build';
import { testCatalog } from '../../fixtures/catalog';
import { openWindow } from '../../fixtures/doomed';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { loadWithVscode } from '../../fixtures/loadWithVscode';

describe('The number of files that would change', () => {
  const project = testFolder();
  const store = testCatalog();
  const { signal } = new AbortController();

  it('is that of the plan, is kept until something changes, and is none for too many files', async () => {
    const one = session({ cwd: project.path }).user('go');
    for (const name of ['a', 'b', 'c']) one.tool('write', { path: name, content: `${name}1\n` });
    const catalog = await store.open({ a: one.user('on').tool('edit', { path: 'a', oldText: 'a1', newText: 'a2' }) });
    for (const name of ['a2', 'b1', 'c1']) await writeFile(join(project.path, name.charAt(0)), `${name}\n`);
    const writes: Writes = await openWindow(join(project.path, '.storage'), store.root);
    const editor = fakeEditor();
    Object.assign(editor.api.window.tabGroups, { all: [] });
    const { ChangeCounts } = loadWithVscode(
      join(__dirname, '../../../src/commands/restore/changeCounts.js'),
      editor.api,
    ) as typeof countsModule;
    let opened: Catalog = catalog;
    const counts = new ChangeCounts({
      session: readSession,
      untrustedPaths: new UntrustedPaths(),
      writes: () => Promise.resolve(writes),
      catalog: { open: () => Promise.resolve(opened), settled: () => Promise.resolve() },
    });
    const count = (n: number, aborting = signal) => counts.count({ path: store.path('a'), entryId: entryId(n) }, aborting);
    assert.deepEqual([await count(1), await count(8), await count(10)], [3, 1, 0]);
    await writeFile(join(project.path, 'a'), 'a1\n');
    assert.equal(await count(8), 1, 'the kept one');
    counts.clear();
    assert.equal(await count(8), 0);
    await assert.rejects(count(1, AbortSignal.abort()), { name: 'AbortError' });
    const many = Array.from({ length: 2001 }, (_, n) => ({ file: join(project.path, String(n)) }));
    opened = { ...catalog, pathHere: catalog.pathHere.bind(catalog), touchesWithin: () => Promise.resolve(many) } as unknown as Catalog;
    counts.clear();
    assert.equal(await count(1), undefined);
  });
});
