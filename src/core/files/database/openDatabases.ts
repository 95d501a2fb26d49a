/** Reads databases in the extension host: asynchronously, one request after the other. */
import { realpath, stat, type FileHandle } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { fileError, isMissing } from '../io/fileErrors';
import { readAt } from '../io/readAt';
import { openRegularFile } from '../io/regularFile';
import { databaseError } from './databaseErrors';
import { DatabaseView } from './databaseView';
import { RecentDatabases, type RecentDatabase } from './recentDatabases';
import { CLOCK_TICK, stampOf, type BytesRequest, type DatabaseStamps, type Reading } from './pages/diskRequests';

interface QueuedDatabase extends RecentDatabase {
  /** The last request; the next one waits for it. */
  work: Promise<unknown>;
}

/** Shared by all of this thread: no two requests may use one at the same time. */
const recent = new RecentDatabases<QueuedDatabase>((view) => ({ view, work: Promise.resolve() }));

/**
 * Reads from a database.
 *
 * @throws {SessionError} `not-found`, `permission`, `not-a-session` for anything but a database of OpenClaw, `changed`.
 */
export function readDatabase<T>(path: string, request: (view: DatabaseView) => Reading<T>): Promise<T> {
  const database = recent.use(path);
  const result = database.work.then(() => run(path, () => request(database.view))).finally(() => recent.trim());
  database.work = result.catch(() => {
    // The request may have ended anywhere.
    database.view = new DatabaseView();
  });
  return result;
}

async function run<T>(path: string, request: () => Reading<T>): Promise<T> {
  let files: OpenFiles | undefined;
  try {
    files = await OpenFiles.open(path);
    const reading = request();
    for (let step = reading.next(); ;) {
      if (step.done) return step.value;
      const wanted = step.value;
      if (wanted === 'tick') {
        await setTimeout(CLOCK_TICK);
        step = reading.next(undefined);
      } else step = reading.next(wanted === 'stamps' ? await files.stamps() : await files.read(wanted));
    }
  } catch (error) {
    throw fileError(databaseError(error, path), path);
  } finally {
    await files?.close();
  }
}

/** The files of a database, open for one request. */
class OpenFiles {
  private main: FileHandle | undefined;
  private wal: FileHandle | undefined;

  private constructor(private readonly path: string) {}

  static async open(path: string): Promise<OpenFiles> {
    // The log is beside the file that a link leads to.
    return new OpenFiles(await realpath(path));
  }

  async stamps(): Promise<DatabaseStamps> {
    // Either file may have been replaced by another one since it was opened.
    await this.close();
    const { file, stats } = await openRegularFile(this.path);
    this.main = file;
    const wal = await stat(`${this.path}-wal`, { bigint: true }).catch(ignoreMissing);
    return { main: stampOf(stats), wal: wal?.isFile() ? stampOf(wal) : undefined };
  }

  async read({ file, offset, length, room }: BytesRequest): Promise<Buffer> {
    if (file === 'main') {
      if (!this.main) throw new Error('The database is read before its stamps.');
      return readAt(this.main, offset, length, room);
    }
    try {
      this.wal ??= (await openRegularFile(`${this.path}-wal`, { followLink: false })).file;
    } catch (error) {
      ignoreMissing(error);
      return Buffer.alloc(0);
    }
    return readAt(this.wal, offset, length, room);
  }

  async close(): Promise<void> {
    const opened = [this.main, this.wal];
    [this.main, this.wal] = [undefined, undefined];
    for (const file of opened) await file?.close();
  }
}

function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
