import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SearchWorkerClient } from '../../../src/core/catalog/worker/searchWorkerClient';
import { FileVersionReader } from '../../../src/core/catalog/refresh/fileVersionReader';
import { InspectionThread, type IdleThread } from '../../../src/core/catalog/refresh/inspectionThread';
import { statFileVersions } from '../../../src/core/files/read/versions/statFiles';

describe('versions of many files', () => {
  let folder: string;
  let paths: string[];
  let link: SearchWorkerClient | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'versions-'));
    paths = Array.from({ length: 700 }, (_, n) => join(folder, String(n)));
    for (const [n, path] of paths.entries()) {
      if (n % 100 === 1) mkdirSync(path);
      else if (n % 100 === 2 && process.platform !== 'win32') symlinkSync(path, path);
      else if (n % 100 !== 3) writeFileSync(path, 'a'.repeat(n));
    }
  });

  afterEach(async () => {
    await link?.close();
    link = undefined;
    rmSync(folder, { recursive: true });
  });

  function reader(idle: IdleThread, now?: () => number): FileVersionReader {
    const thread = new InspectionThread(now);
    thread.use(idle);
    return new FileVersionReader(() => [folder], thread);
  }

  it('are the same with the thread as without it', async () => {
    link = new SearchWorkerClient({ database: { cacheDir: folder }, roots: [] });
    await link.request('versions', []);
    const thread = link;
    let slices = 0;
    const looks = reader({ requestIfIdle: (...args) => (slices++, thread.requestIfIdle(...args)) });
    const found = await looks.read(paths);
    assert.equal(slices, 2);
    assert.deepEqual(found, await statFileVersions(paths, 3));
    assert.equal(found[1] instanceof Error && found[3] === undefined && (found[500] as { size: number }).size, 500);
    assert.deepEqual(await looks.read(paths.slice(0, 10)), found.slice(0, 10), 'also for a few');
    assert.equal(slices, 2, 'which are read here');
  });

  it('are the objects that are known, if they are the same', async () => {
    link = new SearchWorkerClient({ database: { cacheDir: folder }, roots: [] });
    await link.request('versions', []);
    for (const some of [paths, paths.slice(0, 100)]) {
      const looks = reader(link);
      const found = await looks.read(some);
      const known = new Map(some.map((path, at) => [path, found[at] instanceof Error ? undefined : found[at]]));
      writeFileSync(paths[4]!, 'changed');
      const again = await looks.read(some, undefined, (path) => known.get(path));
      assert.deepEqual(
        some.flatMap((path, at) => (known.get(path) === again[at] || again[at] instanceof Error ? [] : [path])),
        [paths[4]],
      );
      assert.equal((again[4] as { size: number }).size, 7);
      writeFileSync(paths[4]!, 'aaaa');
    }
  });

  it('give nothing for paths that no file can have', async () => {
    assert.deepEqual(await statFileVersions(['a\0b', paths[500]!, 'c\0', '\0'], 3), [
      undefined,
      (await statFileVersions([paths[500]!], 1))[0],
      undefined,
      undefined,
    ]);
  });

  it('neither start the thread nor wait for its other responses', async () => {
    link = new SearchWorkerClient({ database: { cacheDir: folder }, roots: [] });
    assert.equal(await link.requestIfIdle('versions', paths, 1000), undefined);
    assert.equal(link['worker'], undefined);
    const busy = link.request('versions', paths);
    assert.equal(await link.requestIfIdle('versions', paths, 1000), undefined);
    assert.equal((await busy).length, 4 * paths.length);
  });

  it('wait for the thread’s other responses if there are thousands', async () => {
    link = new SearchWorkerClient({ database: { cacheDir: folder }, roots: [] });
    const order: string[] = [];
    const busy = link.request('versions', paths).then(() => order.push('other'));
    const versions = link.requestIfIdle('versions', [paths[500]!], 60_000, true);
    assert.equal((await versions)?.[0], 500);
    await busy;
    const aborted = new AbortController();
    const search = link.request('search', { query: 'a', options: {}, without: new Set() }, aborted.signal);
    const after = link.requestIfIdle('versions', [paths[500]!], 60_000, true);
    aborted.abort(new Error('enough'));
    await assert.rejects(search, /enough/);
    assert.equal((await after)?.[0], 500, 'also for the end of one that was aborted');
    assert.deepEqual(order, ['other']);
  });

  it('are read here if the thread stays busy', async () => {
    link = new SearchWorkerClient({ database: { cacheDir: folder }, roots: [] });
    const busy = link.request('versions', paths);
    assert.equal(await link.requestIfIdle('versions', [paths[500]!], 0, true), undefined);
    await busy;
  });

  it('start the thread for thousands of files', async () => {
    link = new SearchWorkerClient({ database: { cacheDir: folder }, roots: [] });
    const thread = link;
    const starts: unknown[] = [];
    const looks = reader({
      requestIfIdle: (...args) => {
        starts.push(args[3]);
        return thread.requestIfIdle(...args);
      },
    });
    const many = Array.from({ length: 5000 }, (_, n) => join(folder, `none${n}`));
    assert.deepEqual(await looks.read(many), new Array(5000).fill(undefined));
    assert.ok(starts.length > 1 && starts.every((one) => one === true) && link['worker']);
    await looks.read(paths);
    assert.equal(starts.at(-1), false);
    await link.close();
    assert.equal(await link.requestIfIdle('versions', [], 1000, true), undefined, 'a closed thread stays closed');
  });

  it('are read without a thread that a disk has blocked, for five minutes, then ten', async () => {
    let [times, minutes] = [0, 0];
    const looks = reader(
      {
        requestIfIdle: () => {
          times++;
          return Promise.reject(new Error('no answer in time'));
        },
      },
      () => minutes * 60_000,
    );
    const expected = await statFileVersions(paths, 3);
    const timesAt = async (minute: number): Promise<number> => {
      minutes = minute;
      assert.deepEqual(await looks.read(paths), expected);
      return times;
    };
    assert.deepEqual([await timesAt(0), await timesAt(4.9)], [1, 1]);
    assert.deepEqual([await timesAt(5), await timesAt(14.9), await timesAt(15)], [2, 2, 3]);
  });

  it('are not read any further when the signal is aborted', async () => {
    const left = new AbortController();
    const looks = reader({
      requestIfIdle: () => {
        left.abort(new Error('enough'));
        return Promise.resolve(new Float64Array(4 * 500) as never);
      },
    });
    await assert.rejects(looks.read(paths, left.signal), /enough/);
  });
});
