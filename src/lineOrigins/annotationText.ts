/** The texts and colors of annotations: which session has which letter and color, and columns of equal width. Pure. */
import type { LineOrigin } from '../core/index';

/** Colors of sessions in light and dark themes: the defaults of the colors that package.json contributes. Lists can't show theme colors. */
const SESSION_COLORS = [
  { light: '#0063D3', dark: '#59A4F9' },
  { light: '#B35900', dark: '#D18616' },
  { light: '#388A34', dark: '#89D185' },
  { light: '#652D90', dark: '#B180D7' },
  { light: '#7A6400', dark: '#E5C100' },
  { light: '#CD3131', dark: '#F14C4C' },
] as const;

/** Days up to which a line has each heat color but the last. */
const HEAT_DAYS = [1, 7, 30, 180];
const DAY = 86_400_000;

/** Returns the sessions of a file in the order of their first remaining lines in time, so that new sessions change no others' place. */
export function sessionOrder(origins: readonly LineOrigin[]): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const { path, time } of origins) first.set(path, Math.min(time, first.get(path) ?? Infinity));
  const sorted = [...first].sort(([a, timeA], [b, timeB]) => timeA - timeB || (a < b ? -1 : 1));
  return new Map(sorted.map(([path], place) => [path, place]));
}

/** Returns a session's letter: `A` to `Z`, then `AA`. Colors repeat, letters don't. */
export function letterOf(place: number): string {
  const last = String.fromCharCode(65 + (place % 26));
  return place < 26 ? last : `${letterOf(Math.floor(place / 26) - 1)}${last}`;
}

/** Returns the id of a session's color. */
export const sessionColor = (place: number): string => `sessionTree.session${(place % SESSION_COLORS.length) + 1}`;

/** Returns a session's color in light and dark themes. */
export const sessionHexColors = (place: number): { readonly light: string; readonly dark: string } =>
  SESSION_COLORS[place % SESSION_COLORS.length] ?? SESSION_COLORS[0];

/** Returns the id of the color for an age. @param time milliseconds since 1970 */
export function heatColor(time: number, now: number): string {
  const found = HEAT_DAYS.findIndex((days) => now - time < days * DAY);
  return `sessionTree.heat${(found < 0 ? HEAT_DAYS.length : found) + 1}`;
}

/** Fills a column: the start at its left, cut if necessary, and the end at its right. @param width in narrow characters */
export function column(start: string, end: string, width: number): string {
  const room = width - displayWidth(end) - (end === '' ? 0 : 1);
  const cut = fitting(start, room);
  return `${cut}${' '.repeat(Math.max(0, width - displayWidth(cut) - displayWidth(end)))}${end}`;
}

function fitting(text: string, room: number): string {
  if (room < 1) return '';
  if (displayWidth(text) <= room) return text;
  let width = 1;
  let shown = '';
  for (const character of text) {
    width += displayWidth(character);
    if (width > room) break;
    shown += character;
  }
  return `${shown.trimEnd()}…`;
}

/** Characters that fonts draw twice as wide, from Hangul and CJK to full forms and emoji (Unicode, UAX #11). */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/gu;
const displayWidth = (text: string): number => Array.from(text).length + (text.match(WIDE)?.length ?? 0);
