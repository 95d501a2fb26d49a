/**
 * Finds the text of a file before and after the calls of a message. If the whole text isn't known, nothing is made up:
 * only the changed parts are returned.
 */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { expandPath } from '../../files/locate/roots';
import { Yielder } from '../../files/concurrency/eventLoop';
import { isMissing } from '../../files/io/fileErrors';
import { UntrustedPaths } from '../../files/io/untrustedPaths';
import { SessionError } from '../../format/entry/problem';
import { changedParts, type ChangedParts } from '../../format/lineOrigins/versions/changedParts';
import { VersionFinder, type VersionDoubt, type VersionEvent, type VersionGap } from '../../format/lineOrigins/versions/versionFinder';
import { wholeText, type WholeText } from '../../format/lineOrigins/versions/wholeText';
import type { Session } from '../../format/session/session';
import type { Catalog } from '../catalogApi';
import { ranCommands } from './commandsBetween';
import { timeOf } from './entryTime';
import { fileEvents, pathsOf, type FileEventOptions, type TimedEvent } from './fileEvents';
import { textOnDisk } from './lineOrigins';
import { isOneOf } from './sessionEdits';

/** The text of a file after an entry. */
export interface FileAt {
  readonly text: string;
  /**
   * True if the text is certain: the whole text was recorded by a write, a reading or a commit; the later edits fit; nothing
   *
   */
  readonly exact: boolean;
}

/** A file at some time. */
export type FileState =
  /** `isAbsent`: the file wasn't there, and `text` is empty. */
  | { readonly certainty: 'exact'; readonly text: string; readonly isAbsent?: true }
  | { readonly certainty: 'likely'; readonly text: string; readonly isAbsent?: true; readonly reason: VersionDoubt }
  /** Only the changed parts are known: `text` has the parts of one side. */
  | { readonly certainty: 'parts'; readonly text: string; readonly reason: VersionGap };

/** An entry of a session. */
interface EntryOf {
  readonly path: string;
  readonly entryId: string;
}

/**
 * Returns the text of a file after an entry: after the calls of a message and all earlier calls of any session. `undefined`
 * if nothing is known about the file at that time, or if it wasn't there. If only the changed parts are known, the text consists of
 * them.
 *
 * @throws {SessionError} `unknown-entry`, and as `Catalog.session`
 * @throws the signal's reason if aborted
 */
export async function fileAt(catalog: Catalog, file: string, ref: EntryOf, options: FileEventOptions = {}): Promise<FileAt | undefined> {
  return asFileAt(await fileStateAt(catalog, file, ref, options));
}

/** Returns the text of a file just before a message changed it, like `fileAt`. `undefined` if the message didn't change the file. */
export async function fileBefore(
  catalog: Catalog,
  file: string,
  ref: EntryOf,
  options: FileEventOptions = {},
): Promise<FileAt | undefined> {
  return asFileAt(await fileStateBefore(catalog, file, ref, options));
}

const asFileAt = (state: FileState | undefined): FileAt | undefined =>
  state && !('isAbsent' in state) ? { text: state.text, exact: state.certainty === 'exact' } : undefined;

/** Like `fileAt`, with the reason why a text isn't certain. */
export async function fileStateAt(
  catalog: Catalog,
  file: string,
  ref: EntryOf,
  options: FileEventOptions = {},
): Promise<FileState | undefined> {
  const session = await catalog.session(ref.path);
  const end = endOf(session, ref.entryId);
  const { events, sessions } = await fileEvents(catalog, file, { ...options, isFull: true });
  const isOf = isOfEntry(ref);
  // A result may have the same time as its call.
  const at = events.findLastIndex((event) => event.time <= end || isOf(event));
  if (at < 0) return undefined;
  const isOwn = isOneOf(await pathsOf(file));
  const movedHere = events.findLastIndex(({ source }) => source?.movedTo !== undefined && isOwn(source.movedTo) && !isOwn(source.file));
  // Until then it had another name.
  if (movedHere > at) return { certainty: 'likely', text: '', isAbsent: true, reason: 'later' };
  const moment: Moment = {
    at,
    moment: !isOf(events[at]) && end > (events[at]?.time ?? -Infinity) ? 'later' : 'event',
    until: end,
    sessions: [ref.path, ...sessions],
    side: 'after',
  };
  return stateOf(catalog, file, events, moment, options);
}

/** Like `fileBefore`, with the reason why a text isn't certain. */
export async function fileStateBefore(
  catalog: Catalog,
  file: string,
  ref: EntryOf,
  options: FileEventOptions = {},
): Promise<FileState | undefined> {
  const { events, sessions } = await fileEvents(catalog, file, { ...options, isFull: true });
  const found = editOf(events, ref);
  const timed = events[found];
  if (timed?.event.kind !== 'edit') return undefined;
  const { before } = timed.event.edit;
  if (before !== undefined) return { certainty: 'exact', text: before };
  return stateOf(catalog, file, events, { at: found - 1, moment: 'next', until: timed.time, sessions, side: 'before' }, options);
}

