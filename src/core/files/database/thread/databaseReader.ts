/** The requests of `DatabaseThread`, which a thread of its own serves: their arguments and results are plain data. */
import type { Problem } from '../../../format/entry/problem';
import type { OutsideFacts } from '../../../format/session/outsideFacts';
import type { Steps } from '../../../format/session/steps';
import type { Pulse } from '../../concurrency/pulse';
import { serializeError, type SerializedError } from '../../concurrency/threadErrors';
import type { FileVersion } from '../../read/versions/fileVersion';
import { DatabaseMoved, databaseError } from '../sqlite/databaseErrors';
import { requireOpened } from '../databaseSession';
import type { DatabaseView, SessionList } from '../databaseView';
import { DatabaseSession, type LocatedArchive } from '../openedSession';
import { readDatabase } from './readDatabase';
import { storedVersions, type VersionRequest } from '../storedVersions';

/** A session that was opened. */
export interface OpenedInThread {
  readonly facts: OutsideFacts;
  readonly archive: LocatedArchive | undefined;
  readonly approximateSize: number;
}

/** Lines that were read. */
interface LinesRead {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly approximateSize: number;
  /** The problems of all lines that were read so far. */
  readonly problems: readonly Problem[];
}

/** Sessions of a database, as far as a list shows them. */
interface ListedSessions extends Pick<SessionList, 'missing'> {
  readonly sessions: readonly { readonly id: string; readonly ownerId: string | undefined }[];
}

/** The first argument of each method is the database. Opened sessions have numbers, which the caller chooses. */
export class DatabaseReader {
  private readonly sessions = new Map<number, DatabaseSession>();

  /** @param pulse shows which database is being read while SQLite reads it */
  constructor(private readonly pulse: Pulse) {}

  async list(database: string): Promise<ListedSessions> {
    const { sessions, missing } = await this.read(database, (view) => view.list());
    return { sessions: sessions.map(({ id, ownerId }) => ({ id, ownerId })), missing };
  }

  /** Returns the paths of databases that a registry names, beginning with the one that was used last. */
  registered(database: string, most: number): Promise<string[]> {
    return this.read(database, (view) => view.registered(most));
  }

  async versions(database: string, request: VersionRequest): Promise<(FileVersion | { readonly error: SerializedError } | undefined)[]> {
    const versions = await storedVersions(database, request, (steps) => this.read(database, steps));
    return versions.map((version) => (version instanceof Error ? { error: serializeError(version) } : version));
  }

  /** Returns the newest recap of a session, from oh-my-pi's history. */
  recap(database: string, id: string): Promise<string | undefined> {
    return this.read(database, (view) => view.recap(id));
  }

  /** Returns the key by which OpenClaw opens a session. */
  async key(database: string, path: string, id: string): Promise<string | undefined> {
    const [opened] = await this.read(database, (view) => view.open([id]));
    return opened && requireOpened(opened, path).stored.key;
  }

  /** Returns an archive that the database holds itself. */
  async archive(database: string, id: string, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const bytes = await this.read(database, (view) => view.archive(id, maxBytes));
    // A copy, because a small buffer shares its memory with others.
    return bytes && new Uint8Array(bytes);
  }

  async open(database: string, session: number, path: string, id: string): Promise<OpenedInThread> {
    const [found] = await this.read(database, (view) => view.open([id], false));
    const opened = new DatabaseSession(path, database, found);
    this.sessions.set(session, opened);
    const { facts, archive, approximateSize } = opened;
    return { facts, archive, approximateSize };
  }

  /** Returns the version of an opened session. @param before an earlier version, which is enough if it's still the same */
  version(database: string, session: number, before: FileVersion | undefined): Promise<FileVersion> {
    const opened = this.opened(database, session);
    const known = opened.version ?? (before?.isEstimate === true ? undefined : opened.sameVersion(before));
    return known ? Promise.resolve(known) : this.read(database, (view) => opened.measure(view));
  }

  /** See `DatabaseSession.locateEnd`. */
  locateEnd(database: string, session: number, length: number): Promise<number> {
    const opened = this.opened(database, session);
    return this.read(database, (view) => opened.locateEnd(view, length));
  }

  async lines(database: string, session: number, length: number, position: number): Promise<LinesRead> {
    const opened = this.opened(database, session);
    const bytes = new Uint8Array(length);
    const count = await this.read(database, (view) => opened.read(view, Buffer.from(bytes.buffer), position));
    return {
      bytes: count === length ? bytes : bytes.slice(0, count),
      approximateSize: opened.approximateSize,
      problems: opened.problems(),
    };
  }

  /** Forgets an opened session. */
  close(_database: string, session: number): Promise<void> {
    this.sessions.delete(session);
    return Promise.resolve();
  }

  private opened(database: string, session: number): DatabaseSession {
    const opened = this.sessions.get(session);
    // The thread that had opened it was ended.
    if (!opened) throw databaseError(new DatabaseMoved(), database);
    return opened;
  }

  private read<T>(database: string, request: (view: DatabaseView) => Steps<T>): Promise<T> {
    return readDatabase(database, (view) => this.watched(database, request(view)));
  }

  private *watched<T>(database: string, steps: Steps<T>): Steps<T> {
    for (;;) {
      this.pulse.begin(database);
      try {
        const step = steps.next();
        if (step.done === true) return step.value;
      } finally {
        this.pulse.end();
      }
      yield;
    }
  }
}
