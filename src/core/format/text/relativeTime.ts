/** Relative times and ages in the user's language, as rows, lists and the page show them. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MAX_DATE = 8.64e15;

const UNITS = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const satisfies readonly (readonly [Intl.RelativeTimeFormatUnit, number])[];

/**
 * Formats `time` relative to `now`, both in milliseconds since 1970. Returns an empty string for 0 and for times that a
 * date can't represent (ECMAScript, Time Range).
 */
export type RelativeTimeFormatter = (time: number, now: number) => string;

/**
 * Returns a formatter for times like `now`, `3 min. ago` and `yesterday`. Times more than a week ago, or more than a
 * day ahead, become a date; those slightly ahead, as from another machine's clock, become `now`.
 *
 * @param language BCP 47 tag of the display language.
 */
export function relativeTimeFormatter(language: string): RelativeTimeFormatter {
  // Creating the first one of a kind takes milliseconds, so it's created on first use.
  let relative: Intl.RelativeTimeFormat | undefined;
  let date: Intl.DateTimeFormat | undefined;
  return (time, now) => {
    if (time === 0 || !(Math.abs(time) <= MAX_DATE)) return '';
    const passed = now - time;
    if (passed >= 7 * DAY || passed <= -DAY) {
      date ??= new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
      return date.format(time);
    }
    relative ??= new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
    const [unit, length] = UNITS.find(([, least]) => passed >= least) ?? ['second', Infinity];
    return relative.format(-Math.floor(passed / length) || 0, unit);
  };
}

/**
 * Returns a formatter for ages in narrow columns: `now`, `12m`, `3h`, `2d`. After a week it's a date: `Jan 2`, and
 * `Jan 2025` for another year. The units are in the language (CLDR, narrow form).
 *
 * @param language BCP 47 tag of the display language.
 */
export function ageFormatter(language: string): RelativeTimeFormatter {
  const units = new Map<string, Intl.NumberFormat>();
  const count = (value: number, unit: string): string => {
    const format = units.get(unit) ?? new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'narrow' });
    units.set(unit, format);
    return format.format(value);
  };
  let thisYear: Intl.DateTimeFormat | undefined;
  let otherYear: Intl.DateTimeFormat | undefined;
  let present: string | undefined;
  return (time, now) => {
    if (time === 0 || !(Math.abs(time) <= MAX_DATE)) return '';
    const passed = now - time;
    if (passed >= 7 * DAY || passed <= -DAY) {
      const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
      const date = isThisYear
        ? (thisYear ??= new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' }))
        : (otherYear ??= new Intl.DateTimeFormat(language, { month: 'short', year: 'numeric' }));
      return date.format(time);
    }
    const found = UNITS.find(([, length]) => passed >= length);
    if (found) return count(Math.floor(passed / found[1]), found[0]);
    return (present ??= new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'narrow' }).format(0, 'second'));
  };
}
