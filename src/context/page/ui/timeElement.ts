/** Relative times with the exact time as tooltip. */
import { relativeTimeFormatter } from '../../../core/format/text/quantities/relativeTime';
import { h } from './dom';

const LANGUAGE = (typeof document === 'undefined' ? '' : document.documentElement.lang) || 'en';
const EXACT = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'full', timeStyle: 'medium' });
/** Attributes that may end with a time that is shown within their element. */
const NAMES = ['aria-label', 'aria-description', 'title'];
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
    updateTimes(root, Date.now());
  }, 60_000);
}

/** Updates the relative times within an element, also in the names and tooltips that end with them. */
export function updateTimes(root: HTMLElement, now: number): void {
  for (const element of root.querySelectorAll('time')) {
    const before = element.textContent;
    const text = ago(Date.parse(element.dateTime), now);
    if (before === text) continue;
    element.textContent = text;
    for (const attribute of NAMES) {
      const holder = element.parentElement?.closest(`[${attribute}]`);
      const name = holder?.getAttribute(attribute);
      if (name?.endsWith(before)) holder?.setAttribute(attribute, name.slice(0, -before.length) + text);
    }
  }
}
