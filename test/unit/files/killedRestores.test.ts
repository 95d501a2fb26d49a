import assert from 'node:assert/strict';
import { switchWithKills } from '../../fixtures/restoreChild';
import { testRestores } from '../../fixtures/restores';

describe('Switches of files in processes that are killed', () => {
  const test = testRestores();

  it('lose no edit of a person, tear no file, and can be undone', async () => {
    const { kills, partial } = await switchWithKills(test, 60, 1);
    assert.ok(kills > 3 && partial > 0, `${kills} ${partial}`);
  });
});
