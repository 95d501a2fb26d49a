/** All that is known about a file in order of time: the edits of all sessions, its commits, and what sessions read of it. */
import { homedir } from 'node:os';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Yielder } from '../../../files/concurrency/eventLoop';
import { forEachConcurrent } from '../../../files/concurrency/forEachConcurrent';
import { sortSteps } from '../../../files/concurrency/sortSteps';
import { UntrustedPaths } from '../../../files/io/untrustedPaths';
import { expandPath } from '../../../files/locate/roots';
import type { FileEdit } from '../../../format/lineOrigins/record/fileEdit';
import type { Catalog } from '../../catalogApi';
import { keepRecent } from '../../../format/values/lists';
import { commitsOf, commitTexts, formerNames } from './commitEvents';
import { fileReadings, unlessGone } from './fileReadings';
import { MAX_NAMES, type TimedEvent } from './timedEvent';
import { isClear, isOneOf, MAX_EVENTS, sessionEdits, type SessionEdit, type SessionReading, type TouchingSession } from './sessionEdits';
import { touchingSessions } from './touchingSessions';
import { lastOf } from '../../../format/values/lookups';
import { stepCounter, type Steps } from '../../../format/session/steps';

export type { TimedEvent };

export interface FileEvents {
  /** In order of time. */
  readonly events: readonly TimedEvent[];
  /** The paths of the sessions that touched the file. */
  readonly sessions: readonly string[];
}

export interface FileEventOptions {
  readonly signal?: AbortSignal | undefined;
  /** Runs `git` for the file's commits. True by default. */
  readonly git?: boolean | undefined;
  /** Doesn't read more than takes about a tenth of a second. */
  readonly isQuick?: boolean | undefined;
}

/** Too much is recorded of a file for a quick answer. */
export class TooManyChanges extends Error {
  override readonly name = 'TooManyChanges';
}

/** Options that aren't for callers outside of this folder. */
interface RecordOptions extends FileEventOptions {
  /** Has all readings, and all commits that are next to an edit. */
  readonly isFull?: boolean | undefined;
  /** A time, in milliseconds since 1970: the commits that are next to it are wanted as well. */
  readonly point?: number | undefined;
  /** Has edits that aren't understood. */
  readonly hasUnclear?: boolean | undefined;
}

/** Bytes of entries that are read for a quick answer, and the least number of bytes that an entry counts as. */
const MAX_QUICK_BYTES = 3_000_000;
const ENTRY_BYTES = 4000;
const MAX_CACHED_BYTES = 64 * 1024 * 1024;

/** The paths by which sessions may have named a file. */
export async function pathsOf(file: string): Promise<string[]> {
  const path = resolve(expandPath(file, homedir()));
  return [...new Set([path, await realpath(path).catch(() => path)])];
}

/** A catalog's answers are cached for it alone. */
const caches = new WeakMap<Catalog, Map<string, CachedEdits>>();

interface CachedEdits {
  readonly edits: readonly SessionEdit[];
  readonly size: number;
}

/**
 * Returns the events of a file. If a session moved it, the events up to the move have its former name.
 *
 * @throws the signal's reason if aborted
 */
export async function fileEvents(catalog: Catalog, file: string, options: RecordOptions = {}): Promise<FileEvents> {
  return eventsAcrossMoves(catalog, await pathsOf(file), options, MAX_NAMES);
}

/** @param names how many former names are followed */
async function eventsAcrossMoves(
  catalog: Catalog,
  ownPaths: readonly string[],
  options: RecordOptions,
  names: number,
): Promise<FileEvents> {
  return acrossMoves(await eventsAt(catalog, ownPaths, options), ownPaths, names, (file, left) =>
    eventsBeforeMove(catalog, file, options, left),
  );
}

/**
 * Puts the events under a file's former name before those under its own.
 *
 * @param names how many former names are followed
 * @param eventsUnder returns the events under a former name, with a number of names that are still followed
 */
export async function acrossMoves(
  own: FileEvents,
  ownPaths: readonly string[],
  names: number,
  eventsUnder: (file: string, names: number) => Promise<FileEvents>,
): Promise<FileEvents> {
  const isOwn = isOneOf(ownPaths);
  const at = own.events.findLastIndex(({ source }) => source?.movedTo !== undefined && isOwn(source.movedTo) && !isOwn(source.file));
  const move = own.events[at]?.source;
  if (!move || names === 0) return own;
  const former = await eventsUnder(move.file, names - 1);
  const end = former.events.findIndex(({ source }) => source?.key === move.key);
  if (end < 0) return own;
  return {
    events: [...former.events.slice(0, end), ...own.events.slice(at)],
    sessions: [...new Set([...former.sessions, ...own.sessions])],
  };
}

