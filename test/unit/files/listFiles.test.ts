import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isEntryLimitError } from '../../../src/core/files/locate/folderEntries';
import { listFiles } from '../../../src/core/files/locate/listFiles';
import type { Root } from '../../../src/core/files/locate/roots';
import { testFolder } from '../../fixtures/folder';

describe('Listing a root from untrusted settings', () => {
  const folder = testFolder();
  const root = (flat: boolean): Root => ({ path: folder.path, dialect: 'pi', flat });
  const put = (...parts: string[]): string => {
    const path = join(folder.path, ...parts);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, '');
    return path;
  };
  async function list(flat: boolean, most: number): Promise<{ files: string[]; failed: readonly string[]; problems: unknown[] }> {
    const problems: unknown[] = [];
    const { files, failed } = await listFiles([root(flat)], (path, error) => problems.push(path, error), most);
    return { files: files.map(({ path }) => path), failed, problems };
  }

  it('reads a limited number of entries, and reports that once', async () => {
    for (let index = 0; index < 50; index++) put(`p${String(index % 5)}`, `${String(index)}.jsonl`);
    const all = await list(false, 55);
    assert.equal(all.files.length, 50);
    assert.deepEqual([all.failed, all.problems], [[], []]);
    const some = await list(false, 54);
    assert.ok(some.files.length < 50);
    // The root counts as failed, so its known sessions stay.
    assert.deepEqual(some.failed, [folder.path]);
    assert.equal(some.problems.length, 2);
    assert.equal(some.problems[0], folder.path);
    assert.ok(isEntryLimitError(some.problems[1]));
    assert.match(String(some.problems[1]), /more than 54 files and folders.*sessionTree\.roots/);
  });

  it('limits the entries of a single folder, too', async () => {
    for (let index = 0; index < 30; index++) put(`${String(index)}.jsonl`);
    assert.equal((await list(true, 30)).files.length, 30);
    const some = await list(true, 10);
    assert.equal(some.files.length, 10);
    assert.deepEqual(some.failed, [folder.path]);
  });

  it('tolerates cyclic links, pipes and deep folders', async function () {
    if (process.platform === 'win32') this.skip();
    const session = put('p', 'a.jsonl');
    symlinkSync('..', join(folder.path, 'p', 'up'));
    symlinkSync('.', join(folder.path, 'here'));
    symlinkSync(folder.path, join(folder.path, 'p', 'a'));
    execFileSync('mkfifo', [join(folder.path, 'pipe')]);
    mkdirSync(join(folder.path, 'p', ...Array.from({ length: 200 }, () => 'd')), { recursive: true });
    assert.deepEqual((await list(false, 1000)).files, [session]);
  });
});
