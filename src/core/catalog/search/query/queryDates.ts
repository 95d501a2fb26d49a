/** Dates as they are typed in a query: ISO dates, `yesterday`, `monday`, `3w`. All are in the local time zone. Pure. */

/** From a time until before another, in milliseconds since 1970. Both are the same for a point in time. */
export interface Period {
  readonly from: number;
  readonly to: number;
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
/** Shorter beginnings of weekdays name several. */
const MIN_WEEKDAY_LENGTH = 3;

const DATE = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/;
const DATE_TIME = /^\d{4}-\d\d-\d\dt\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:z|[+-]\d\d:\d\d)?$/;
/** Hours, days, weeks, months, years. */
const AGO = /^(\d{1,4})([hdwmy])$/;
/** `Date` takes years before this one for another century. */
const FIRST_YEAR = 1000;
const HOUR = 3_600_000;

/**
 * Returns the time that a date names: a day, a month, a year, or the point in time of `5h` or of a date with a time. Days,
 * weeks, months and years ago are whole days; a weekday is the latest one, today included.
 *
 * @returns `undefined` if it isn't a date
 */
export function parsePeriod(typed: string, now: Date): Period | undefined {
  const text = typed.toLowerCase();
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  if (text === 'today') return dayAt(year, month, day);
  if (text === 'yesterday') return dayAt(year, month, day - 1);
  const weekday = text.length < MIN_WEEKDAY_LENGTH ? -1 : WEEKDAYS.findIndex((name) => name.startsWith(text));
  if (weekday >= 0) return dayAt(year, month, day - ((now.getDay() - weekday + 7) % 7));
  const date = DATE.exec(text);
  if (date) return calendarPeriod(Number(date[1]), numberOf(date[2]), numberOf(date[3]));
  if (DATE_TIME.test(text)) return pointAt(Date.parse(text.toUpperCase()));
  const ago = AGO.exec(text);
  if (!ago) return undefined;
  const count = Number(ago[1]);
  switch (ago[2]) {
    case 'h':
      return pointAt(now.getTime() - count * HOUR);
    case 'd':
      return dayAt(year, month, day - count);
    case 'w':
      return dayAt(year, month, day - 7 * count);
    case 'm':
      return dayInMonth(year, month - count, day);
    default:
      return dayInMonth(year - count, month, day);
  }
}

const numberOf = (digits: string | undefined): number | undefined => (digits === undefined ? undefined : Number(digits));

const pointAt = (time: number): Period | undefined => (Number.isNaN(time) ? undefined : { from: time, to: time });

/** Months count from 0. */
const dayAt = (year: number, month: number, day: number): Period => ({
  from: new Date(year, month, day).getTime(),
  to: new Date(year, month, day + 1).getTime(),
});

/** The last day of a month that is shorter. */
const dayInMonth = (year: number, month: number, day: number): Period =>
  dayAt(year, month, Math.min(day, new Date(year, month + 1, 0).getDate()));

/** @param month from 1 on */
function calendarPeriod(year: number, month: number | undefined, day: number | undefined): Period | undefined {
  if (year < FIRST_YEAR) return undefined;
  if (month === undefined) return { from: new Date(year, 0, 1).getTime(), to: new Date(year + 1, 0, 1).getTime() };
  if (month < 1 || month > 12) return undefined;
  if (day === undefined) return { from: new Date(year, month - 1, 1).getTime(), to: new Date(year, month, 1).getTime() };
  const isInMonth = day >= 1 && day <= new Date(year, month, 0).getDate();
  return isInMonth ? dayAt(year, month - 1, day) : undefined;
}

/** Returns the times that `after:` and its like limit a search to. `to` is excluded. `undefined` if the value isn't a date. */
export function limitOf(prefix: 'after' | 'since' | 'before' | 'until', value: string, now: Date): Partial<Period> | undefined {
  const period = parsePeriod(value, now);
  if (!period) return undefined;
  if (prefix === 'after' || prefix === 'since') return { from: period.from };
  return { to: prefix === 'before' ? period.from : period.to };
}
