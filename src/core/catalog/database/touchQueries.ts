/** Finds the entries that read or wrote files. */
import { decodeTouches, type EntryTouch } from '../encoding/touchTable';
import { foldPath, pathIncludes, pathKey } from '../search/pathMatch';
import { rows } from './database';
import type { ReadingConnection } from './readingConnection';
import { PATH } from './schema';

/** The entries that read or wrote a file: most recently changed sessions first, within a session in its order. */
export function touchesOf(connection: ReadingConnection, file: string): ({ n: number; path: string } & Omit<EntryTouch, 'file'>)[] {
  const { platform } = process;
  const wanted = pathKey(file, platform);
  // Except on Windows, equal paths are spelled the same, so most sessions can be skipped by their JSON.
  const known = platform === 'win32' ? '' : JSON.stringify(file);
  const sql = `SELECT n, ${PATH}, paths, entries FROM touches JOIN sessions USING (n) WHERE instr(paths, ?) ORDER BY mtime DESC, n, begins`;
  return (connection.all(sql, known) as [number, string, string, Uint8Array][]).flatMap(([n, path, paths, bytes]) =>
    Array.from(
      decodeTouches({ paths, bytes }, (one) => pathKey(one, platform) === wanted),
      (touch) => ({ n, path, ...touch }),
    ),
  );
}

/**
 * The sessions' numbers and the ids of their entries that read or wrote a file with `part` in its path; case doesn't
 * matter. `undefined` after each session, so that the caller can yield.
 */
export function* touchingPart(connection: ReadingConnection, part: string): Generator<[n: number, entryId: string] | undefined> {
  // A cheap test for the part's longest piece skips most sessions.
  const [piece = ''] = foldPath(part)
    .split(/[/"\p{Cc}]/u)
    .sort((a, b) => b.length - a.length);
  const database = connection.current();
  if (!database) return;
  for (const row of rows(database, 'SELECT n, begins, paths FROM touches').iterate()) {
    const [n, begins, paths] = row as unknown as [number, number, string];
    yield undefined;
    if (!paths.toLowerCase().includes(piece)) continue;
    const [found] = connection.all('SELECT entries FROM touches WHERE n = ? AND begins = ?', n, begins) as [Uint8Array][];
    if (found) for (const { entryId } of decodeTouches({ paths, bytes: found[0] }, (path) => pathIncludes(path, part))) yield [n, entryId];
  }
}
