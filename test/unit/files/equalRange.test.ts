import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { equalRange } from '../../../src/core/files/io/equalRange';
import { testFolder } from '../../fixtures/folder';

describe('Ranges of two files', () => {
  const folder = testFolder();

  it('are equal if all of their bytes are there and the same', async () => {
    const [a, b] = await Promise.all([open(await folder.write('a', 'one two three')), open(await folder.write('b', '>> one two threw'))]);
    try {
      assert.equal(await equalRange(a, 0, b, 3, 12), true);
      assert.equal(await equalRange(a, 0, b, 3, 13), false);
      assert.equal(await equalRange(a, 0, b, 0, 3), false);
      assert.equal(await equalRange(a, 4, a, 4, 9), true);
      assert.equal(await equalRange(a, 4, a, 4, 10), false);
    } finally {
      await Promise.all([a.close(), b.close()]);
    }
  });
});
