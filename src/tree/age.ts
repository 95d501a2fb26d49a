/** How long ago something was, as few people would say it. Pure. */
export type Age = { readonly unit: 'now' | 'date' } | { readonly unit: 'minutes' | 'hours' | 'days'; readonly count: number };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Both in milliseconds since 1970. After a week it is a date; what lies ahead (another machine's clock) is now. */
export function ageOf(time: number, now: number): Age {
  const passed = now - time;
  if (passed < MINUTE) return { unit: 'now' };
  if (passed < HOUR) return { unit: 'minutes', count: Math.floor(passed / MINUTE) };
  if (passed < DAY) return { unit: 'hours', count: Math.floor(passed / HOUR) };
  if (passed < 7 * DAY) return { unit: 'days', count: Math.floor(passed / DAY) };
  return { unit: 'date' };
}
