import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { claimOnce } from '../../../src/core/files/storage/claimOnce';
import { testFolder } from '../../fixtures/folder';

describe('A claim', () => {
  const folder = testFolder();

  it('is given to one of several windows, and forgotten after a day', async () => {
    const claims = join(folder.path, 'claims');
    const given = await Promise.all(Array.from({ length: 5 }, () => claimOnce(claims, 'a')));
    assert.deepEqual(given.filter(Boolean), [true]);
    assert.equal(await claimOnce(claims, 'b'), true);
    assert.equal(readdirSync(claims).length, 2);
    assert.equal(await claimOnce(claims, 'a', Date.now() + 25 * 60 * 60 * 1000), true);
    assert.equal(readdirSync(claims).length, 1);
  });
});
