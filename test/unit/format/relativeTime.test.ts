import assert from 'node:assert/strict';
import { relativeTimeFormatter } from '../../../src/core/format/text/relativeTime';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

describe('relativeTimeFormatter', () => {
  const now = Date.UTC(2026, 4, 20, 12);
  const formatted = (passed: number, language = 'en'): string => relativeTimeFormatter(language)(now - passed, now);

  it('uses the largest unit that has passed', () => {
    assert.deepEqual(
      [0, MINUTE - 1].map((passed) => formatted(passed)),
      ['now', 'now'],
    );
    assert.deepEqual(
      [MINUTE, HOUR - 1].map((passed) => formatted(passed)),
      ['1 min. ago', '59 min. ago'],
    );
    assert.deepEqual(
      [HOUR, DAY - 1].map((passed) => formatted(passed)),
      ['1 hr. ago', '23 hr. ago'],
    );
    assert.deepEqual(
      [DAY, 3 * DAY, 7 * DAY - 1].map((passed) => formatted(passed)),
      ['yesterday', '3 days ago', '6 days ago'],
    );
  });

  it('returns a date after a week, and for times more than a day ahead', () => {
    assert.match(formatted(7 * DAY), /^May 1[23], 2026$/);
    assert.match(formatted(-DAY), /^May 2[01], 2026$/);
    assert.equal(formatted(-5 * MINUTE), 'now');
  });

  it('uses the given language', () => {
    assert.deepEqual(
      [formatted(16 * MINUTE, 'de'), formatted(DAY, 'de'), formatted(3 * HOUR, 'fr').replaceAll('\u00a0', ' ')],
      ['vor 16 Min.', 'gestern', 'il y a 3 h'],
    );
    assert.equal(formatted(7 * DAY, 'de').endsWith('2026'), true);
  });

  it('returns an empty string without a time, or for one that a Date cannot have', () => {
    for (const time of [0, NaN, Infinity, -Infinity, 1e300, 8.64e15 + 1])
      assert.equal(relativeTimeFormatter('en')(time, now), '', String(time));
    assert.notEqual(relativeTimeFormatter('en')(8.64e15, now), '');
  });
});
