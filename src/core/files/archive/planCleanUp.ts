/** Finds old and large sessions, and says for each whether it can be cleaned up. Writes nothing. FORMAT section 6, rule 11. */
import { access, constants, lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Dialect } from '../../format/entry/dialect';
import type { SessionError } from '../../format/entry/problem';
import { canUnarchive, isArchivedSession, withoutSessionSuffix } from '../../format/session/archivedSession';
import { databaseOf } from '../database/databaseSession';
import { Yielder } from '../concurrency/eventLoop';
import { forEachConcurrent } from '../concurrency/forEachConcurrent';
import { sortSteps } from '../concurrency/sortSteps';
import { fileVersion, type FileVersion } from '../read/versions/fileVersion';
import { asSessionError } from '../relink/knownSessions';
import { linkedError } from '../relink/relocate';
import { assertSubagentsFree } from '../trash/deleteSession';
import { relatedPaths, sizeOf } from '../trash/relatedPaths';
import { assertFree } from '../write/writeGuard';
import type { Writer } from '../write/sessionWriter';
import { assertArchivable, assertOriginalRemoved } from './archivable';
import { archivePathOf } from './archivePaths';
import { smallest } from '../../format/values/lists';

/** The place that a clean-up moves sessions to. */
export type CleanUpTarget = 'archive' | 'trash';

/** A session that is known, as lists have it. */
interface CleanUpSession {
  readonly path: string;
  readonly cwd: string;
  readonly dialect: Dialect;
  /** The time of the newest message, in milliseconds since 1970. */
  readonly modified: number;
}

/** The criteria for the sessions to clean up. A session has to meet all that are given. */
export interface CleanUpFilter {
  /** Days without a message and without a change of the file. */
  readonly olderThanDays?: number;
  /** Bytes of the session's file, at least. */
  readonly largerThan?: number;
  /** Returns true for the folders of a project. */
  readonly isInProject?: (cwd: string) => boolean;
  readonly program?: Dialect;
}

