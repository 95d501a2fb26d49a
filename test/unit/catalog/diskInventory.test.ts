import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { mock } from 'node:test';
import { blockingReads } from '../../../src/core/catalog/refresh/blockingReads';
import { DiskInventory } from '../../../src/core/catalog/refresh/diskInventory';
import type { InventoryFile } from '../../../src/core/catalog/rows/inventoryFile';
import { foldersSync } from '../../../src/core/catalog/worker/foldersSync';
import type { IdleThread } from '../../../src/core/catalog/refresh/inspectionThread';
import type { FolderRequest } from '../../../src/core/catalog/worker/protocol/packedFolder';
import { fileVersion } from '../../../src/core/files/read/versions/fileVersion';
import type { Root } from '../../../src/core/index';
import { testFolder } from '../../fixtures/folder';

const statVersion = (path: string) => fileVersion(statSync(path));

describe('the inventory of the disk', () => {
  const folder = testFolder();
  const root = (): string => join(folder.path, 'sessions');
  const at = (name: string): string => join(root(), 'p', `${name}.jsonl`);
  let roots: Root[];

  function make(...names: string[]): DiskInventory {
    mkdirSync(join(root(), 'p'), { recursive: true });
    for (const name of names) writeFileSync(at(name), name);
    roots = [{ path: root(), dialect: 'pi', flat: false }];
    return new DiskInventory(() => roots);
  }

  const sizes = (disk: DiskInventory): Record<string, number> =>
    Object.fromEntries([...disk.files()].map(([path, { version }]) => [path.slice(root().length + 3, -6), version.size]));

  /** A thread that reads folders and delays its response. Used for 200 files or more. */
  function gate(): { readonly thread: IdleThread; readonly hasRead: Promise<void>; readonly open: () => void } {
    let open = (): void => undefined;
    let read = (): void => undefined;
    const isOpen = new Promise<void>((resolve) => (open = resolve));
    const hasRead = new Promise<void>((resolve) => (read = resolve));
    const requestIfIdle = async (_: unknown, requests: unknown): Promise<never> => {
      const folders = foldersSync(requests as readonly FolderRequest[]);
      read();
      await isOpen;
      return folders as never;
    };
    return { thread: { requestIfIdle }, hasRead, open };
  }

  const MANY = Array.from({ length: 200 }, (_, index) => `f${index}`);

  it('has what an inspection of everything found, and follows changes by their paths', async () => {
    const disk = make('a', 'bb');
    const { files, failed } = await disk.inspect();
    assert.deepEqual([files.length, failed, sizes(disk)], [2, [], { a: 1, bb: 2 }]);
    appendFileSync(at('a'), 'more');
    writeFileSync(at('new'), '');
    rmSync(at('bb'));
    const inspected = await disk.inspect([at('a'), at('new'), at('bb')]);
    assert.deepEqual([inspected.files.map(({ path }) => path).sort(), sizes(disk)], [[at('a'), at('new')], { a: 5, new: 0 }]);
  });

  it('finds the same on the calling thread, as long as no folder is on a disk that may hang', async () => {
    const disk = make(...MANY);
    let isAnswered: boolean[] = [];
    const use = (folders: readonly string[]): void => {
      const reads = blockingReads(folders);
      disk.useThread({
        requestIfIdle: async (kind, params, ...rest) => {
          const result = await reads.requestIfIdle(kind, params, ...rest);
          isAnswered.push(result !== undefined);
          return result;
        },
      });
    };
    use([root()]);
    await disk.inspect();
    appendFileSync(at('f0'), 'later');
    rmSync(at('f1'));
    writeFileSync(at('new'), 'new');
    await disk.inspect();
    assert.deepEqual([sizes(disk)['f0'], sizes(disk)['f1'], sizes(disk)['new'], disk.files().size], [7, undefined, 3, MANY.length]);
    if (process.platform !== 'linux') return;
    assert.ok(isAnswered.length > 0 && isAnswered.every(Boolean));
    isAnswered = [];
    use([root(), '/proc']);
    writeFileSync(at('another'), 'x');
    await disk.inspect();
    assert.equal(sizes(disk)['another'], 1);
    assert.ok(isAnswered.length > 0 && !isAnswered.some(Boolean));
  });

  it('keeps the objects of unchanged files, and shares paths and versions with what is known of them', async () => {
    make('a', 'bb');
    const known = { path: at('a'), version: statVersion(at('a')) };
    const outdated = { path: at('bb'), version: { ...statVersion(at('bb')), size: 5 } };
    const rows = new Map([known, outdated].map((file) => [file.path, file]));
    const disk = new DiskInventory(
      () => roots,
      () => rows,
    );
    await disk.inspect();
    const before = new Map(disk.files());
    assert.equal(before.get(at('a'))?.version, known.version);
    assert.equal(before.get(at('bb'))?.version.size, 2);
    const { files } = await disk.inspect();
    assert.ok(files.length === 2 && files.every((file) => file === before.get(file.path)));
    roots = [{ path: root(), dialect: 'omp', flat: false }];
    assert.deepEqual(
      (await disk.inspect()).files.map((file) => file.root.dialect),
      ['omp', 'omp'],
    );
  });

  it('keeps a later result when an inspection that began earlier ends after it', async () => {
    const disk = make(...MANY);
    await disk.inspect();
    const { thread, hasRead, open } = gate();
    disk.useThread(thread);
    const all = disk.inspect();
    await hasRead;
    appendFileSync(at('f0'), 'later');
    rmSync(at('f1'));
    writeFileSync(at('new'), 'new');
    await disk.inspect([at('f0'), at('f1'), at('new')]);
    const later = { f0: 7, f1: undefined, new: 3 };
    const found = (): unknown => ({ f0: sizes(disk)['f0'], f1: sizes(disk)['f1'], new: sizes(disk)['new'] });
    assert.deepEqual(found(), later);
    open();
    await all;
    assert.deepEqual(found(), later);
  });

  it('keeps a file that a later inspection found back in its place, as it was', async () => {
    const disk = make(...MANY);
    await disk.inspect();
    const { thread, hasRead, open } = gate();
    disk.useThread(thread);
    renameSync(at('f1'), join(folder.path, 'away'));
    const all = disk.inspect();
    await hasRead;
    renameSync(join(folder.path, 'away'), at('f1'));
    await disk.inspect([at('f1')]);
    open();
    await all;
    assert.equal(sizes(disk)['f1'], 2);
  });

  it('inspects a file again if a later inspection found less', async () => {
    const disk = make(...MANY);
    await disk.inspect();
    const { thread, hasRead, open } = gate();
    disk.useThread(thread);
    appendFileSync(at('f0'), 'one');
    // Begins first, but reads the version after the second one.
    const all = disk.inspect();
    const one = disk.inspect([at('f0')]);
    await Promise.all([hasRead, one]);
    appendFileSync(at('f0'), 'two');
    disk.releaseThread(thread);
    open();
    await all;
    await disk.inspect([at('f0')]);
    assert.equal(sizes(disk)['f0'], 8);
  });

  it('takes over the version that a reader found, unless the file was inspected since', async () => {
    const disk = make('a');
    await disk.inspect();
    const file = disk.files().get(at('a'))!;
    const newer = { ...file.version, size: 100 };
    disk.recordRead(file, newer);
    assert.equal(sizes(disk)['a'], 100);
    disk.recordRead(file, { ...file.version, size: 50 });
    assert.equal(sizes(disk)['a'], 100, 'the second reader began with an older version');
    disk.recordRead(disk.files().get(at('a'))!, undefined);
    assert.deepEqual(sizes(disk), {});
    await disk.inspect();
    assert.deepEqual(sizes(disk), { a: 1 });
  });

  it('reports a file as gone only after a complete inspection that covered it', async () => {
    const disk = make('a');
    const gone = at('gone');
    assert.equal(disk.isGone(gone), false);
    await assert.rejects(disk.inspect(undefined, AbortSignal.abort(new Error('enough'))), /enough/);
    assert.equal(disk.isGone(gone), false);
    await disk.inspect();
    assert.deepEqual(
      [disk.isGone(gone), disk.isGone(at('a')), disk.isGone(join(folder.path, 'elsewhere', 'x.jsonl'))],
      [true, false, false],
    );
    roots = [];
    await disk.inspect();
    assert.deepEqual([sizes(disk), disk.isGone(at('a'))], [{}, false], 'the root is not inspected any more');
  });

  it('keeps files in a folder that can not be listed, until it can', async () => {
    const disk = make('a');
    await disk.inspect();
    const away = join(folder.path, 'away');
    renameSync(join(root(), 'p'), away);
    symlinkSync('p', join(root(), 'p'));
    const { failed } = await disk.inspect();
    assert.deepEqual([failed.map(({ path }) => path), disk.isGone(at('b')), sizes(disk)], [[join(root(), 'p')], false, { a: 1 }]);
    rmSync(join(root(), 'p'));
    renameSync(away, join(root(), 'p'));
    await disk.inspect();
    assert.equal(disk.isGone(at('b')), true);
  });

  it('removes what is gone also when the inspection is aborted', async () => {
    const disk = make('a', 'b');
    await disk.inspect();
    rmSync(at('a'));
    await assert.rejects(disk.inspect(undefined, AbortSignal.abort(new Error('enough'))), /enough/);
    assert.deepEqual([sizes(disk), disk.isGone(at('a'))], [{ b: 1 }, true]);
  });

  it('removes what is gone also if another file is found to be gone while they are compared', async () => {
    const disk = make('a', 'b', 'gone');
    await disk.inspect();
    rmSync(at('gone'));
    const files = disk.files() as Map<string, InventoryFile>;
    let isLeft = true;
    files.has = (path) => {
      const found = Map.prototype.has.call(files, path);
      if (isLeft && path === at('a')) {
        isLeft = false;
        rmSync(path);
        disk.recordRead(files.get(path)!, undefined);
      }
      return found;
    };
    await disk.inspect();
    assert.deepEqual([isLeft, Object.keys(sizes(disk))], [false, ['b']]);
  });

  it('can be aborted when all files were inspected', async () => {
    let now = 0;
    const clock = mock.method(performance, 'now', () => (now += 10));
    try {
      const disk = make('a', 'b', 'c', 'd', 'e');
      await disk.inspect();
      const stop = new AbortController();
      const files = disk.files() as Map<string, InventoryFile>;
      let [gets, last] = [0, Infinity];
      files.get = (path) => {
        if (++gets === last) stop.abort(new Error('enough'));
        return Map.prototype.get.call(files, path) as InventoryFile | undefined;
      };
      await disk.inspect(undefined, stop.signal);
      // One of the last five, each of which is for a file of the result.
      [gets, last] = [0, gets - 4];
      await assert.rejects(disk.inspect(undefined, stop.signal), /enough/);
    } finally {
      clock.mock.restore();
    }
  });

  it('does not walk all files for one', async () => {
    const disk = make(...MANY);
    await disk.inspect();
    const files = disk.files() as Map<string, unknown>;
    for (const method of ['keys', 'values', 'entries', Symbol.iterator] as const)
      files[method] = () => assert.fail('all files were walked');
    appendFileSync(at('f0'), 'more');
    await disk.inspect([at('f0')]);
    assert.equal((files.get(at('f0')) as { version: { size: number } }).version.size, statSync(at('f0')).size);
  });

  it('takes roots with a separator at the end', async () => {
    const disk = make('a');
    roots = [{ path: root() + sep, dialect: 'pi', flat: false }];
    await disk.inspect();
    assert.deepEqual([sizes(disk), disk.files().get(at('a'))?.root.path], [{ a: 1 }, root()]);
  });
});
