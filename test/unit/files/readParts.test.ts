import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { readRanges } from '../../../src/core/files/io/regularFile';
import { testFolder } from '../../fixtures/folder';

describe('readRanges', () => {
  const folder = testFolder();
  const texts = async (path: string, ...parts: readonly (readonly [offset: number, length: number])[]): Promise<string[]> =>
    (
      await readRanges(
        path,
        parts.map(([offset, length]) => [offset, length, Buffer.alloc(length, 'x')] as const),
      )
    ).map(String);

  it('reads each part, and less if the file ends before', async () => {
    const path = await folder.write('a', '0123456789');
    assert.deepEqual(await texts(path, [0, 3], [8, 5], [20, 4], [4, 2]), ['012', '89', '', '45']);
    assert.deepEqual(await texts(path), []);
  });

  it("passes on the system's errors", async () => {
    await assert.rejects(texts(join(folder.path, 'none'), [0, 1]), { code: 'ENOENT' });
    await assert.rejects(texts(folder.path, [0, 1]), { code: 'EISDIR' });
  });

  if (process.platform !== 'win32') {
    it('follows links unless told otherwise', async () => {
      const [path, link] = [await folder.write('a', 'text'), join(folder.path, 'link')];
      await symlink(path, link);
      assert.deepEqual(await texts(link, [0, 4]), ['text']);
      await assert.rejects(readRanges(link, [[0, 4, Buffer.alloc(4)]], false), { code: 'ELOOP' });
    });

    it('neither waits for a FIFO nor reads more of a device than the parts', async () => {
      const fifo = join(folder.path, 'fifo');
      execFileSync('mkfifo', [fifo]);
      assert.deepEqual(await texts(fifo, [0, 4]).catch(() => ['']), ['']);
      await symlink('/dev/zero', join(folder.path, 'zero'));
      assert.deepEqual(await texts(join(folder.path, 'zero'), [0, 4]), ['\0\0\0\0']);
    });
  }
});
