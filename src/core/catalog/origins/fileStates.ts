/**
 * Finds the text of a file before and after the calls of a message. If the whole text isn't known, nothing is made up:
 * only the changed parts are returned.
 */
import { Yielder } from '../../files/concurrency/eventLoop';
import { UntrustedPaths } from '../../files/io/untrustedPaths';
import { SessionError } from '../../format/entry/problem';
import { changedParts, type ChangedParts } from '../../format/lineOrigins/versions/changedParts';
import type { FoundVersion, VersionDoubt, VersionEvent, VersionGap } from '../../format/lineOrigins/versions/foundVersion';
import { VersionFinder } from '../../format/lineOrigins/versions/versionFinder';
import { joinReadings } from '../../format/lineOrigins/versions/joinReadings';
import type { Session } from '../../format/session/session';
import type { Catalog } from '../catalogApi';
import { currentText } from './diskText';
import { timeOf } from './entryTime';
import { fileEvents, pathsOf, type FileEventOptions, type TimedEvent } from './events/fileEvents';
import { InterruptionFinder, type Interruption } from './events/interruptionFinder';
import { isOneOf } from './events/sessionEdits';

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
  | { readonly certainty: 'likely'; readonly text: string; readonly isAbsent?: true; readonly reason: VersionDoubt | 'switched' }
  /** Only the changed parts are known: `text` has the parts of one side. */
  | { readonly certainty: 'parts'; readonly text: string; readonly reason: VersionGap };

/** An entry of a session. */
export interface EntryOf {
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
  const at = lastUntil(events, end, ref);
  if (at < 0) return undefined;
  // Until then it had another name.
  if (movedHere(events, await pathsOf(file)) > at) return { certainty: 'likely', text: '', isAbsent: true, reason: 'later' };
  const interruptions = new InterruptionFinder(catalog, options.signal);
  const names = await catalog.namesOf(file);
  const ran: Moment['ran'] = (since, until = end) => interruptions.between(names, [ref.path, ...sessions], since, until);
  const moment = await momentOf(events[at], end, ref, ran);
  return stateOf(file, events, { at, moment, ran, time: end, side: 'after' }, options, isOneOf(await pathsOf(file)));
}

/** Returns the place of the last event until an entry ended, or -1. A result may have the same time as its call. */
export function lastUntil(events: readonly TimedEvent[], end: number, ref: EntryOf): number {
  const isOf = isOfEntry(ref);
  return events.findLastIndex((event) => event.time <= end || isOf(event));
}

/** Returns the place of the last event that moved a file to one of its names, or -1. */
export function movedHere(events: readonly TimedEvent[], names: readonly string[]): number {
  const isOwn = isOneOf(names);
  return events.findLastIndex(({ source }) => source?.movedTo !== undefined && isOwn(source.movedTo) && !isOwn(source.file));
}

