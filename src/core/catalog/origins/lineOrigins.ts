/** Finds the message and session that each line of a file comes from, and the file as it was after a message. */
import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { homedir } from 'node:os';
import { SessionError } from '../../format/entry/problem';
import { UNKNOWN } from '../../format/lineOrigins/alignLines';
import { claiming } from '../../format/lineOrigins/claimLines';
import type { LineClaim, OriginCertainty } from '../../format/lineOrigins/lineClaim';
import { MAX_LINES } from '../../format/lineOrigins/replay/lineDocument';
import { LineTexts, linesOf } from '../../format/lineOrigins/lineTexts';
import { replaying } from '../../format/lineOrigins/replay/replayFile';
import { workSteps } from '../../format/lineOrigins/work';
import { touchKindOfTool } from '../../format/toolCalls/fileTouches';
import type { Session } from '../../format/session/session';
import { Yielder } from '../../files/concurrency/eventLoop';
import { isMissing } from '../../files/io/fileErrors';
import { repositoryOf, repositoryState } from '../../files/git/fileCommits';
import { expandPath } from '../../files/locate/roots';
import { readSmallFile } from '../../files/io/smallFile';
import { defined } from '../../format/entry/defined';
import { lastOf } from '../../format/entry/lookups';
import type { Catalog } from '../catalogApi';
import { keepRecent } from '../keepRecent';
import { timeOf } from './entryTime';
import { fileEvents, pathsOf, type TimedEvent } from './fileEvents';
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
  /** The text as the editor has it; by default that of the disk. */
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
 * Returns the origins of a file's lines, in order and not overlapping. Lines of unknown origin are left out: those that
 * people wrote, and those whose origin is uncertain. See docs/LINE-ORIGINS.md.
 *
 * @throws {SessionError} `invalid` for a file that is no text or too large
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

/** Makes ranges of claims; `events` are what was replayed. */
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

/** Identifies what is known about a file; `undefined` if a change of the repository couldn't be noticed. */
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

async function textOnDisk(file: string): Promise<string | undefined> {
  const path = resolve(expandPath(file, homedir()));
  try {
    return (await readSmallFile(path, { maxBytes: MAX_FILE_BYTES })).toString('utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** @throws {SessionError} `invalid` for what is no text or too large */
export function assertText(text: string, file: string): void {
  if (text.includes('\0'))
    throw new SessionError('invalid', 'Can’t find the origin of lines because this file isn’t text: {path}', { path: file });
  if (text.length > MAX_FILE_BYTES || linesOf(text).length > MAX_LINES)
    throw new SessionError('invalid', 'Can’t find the origin of lines because this file is too large: {path}', { path: file });
}

/** The file as it was after an entry. */
export interface FileAt {
  readonly text: string;
  /** True if the text is certain: it was written or read as a whole, and nothing else ran since. */
  readonly exact: boolean;
}

/**
 * Returns a file as it was after an entry: after the calls of a message and all that ran before them in time, in any session.
 * `undefined` if nothing is known about the file at that time.
 *
 * @throws {SessionError} `unknown-entry`, and as `Catalog.session`
 * @throws the signal's reason if aborted
 */
export async function fileAt(
  catalog: Catalog,
  file: string,
  ref: { readonly path: string; readonly entryId: string },
  options: Omit<LineOriginsOptions, 'text'> = {},
): Promise<FileAt | undefined> {
  const session = await catalog.session(ref.path);
  const end = endOf(session, ref.entryId);
  const { events, sessions } = await fileEvents(catalog, file, options);
  // A result's own time may be that of its call.
  const before = events.filter(({ time, source }) => time <= end || (source?.path === session.path && source.entryId === ref.entryId));
  if (before.length === 0) return undefined;
  const texts = new LineTexts();
  const pause = new Yielder(options.signal);
  const states = before.map(({ event }) => event);
  const { document, isComplete } = await pause.run(workSteps(replaying(states, undefined, texts)));
  const known = document.lines.filter((line) => line !== UNKNOWN);
  const isWhole = isComplete && document.isWhole && known.length === document.lines.length;
  return {
    text: known.map((line) => texts.text(line)).join(lineBreakOf(before)),
    exact: isWhole && !(await ranCommands(catalog, [ref.path, ...sessions], timeOfLastWholeText(before), end)),
  };
}

/** The time of the last result of an entry's calls, else of the entry. */
function endOf(session: Session, entryId: string): number {
  const head = session.byId.get(entryId);
  if (!head) throw new SessionError('unknown-entry', 'This session has no entry {id}.', { id: entryId });
  let end = timeOf(head);
  if (head.role !== 'assistant') return end;
  const after = new Set([head.id]);
  for (const one of session.entries) {
    if (one.line <= head.line || one.parentId === null || !after.has(one.parentId) || one.role !== 'toolResult') continue;
    after.add(one.id);
    end = Math.max(end, timeOf(one));
  }
  return end;
}

/** The time of the last event that had the whole text. */
export function timeOfLastWholeText(events: readonly TimedEvent[]): number {
  const whole = events.findLast(({ event }) => (event.kind === 'edit' ? event.edit.text !== undefined : event.isWhole));
  return whole?.time ?? -Infinity;
}

/** Tools that change no file. */
const HARMLESS_TOOLS = new Set(['grep', 'find', 'ls', 'search', 'glob', 'web_search', 'fetch', 'apply_patch']);

/** True if a command ran after one time and up to another: it may have changed the file. */
export async function ranCommands(catalog: Catalog, paths: readonly string[], since: number, until: number): Promise<boolean> {
  for (const path of new Set(paths)) {
    // A session that was deleted or torn a moment ago may have run one.
    const session = await catalog.session(path).catch(() => undefined);
    if (!session || hasCommand(session, since, until)) return true;
  }
  return false;
}

function hasCommand({ entries }: Session, since: number, until: number): boolean {
  return entries.some((head) => {
    const time = timeOf(head);
    if (time <= since || time > until) return false;
    if (head.role === 'bashExecution' || head.role === 'pythonExecution') return true;
    const tool = head.role === 'toolResult' ? head.toolName : undefined;
    return tool !== undefined && touchKindOfTool(tool) === undefined && !HARMLESS_TOOLS.has(tool.toLowerCase());
  });
}

/** The line breaks of the last text that is known as a whole. */
export function lineBreakOf(events: readonly TimedEvent[]): string {
  const texts = events.flatMap(({ event }) => (event.kind === 'text' ? [event.text] : (event.edit.text ?? event.edit.before ?? [])));
  return /\r?\n/.exec(texts.at(-1) ?? '')?.[0] ?? '\n';
}
