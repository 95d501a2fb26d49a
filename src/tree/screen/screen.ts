/** The rows that a new window shows first, as a text that is stored, and back. Pure. */
import { isArray, isObject } from '../../core/index';
import type { Levels } from '../rows/levels';
import type { ViewRow } from '../rows/viewRows';
import { list } from './parsers';
import { restoredRow, storedRow } from './storedRows';

/** Rows by the id of the row above them; the top level's key is `undefined`. */
export type Screen = ReadonlyMap<string | undefined, readonly ViewRow[]>;

/** UTF-16 units of all rows, of which a session takes about 500. */
const MAX_LENGTH = 96 * 1024;
/** More than the tallest window shows. */
const MAX_ROWS = 250;

/**
 * Returns the first rows of the top level, and the rows below expanded groups, as long as there is room.
 *
 * @param key identifies everything that the rows depend on, apart from the sessions. A window with another key doesn't
 *   show them.
 * @returns `undefined` if there are no rows
 */
export function screenText(key: string, levels: Levels, isExpanded: (row: ViewRow) => boolean): string | undefined {
  const shown = levels.initial();
  const top = shown.topRows();
  if (top.length === 0) return undefined;
  let left = MAX_LENGTH;
  let count = 0;
  const stored = (rows: readonly ViewRow[]): string => {
    const texts: string[] = [];
    for (const row of rows) {
      const text = rowText(row);
      if (text === undefined) continue;
      if (text.length > left || count === MAX_ROWS) break;
      left -= text.length;
      count++;
      texts.push(text);
    }
    return `[${texts.join(',')}]`;
  };
  const parts = [`[null,${stored(top)}]`];
  const addBelow = (rows: readonly ViewRow[]): void => {
    for (const row of rows) {
      if ((row.row !== 'project' && row.row !== 'group') || !isExpanded(row)) continue;
      const below = shown.groupLevel(row);
      parts.push(`[${JSON.stringify(row.id)},${stored(below)}]`);
      addBelow(below);
    }
  };
  addBelow(top);
  return `{"key":${JSON.stringify(key)},"levels":[${parts.join(',')}]}`;
}

function rowText(row: ViewRow): string | undefined {
  try {
    const stored = storedRow(row);
    return stored && JSON.stringify(stored);
  } catch (error) {
    // A session may have a time that is none. It's shown with the complete rows.
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/**
 * Returns the rows of a stored text.
 *
 * @param isInRoots false for paths that can't belong to sessions
 * @returns `undefined` if the text has another key, or isn't a valid screen
 */
export function parseScreen(text: string, key: string, isInRoots: (path: string) => boolean): Screen | undefined {
  try {
    const stored: unknown = JSON.parse(text);
    if (!isObject(stored) || stored['key'] !== key) return undefined;
    const levels = list((level): [string | undefined, ViewRow[]] => {
      const [parent, rows] = isArray(level) ? level : [];
      if (parent !== null && typeof parent !== 'string') throw new TypeError('Expected a level');
      return [parent ?? undefined, list(restoredRow)(rows)];
    })(stored['levels']);
    const screen = new Map(levels);
    const rows = levels.flatMap(([, level]) => level);
    const isSound = rows.every((row) => !('path' in row) || row.row === 'more' || isInRoots(row.path));
    const areUnique = new Set(rows.map(({ id }) => id)).size === rows.length;
    return isSound && areUnique && screen.get(undefined)?.length ? screen : undefined;
  } catch (error) {
    // Another version or another program wrote it, or the disk damaged it.
    if (error instanceof TypeError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}
