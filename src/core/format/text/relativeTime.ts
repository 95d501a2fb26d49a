/** Relative times in the user's language, as rows, lists and the page show them. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MAX_DATE = 8.64e15;

const UNITS = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const satisfies readonly (readonly [Intl.RelativeTimeFormatUnit, number])[];

/** Takes both times in milliseconds since 1970. Returns an empty string for 0 and for times that a `Date` can't have (ECMAScript, Time Range). */
export type RelativeTimeFormatter = (time: number, now: number) => string;

/**
 * Creates a formatter: `now`, `3 min. ago`, `yesterday`; a date after a week. Times up to a day ahead, as from another
 * computer's clock, are `now`.
 *
 * @param language the display language as a BCP 47 tag
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
