/** The synchronous form of `openDatabases`, for worker threads; see `regularFileSync`. */
import { closeSync, realpathSync, statSync } from 'node:fs';
import { fileError } from '../io/fileErrors';
import { readAtSync } from './readAtSync';
import { openRegularFileSync } from './regularFileSync';
import { databaseError } from '../database/databaseErrors';
import { DatabaseView } from '../database/databaseView';
import { KEPT_PAGE_BYTES, MAX_OPEN } from '../database/openDatabases';
import { CLOCK_TICK, stampOf, type BytesRequest, type DatabaseStamps, type Reading } from '../database/diskRequests';

/** The databases that were read last. Shared by all of this thread. */
const open = new Map<string, DatabaseView>();

/** Reads from a database. @throws as `readDatabase`. */
export function readDatabaseSync<T>(path: string, request: (view: DatabaseView) => Reading<T>): T {
  const view = open.get(path) ?? new DatabaseView();
  open.delete(path);
  open.set(path, view);
  const [oldest] = open.keys();
  if (open.size > MAX_OPEN) open.delete(oldest!);
  const fds = new Map<string, number>();
  try {
    const real = realpathSync(path);
    const reading = request(view);
    for (let step = reading.next(); ;) {
      if (step.done) return step.value;
      if (step.value === 'tick') {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, CLOCK_TICK);
        step = reading.next(undefined);
      } else step = reading.next(step.value === 'stamps' ? stamps(real, fds) : read(real, step.value, fds));
    }
  } catch (error) {
    // The request may have ended anywhere.
    open.delete(path);
    throw fileError(databaseError(error, path), path);
  } finally {
    closeAll(fds);
    for (const one of open.values()) one.trim(KEPT_PAGE_BYTES / open.size);
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

function read(path: string, { file, offset, length }: BytesRequest, fds: Map<string, number>): Buffer {
  if (!fds.has(file)) {
    const log = `${path}-wal`;
    if (!statSync(log, { throwIfNoEntry: false })) return Buffer.alloc(0);
    fds.set('wal', openRegularFileSync(log).fd);
  }
  return readAtSync(fds.get(file)!, offset, length);
}
