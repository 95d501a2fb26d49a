/** Reads the pages of a database as SQLite would, from its file and its write-ahead log, without SQLite. */
import { closeSync, fstatSync, readdirSync } from 'node:fs';
import { errorCode, isMissing } from '../../io/fileErrors';
import { openRegularFileSync } from '../../sync/regularFileSync';
import { readAtSync } from '../../sync/readAtSync';
import { CorruptDatabase, DatabaseBusy } from './databaseErrors';
import type { DatabaseStamps } from './databaseStamps';
import { committedPlaces, placesInLog, type LogPlaces } from './logPages';
import type { Pages } from './schemaPages';

/** Smallest and largest number of bytes of a page, each a power of two. */
const [MIN_PAGE, MAX_PAGE] = [512, 65_536];
/** Bytes of the header of a database. */
const HEADER = 100;

/**
 * Calls a function with the pages of a database that SQLite has open.
 *
 * @throws {CorruptDatabase} if it's damaged; {DatabaseBusy} if it was replaced
 */
export function withPages(path: string, stamps: DatabaseStamps, use: (pages: Pages) => void): void {
  const file = openedFile(path, stamps);
  try {
    const log = stamps.log ? openedLog(path) : undefined;
    try {
      try {
        use(pagesOf(file.fd, log, placesInLog));
      } catch (error) {
        if (log === undefined || !(error instanceof CorruptDatabase)) throw error;
        // Contents of different times in the log may not fit together.
        use(pagesOf(file.fd, log, committedPlaces));
      }
    } finally {
      if (log !== undefined) closeSync(log);
    }
    if (inoOf(file.fd) !== stamps.main.ino) throw new DatabaseBusy();
  } finally {
    file.close();
  }
}

/** @param placesOf returns the contents in the log that count */
function pagesOf(main: number, log: number | undefined, placesOf: (log: number, size: number) => LogPlaces): Pages {
  const header = readAtSync(main, 0, HEADER);
  const size = pageSize(header);
  const places: LogPlaces = log === undefined ? new Map() : placesOf(log, size);
  const isExact = placesOf === committedPlaces;
  return {
    size,
    *read(page) {
      const inLog = places.get(page) ?? [];
      if (page > 0 && !(isExact && inLog.length > 0)) yield* whole(readAtSync(main, (page - 1) * size, size), size);
      // The first page is in nearly every commit, mostly with another header alone.
      const known = new Set<string>();
      for (const place of inLog) {
        const bytes = log === undefined ? Buffer.of() : readAtSync(log, place, size);
        if (page === 1 && bytes.length === size && pageSize(bytes) !== size) throw new CorruptDatabase('it’s damaged');
        const content = bytes.toString('latin1', page === 1 ? HEADER : 0);
        if (!known.has(content)) yield* whole(bytes, size);
        known.add(content);
      }
    },
  };
}

/** Returns a page unless the file ends in it, as where a writer was ended. */
const whole = (bytes: Buffer, size: number): Buffer[] => (bytes.length < size ? [] : [bytes]);

function pageSize(header: Buffer): number {
  if (header.toString('latin1', 0, 16) !== 'SQLite format 3\0') throw new CorruptDatabase('it isn’t an SQLite database');
  const size = header.readUInt16BE(16) === 1 ? MAX_PAGE : header.readUInt16BE(16);
  // SQLite takes 0 for 1.
  if (header.readUInt32BE(56) > 1) throw new CorruptDatabase('its texts aren’t UTF-8');
  if (size < MIN_PAGE || (size & (size - 1)) !== 0) throw new CorruptDatabase('it’s damaged');
  return size;
}

/** SQLite locks the database, not its log. */
function openedLog(path: string): number | undefined {
  try {
    return openRegularFileSync(`${path}-wal`, { followLink: false }).fd;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Returns the file of a database. Except on Windows, closing a file ends all locks that this process has on it, those of SQLite in
 * all threads included, and a writer could then delete the log that they read. So that's a descriptor that SQLite has.
 */
function openedFile(path: string, { main }: DatabaseStamps): { readonly fd: number; readonly close: () => void } {
  if (process.platform === 'win32') {
    const { fd } = openRegularFileSync(path);
    return { fd, close: () => closeSync(fd) };
  }
  const fd = readdirSync('/dev/fd')
    .map(Number)
    .find((number) => inoOf(number) === main.ino);
  if (fd === undefined) throw new DatabaseBusy();
  return { fd, close: () => undefined };
}

function inoOf(fd: number): string | undefined {
  try {
    const { dev, ino } = fstatSync(fd, { bigint: true });
    return `${dev}:${ino}`;
  } catch (error) {
    // Another thread closed it, or the list itself was it.
    if (errorCode(error) === 'EBADF') return undefined;
    throw error;
  }
}