/** Returns the events under a name that a session gave. If it may lead to a server, the disk isn't asked about it. */
async function eventsBeforeMove(catalog: Catalog, file: string, options: RecordOptions, names: number): Promise<FileEvents> {
  return (await new UntrustedPaths().isRefused(file))
    ? eventsAcrossMoves(catalog, [file], { ...options, git: false }, names)
    : eventsAcrossMoves(catalog, await pathsOf(file), options, names);
}

/** Returns the events of a file under its paths, and under its former paths in its repository. */
async function eventsAt(
  catalog: Catalog,
  ownPaths: readonly string[],
  { signal, git = true, isFull = false, point, hasUnclear = isFull, isQuick }: RecordOptions,
): Promise<FileEvents> {
  const [commits, own] = await Promise.all([
    git ? commitsOf(lastOf(ownPaths), signal) : { repository: '', list: [] },
    touchingSessions(catalog, ownPaths, []),
  ]);
  const former = formerNames(commits.list);
  const { sessions, names } = former.size === 0 ? own : await touchingSessions(catalog, ownPaths, [...former.keys()]);
  signal?.throwIfAborted();
  if (isQuick === true && bytesOf(sessions) > MAX_QUICK_BYTES) throw new TooManyChanges();
  const isFile = isOneOf(names);
  const bySession = new Map<TouchingSession, readonly SessionEdit[]>();
  await forEachConcurrent(sessions, async (session) => {
    bySession.set(session, await cachedEdits(catalog, session, names, signal));
  });
  const edits = sessions.map((session) => bySession.get(session) ?? []);
  const once = await new Yielder(signal).run(editsInOrder(edits, hasUnclear));
  const paths = sessions.map(({ path }) => path);
  if (once.length === 0 && !isFull) return { events: [], sessions: paths };
  const [readings, texts] = await Promise.all([
    fileReadings(once, sessions, isFile, { signal, isFull }),
    commitTexts(commits, once, isFull, point, signal),
  ]);
  return { events: eventsInOrder(once, isFull ? readings : readings.filter(({ shown }) => shown), texts), sessions: paths };
}

/**
 * Returns each edit of several sessions once, in order of time; of very many the last.
 *
 * @param hasUnclear true to have edits that aren't understood
 */
export function* editsInOrder(edits: readonly (readonly SessionEdit[])[], hasUnclear: boolean): Steps<SessionEdit[]> {
  const known = new Set<string>();
  const once: SessionEdit[] = [];
  const isStep = stepCounter();
  for (const ofSession of edits)
    for (const edit of ofSession) {
      if (isStep()) yield;
      if ((!hasUnclear && !isClear(edit.edit)) || known.has(edit.key)) continue;
      known.add(edit.key);
      once.push(edit);
    }
  return (yield* sortSteps(once, (a, b) => a.time - b.time)).slice(-MAX_EVENTS);
}

export function eventsInOrder(
  edits: readonly SessionEdit[],
  readings: readonly SessionReading[],
  commits: readonly TimedEvent[],
): TimedEvent[] {
  const events = [
    ...edits.map((source): TimedEvent => ({ time: source.time, event: { kind: 'edit', edit: source.edit }, source })),
    ...readings.map((reading): TimedEvent => ({
      time: reading.time,
      event: { kind: 'text', text: reading.text, isWhole: reading.isWhole },
      reading,
    })),
    ...commits,
  ];
  return events.sort((a, b) => a.time - b.time);
}

function bytesOf(sessions: readonly TouchingSession[]): number {
  let bytes = 0;
  for (const { written } of sessions) for (const { length } of written) bytes += length + ENTRY_BYTES;
  return bytes;
}

async function cachedEdits(
  catalog: Catalog,
  session: TouchingSession,
  names: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly SessionEdit[]> {
  let cache = caches.get(catalog);
  if (!cache) caches.set(catalog, (cache = new Map<string, CachedEdits>()));
  const version = catalog.files().get(session.path)?.version;
  const key = JSON.stringify([session.path, version?.size, version?.mtimeMs, names]);
  const known = cache.get(key);
  if (known) return known.edits;
  const edits = await unlessGone(sessionEdits(session, isOneOf(names), signal), signal);
  if (!edits) return [];
  const size = edits.reduce((sum, { edit }) => sum + sizeOf(edit), EDIT_BYTES);
  keepRecent(cache, key, { edits, size }, (one) => one.size, MAX_CACHED_BYTES);
  return edits;
}

/** The approximate memory of an edit without its texts, and of a line of a difference, in bytes. */
const EDIT_BYTES = 200;
const LINE_BYTES = 64;

function sizeOf({ before = '', text = '', hunks, replacements }: FileEdit): number {
  let size = EDIT_BYTES + before.length + text.length;
  for (const one of replacements) size += one.before.length + one.after.length;
  for (const { lines } of hunks) for (const line of lines) size += LINE_BYTES + line.text.length;
  return size;
}
