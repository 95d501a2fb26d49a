/** The synchronous form of `openDatabases`, for worker threads; see `regularFileSync`. */
import { closeSync, realpathSync, statSync } from 'node:fs';
import { fileError, isMissing } from '../io/fileErrors';
import { readAtSync } from './readAtSync';
import { openRegularFileSync } from './regularFileSync';
import { databaseError } from '../database/databaseErrors';
import { DatabaseView } from '../database/databaseView';
import { RecentDatabases, type RecentDatabase } from '../database/recentDatabases';
import { CLOCK_TICK, stampOf, type BytesRequest, type DatabaseStamps, type Reading } from '../database/pages/diskRequests';

/** Shared by all of this thread. */
const recent = new RecentDatabases<RecentDatabase>((view) => ({ view }));

/** Reads from a database. @throws as `readDatabase`. */
export function readDatabaseSync<T>(path: string, request: (view: DatabaseView) => Reading<T>): T {
  const database = recent.use(path);
  const fds = new Map<string, number>();
  try {
    const real = realpathSync(path);
    const reading = request(database.view);
    for (let step = reading.next(); ;) {
      if (step.done) return step.value;
      if (step.value === 'tick') {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, CLOCK_TICK);
        step = reading.next(undefined);
      } else step = reading.next(step.value === 'stamps' ? stamps(real, fds) : read(real, step.value, fds));
    }
  } catch (error) {
    // The request may have ended anywhere.
    database.view = new DatabaseView();
    throw fileError(databaseError(error, path), path);
  } finally {
    closeAll(fds);
    recent.trim();
  }
}

function closeAll(fds: Map<string, number>): void {
  for (const fd of fds.values()) closeSync(fd);
  fds.clear();
}

function stamps(path: string, fds: Map<string, number>): DatabaseStamps {
  // Either file may have been replaced by another one since it was opened.
  closeAll(fds);
  const { fd, stats } = openRegularFileSync(path);
  fds.set('main', fd);
  const wal = statSync(`${path}-wal`, { bigint: true, throwIfNoEntry: false });
  return { main: stampOf(stats), wal: wal?.isFile() ? stampOf(wal) : undefined };
}

function read(path: string, { file, offset, length, room }: BytesRequest, fds: Map<string, number>): Buffer {
  const fd = fds.get(file) ?? openLog(path, fds);
  return fd === undefined ? Buffer.alloc(0) : readAtSync(fd, offset, length, room);
}

function openLog(path: string, fds: Map<string, number>): number | undefined {
  try {
    const { fd } = openRegularFileSync(`${path}-wal`, { followLink: false });
    fds.set('wal', fd);
    return fd;
  } catch (error) {
    if (!isMissing(error)) throw error;
    return undefined;
  }
}
