/** The part of a long list that has rows. Pure: the editor takes seconds for thousands of siblings. */

/** Rows of a list that are shown at first. */
export const INITIAL_ROWS = 200;
/** Rows that each "Show more" adds. */
export const MORE_ROWS = 500;

/** Which rows of a list are shown. Without an `anchor` they are those at the list's end (or beginning). */
export interface ListWindow {
  /** The row in whose neighbourhood the window lies. */
  readonly anchor?: string;
  /** Rows shown before the anchor, or in all if there is none. */
  readonly before: number;
  /** Rows shown from the anchor on. */
  readonly after: number;
}

export const INITIAL_WINDOW: ListWindow = { before: INITIAL_ROWS, after: INITIAL_ROWS };

export interface WindowedRows<T> {
  readonly rows: readonly T[];
  /** Rows that are left out at the beginning and at the end. */
  readonly earlier: number;
  readonly later: number;
}

/** Cuts a list. `end`: where a window without an anchor lies. An anchor that is gone counts as none. */
export function applyWindow<T>(rows: readonly T[], idOf: (row: T) => string, window: ListWindow, end: 'first' | 'last'): WindowedRows<T> {
  const at = window.anchor === undefined ? -1 : rows.findIndex((row) => idOf(row) === window.anchor);
  let from = at >= 0 ? at - window.before : end === 'last' ? rows.length - window.before : 0;
  let to = at >= 0 ? at + window.after : end === 'last' ? rows.length : window.after;
  // A row that says "2 more" takes more room than the rows themselves would.
  if (from < 3) from = 0;
  if (to > rows.length - 3) to = rows.length;
  return { rows: rows.slice(from, to), earlier: from, later: rows.length - to };
}

/** The window with more rows on one side. */
export function widenWindow(window: ListWindow, side: 'earlier' | 'later'): ListWindow {
  return side === 'earlier' ? { ...window, before: window.before + MORE_ROWS } : { ...window, after: window.after + MORE_ROWS };
}

/** The window, or one around `id` if it does not show it. */
export function windowShowing<T>(rows: readonly T[], idOf: (row: T) => string, window: ListWindow, end: 'first' | 'last', id: string): ListWindow {
  if (applyWindow(rows, idOf, window, end).rows.some((row) => idOf(row) === id)) return window;
  return { anchor: id, before: INITIAL_ROWS / 2, after: INITIAL_ROWS / 2 };
}
