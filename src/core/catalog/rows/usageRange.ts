/** Ranges of days that usage is shown for, and the ranges that they are compared with. Pure. */
import { DAY_MS, dayName } from './localDays';

export const USAGE_RANGES = ['today', 'week', 'month', 'lastMonth', '30days', 'all', 'custom'] as const;
export type UsageRangeName = (typeof USAGE_RANGES)[number];

/** Days such as `2026-01-31`, both included; without one, the range is open there. */
export interface DayRange {
  readonly from?: string;
  readonly to?: string;
}

/** A range, and the one before it; without one if nothing can be before. */
export interface ComparedRange {
  readonly range: DayRange;
  readonly before?: DayRange;
}

/** The first day of 1970 was a Thursday: that many days after a Monday. */
const THURSDAY = 3;
const WEEK = 7;

/**
 * Returns the days of a range. The week and the month up to today are compared with as many days of the ones before, and any
 * other range with as many days right before it, but a whole month with the whole month before. Weeks begin on Monday.
 *
 * @param today in days since 1970
 */
export function rangeAt(name: UsageRangeName, today: number, custom: DayRange = {}): ComparedRange {
  const date = new Date(today * DAY_MS);
  const monthStart = (offset: number): number => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset) / DAY_MS;
  switch (name) {
    case 'today':
      return compared(today, today, today - 1, today - 1);
    case 'week': {
      const monday = today - ((today + THURSDAY) % WEEK);
      return compared(monday, today, monday - WEEK, today - WEEK);
    }
    case 'month': {
      const last = monthStart(-1) + today - monthStart(0);
      return compared(monthStart(0), today, monthStart(-1), Math.min(last, monthStart(0) - 1));
    }
    case 'lastMonth':
      return compared(monthStart(-1), monthStart(0) - 1, monthStart(-2), monthStart(-1) - 1);
    case '30days':
      return compared(today - 29, today, today - 59, today - 30);
    case 'all':
      return { range: {} };
    case 'custom':
      return customRange(custom);
  }
}

const compared = (from: number, to: number, beforeFrom: number, beforeTo: number): ComparedRange => ({
  range: { from: dayName(from), to: dayName(to) },
  before: { from: dayName(beforeFrom), to: dayName(beforeTo) },
});

function customRange(range: DayRange): ComparedRange {
  const [from, to] = [dayNumber(range.from), dayNumber(range.to)];
  if (from === undefined || to === undefined || from > to) return { range };
  return compared(from, to, from - (to - from) - 1, from - 1);
}

/** Returns days since 1970; `undefined` for what is no day. */
export function dayNumber(day: string | undefined): number | undefined {
  const time = day !== undefined && /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN;
  return Number.isNaN(time) ? undefined : time / DAY_MS;
}

/** The number of days from the first to the last; `undefined` for an open range. */
export function lengthOf({ from, to }: DayRange): number | undefined {
  const [first, last] = [dayNumber(from), dayNumber(to)];
  return first === undefined || last === undefined ? undefined : last - first + 1;
}

export const isInRange = (day: string, { from, to }: DayRange): boolean =>
  (from === undefined || day >= from) && (to === undefined || day <= to);
