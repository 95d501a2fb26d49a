import assert from 'node:assert/strict';
import { switchWithKills } from '../../fixtures/restoreChild';
import { testRestores } from '../../fixtures/restores';

describe('A thousand switches of files in processes that are killed', () => {
  const test = testRestores();

  it('lose no edit of a person, tear no file, and can be undone', async function () {
    this.timeout(600_000);
    const { switches, kills, partial } = await switchWithKills(test, 1000, 2);
    assert.ok(switches >= 1000 && kills > 100 && partial > 20, `${switches} ${kills} ${partial}`);
  });
});
