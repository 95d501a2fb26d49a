/** How long ago something was, in a person's language: the one way in which rows, lists and the page say it. Pure. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MAX_DATE = 8.64e15;

const UNITS = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const satisfies readonly (readonly [Intl.RelativeTimeFormatUnit, number])[];

/** Both in milliseconds since 1970; empty where there is no time, or none that a date can have (ECMAScript, Time Range). */
export type RelativeTimeFormatter = (time: number, now: number) => string;

/**
 * `now`, `3 min. ago`, `yesterday`; after a week it is a date. What lies a little ahead (another machine's clock) is now.
 *
 * @param language as BCP 47 names it: what the window speaks
 */
export function relativeTimeFormatter(language: string): RelativeTimeFormatter {
  // The first of a kind takes milliseconds to be made: not before something is to be said.
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
