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
