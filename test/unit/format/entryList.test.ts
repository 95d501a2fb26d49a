import assert from 'node:assert/strict';
import { EntryList } from '../../../src/core/format/session/entryList';
import type { EntryHead } from '../../../src/core/format/entry/entryHead';

const head = (n: number): EntryHead => ({ id: String(n), parentId: null, type: 'custom', timestamp: '', time: 0, line: n, offset: 0, length: 0, text: '' });

describe('A list of entries', () => {
  it('has all that was added, each list as it was', () => {
    let asked = 0;
    const first = new EntryList(() => {
      asked++;
      return [head(0)];
    });
    const lists = [first];
    for (let n = 1; n <= 5_000; n++) lists.push(lists.at(-1)!.with([head(n)]));
    assert.equal(asked, 0, 'adding looks at nothing');
    for (const at of [5_000, 0, 1, 512, 513, 514, 2_000]) {
      assert.deepEqual(lists[at]!.all.map(({ line }) => line), Array.from({ length: at + 1 }, (_, n) => n));
      assert.equal(lists[at]!.all, lists[at]!.all);
    }
    assert.equal(first.with([]), first);
    assert.equal(lists[1]!.with([]), lists[1]);
  });
});