export interface CleanUpOptions {
  readonly sessions: readonly CleanUpSession[];
  readonly filter: CleanUpFilter;
  readonly to: CleanUpTarget;
  readonly writer: Writer;
  /** True to consider sessions of subagents, too. */
  readonly withSubagents?: boolean;
  /** Milliseconds since 1970. */
  readonly now?: number;
  readonly signal?: AbortSignal;
  /** Reports the number of sessions that were checked, and of all. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** A session that will be cleaned up. */
export interface PlannedCleanUp {
  readonly path: string;
  readonly dialect: Dialect;
  /** The path of the archive. */
  readonly newPath?: string;
  /** Bytes that it takes up now: the file, and for the trash all that belongs to it. */
  readonly bytes: number;
  readonly version: FileVersion;
}

/** The sessions that a clean-up archives or deletes, and the sessions that it leaves. */
export interface CleanUpPlan {
  readonly to: CleanUpTarget;
  /** The largest first. */
  readonly found: readonly PlannedCleanUp[];
  /** Sessions that are meant and stay, with the reason. */
  readonly left: readonly { readonly path: string; readonly reason: SessionError }[];
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Sessions whose programs are looked for together, which takes a few milliseconds without a pause. */
const BATCH_SIZE = 1000;

/**
 * Plans a clean-up. By default, sessions of subagents stay with the session that they belong to. Sessions in databases aren't
 * considered; archived ones are for the trash, unless they're in oh-my-pi's archive.
 *
 * @throws the signal's reason if aborted.
 */
export async function planCleanUp(options: CleanUpOptions): Promise<CleanUpPlan> {
  const { to, writer, signal, onProgress } = options;
  const left: CleanUpPlan['left'][number][] = [];
  const found: PlannedCleanUp[] = [];
  const pause = new Yielder(signal);
  const candidates = await candidatesOf(options, pause);
  let done = 0;
  for (let at = 0; at < candidates.length; at += BATCH_SIZE) {
    const batch = candidates.slice(at, at + BATCH_SIZE);
    const presence = await writer.presence(batch.map(({ path }) => path));
    for (const candidate of batch) {
      signal?.throwIfAborted();
      const { path } = candidate;
      try {
        const planned = await plan(candidate, to, writer);
        assertFree(path, presence.get(path) ?? { state: 'free' }, false);
        found.push(planned);
      } catch (error) {
        left.push({ path, reason: asSessionError(error, path) });
      }
      onProgress?.(++done, candidates.length);
    }
  }
  return {
    to,
    found: await pause.run(sortSteps(found, (a, b) => b.bytes - a.bytes || byPath(a, b))),
    left: await pause.run(sortSteps(left, byPath)),
  };
}

export const byPath = (a: { readonly path: string }, b: { readonly path: string }): number => (a.path < b.path ? -1 : 1);

/**
 * Counts the sessions without a message and without a change of the file for each choice of days and size, including sessions
 * that would be left for another reason.
 *
 * @throws the signal's reason if aborted.
 */
export async function countOldSessions(
  options: Omit<CleanUpOptions, 'to' | 'writer'>,
  choices: readonly { readonly olderThanDays: number; readonly largerThan?: number }[],
): Promise<number[]> {
  const { filter, now = Date.now() } = options;
  const old = { ...filter, olderThanDays: smallest(choices.map(({ olderThanDays }) => olderThanDays)) };
  const candidates = await candidatesOf({ ...options, filter: old, to: 'archive', now }, new Yielder(options.signal));
  return choices.map(
    ({ olderThanDays, largerThan = 0 }) =>
      candidates.filter(({ lastUsed, version }) => lastUsed <= now - olderThanDays * DAY_MS && version.size >= largerThan).length,
  );
}

interface Candidate {
  readonly path: string;
  readonly dialect: Dialect;
  /** The time of the newest message or of the file's last change, whichever is later, in milliseconds since 1970. */
  readonly lastUsed: number;
  readonly version: FileVersion;
  readonly mode: number;
  readonly isLink: boolean;
}

async function candidatesOf(
  { sessions, filter, to, withSubagents = false, now = Date.now(), signal }: Omit<CleanUpOptions, 'writer'>,
  pause: Yielder,
): Promise<Candidate[]> {
  const { olderThanDays = 0, largerThan = 0, isInProject, program } = filter;
  const before = now - olderThanDays * DAY_MS;
  const owners = new Set<string>();
  for (const { path } of sessions) {
    owners.add(withoutSessionSuffix(path));
    if (pause.isDue()) await pause.yieldIfDue();
  }
  const old: CleanUpSession[] = [];
  for (const session of sessions) {
    const { path, cwd, dialect, modified } = session;
    if (
      modified <= before &&
      (isInProject?.(cwd) ?? true) &&
      (program === undefined || program === dialect) &&
      (!isArchivedSession(path, dialect) || (to === 'trash' && canUnarchive(path))) &&
      databaseOf(path) === undefined &&
      (withSubagents || !isOfSubagent(path, owners))
    )
      old.push(session);
    if (pause.isDue()) await pause.yieldIfDue();
  }
  const found: Candidate[] = [];
  await forEachConcurrent(old, async ({ path, dialect, modified }) => {
    signal?.throwIfAborted();
    // A file that is gone meanwhile isn't a candidate.
    const stats = await lstat(path, { bigint: true }).catch(() => undefined);
    if (!stats) return;
    const version = fileVersion(stats);
    const lastUsed = Math.max(modified, version.mtimeMs);
    if (version.size >= largerThan && version.mtimeMs <= before)
      found.push({ path, dialect, lastUsed, version, mode: Number(stats.mode), isLink: stats.isSymbolicLink() });
  });
  return pause.run(sortSteps(found, byPath));
}

/** True for a file at any depth in a folder that is named like a session. */
function isOfSubagent(path: string, owners: ReadonlySet<string>): boolean {
  for (let at = dirname(path), above = dirname(at); at !== above; at = above, above = dirname(at)) if (owners.has(at)) return true;
  return false;
}

async function plan({ path, dialect, version, mode, isLink }: Candidate, to: CleanUpTarget, writer: Writer): Promise<PlannedCleanUp> {
  await writer.assertChangeable(path);
  if (isLink) throw linkedError(path);
  if (to === 'archive') {
    await assertArchivable(path, dialect, { size: version.size, mode });
    return { path, dialect, newPath: archivePathOf(path), bytes: version.size, version };
  }
  await access(dirname(path), constants.W_OK);
  if (isArchivedSession(path)) await assertOriginalRemoved(path);
  const paths = await relatedPaths(path);
  await assertSubagentsFree(paths, writer, false);
  return { path, dialect, bytes: await sizeOf(paths), version };
}
