/** Times: how long ago, and exactly on hover. */
import { h } from './dom';

const LANGUAGE = (typeof document === 'undefined' ? '' : document.documentElement.lang) || 'en';
const EXACT = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'full', timeStyle: 'medium' });
const DAY = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium' });
const AGO = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto', style: 'short' });

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const satisfies readonly (readonly [Intl.RelativeTimeFormatUnit, number])[];

/** What is older has its date. */
const WEEK = 7 * 86_400;

/** @param time milliseconds since 1970; `undefined` if it is not known. */
export function timeElement(time: number): HTMLTimeElement | undefined {
  const date = new Date(time);
  if (time <= 0 || Number.isNaN(date.getTime())) return undefined;
  return h('time', { datetime: date.toISOString(), title: EXACT.format(date) }, relative(time, Date.now()));
}

/** `now`, `3 min. ago`, `yesterday`; a date for what is older than a week. */
export function relative(time: number, now: number): string {
  const seconds = Math.round((now - time) / 1000);
  if (seconds < 0 || seconds >= WEEK) return DAY.format(time);
  const [unit, length] = UNITS.find(([, least]) => seconds >= least) ?? ['second', 1];
  return unit === 'second' ? AGO.format(0, 'second') : AGO.format(-Math.floor(seconds / length), unit);
}

/** Time goes on: what is on the page is said anew every minute. */
export function keepTimes(root: HTMLElement): void {
  setInterval(() => {
    if (document.hidden) return;
    for (const element of root.querySelectorAll('time')) {
      const text = relative(Date.parse(element.dateTime), Date.now());
      if (element.textContent !== text) element.textContent = text;
    }
  }, 60_000);
}
