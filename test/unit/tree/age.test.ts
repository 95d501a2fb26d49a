import assert from 'node:assert/strict';
import { ageOf } from '../../../src/tree/age';

describe('How long ago', () => {
  const now = Date.UTC(2026, 5, 15, 12);
  const cases: readonly [ago: number, said: string][] = [
    [0, 'now'],
    [59_999, 'now'],
    [-5_000_000, 'now'],
    [60_000, '1 minutes'],
    [3_599_999, '59 minutes'],
    [3_600_000, '1 hours'],
    [86_399_999, '23 hours'],
    [86_400_000, '1 days'],
    [7 * 86_400_000 - 1, '6 days'],
    [7 * 86_400_000, 'date'],
  ];
  for (const [passed, said] of cases) {
    it(`${String(passed)} ms: ${said}`, () => {
      const age = ageOf(now - passed, now);
      assert.equal('count' in age ? `${String(age.count)} ${age.unit}` : age.unit, said);
    });
  }
});
