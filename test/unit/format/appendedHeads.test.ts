import assert from 'node:assert/strict';
import { AppendedHeads } from '../../../src/core/format/columns/appendedHeads';
import { HeadList } from '../../../src/core/format/columns/headList';
import { NO_PARENT, type HeadSource } from '../../../src/core/format/columns/headSource';
import type { EntryHead } from '../../../src/core/format/entry/entryHead';

const head = (n: number, parentId: string | null = n === 0 ? null : String(n - 1)): EntryHead => ({
  id: String(n),
  parentId,
  type: 'custom',
  timestamp: '',
  time: n,
  line: n,
  offset: 10 * n,
  length: 9,
  text: '',
});
const first = (): HeadSource =>
  new HeadList(
    [head(0), head(1)],
    new Map([
      ['0', 0],
      ['1', 1],
    ]),
    Int32Array.of(NO_PARENT, 0),
  );

describe('AppendedHeads', () => {
  it('has the appended heads behind the others, and leaves each earlier value as it was', () => {
    const sources = [first()];
    for (let n = 2; n <= 3_000; n++) sources.push(AppendedHeads.to(sources.at(-1)!, [head(n)]));
    for (const at of [2_998, 0, 1, 510, 511, 512, 513, 1_500]) {
      const source = sources[at]!;
      const lines = Array.from({ length: at + 2 }, (_, n) => n);
      assert.deepEqual(
        source.all().map(({ line }) => line),
        lines,
      );
      assert.deepEqual(
        lines.map((place) => source.at(place).line),
        lines,
      );
      assert.deepEqual([source.length, source.placeOf(String(at + 1)), source.placeOf(String(at + 2))], [at + 2, at + 1, undefined]);
      assert.equal(source.all(), source.all());
    }
  });

  it('appends many heads at once, and to two values of the same origin', () => {
    const many = Array.from({ length: 2_000 }, (_, n) => head(n + 2));
    const one = AppendedHeads.to(first(), many);
    const [left, right] = [AppendedHeads.to(one, [head(2_002, '7')]), AppendedHeads.to(one, [head(2_002, 'none'), head(2_003, '2002')])];
    assert.deepEqual([one.length, left.length, right.length], [2_002, 2_003, 2_004]);
    assert.deepEqual(
      [left.parentAt(2_002), right.parentAt(2_002), right.parentAt(2_003), right.parentAt(1), right.parentAt(0)],
      [7, NO_PARENT, 2_002, 0, NO_PARENT],
    );
    assert.deepEqual(
      [2_001, 1].map((place) => [one.idAt(place), one.timeAt(place), one.offsetAt(place), one.lengthAt(place)]),
      [
        ['2001', 2_001, 20_010, 9],
        ['1', 1, 10, 9],
      ],
    );
  });

  it('is the same value if nothing is appended', () => {
    const source = first();
    assert.equal(AppendedHeads.to(source, []), source);
  });
});
