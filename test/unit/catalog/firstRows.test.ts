import * as assert from 'node:assert/strict';
import { basename, dirname, join } from 'node:path';
import { FirstRows } from '../../../src/core/catalog/rows/firstRows';
import { unreadableRow, type KnownFile } from '../../../src/core/catalog/rows/catalogRow';
import type { StaleFile } from '../../../src/core/catalog/worker/workerProtocol';

describe('Rows of files that are also being read in full', () => {
  // Those before the first 200, whose rows come with the first files that are read.
  const READ_SOON = 200;
  const stale = (path: string, owner?: string): StaleFile => ({
    path,
    version: { size: 10, mtimeMs: 1, ino: '1:1' },
    dialect: 'pi',
    ...(owner === undefined ? {} : { owner }),
  });
  const filesIn = (folder: string, count: number): StaleFile[] =>
    Array.from({ length: count }, (_, number) => stale(join('/s', folder, `${String(number)}.jsonl`)));

  /** Returns the paths that got a row, in their order, and the largest request to the thread. */
  async function rowsOf(files: readonly StaleFile[], isRead: boolean): Promise<{ paths: string[]; most: number }> {
    const known = new Map<string, KnownFile>();
    let most = 0;
    const reported: string[] = [];
    const onThread = (requested: readonly StaleFile[]): Promise<KnownFile['row'][]> => {
      most = Math.max(most, requested.length);
      return Promise.resolve(requested.map(({ path }) => unreadableRow(path, new Error('none'), 'pi', 1)));
    };
    const rows = new FirstRows(known, { onRows: (paths) => void reported.push(...paths) }, onThread, []);
    await rows.scanRemaining(files, isRead);
    assert.deepEqual([...known.keys()], reported);
    return { paths: reported, most };
  }

  it('come for the newest files, and in a large store for the newest of each folder only', async () => {
    const newest = filesIn('new', READ_SOON + 10_000);
    const owned = stale('/s/old/0/sub.jsonl', '/s/old/0.jsonl');
    const old = filesIn('old', 300);
    const { paths, most } = await rowsOf([...newest, owned, ...filesIn('new/more', 150), ...old, ...filesIn('last', 1)], true);
    assert.deepEqual(
      paths.slice(0, 10_000),
      newest.slice(READ_SOON).map(({ path }) => path),
    );
    const others = paths.slice(10_000);
    const countIn = (folder: string): number => others.filter((path) => basename(dirname(path)) === folder).length;
    assert.deepEqual(['new', '0', 'more', 'old', 'last'].map(countIn), [0, 1, 150, 199, 1]);
    assert.ok(others.includes('/s/old/198.jsonl'));
    assert.equal(most, 100);
  });

  it('come for all files if nothing else reads them', async () => {
    const files = filesIn('one', 10_450);
    assert.deepEqual(
      (await rowsOf(files, false)).paths,
      files.map(({ path }) => path),
    );
  });
});
