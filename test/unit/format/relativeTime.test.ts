import assert from 'node:assert/strict';
import { ageFormatter, relativeTimeFormatter } from '../../../src/core/format/text/quantities/relativeTime';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];

describe('relativeTimeFormatter', () => {
  const now = new Date(2026, 4, 20, 23, 59).getTime();
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
      [HOUR, 23 * HOUR].map((passed) => formatted(passed)),
      ['1 hr. ago', '23 hr. ago'],
    );
    assert.deepEqual(
      [DAY, 3 * DAY, 7 * DAY].map((passed) => formatted(passed)),
      ['yesterday', '3 days ago', '7 days ago'],
    );
  });

  it('counts days of the calendar, except for the last ten hours', () => {
    const morning = new Date(2026, 4, 20, 8).getTime();
    const of = (hours: number): string => relativeTimeFormatter('en')(morning - hours * HOUR, morning);
    assert.deepEqual([9, 10, 31, 33, 55, 57].map(of), ['9 hr. ago', 'yesterday', 'yesterday', '2 days ago', '2 days ago', '3 days ago']);
  });

  it('returns a date after a week, and for times more than a day ahead', () => {
    assert.equal(formatted(8 * DAY), 'May 12, 2026');
    assert.equal(formatted(-DAY), 'May 21, 2026');
    assert.equal(formatted(-5 * MINUTE), 'now');
  });

  it('uses the given language', () => {
    assert.deepEqual(
      [formatted(16 * MINUTE, 'de'), formatted(DAY, 'de'), formatted(3 * HOUR, 'fr').replaceAll('\u00a0', ' ')],
      ['vor 16 Min.', 'gestern', 'il y a 3 h'],
    );
    assert.equal(formatted(8 * DAY, 'de').endsWith('2026'), true);
  });

  it('returns an empty string without a time, or for one that a Date cannot have', () => {
    for (const time of [0, NaN, Infinity, -Infinity, 1e300, 8.64e15 + 1])
      assert.equal(relativeTimeFormatter('en')(time, now), '', String(time));
    assert.notEqual(relativeTimeFormatter('en')(8.64e15, now), '');
  });
});

describe('ageFormatter', () => {
  const now = new Date(2026, 4, 20, 23, 59).getTime();
  const aged = (passed: number, language = 'en'): string => ageFormatter(language)(now - passed, now);

  it('has one number and one unit', () => {
    assert.deepEqual(
      [0, MINUTE - 1, MINUTE, HOUR - 1, HOUR, 23 * HOUR, DAY, 7 * DAY, -5 * MINUTE].map((passed) => aged(passed)),
      ['now', 'now', '1m', '59m', '1h', '23h', '1d', '7d', 'now'],
    );
  });

  it('becomes a date after a week, with the year instead of the day if it is another one', () => {
    assert.deepEqual([aged(8 * DAY), aged(200 * DAY), aged(-2 * DAY)], ['May 12', 'Nov 2025', 'May 22']);
  });

  it('uses the language, and is empty for an unknown time', () => {
    assert.equal(aged(3 * HOUR, 'fr'), new Intl.NumberFormat('fr', { style: 'unit', unit: 'hour', unitDisplay: 'narrow' }).format(3));
    assert.deepEqual(
      [MINUTE, HOUR, DAY].map((passed) => aged(passed, 'ja')),
      ['1分前', '1時間前', '1日前'],
    );
    assert.deepEqual([ageFormatter('en')(0, now), ageFormatter('en')(9e15, now), ageFormatter('en')(Number.NaN, now)], ['', '', '']);
  });
});
