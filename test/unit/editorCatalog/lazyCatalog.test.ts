import assert from 'node:assert/strict';
import { join } from 'node:path';
import { settledCatalog } from '../../../src/commands/handler/settledCatalog';
import { SessionStore, type Root } from '../../../src/core/index';
import type { CatalogProgress } from '../../../src/editorCatalog/catalogProgress';
import type * as lazyModule from '../../../src/editorCatalog/lazyCatalog';
import { session } from '../../fixtures/build';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { loadWithVscode } from '../../fixtures/loadWithVscode';

describe('The editor’s catalog', () => {
  const folder = testFolder();
  const { LazyCatalog } = loadWithVscode(
    join(__dirname, '../../../src/editorCatalog/lazyCatalog.js'),
    fakeEditor().api,
  ) as typeof lazyModule;
  let lazy: lazyModule.LazyCatalog;
  let roots: Root[];
  const errors: unknown[] = [];
  let update: () => Promise<unknown>;

  const create = (cacheDir: string): CatalogProgress[] => {
    errors.length = 0;
    roots = [{ path: folder.path, dialect: 'pi', flat: true }];
    const onError = (error: unknown): void => void errors.push(error);
    const store: SessionStore = new SessionStore({
      roots: () => roots,
      source: { index: () => own.index(), isReady: () => own.isReady(), read: (work, onRead) => own.read(work, onRead) },
      onProblem: onError,
      onChange: () => undefined,
    });
    update = () => store.refresh();
    const own = new LazyCatalog({ cacheDir, roots: () => roots, store: () => store, marksOf: () => ({}), onProblem: onError, onError });
    lazy = own;
    const progress: CatalogProgress[] = [];
    lazy.onDidChange((one) => progress.push(one));
    return progress;
  };
  afterEach(() => lazy.dispose());

  it('reads the sessions once it is opened, and reports its progress', async () => {
    await folder.write('s.jsonl', session().user('Hello').text());
    const progress = create(join(folder.path, 'cache'));
    assert.equal(
      await lazy.read({ files: [], gone: [], isComplete: true }, () => undefined),
      'failed',
      'nothing was read before it was needed',
    );
    const catalog = await lazy.open();
    lazy.refreshInBackground();
    await lazy.settled(10_000);
    assert.equal((await catalog.sessions()).length, 1);
    assert.ok(progress.length > 0);
    assert.deepEqual(lazy.progress(), { done: 0, total: 0 });
    await lazy.clear();
    assert.deepEqual(progress.at(-1), { done: 0, total: 0, isCleared: true });
    assert.deepEqual(errors, []);
  });

  it('reports once that sessions differ, when it has read them', async () => {
    await folder.write('s.jsonl', session().user('Hello').text());
    create(join(folder.path, 'cache'));
    const reports: CatalogProgress[] = [];
    lazy.onDidChangeSessions(() => reports.push(lazy.progress()));
    const catalog = await lazy.open();
    await update();
    assert.deepEqual(reports, [{ done: 0, total: 0 }]);
    await update();
    assert.equal(reports.length, 1, 'nothing differed');
    await folder.write('s.jsonl', session().user('Hello').tool('write', { path: '/a', content: 'b' }).text());
    await catalog.refresh();
    lazy.refreshInBackground();
    await lazy.settled(10_000);
    assert.equal((await catalog.touching('/a')).length, 1);
    assert.equal(reports.length, 2);
    await lazy.clear();
    assert.equal(reports.length, 3);
  });

  it('isn’t refilled by views and background work once another window has cleared it', async () => {
    await folder.write('s.jsonl', session().user('Hello').text());
    const cacheDir = join(folder.path, 'cache');
    create(cacheDir);
    const other = lazy;
    create(cacheDir);
    try {
      for (const window of [other, lazy]) {
        const catalog = await window.openUnlessCleared();
        window.refreshInBackground();
        await window.settled(10_000);
        assert.equal((await catalog?.sessions())?.length, 1);
      }
      await other.clear();
      assert.equal(await lazy.openUnlessCleared(), undefined);
      assert.equal(lazy.progress().isCleared, true);
      assert.equal(await lazy.openUnlessCleared(), undefined);
      await lazy.open();
      assert.ok(await lazy.openUnlessCleared());
      await lazy.settled(10_000);
      assert.equal((await (await lazy.open()).sessions()).length, 1);
    } finally {
      other.dispose();
    }
  });

  it('is the one of the folders that are known when a command has waited for the reading', async () => {
    create(join(folder.path, 'cache'));
    const settled = async (limit: number): Promise<void> => {
      await lazy.settled(limit);
      roots = [...roots, { path: join(folder.path, 'late'), dialect: 'pi', flat: true }];
      await lazy.open();
    };
    const catalog = await settledCatalog({ open: () => lazy.open(), settled });
    assert.ok(catalog === (await lazy.open()));
  });

  it('reports the reason once if it can not be opened, and then none is used', async () => {
    const progress = create(join(await folder.write('file', ''), 'cache'));
    assert.equal(await lazy.catalog(), undefined);
    assert.equal(await lazy.catalog(), undefined);
    assert.equal(errors.length, 1);
    assert.equal(progress.at(-1)?.problem?.code, 'permission');
    await assert.rejects(lazy.open(), { code: 'permission' });
  });
});
