/**
 * Sessions in OpenClaw's databases as files that can only be read. The path of such a session is that of the database, followed
 * by `<session id>.jsonl`, as if the database were a folder. FORMAT section 7.
 */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { defined } from '../../format/values/defined';
import type { SessionState } from '../../format/session/session';
import type { OutsideFacts } from '../../format/session/outsideFacts';
import { SessionError } from '../../format/entry/problem';
import { FACTS_DIGITS, type FileVersion } from '../read/versions/fileVersion';
import { CorruptDatabase, damagedSession } from './sqlite/databaseErrors';
import type { OpenedSession, OpenResult, SessionOutline } from './databaseView';
import type { ColdArchive, StoredSession, StoredState } from './storedSessions';
import type { LastEvent } from './lines/transcript';

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
 * Identifies what was read of a session, all of whose lines were measured. It has a new `ino` if earlier events were rewritten,
 * and other `facts` if those beside the events are others: not all of them change the database's own times.
 */
export function sessionVersion(opened: OpenedSession): FileVersion {
  const { stored, transcript } = opened;
  const archive = archiveOf(opened);
  const ino = inoOf({ ...opened, archive });
  if (archive) return archiveVersion(stored, archive, ino);
  const { last } = transcript;
  const end = measuredSize(opened) ?? 0;
  const facts = versionFacts(stored, last, stored.generation === undefined ? end : undefined);
  return { size: end, mtimeMs: Math.max(stored.updated, last?.time ?? 0), ino, facts };
}

/** Returns the bytes of a session's lines; `undefined` until all of them were read or measured. */
export const measuredSize = ({ transcript: { last, lines } }: Pick<OpenedSession, 'transcript'>): number | undefined =>
  last ? lines.endOf(last.seq) : 0;

const archiveVersion = (stored: StoredSession, { unpackedSize, isEstimate }: ColdArchive, ino: string): FileVersion => ({
  size: unpackedSize,
  mtimeMs: stored.updated,
  ino,
  facts: versionFacts(stored, undefined),
  ...defined({ isEstimate }),
});

/** Bytes. */
const USUAL_LINE = 2048;
/** A database can claim any number. */
const MAX_ESTIMATED_LINES = 1_000_000;

/** Returns about the size of some lines that weren't measured. */
export const estimateSize = (lines: number): number => Math.min(Math.max(0, lines), MAX_ESTIMATED_LINES) * USUAL_LINE;

/** Returns the version of a session, with a guess for its size; `undefined` if events may be rewritten without a sign. */
export function estimatedVersion({ ino, stored, last }: SessionOutline): FileVersion | undefined {
  const archive = last ? undefined : stored.cold;
  const known = inoOf({ ino, stored, archive });
  if (archive) return archiveVersion(stored, archive, known);
  if (!last || stored.generation === undefined) return undefined;
  const mtimeMs = Math.max(stored.updated, last.time);
  return { size: estimateSize(last.seq + 1), mtimeMs, ino: known, facts: versionFacts(stored, last), isEstimate: true };
}

/**
 * Returns the version of a session that has the same facts and the same last event as an earlier version; `undefined` if
 * something changed, or if events may have been rewritten without a sign.
 */
export function sameSessionVersion({ ino, stored, last }: SessionOutline, before: FileVersion | undefined): FileVersion | undefined {
  const archive = last ? undefined : stored.cold;
  const isMarked = archive !== undefined || stored.generation !== undefined;
  const isSame = isMarked && before?.ino === inoOf({ ino, stored, archive }) && before.facts === versionFacts(stored, last);
  return isSame ? before : undefined;
}

function inoOf({ ino, stored, archive }: Pick<OpenedSession, 'ino' | 'stored'> & { readonly archive: ColdArchive | undefined }): string {
  const suffix = archive ? archive.sha256 : stored.generation;
  return suffix === undefined ? ino : `${ino}:${suffix}`;
}

/** Returns a digest of everything that decides a version, with the size if that is the only sign of a rewritten event. */
const versionFacts = ({ digest, updated }: StoredSession, last: LastEvent | undefined, size?: number): string =>
  createHash('sha256')
    .update(JSON.stringify([digest, updated, last?.seq, last?.rowid, ...(size === undefined ? [] : [size])]))
    .digest('hex')
    .slice(0, FACTS_DIGITS);

/** Returns the archive that holds the events of a session; `undefined` if they're in the database's table. */
export const archiveOf = ({ stored, transcript }: Pick<OpenedSession, 'stored' | 'transcript'>): ColdArchive | undefined =>
  transcript.last ? undefined : stored.cold;

/** Returns the facts about a session that the database has outside of its events. */
export function outsideFacts(database: string, { stored, transcript, progress }: OpenedSession): OutsideFacts {
  const { name, agent, parentId, leaf, state } = stored;
  const parentSession = parentId === undefined ? undefined : databaseSessionPath(database, parentId);
  return {
    dialect: 'openclaw',
    marks: {
      ...defined({
        state: state === undefined ? undefined : STATES[state],
        agent,
        isPinned: stored.isPinned || undefined,
        isArchived: stored.isArchived || undefined,
      }),
    },
    ...defined({ name, parentSession, progress }),
    // An index that lags behind doesn't know the leaf.
    ...(leaf && leaf.seq >= (transcript.last?.seq ?? 0) ? { leafId: leaf.id } : {}),
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
