/**
 * Sessions in OpenClaw's databases as files that can only be read. The path of such a session is that of the database, followed
 * by `<session id>.jsonl`, as if the database were a folder. FORMAT section 7.
 */
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { defined } from '../../format/entry/defined';
import type { SessionState } from '../../format/session/session';
import type { OutsideFacts } from '../../format/session/outsideFacts';
import { SessionError } from '../../format/entry/problem';
import type { FileVersion } from '../read/fileVersion';
import { CorruptDatabase, damagedSession } from './databaseErrors';
import type { OpenedSession, OpenResult } from './databaseView';
import type { ColdArchive, StoredState } from './storedSessions';

const SUFFIX = '.jsonl';
const DATABASE_SUFFIX = '.sqlite';

/** A path of a session in a database, in its parts. */
export interface DatabasePath {
  readonly database: string;
  readonly id: string;
}

/** Returns the parts of a path as a session of a database would have it, whether or not the folder is one. */
export function splitDatabasePath(path: string): DatabasePath | undefined {
  const name = basename(path);
  return name.endsWith(SUFFIX) ? { database: dirname(path), id: name.slice(0, -SUFFIX.length) } : undefined;
}

/**
 * Returns the path of the database that a session or a root is in, by its name alone: OpenClaw's databases end in `.sqlite`.
 * `undefined` for any other path.
 */
export function databaseOf(path: string): string | undefined {
  // This runs several times for each file of a listing.
  if (!path.includes(DATABASE_SUFFIX)) return undefined;
  return path.endsWith(DATABASE_SUFFIX) ? path : dirname(path).endsWith(DATABASE_SUFFIX) ? dirname(path) : undefined;
}

/** Returns the path of a session; `undefined` for an id that is no file name, or that no terminal could show. */
export function databaseSessionPath(database: string, id: string): string | undefined {
  if (/\p{Cc}/u.test(id)) return undefined;
  const path = join(database, id + SUFFIX);
  const parts = splitDatabasePath(path);
  return parts?.database === database && parts.id === id && !id.startsWith('.') ? path : undefined;
}

/** Returns the parts of the path of a session in a database: its folder is a file. `undefined` for any other path. */
export async function findDatabasePath(path: string): Promise<DatabasePath | undefined> {
  const parts = splitDatabasePath(path);
  const stats = parts && (await stat(parts.database).catch(() => undefined));
  return stats && !stats.isDirectory() ? parts : undefined;
}

/**
 * Identifies what was read of a session. It has a new `ino` if earlier events were rewritten, and other `facts` if those beside
 * the events are others: not all of them change the database's own times.
 */
export function sessionVersion({ ino, stored, transcript }: OpenedSession): FileVersion {
  const archive = archiveOf({ stored, transcript });
  const { digest: facts } = stored;
  if (archive) return { size: archive.unpackedSize, mtimeMs: stored.updated, ino: `${ino}:${archive.sha256}`, facts };
  return {
    size: transcript.ends.at(-1) ?? 0,
    mtimeMs: Math.max(stored.updated, transcript.time),
    facts,
    ino: stored.generation === undefined ? ino : `${ino}:${stored.generation}`,
  };
}

/** Returns the archive that holds the events of a session; `undefined` if they're in the database's table. */
export const archiveOf = ({ stored, transcript }: Pick<OpenedSession, 'stored' | 'transcript'>): ColdArchive | undefined =>
  transcript.seqs.length === 0 ? stored.cold : undefined;

/** Returns the facts about a session that the database has outside of its events. */
export function outsideFacts(database: string, { stored, transcript }: OpenedSession): OutsideFacts {
  const { name, parentId, leaf, state } = stored;
  const parentSession = parentId === undefined ? undefined : databaseSessionPath(database, parentId);
  return {
    dialect: 'openclaw',
    marks: {
      ...defined({
        state: state === undefined ? undefined : STATES[state],
        isPinned: stored.isPinned || undefined,
        isArchived: stored.isArchived || undefined,
      }),
    },
    ...defined({ name, parentSession }),
    // An index that lags behind doesn't know the leaf.
    ...(leaf && leaf.seq >= (transcript.seqs.at(-1) ?? 0) ? { leafId: leaf.id } : {}),
  };
}

/** The states of OpenClaw. */
const STATES: Readonly<Record<StoredState, SessionState>> = {
  running: 'working',
  done: 'idle',
  failed: 'failed',
  killed: 'failed',
  timeout: 'failed',
};

/** Returns the session that was opened. @throws {SessionError} `not-found`; `not-a-session` if it's damaged */
export function requireOpened(opened: OpenResult, path: string): OpenedSession {
  if (!opened) throw noSuchSession(path);
  if (opened instanceof CorruptDatabase) throw damagedSession(opened, path);
  return opened;
}

export const noSuchSession = (path: string): SessionError =>
  new SessionError('not-found', 'This session isn’t in the database: {path}', { path });
