/** Finds the message and session that each line of a file comes from. */
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { homedir } from 'node:os';
import { SessionError } from '../../format/entry/problem';
import { claiming } from '../../format/lineOrigins/claimLines';
import type { LineClaim, OriginCertainty } from '../../format/lineOrigins/lineClaim';
import { MAX_LINES } from '../../format/lineOrigins/replay/lineDocument';
import { linesOf } from '../../format/lineOrigins/lineTexts';
import { isMissing } from '../../files/io/fileErrors';
import { repositoryOf, repositoryState } from '../../files/git/fileCommits';
import { expandPath } from '../../files/locate/roots';
import { readSmallFile } from '../../files/io/smallFile';
import { defined } from '../../format/values/defined';
import { lastOf } from '../../format/values/lookups';
import type { Catalog } from '../catalogApi';
import { keepRecent } from '../../format/values/lists';
import { pathsOf, type TimedEvent } from './events/fileEvents';
import { findInReplay } from './replayedFile';

/** Consecutive lines that the same call wrote. */
export interface LineOrigin {
  /** The first and the last line, from 1. */
  readonly from: number;
  readonly to: number;
  /** The session. An entry that forks have copied is given for one session only. */
  readonly path: string;
  /** The message with the tool call. */
  readonly entryId: string;
  /** The person's message that it answers. */
  readonly promptId?: string;
  /** When the call ran, in milliseconds since 1970. */
  readonly time: number;
  readonly certainty: OriginCertainty;
}

/** Options of {@link lineOrigins}. */
export interface LineOriginsOptions {
  /** The text in the editor; by default the text on the disk. */
  readonly text?: string;
  readonly signal?: AbortSignal;
  /** Runs `git` for the file's commits. True by default. */
  readonly git?: boolean;
  /** Ends with `TooManyChanges` after about a tenth of a second of work, for an answer that nobody should wait for. */
  readonly isQuick?: boolean;
}

const MAX_FILE_BYTES = 8 * 1024 * 1024;
/** Origins that are kept. */
const MAX_CACHED = 100_000;

const caches = new WeakMap<Catalog, Map<string, readonly LineOrigin[]>>();

/**
 * Returns the origins of a file's lines, in order and not overlapping. Lines of unknown origin are left out: lines that
 * people wrote, and lines whose origin is uncertain. See docs/LINE-ORIGINS.md.
 *
 * @throws {SessionError} `invalid` for a file that isn't text or is too large
 * @throws {TooManyChanges} if it must be quick
 * @throws the signal's reason if aborted
 */
export async function lineOrigins(
  catalog: Catalog,
  file: string,
  { text, signal, git = true, isQuick }: LineOriginsOptions = {},
): Promise<LineOrigin[]> {
  const [given, record] = await Promise.all([text ?? textOnDisk(file), recordKey(catalog, file, git)]);
  if (given === undefined) return [];
  assertText(given, file);
  const key = record === undefined ? undefined : `${record}\n${createHash('sha256').update(given).digest('hex')}`;
  signal?.throwIfAborted();
  let cache = caches.get(catalog);
  if (!cache) caches.set(catalog, (cache = new Map<string, readonly LineOrigin[]>()));
  const known = key === undefined ? undefined : cache.get(key);
  if (known) return [...known];
  const found = await findInReplay(
    catalog,
    file,
    given,
    record,
    { signal, git, isQuick },
    function* ({ events, replayed, current, texts }) {
      return events.length === 0 ? [] : originsOf(yield* claiming(replayed, current, texts), events);
    },
  );
  if (key !== undefined) keepRecent(cache, key, found, (one) => one.length + 1, MAX_CACHED);
  return [...found];
}

/** Makes ranges of claims; `events` are the replayed events. */
export function originsOf(claims: readonly (LineClaim | undefined)[], events: readonly TimedEvent[]): LineOrigin[] {
  const found: LineOrigin[] = [];
  for (let at = 0; at < claims.length; at++) {
    const claim = claims[at];
    const source = claim && events[claim.origin]?.source;
    if (!source) continue;
    const from = at + 1;
    while (claims[at + 1]?.origin === claim.origin && claims[at + 1]?.certainty === claim.certainty) at++;
    const { path, entryId, promptId, time } = source;
    found.push({ from, to: at + 1, path, entryId, ...defined({ promptId }), time, certainty: claim.certainty });
  }
  return found;
}

/** Identifies the known facts about a file; `undefined` if a change of the repository couldn't be noticed. */
async function recordKey(catalog: Catalog, file: string, git: boolean): Promise<string | undefined> {
  const path = resolve(expandPath(file, homedir()));
  // The thread of the catalog answers while the disk is asked.
  const [paths, ownTouches] = await Promise.all([pathsOf(path), catalog.touching(path)]);
  const [state, others] = await Promise.all([
    git ? stateOfRepository(lastOf(paths)) : Promise.resolve(''),
    Promise.all(paths.slice(1).map((other) => catalog.touching(other))),
  ]);
  if (state === undefined) return undefined;
  const hash = createHash('sha256');
  for (const ofPath of [ownTouches, ...others]) {
    for (const touch of ofPath) {
      const version = catalog.files().get(touch.path)?.version;
      hash.update(JSON.stringify([touch, version?.size, version?.mtimeMs]));
    }
  }
  return JSON.stringify([paths, git, state, hash.digest('hex')]);
}

async function stateOfRepository(path: string): Promise<string | undefined> {
  const repository = await repositoryOf(path);
  return repository === undefined ? '' : repositoryState(repository);
}

/** Returns the text of a file; `undefined` if there is none. @throws {SessionError} if it can't be read */
export async function textOnDisk(file: string): Promise<string | undefined> {
  const path = resolve(expandPath(file, homedir()));
  try {
    return (await readSmallFile(path, { maxBytes: MAX_FILE_BYTES })).toString('utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** @throws {SessionError} `invalid` for content that isn't text or is too large */
export function assertText(text: string, file: string): void {
  if (text.includes('\0'))
    throw new SessionError('invalid', 'Can’t find the origin of lines because this file isn’t text: {path}', { path: file });
  if (text.length > MAX_FILE_BYTES || linesOf(text).length > MAX_LINES)
    throw new SessionError('invalid', 'Can’t find the origin of lines because this file is too large: {path}', { path: file });
}