/** The moment of an event if the entry ended with it, else some time after it. */
export async function momentOf(event: TimedEvent | undefined, end: number, ref: EntryOf, ran: Moment['ran']): Promise<'event' | 'later'> {
  if (!event || event.time >= end) return 'event';
  // The other calls of the same message, unless they ran a command.
  return isOfEntry(ref)(event) && (await ran(event.time)) === undefined ? 'event' : 'later';
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
  const interruptions = new InterruptionFinder(catalog, options.signal);
  const names = await catalog.namesOf(file);
  const ran: Moment['ran'] = (since, until = timed.time) => interruptions.between(names, sessions, since, until);
  return stateOf(file, events, { at: found - 1, moment: 'next', ran, time: timed.time, side: 'before' }, options);
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

export interface Moment {
  /** The last event before the moment. */
  readonly at: number;
  /** See `VersionFinder`. */
  readonly moment: ConstructorParameters<typeof VersionFinder>[1];
  /** Returns what may have changed the file from one time to another, by default the moment. Both in milliseconds since 1970 */
  readonly ran: (since: number, until?: number) => Promise<Interruption | undefined>;
  /** In milliseconds since 1970. */
  readonly time: number;
}

async function stateOf(
  file: string,
  events: readonly TimedEvent[],
  moment: Moment & {
    /** The side of the next or last edit that is given if the text isn't known. */
    readonly side: keyof ChangedParts;
  },
  options: FileEventOptions,
  isOwn?: (path: string) => boolean,
): Promise<FileState> {
  const disk = await currentText(file, new UntrustedPaths());
  const { at, side } = moment;
  const finder = new VersionFinder(at, moment.moment, disk.text, disk.isKnown);
  const pause = new Yielder(options.signal);
  for (const fact of versionEvents(events, isOwn)) {
    await pause.run(finder.add(fact));
    await pause.yieldIfDue();
  }
  const found = await knownState(finder, events, moment);
  if (!('gap' in found)) return found;
  return { certainty: 'parts', text: partsAt(events, side === 'before' ? at + 1 : at)[side], reason: found.gap };
}

/** A state of a whole file. */
export type KnownState = Exclude<FileState, { certainty: 'parts' }>;

/** Returns the state that a finder has found after all events, or why it isn't known. @param moment the one that the finder was made for */
export async function knownState(
  finder: VersionFinder,
  events: readonly TimedEvent[],
  { ran, time }: Pick<Moment, 'ran' | 'time'>,
): Promise<KnownState | Extract<FoundVersion, { kind: 'gap' }>> {
  const found = finder.result();
  if (found.kind === 'gap') return found;
  const { text, doubt, isProven } = found;
  const state = found.isAbsent ? { text, isAbsent: true as const } : { text };
  if (doubt !== undefined) return { certainty: 'likely', ...state, reason: doubt };
  const since = events[found.since]?.time ?? -Infinity;
  const { provenBy } = found;
  const before = isProven && provenBy === undefined ? undefined : await ran(since);
  const isUndone = before !== undefined && provenBy !== undefined ? await ran(time + 1, events[provenBy]?.time ?? Infinity) : undefined;
  // Files that were set back may have been set to their later state again before the proof. What one command made, in the place of a
  // file whose deletion was committed, another one often removes.
  const mayHaveReturned = isUndone === before && (before === 'switched' || (found.isAbsent && isCommitted(events[found.since])));
  const reason = isProven && !mayHaveReturned ? undefined : before;
  return reason === undefined ? { certainty: 'exact', ...state } : { certainty: 'likely', ...state, reason };
}

const isCommitted = (timed: TimedEvent | undefined): boolean => timed?.event.kind === 'text' && timed.reading === undefined;

/** Returns the parts of the file that the message with the event at a place changed, or the one before it that did. */
function partsAt(events: readonly TimedEvent[], place: number): ChangedParts {
  const { source } = events.slice(0, place + 1).findLast((one) => one.source !== undefined) ?? {};
  const own = source ? events.filter((one) => one.source?.entryId === source.entryId && one.source.path === source.path) : [];
  return changedParts(own.flatMap(({ event }) => (event.kind === 'edit' ? [event.edit] : [])));
}

/** Returns what each event says about the text as a whole. @param isOwn true for the names of the file that is asked about */
export function versionEvents(events: readonly TimedEvent[], isOwn?: (path: string) => boolean): VersionEvent[] {
  /** The names that edits found the file under, after each place. */
  const later = new Set<string>();
  const aways = events.map(() => false);
  for (let at = events.length - 1; at >= 0; at--) {
    const source = events[at]?.source;
    if (!source) continue;
    // Unless the record goes on under the new name, the file was gone.
    const { movedTo } = source;
    const isKept = movedTo !== undefined && (later.has(movedTo) || (isOwn ? isOwn(movedTo) : later.size === 0));
    aways[at] = movedTo !== undefined && movedTo !== source.file && !isKept;
    later.add(source.file);
  }
  const facts = events.map(({ event, reading, isAbsent: timedIsAbsent }, at): VersionEvent => {
    if (event.kind === 'edit') return { kind: 'edit', edit: event.edit, isAway: aways[at] === true };
    if (reading) return reading.shown ? { kind: 'reading', shown: reading.shown } : { kind: 'missing' };
    return { kind: 'commit', text: timedIsAbsent === true ? undefined : event.text };
  });
  return joinReadings(facts);
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
