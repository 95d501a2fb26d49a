import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { blockingReads } from '../../../src/core/catalog/refresh/blockingReads';
import { diskState, type Root } from '../../../src/core/index';
import { copyRealDatabase } from '../../fixtures/openclawDatabase';
import { testFolder } from '../../fixtures/folder';

describe('the state of the disk', function () {
  if (process.platform !== 'linux') return;
  const folder = testFolder();
  const root = (): Root => ({ path: join(folder.path, 'sessions'), dialect: 'pi', flat: false });
  const at = (...names: string[]): string => join(folder.path, 'sessions', ...names);
  const digest = async (...roots: Root[]): Promise<string | undefined> => (await diskState(roots.length > 0 ? roots : [root()]))?.digest;
  beforeEach(() => {
    mkdirSync(at('p'), { recursive: true });
    writeFileSync(at('p', 'a.jsonl'), 'a');
  });

  it('has another digest after any change of sessions and folders', async () => {
    const seen = [await digest()];
    for (const change of [
      () => appendFileSync(at('p', 'a.jsonl'), 'more'),
      () => writeFileSync(at('p', 'b.jsonl'), ''),
      () => mkdirSync(at('q')),
      () => writeFileSync(at('q', 'c.jsonl'), ''),
      () => mkdirSync(at('p', 'a')),
      () => writeFileSync(at('p', 'a', 'child.jsonl'), ''),
      () => appendFileSync(at('p', 'a', 'child.jsonl'), 'more'),
      () => rmSync(at('p', 'b.jsonl')),
    ]) {
      change();
      const now = await digest();
      assert.ok(now !== undefined && !seen.includes(now), change.toString());
      assert.equal(await digest(), now);
      seen.push(now);
    }
  });

  it('tells apart roots that are read in other ways, and takes one that is missing', async () => {
    const missing: Root = { path: join(folder.path, 'missing'), dialect: 'omp', flat: false, mayBeMissing: true };
    const flat: Root = { path: join(folder.path, 'gone'), dialect: 'openclaw', flat: true, mayBeMissing: true };
    const all = [await digest(), await digest({ ...root(), dialect: 'omp' }), await digest(root(), missing, flat)];
    assert.ok(!all.includes(undefined));
    assert.equal(new Set(all).size, 3);
  });

  it('isn’t told for what it doesn’t depend on', async () => {
    const flat = { path: at('p'), flat: true, dialect: 'pi' } as const;
    assert.ok(await digest(flat));
    assert.deepEqual([await digest({ ...flat, dialect: 'openclaw' }), await digest({ ...root(), machine: 'far' })], [undefined, undefined]);
    assert.equal(await digest({ ...flat, names: ['a.jsonl'] }), undefined);
    // A database is a root, too.
    for (const dialect of ['openclaw', 'pi'] as const)
      assert.equal(await digest(root(), { path: copyRealDatabase(folder.path), flat: true, dialect }), undefined);
    assert.equal(await digest({ path: '/proc', flat: true, dialect: 'pi' }), undefined);
    // A folder in a folder that can't be read.
    symlinkSync(at('p', 'circle'), at('p', 'circle'));
    assert.equal(await digest({ path: at('p', 'circle'), flat: true, dialect: 'pi' }), undefined);
  });

  it('has folders that the next reading takes once', async () => {
    const state = await diskState([root()]);
    const reads = blockingReads([at()], state?.folders);
    appendFileSync(at('p', 'a.jsonl'), 'more');
    mkdirSync(at('q'));
    const request = [
      { path: at('q'), digest: '' },
      { path: at('p'), digest: '' },
    ];
    const [first, second] = [await reads.requestIfIdle('folders', request, 0), await reads.requestIfIdle('folders', request, 0)];
    const sizes = (folders: typeof first): unknown => folders?.map((one) => (one === null || one === 'same' ? one : one.versions[0]));
    assert.deepEqual(
      [sizes(first), sizes(second)],
      [
        [undefined, 1],
        [undefined, 5],
      ],
    );
  });
});
