import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AskLink } from '../../../src/core/catalog/askLink';
import { VersionLooks } from '../../../src/core/catalog/versionLooks';
import { fileVersionsAt } from '../../../src/core/files/fileVersions';

describe('looks at the states of many files', () => {
  let folder: string;
  let paths: string[];
  let link: AskLink | undefined;

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

  it('tell the same on the thread as without it', async () => {
    link = new AskLink({ answering: { cacheDir: folder, indexed: false }, roots: [] });
    await link.ask('versions', []);
    const thread = link;
    let slices = 0;
    const looks = new VersionLooks({ askIdle: (...args) => (slices++, thread.askIdle(...args)) }, []);
    const found = await looks.at(paths);
    assert.equal(slices, 2);
    assert.deepEqual(found, await fileVersionsAt(paths, 3));
    assert.equal(found[1] instanceof Error && found[3] === undefined && (found[500] as { size: number }).size, 500);
    assert.deepEqual(await looks.at(paths.slice(0, 10)), found.slice(0, 10), 'also of a few');
    assert.equal(slices, 2, 'which are looked at here');
  });

  it('neither start the thread nor wait for its other answers', async () => {
    link = new AskLink({ answering: { cacheDir: folder, indexed: false }, roots: [] });
    assert.equal(await link.askIdle('versions', paths, 1000), undefined);
    assert.equal(link['worker'], undefined);
    const busy = link.ask('versions', paths);
    assert.equal(await link.askIdle('versions', paths, 1000), undefined);
    assert.equal((await busy).length, paths.length);
  });

  it('do without a thread that a disk keeps, and leave it alone from then on', async () => {
    let times = 0;
    const looks = new VersionLooks({
      askIdle: () => {
        times++;
        return Promise.reject(new Error('no answer in time'));
      },
    }, []);
    const expected = await fileVersionsAt(paths, 3);
    assert.deepEqual(await looks.at(paths), expected);
    assert.deepEqual(await looks.at(paths), expected);
    assert.equal(times, 1);
  });

  it('end with their signal', async () => {
    const left = new AbortController();
    const looks = new VersionLooks({
      askIdle: () => {
        left.abort(new Error('enough'));
        return Promise.resolve(paths.slice(0, 500).map(() => undefined) as never);
      },
    }, []);
    await assert.rejects(looks.at(paths, left.signal), /enough/);
  });
});
