import * as assert from 'node:assert/strict';
import { relative } from '../../../../src/context/page/time';

describe('a time, as a person says it', () => {
  it('is how long ago it was, and a date after a week', () => {
    const now = Date.parse('2026-05-20T12:00:00Z');
    const ago = (seconds: number): string => relative(now - seconds * 1000, now);
    assert.deepEqual([0, 59, 60, 3599, 3600, 86_399, 86_400, 3 * 86_400].map(ago), ['now', 'now', '1 min. ago', '59 min. ago', '1 hr. ago', '23 hr. ago', 'yesterday', '3 days ago']);
    assert.match(ago(7 * 86_400), /^May 1[23], 2026$/);
    assert.match(ago(-3600 * 24), /^May 2[01], 2026$/);
  });
});