/** Returns only the changes of a message in a file. `undefined` if it didn't change the file. */
export async function fileParts(
  catalog: Catalog,
  file: string,
  ref: EntryOf,
  options: FileEventOptions = {},
): Promise<ChangedParts | undefined> {
  const { events } = await fileEvents(catalog, file, { ...options, isFull: true });
  const at = editOf(events, ref);
  return at < 0 ? undefined : partsAt(events, at);
}

/** The place of the message's first edit, or -1. A fork's copy of the message has the same id, and only one of them is an event. */
function editOf(events: readonly TimedEvent[], { path, entryId }: EntryOf): number {
  const own = events.findIndex(({ source }) => source?.entryId === entryId && source.path === path);
  return own < 0 ? events.findIndex(({ source }) => source?.entryId === entryId) : own;
}

const isOfEntry =
  ({ path, entryId }: EntryOf) =>
  (event: TimedEvent | undefined): boolean => {
    const source = event?.source ?? event?.reading;
    return source?.path === path && source.entryId === entryId;
  };

interface Moment {
  /** The last event before the moment. */
  readonly at: number;
  /** In milliseconds since 1970. */
  readonly until: number;
  /** Sessions whose commands count. */
  readonly sessions: readonly string[];
  /** See `VersionFinder`. */
  readonly moment: ConstructorParameters<typeof VersionFinder>[1];
  /** The side of the next or last edit that is given if the text isn't known. */
  readonly side: keyof ChangedParts;
}

async function stateOf(
  catalog: Catalog,
  file: string,
  events: readonly TimedEvent[],
  { at, moment, until, sessions, side }: Moment,
  options: FileEventOptions,
): Promise<FileState> {
  const finder = new VersionFinder(at, moment, await currentText(file));
  const pause = new Yielder(options.signal);
  for (const event of versionEvents(events)) {
    await pause.run(finder.add(event));
    await pause.yieldIfDue();
  }
  const found = finder.result();
  if (found.kind === 'gap') return { certainty: 'parts', text: partsAt(events, side === 'before' ? at + 1 : at)[side], reason: found.gap };
  const { text, doubt, isProven } = found;
  const state = found.isAbsent ? { text, isAbsent: true as const } : { text };
  if (doubt !== undefined) return { certainty: 'likely', ...state, reason: doubt };
  const since = events[found.since]?.time ?? -Infinity;
  const isSafe = isProven || !(await ranCommands(catalog, file, sessions, { since, until, signal: options.signal }));
  return isSafe ? { certainty: 'exact', ...state } : { certainty: 'likely', ...state, reason: 'commands' };
}

/** Returns the parts of the file that the message with the event at a place changed, or the one before it that did. */
function partsAt(events: readonly TimedEvent[], place: number): ChangedParts {
  const { source } = events.slice(0, place + 1).findLast((one) => one.source !== undefined) ?? {};
  const own = source ? events.filter((one) => one.source?.entryId === source.entryId && one.source.path === source.path) : [];
  return changedParts(own.flatMap(({ event }) => (event.kind === 'edit' ? [event.edit] : [])));
}

/** Returns what each event says about the text as a whole. */
export function versionEvents(events: readonly TimedEvent[]): VersionEvent[] {
  /** The names that edits found the file under, after each place. */
  const later = new Set<string>();
  const aways = events.map(() => false);
  for (let at = events.length - 1; at >= 0; at--) {
    const source = events[at]?.source;
    if (!source) continue;
    // Unless the record goes on under the new name, the file was gone.
    aways[at] = source.movedTo !== undefined && source.movedTo !== source.file && later.size > 0 && !later.has(source.movedTo);
    later.add(source.file);
  }
  return events.map(({ event, reading }, at): VersionEvent => {
    if (event.kind === 'edit') return { kind: 'edit', edit: event.edit, isAway: aways[at] === true };
    return reading ? { kind: 'reading', shown: reading.shown } : { kind: 'commit', text: event.text };
  });
}

/** The text on the disk; `undefined` if there is none, or none that could have been recorded. */
async function currentText(file: string): Promise<WholeText | undefined> {
  const path = resolve(expandPath(file, homedir()));
  // A session may have named the file.
  if (await new UntrustedPaths().isRefused(path)) return undefined;
  try {
    const text = await textOnDisk(path);
    return text === undefined ? undefined : wholeText(text);
  } catch (error) {
    if (error instanceof SessionError || isMissing(error)) return undefined;
    throw error;
  }
}

/** The time of the last result of an entry's calls, else of the entry. */
export function endOf(session: Session, entryId: string): number {
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
