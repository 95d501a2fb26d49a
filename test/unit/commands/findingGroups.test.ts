import assert from 'node:assert/strict';
import { groupFindings } from '../../../src/commands/export/findingGroups';

describe('The list of an export’s findings', () => {
  it('is bounded, and names the uncertain ones beyond it, so that nothing stays without a review', async () => {
    const finding = { path: '/s.jsonl', field: 'a', rule: 'long-random-text', excerpt: '', placeholder: '', uncertain: true } as const;
    const { groups, unlisted, more } = await groupFindings(
      (async function* () {
        for (let i = 0; i < 2002; i++) yield await Promise.resolve({ ...finding, key: String(i) });
        yield { ...finding, key: '2001' };
      })(),
    );
    assert.equal(groups.length, 2000);
    assert.deepEqual([unlisted, more], [['2000', '2001'], 2]);
  });
});
