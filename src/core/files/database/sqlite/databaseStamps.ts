/** The files of a database, and what identifies their state without reading them. */
import { lstatSync, statSync, type BigIntStats } from 'node:fs';
import { notRegularFileError } from '../../io/regularFile';
import { CorruptDatabase } from './databaseErrors';

/** Identifies the state of a file without reading it. */
interface FileStamp {
  /** Bytes. */
  readonly size: number;
  readonly mtimeNs: bigint;
  /** Device and inode, as `<dev>:<ino>`. */
  readonly ino: string;
}

/** The state of a database's files. */
export interface DatabaseStamps {
  readonly main: FileStamp;
  /** The write-ahead log or the journal; `undefined` if neither has content. */
  readonly log: FileStamp | undefined;
  /** Milliseconds since 1970; the files were looked at later. */
  readonly takenAt: number;
}

/** Milliseconds: two writes within this time may leave a file with the same modification time. */
export const CLOCK_TICK = 20;

/** SQLite reads all of a log at once if no other connection has it open. */
const MAX_LOG = 1024 * 1024 * 1024;

/**
 * Returns the present stamps. The files aren't opened: closing a file ends all locks that this process has on it, those of
 * SQLite's connections included.
 *
 * @param path without links
 * @throws {SessionError} `not-a-session` for a FIFO, a folder or a device in the place of the database, or for anything but a
 * file in the place of those that SQLite opens beside it
 */
export function takeStamps(path: string): DatabaseStamps {
  const takenAt = Date.now();
  const main = statSync(path, { bigint: true });
  if (!main.isFile()) throw notRegularFileError(path);
  sideFile(`${path}-shm`);
  const [log] = ['-wal', '-journal'].flatMap((suffix) => {
    const stats = sideFile(path + suffix);
    return stats && stats.size > 0n ? [stampOf(stats)] : [];
  });
  if (log && log.size > MAX_LOG) throw new CorruptDatabase('its write-ahead log is larger than a gigabyte');
  return { main: stampOf(main), log, takenAt };
}

/** Returns the stats of a file beside the database, which may not be a link; `undefined` if there is none. */
function sideFile(path: string): BigIntStats | undefined {
  const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats && !stats.isFile()) throw notRegularFileError(path);
  return stats;
}

const stampOf = ({ size, mtimeNs, dev, ino }: BigIntStats): FileStamp => ({ size: Number(size), mtimeNs, ino: `${dev}:${ino}` });

export const isSameState = (a: DatabaseStamps, b: DatabaseStamps): boolean => isSameStamp(a.main, b.main) && isSameStamp(a.log, b.log);

/** True if the stamps are those of the same files, which may have other content. */
export const areSameFiles = (a: DatabaseStamps, b: DatabaseStamps): boolean => a.main.ino === b.main.ino && a.log?.ino === b.log?.ino;

const isSameStamp = (a: FileStamp | undefined, b: FileStamp | undefined): boolean =>
  a?.size === b?.size && a?.mtimeNs === b?.mtimeNs && a?.ino === b?.ino;

/** True if a write after the stamps were taken changes the modification time. */
export const isSettled = ({ main, log, takenAt }: DatabaseStamps): boolean =>
  [main, log].every((stamp) => !stamp || Math.abs(takenAt - Number(stamp.mtimeNs / 1_000_000n)) > CLOCK_TICK);
