/** Days of UTC and of time zones, as numbers: days since 1970. Pure. */
import { SessionError } from '../../format/entry/problem';
import { valueOf } from '../../format/values/lookups';

export const DAY_MS = 86_400_000;

/** Returns the day of a time, which is in milliseconds since 1970. Times of the first day of 1970 are unknown ones. */
export type DayOf = (time: number) => number;

export const utcDayOf: DayOf = (time) => Math.floor(time / DAY_MS);

/** All offsets since 1972 are multiples of it. */
const QUARTER_HOUR_MS = 15 * 60_000;
/** The end of the year 9999. Days after it, and before 1970, are counted in UTC. */
const MAX_TIME = Date.UTC(10_000, 0);

/**
 * @param timeZone such as `Europe/Berlin`
 * @throws {SessionError} `invalid` if there's no such time zone
 */
export function localDayOf(timeZone: string): DayOf {
  const format = dateFormat(timeZone);
  const known = new Map<number, number>();
  const offsetAt = (time: number): number => {
    const start = time - (time % QUARTER_HOUR_MS);
    let offset = known.get(start);
    if (offset === undefined) known.set(start, (offset = localTime(format.formatToParts(start)) - start));
    return offset;
  };
  return (time) => {
    if (!(time >= DAY_MS && time < MAX_TIME)) return utcDayOf(time);
    const start = time - (time % DAY_MS);
    const offset = offsetAt(start);
    // Most days have one offset, and asking for one takes longer than all else.
    return utcDayOf(time + (offsetAt(start + DAY_MS) === offset ? offset : offsetAt(time)));
  };
}

function dateFormat(timeZone: string): Intl.DateTimeFormat {
  try {
    const calendar = { calendar: 'gregory', numberingSystem: 'latn', hourCycle: 'h23' } as const;
    const minutes = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
    return new Intl.DateTimeFormat('en', { ...calendar, ...minutes, timeZone });
  } catch {
    throw new SessionError('invalid', 'Unknown time zone: {timeZone}', { timeZone });
  }
}

/** Returns a date and time as if they were of UTC. */
function localTime(parts: readonly Intl.DateTimeFormatPart[]): number {
  const values = new Map(parts.map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => valueOf(values, type);
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
}

/** The length of a timestamp's part after the day. Years beyond 9999 and before 0 have a sign and six digits. */
const TIME_LENGTH = 'T00:00:00.000Z'.length;

/** Returns `YYYY-MM-DD`; an empty text for the first day of 1970. @param day days since 1970 */
export function dayName(day: number): string {
  return day === 0 ? '' : new Date(day * DAY_MS).toISOString().slice(0, -TIME_LENGTH);
}
