/** Finds lines again in a text that has changed. */

/** The place of lines, from 1, both ends included. */
export interface LinePlace {
  readonly from: number;
  readonly to: number;
}

/** Lines that are compared at each place. */
const MAX_COMPARED = 500;

/**
 * Returns the place where a text has the given lines that is nearest to where they were; `undefined` if it doesn't have them.
 *
 * @param wanted without the last line break
 */
export function placeOfLines(text: string, wanted: string, { from }: Pick<LinePlace, 'from'>): LinePlace | undefined {
  const lines = text.split(/\r\n|\r|\n/);
  const sought = wanted.split(/\r\n|\r|\n/);
  const compared = sought.slice(0, MAX_COMPARED);
  const isAt = (at: number): boolean => at + sought.length <= lines.length && compared.every((line, index) => lines[at + index] === line);
  const start = Math.min(from - 1, lines.length);
  for (let distance = 0; distance <= lines.length; distance++)
    for (const at of [start - distance, start + distance]) if (at >= 0 && isAt(at)) return { from: at + 1, to: at + sought.length };
  return undefined;
}

/** A replacement of whole lines by others. */
export interface LineEdit {
  /** The first replaced line, from 0. */
  readonly first: number;
  readonly removed: number;
  readonly inserted: number;
}

/** Returns the place of lines after an edit, with what was added within them; `undefined` if the edit replaced or removed them all with others. */
export function movePlace({ from, to }: LinePlace, { first, removed, inserted }: LineEdit): LinePlace | undefined {
  const start = from - 1;
  /** The line after the last one. */
  const end = to;
  const next = first + removed;
  const delta = inserted - removed;
  if (next <= start) return { from: from + delta, to: to + delta };
  if (first >= end) return { from, to };
  if (first >= start && next <= end) return to + delta < from ? undefined : { from, to: to + delta };
  if (first <= start && next >= end) return undefined;
  return first < start ? { from: first + inserted + 1, to: to + delta } : { from, to: first };
}
