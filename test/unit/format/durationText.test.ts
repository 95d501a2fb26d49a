import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { durationText } from '../../../src/core/format/text/quantities/durationText';

describe('A duration as text', () => {
  it('has the units that suit it, and rounds up to the next unit', () => {
    const shown = [0, 0.4, 999.4, 999.5, 12_345, 59_949, 59_950, 185_000, 3_599_499, 3_599_500, 3_720_000, 9_999_999_999];
    assert.deepEqual(
      shown.map((milliseconds) => durationText(milliseconds)),
      [
        '0 ms',
        '0 ms',
        '999 ms',
        '1 s',
        '12.3 s',
        '59.9 s',
        '1 min 0 s',
        '3 min 5 s',
        '59 min 59 s',
        '1 h 0 min',
        '1 h 2 min',
        '2,777 h 46 min',
      ],
    );
    assert.equal(durationText(12_345, 'de'), '12,3 s');
  });

  it('is missing for a value that no program measured', () => {
    for (const value of [undefined, null, '5', -1, Number.NaN, Number.POSITIVE_INFINITY, 1e300, {}])
      assert.equal(durationText(value), undefined, inspect(value));
  });
});
