/** The part of a long list that has rows, because the editor takes seconds for thousands of siblings. Pure. */

/** The number of rows of a list that are shown at first. */
const INITIAL_ROWS = 200;
/** The number of rows that each "Show more" adds. */
export const MORE_ROWS = 500;

/** The rows of a list that are shown. Without an `anchor`, the rows at the list's end (or beginning). */
export interface ListWindow {
  /** The id of the row around which the window lies. */
  readonly anchor?: string;
  /** The number of rows shown before the anchor, or in total if there is none. */
  readonly before: number;
  /** The number of rows shown from the anchor on. */
  readonly after: number;
}

export const INITIAL_WINDOW: ListWindow = { before: INITIAL_ROWS, after: INITIAL_ROWS };

interface WindowedRows<T> {
  readonly rows: readonly T[];
  /** The number of rows that are left out at the beginning and at the end. */
  readonly earlier: number;
  readonly later: number;
}

/** Cuts a list. @param end the side where a window lies that has no anchor, or whose anchor is gone */
export function applyWindow<T>(rows: readonly T[], idOf: (row: T) => string, window: ListWindow, end: 'first' | 'last'): WindowedRows<T> {
  const anchor = window.anchor === undefined ? -1 : rows.findIndex((row) => idOf(row) === window.anchor);
  let from = anchor >= 0 ? anchor - window.before : end === 'last' ? rows.length - window.before : 0;
  let to = anchor >= 0 ? anchor + window.after : end === 'last' ? rows.length : window.after;
  // A row "2 more" would take as much space as the rows that it replaces.
  if (from < 3) from = 0;
  if (to > rows.length - 3) to = rows.length;
  return { rows: rows.slice(from, to), earlier: from, later: rows.length - to };
}

/** A window with more rows on one side. */
export function widenWindow(window: ListWindow, side: 'earlier' | 'later'): ListWindow {
  return side === 'earlier' ? { ...window, before: window.before + MORE_ROWS } : { ...window, after: window.after + MORE_ROWS };
}

/** The window, or one around `id` if it doesn't show that row. */
export function windowShowing<T>(
  rows: readonly T[],
  idOf: (row: T) => string,
  window: ListWindow,
  end: 'first' | 'last',
  id: string,
): ListWindow {
  if (applyWindow(rows, idOf, window, end).rows.some((row) => idOf(row) === id)) return window;
  return { anchor: id, before: INITIAL_ROWS / 2, after: INITIAL_ROWS / 2 };
}
