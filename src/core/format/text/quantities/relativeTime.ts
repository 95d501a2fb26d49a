/** Relative times and ages in the user's language, as rows, lists and the page show them. */

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MAX_DATE = 8.64e15;
/** Days of the calendar after which a date is shown. The list's group of the last week has as many. */
const WEEK_DAYS = 7;

export interface Age {
  readonly count: number;
  readonly unit: 'second' | 'minute' | 'hour' | 'day';
}

/** Up to this age, the passed time is more useful than the day. */
const DAYS_FROM = 10 * HOUR;

/**
 * Returns how long ago a time was. Times of today, and those less than ten hours ago, have the passed time; all others
 * count days of the calendar, so that a time is a day ago if, and only if, it was yesterday.
 */
export function ageOf(time: number, now: number): Age {
  const passed = now - time;
  const days = calendarDays(time, now);
  if (passed >= DAYS_FROM && days > 0) return { count: days, unit: 'day' };
  if (passed >= HOUR) return { count: Math.floor(passed / HOUR), unit: 'hour' };
  return passed >= MINUTE ? { count: Math.floor(passed / MINUTE), unit: 'minute' } : { count: 0, unit: 'second' };
}

/** The number of midnights between two times, in the time zone of the machine. */
function calendarDays(time: number, now: number): number {
  // A day may have 23 or 25 hours.
  return Math.round((new Date(now).setHours(0, 0, 0, 0) - new Date(time).setHours(0, 0, 0, 0)) / DAY);
}

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
    const { count, unit } = ageOf(time, now);
    if ((unit === 'day' && count > WEEK_DAYS) || now - time <= -DAY) {
      date ??= new Intl.DateTimeFormat(language, { dateStyle: 'medium' });
      return date.format(time);
    }
    relative ??= new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
    return relative.format(-count || 0, unit);
  };
}

/**
 * Returns a formatter for ages in narrow columns: `now`, `12m`, `3h`, `2d`. After a week it's a date: `Jan 2`, and
 * `Jan 2025` for another year. The units are in the language (CLDR, narrow form).
 *
 * @param language BCP 47 tag of the display language.
 */
export function ageFormatter(language: string): RelativeTimeFormatter {
  // In Japanese, the narrow form has Latin letters, and “1 日” beside dates would be a day of the month.
  const ago = /^ja\b/.test(language) ? new Intl.RelativeTimeFormat(language, { style: 'narrow' }) : undefined;
  const units = new Map<string, Intl.NumberFormat>();
  const withUnit = (value: number, unit: string): string => {
    const format = units.get(unit) ?? new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'narrow' });
    units.set(unit, format);
    return format.format(value);
  };
  let thisYear: Intl.DateTimeFormat | undefined;
  let otherYear: Intl.DateTimeFormat | undefined;
  let present: string | undefined;
  return (time, now) => {
    if (time === 0 || !(Math.abs(time) <= MAX_DATE)) return '';
    const { count, unit } = ageOf(time, now);
    if ((unit === 'day' && count > WEEK_DAYS) || now - time <= -DAY) {
      const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
      const date = isThisYear
        ? (thisYear ??= new Intl.DateTimeFormat(language, { month: 'short', day: 'numeric' }))
        : (otherYear ??= new Intl.DateTimeFormat(language, { month: 'short', year: 'numeric' }));
      return date.format(time);
    }
    if (unit !== 'second') return ago?.format(-count, unit) ?? withUnit(count, unit);
    return (present ??= new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'narrow' }).format(0, 'second'));
  };
}
