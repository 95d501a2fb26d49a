/** Relative times with the exact time as tooltip. */
import { relativeTimeFormatter } from '../../../core/format/text/relativeTime';
import { h } from './dom';

const LANGUAGE = (typeof document === 'undefined' ? '' : document.documentElement.lang) || 'en';
const EXACT = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'full', timeStyle: 'medium' });
/** The same format as in the tree. */
export const ago = relativeTimeFormatter(LANGUAGE);

/**
 * @param time milliseconds since 1970.
 * @returns `undefined` if the time is unknown.
 */
export function timeElement(time: number): HTMLTimeElement | undefined {
  const date = new Date(time);
  if (time <= 0 || Number.isNaN(date.getTime())) return undefined;
  return h('time', { datetime: date.toISOString(), title: EXACT.format(date) }, ago(time, Date.now()));
}

/** Updates the relative times within an element every minute. */
export function refreshTimes(root: HTMLElement): void {
  setInterval(() => {
    if (document.hidden) return;
    for (const element of root.querySelectorAll('time')) {
      const text = ago(Date.parse(element.dateTime), Date.now());
      if (element.textContent !== text) element.textContent = text;
    }
  }, 60_000);
}
