/** The sessions of all roots with what their headers name: the project's folder, and the parent session. */
import { basename, dirname } from 'node:path';
import { asString, type JsonObject } from '../../format/values/jsonValues';
import { additionalDirectories } from '../../format/entry/header';
import { SessionError } from '../../format/entry/problem';
import { fileError } from '../io/fileErrors';
import { Yielder } from '../concurrency/eventLoop';
import { forEachConcurrent } from '../concurrency/forEachConcurrent';
import { sortSteps } from '../concurrency/sortSteps';
import { listFiles, type SessionPath } from '../locate/listFiles';
import type { Root } from '../locate/roots';
import { openSessionBytes } from '../read/bytes/sessionBytes';
import { findHeader } from './headerPlace';

/** A session in a root, as its header has it. */
export interface KnownSession extends SessionPath {
  readonly id: string;
  readonly cwd: string;
  /** The parents that the header names: paths, or IDs. */
  readonly parents: readonly string[];
  /** Further folders that the session works in. */
  readonly folders: readonly string[];
}

/** A file or folder that couldn't be read. */
export interface UnreadablePath {
  readonly path: string;
  readonly root?: Root;
  readonly reason: SessionError;
}

interface KnownSessions {
  readonly sessions: readonly KnownSession[];
  readonly unreadable: readonly UnreadablePath[];
}

export interface KnownSessionsOptions {
  readonly signal?: AbortSignal;
  /** Reports the number of sessions that were read, and of all. */
  readonly onProgress?: (done: number, total: number) => void;
}

/**
 * Lists the sessions of the roots, and reads the beginning of each.
 *
 * @throws the signal's reason if aborted.
 */
export async function readKnownSessions(roots: readonly Root[], { signal, onProgress }: KnownSessionsOptions = {}): Promise<KnownSessions> {
  const unreadable: UnreadablePath[] = [];
  const { files } = await listFiles(roots, (path, error) => {
    const reason = asSessionError(error, path);
    // A root that doesn't exist has no sessions.
    if (reason.code !== 'not-found') unreadable.push({ path, reason });
  });
  const found: KnownSession[] = [];
  let done = 0;
  await forEachConcurrent(files, async (file) => {
    signal?.throwIfAborted();
    try {
      const header = await readHeader(file.path);
      if (header) found.push({ ...file, ...factsOf(header) });
      // Subagents have logs and other files beside their sessions.
      else if (file.owner === undefined) unreadable.push({ path: file.path, root: file.root, reason: noHeaderError(file.path) });
    } catch (error) {
      unreadable.push({ path: file.path, root: file.root, reason: asSessionError(error, file.path) });
    }
    onProgress?.(++done, files.length);
  });
  const sessions = withOwners(found, files);
  // Programs name files by their time, so a parent comes before its forks.
  const byName = (a: { path: string }, b: { path: string }): number =>
    compare(basename(a.path), basename(b.path)) || compare(dirname(a.path), dirname(b.path));
  return { sessions: await new Yielder(signal).run(sortSteps(sessions, byName)), unreadable: unreadable.sort(byName) };
}

/** The sessions with the nearest session above them: the file with the name of a folder may be a log. */
function withOwners(sessions: readonly KnownSession[], files: readonly SessionPath[]): KnownSession[] {
  const paths = new Set(sessions.map(({ path }) => path));
  const owners = new Map(files.flatMap(({ path, owner }) => (owner === undefined ? [] : [[path, owner]])));
  return sessions.map((session) => {
    let { owner } = session;
    for (let left = MAX_OWNERS; owner !== undefined && !paths.has(owner) && left > 0; left--) owner = owners.get(owner);
    return owner === session.owner || owner === undefined ? session : { ...session, owner };
  });
}

/** Limit of sessions above another one, for those of a database, which may name each other. */
const MAX_OWNERS = 100;

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

async function readHeader(path: string): Promise<JsonObject | undefined> {
  const { file, size } = await openSessionBytes(path);
  try {
    return (await findHeader(file, size))?.value;
  } finally {
    await file.close();
  }
}

const factsOf = (header: JsonObject): Pick<KnownSession, 'id' | 'cwd' | 'parents' | 'folders'> => ({
  id: asString(header['id']) ?? '',
  cwd: asString(header['cwd']) ?? '',
  parents: ['parentSession', 'branchedFrom'].flatMap((key) => asString(header[key]) ?? []),
  folders: additionalDirectories(header),
});

/** Returns the error as one with a sentence for people. */
export function asSessionError(error: unknown, path: string): SessionError {
  const known = fileError(error, path);
  if (known instanceof SessionError) return known;
  const reason = error instanceof Error ? error.message : String(error);
  return new SessionError('damaged', 'Couldn’t read or move this session ({reason}): {path}', { reason, path }, { cause: error });
}

const noHeaderError = (path: string): SessionError =>
  new SessionError('not-a-session', 'This file has no session header, so its project isn’t known: {path}', { path });
