/** Finds the entries that read or wrote files. */
import { SessionError } from '../../format/entry/problem';
import { isWindowsPath } from '../../files/locate/paths/mapPath';
import { decodeTouches, type EntryTouch } from '../encoding/touchTable';
import { parseStoredStrings } from '../encoding/damagedDatabase';
import { foldPath, isWithin, pathIncludes, pathKey } from '../../files/locate/paths/pathMatch';
import type { ReadingConnection } from './readingConnection';
import { PATH, PLACES } from './schema';
import { prepareRows, rowChecker } from './sqlite/resultRows';

const touchesRow = rowChecker('number', 'text', 'text', 'bytes');
const pathsRow = rowChecker('number', 'text');
const onlyPathsRow = rowChecker('text');
const entriesRow = rowChecker('bytes');

/**
 * The entries that read or wrote a file: most recently changed sessions first, within a session in its order. Paths of Windows
 * are found however their drive and folders are written, wherever this runs: another machine may have written the session.
 */
export function touchesOf(connection: ReadingConnection, file: string): ({ n: number; path: string } & Omit<EntryTouch, 'file'>)[] {
  const platform = isWindowsPath(file) ? 'win32' : process.platform;
  const wanted = pathKey(file, platform);
  // Except for Windows, equal paths are spelled the same, so most sessions can be skipped by their JSON.
  const known = platform === 'win32' ? '' : JSON.stringify(file);
  const sql = `SELECT n, ${PATH}, paths, entries FROM touches JOIN sessions ON n = place / ${PLACES} WHERE instr(paths, ?) ORDER BY mtime DESC, place`;
  return connection.all(sql, known).flatMap((row) => {
    const [n, path, paths, bytes] = touchesRow(row);
    return Array.from(
      decodeTouches({ paths, bytes }, (one) => pathKey(one, platform) === wanted),
      ({ entryId, kind, line, promptId }) => ({ n, path, entryId, kind, line, promptId }),
    );
  });
}

/** Files of a folder, and touches of them, that an answer has at most. */
const MAX_FILES = 20_000;
const MAX_TOUCHES = 1_000_000;

/**
 * The entries that read or wrote files below folders, of the files that some session wrote, in no order.
 *
 * @param folders absolute paths, of any platform
 * @throws {SessionError} `invalid` if there are too many
 */
export function touchesWithin(connection: ReadingConnection, folders: readonly string[]): ({ n: number; path: string } & EntryTouch)[] {
  const found: ({ n: number; path: string } & EntryTouch)[] = [];
  const written = new Set<string>();
  for (const folder of folders) {
    const platform = isWindowsPath(folder) ? 'win32' : process.platform;
    const isInside = (file: string): boolean => file !== folder && isWithin(file, folder, platform);
    const known = platform === 'win32' ? '' : JSON.stringify(folder).slice(0, -1);
    const sql = `SELECT n, ${PATH}, paths, entries FROM touches JOIN sessions ON n = place / ${PLACES} WHERE instr(paths, ?)`;
    for (const row of connection.all(sql, known)) {
      const [n, path, paths, bytes] = touchesRow(row);
      for (const touch of decodeTouches({ paths, bytes }, isInside)) {
        found.push({ n, path, ...touch });
        if (touch.kind === 'write') written.add(touch.file);
      }
      if (written.size > MAX_FILES || found.length > MAX_TOUCHES)
        throw new SessionError('invalid', 'Sessions wrote more than {count} files in this folder. Choose the files.', { count: MAX_FILES });
    }
  }
  return found.filter(({ file }) => written.has(file));
}

/** Paths of one file name: a file such as `index.ts` may be in thousands of folders. */
const MAX_NAMED = 200;

/** The different paths with a file name that entries read or wrote, the paths of the most recently changed sessions first. */
export function pathsNamed(connection: ReadingConnection, name: string): string[] {
  const found = new Set<string>();
  const sql = `SELECT paths FROM touches JOIN sessions ON n = place / ${PLACES} WHERE instr(paths, ?) ORDER BY mtime DESC, place LIMIT ${MAX_NAMED}`;
  // The end of a path in JSON.
  for (const row of connection.all(sql, `/${JSON.stringify(name).slice(1)}`)) {
    for (const path of parseStoredStrings(onlyPathsRow(row)[0])) if (path.endsWith(`/${name}`)) found.add(path);
    if (found.size >= MAX_NAMED) break;
  }
  return [...found].slice(0, MAX_NAMED);
}

/**
 * The sessions' numbers and the ids of their entries that read or wrote a file with `part` in its path; case doesn't
 * matter. `undefined` after each session, so that the caller can yield.
 */
export function* touchesOfPart(connection: ReadingConnection, part: string): Generator<[n: number, entryId: string] | undefined> {
  // A cheap test for the part's longest piece skips most sessions.
  const [piece = ''] = foldPath(part)
    .split(/[/"\p{Cc}]/u)
    .sort((a, b) => b.length - a.length);
  const database = connection.current();
  if (!database) return;
  for (const row of prepareRows(database, 'SELECT place, paths FROM touches').iterate()) {
    const [place, paths] = pathsRow(row);
    yield undefined;
    if (!paths.toLowerCase().includes(piece)) continue;
    const [found] = connection.all('SELECT entries FROM touches WHERE place = ?', place);
    if (!found) continue;
    const [bytes] = entriesRow(found);
    for (const { entryId } of decodeTouches({ paths, bytes }, (path) => pathIncludes(path, part)))
      yield [Math.floor(place / PLACES), entryId];
  }
}
