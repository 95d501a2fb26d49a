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

  it('has each entry of a finding once, as far as there is room, and counts the others', async () => {
    const of = (key: string, entryId?: string) =>
      ({ path: '/s.jsonl', field: 'a', rule: 'email', excerpt: '', placeholder: '', key, ...(entryId && { entryId }) }) as const;
    const { groups } = await groupFindings(
      (async function* () {
        yield await Promise.resolve(of('a'));
        for (let i = 0; i < 20_002; i++) for (const key of ['a', 'a', 'b']) yield await Promise.resolve(of(key, String(i >> 1)));
      })(),
    );
    assert.deepEqual(
      groups.map(({ count, places, unlistedEntries }) => [count, places.length + unlistedEntries]),
      [
        [40_005, 10_001],
        [20_002, 10_001],
      ],
    );
    const listed = groups.reduce((sum, { places }) => sum + places.length, 0);
    assert.ok(listed >= 20_000 && listed <= 20_002, String(listed));
  });
});
