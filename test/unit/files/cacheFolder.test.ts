import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CacheFolder } from '../../../src/core/index';
import { testFolder } from '../../fixtures/folder';

describe('A folder of files that can be made again', () => {
  const folder = testFolder();
  const at = (): string => join(folder.path, 'cache');
  const cache = (): CacheFolder => new CacheFolder(at(), { maxBytes: 10, maxFiles: 2 });

  it('has what was last written, and nothing before and after', async () => {
    const files = cache();
    assert.equal(await files.read('a'), undefined);
    await files.write('a', 'one');
    await files.write('a', 'two');
    assert.equal(await cache().read('a'), 'two');
    void files.write('a', 'three');
    await files.clear();
    assert.equal(await files.read('a'), undefined);
    await files.clear();
  });

  it('has a limited number of files', async () => {
    const files = cache();
    for (const [index, name] of ['a', 'b'].entries()) {
      await files.write(name, name);
      utimesSync(join(at(), name), index, index);
    }
    await files.write('c', 'c');
    assert.deepEqual(readdirSync(at()).sort(), ['b', 'c']);
  });

  it('reads no larger file, no link and no folder', async () => {
    mkdirSync(at());
    writeFileSync(join(at(), 'large'), 'x'.repeat(11));
    symlinkSync(join(at(), 'large'), join(at(), 'link'));
    mkdirSync(join(at(), 'folder'));
    for (const name of ['large', 'link', 'folder']) await assert.rejects(cache().read(name), name);
  });

  it('is for its owner alone', async () => {
    await cache().write('a', 'one');
    if (process.platform === 'win32') return;
    assert.equal(statSync(at()).mode & 0o777, 0o700);
    assert.equal(statSync(join(at(), 'a')).mode & 0o777, 0o600);
  });
});
