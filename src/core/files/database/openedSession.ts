/** A session of a database that was opened: its facts, and the problems of the lines that are read of it. */
import { problem, type Problem } from '../../format/entry/problem';
import type { OutsideFacts } from '../../format/session/outsideFacts';
import type { FileVersion } from '../read/fileVersion';
import { archivePath } from './coldArchive';
import { archiveOf, outsideFacts, requireOpened, sessionVersion } from './databaseSession';
import type { DatabaseView, OpenedSession, OpenResult } from './databaseView';
import type { Reading } from './pages/diskRequests';
import type { ColdArchive } from './storedSessions';

/** An archive, with the path of its file; `undefined` if the database holds the bytes itself. */
export interface LocatedArchive extends ColdArchive {
  readonly path: string | undefined;
}

export class DatabaseSession {
  readonly version: FileVersion;
  readonly facts: OutsideFacts;
  /** The archive that holds the events; `undefined` if they're in the database's table. */
  readonly archive: LocatedArchive | undefined;
  private readonly opened: OpenedSession;
  private readonly damaged = new Map<number, Problem>();

  /** @throws {SessionError} `not-found`; `not-a-session` if it's damaged; `invalid` for an archive's name that can't be one. */
  constructor(path: string, database: string, result: OpenResult) {
    const opened = requireOpened(result, path);
    this.opened = opened;
    this.version = sessionVersion(opened);
    this.facts = outsideFacts(database, opened);
    const archive = archiveOf(opened);
    this.archive = archive && { ...archive, path: archive.fileName === undefined ? undefined : archivePath(database, archive.fileName) };
  }

  /** Fills `bytes` with the session's lines from `position` on. Returns the number of bytes. */
  *read(view: DatabaseView, bytes: Buffer, position: number): Reading<number> {
    const { count, damaged } = yield* view.read(this.opened, bytes, position);
    for (const [line, damage] of damaged) this.damaged.set(line, problem(damage, { line }));
    return count;
  }

  /** Returns the problems of the lines that were read so far and aren't what they were. */
  problems(): readonly Problem[] {
    return [...this.damaged.values()];
  }
}
