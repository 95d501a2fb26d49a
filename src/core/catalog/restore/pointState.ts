/** The state of one file at an entry, and what else a plan that leads there needs to know about it. */
import { createHash } from 'node:crypto';
import type { Yielder } from '../../files/concurrency/eventLoop';
import { defined } from '../../format/entry/defined';
import { textBefore } from '../../format/lineOrigins/versions/textBefore';
import type { VersionEvent } from '../../format/lineOrigins/versions/foundVersion';
import { VersionFinder } from '../../format/lineOrigins/versions/versionFinder';
import type { ForeignChange } from '../../format/restore/planFile';
import { stateReason, type StateReason } from '../../format/restore/stateReasons';
import type { DiskText } from '../origins/diskText';
import type { FileEvents, TimedEvent } from '../origins/fileEvents';
import {
  knownState,
  lastUntil,
  momentOf,
  movedHere,
  versionEvents,
  type EntryOf,
  type KnownState,
  type Moment,
} from '../origins/fileStates';
import { isOneOf } from '../origins/sessionEdits';
import { unrecordedChanges } from './unrecordedChanges';

export interface PointState {
  /** The absolute path on this machine. */
  readonly file: string;
  /** The file after the entry; `undefined` if nothing is known about it. */
  readonly at: KnownState | undefined;
  /** The missing evidence, as `FileAtPoint.reason`; there unless `at` is exact. */
  readonly reason?: string;
  /**
   * The file after the last recorded event of any session. `undefined` if nothing is known about it. If only today's disk
   * contradicts it, it's likely.
   */
  readonly last: KnownState | undefined;
  /** True if a recorded edit or deletion is later than the entry. */
  readonly isTouchedAfter: boolean;
  /** True if the file had exactly this text before or after some recorded edit; `undefined` for its absence. Such a file isn't a person's. */
  readonly wasRecorded: (text: string | undefined) => boolean;
  /** A person's changes between recorded events after the entry, in their order. */
  readonly gaps: readonly ForeignChange[];
}

/** A text that the whole file certainly had at a time, which no session recorded. */
export interface TextAtTime {
  /** In milliseconds since 1970. */
  readonly time: number;
  /** `undefined` if there was no file. */
  readonly text: string | undefined;
  /** True if a restore wrote it. */
  readonly isWritten?: boolean;
}

/** The point that a state is asked for. */
export interface Point {
  readonly ref: EntryOf;
  /** When the last call ran that the state includes, in milliseconds since 1970. */
  readonly time: number;
  /** Returns what may have changed the file from a time to the point. */
  readonly ran: Moment['ran'];
}

/** @throws the signal's reason if aborted */
export async function pointState(
  file: string,
  record: FileEvents,
  point: Point,
  disk: DiskText,
  evidence: readonly TextAtTime[],
  pause: Yielder,
): Promise<PointState> {
  const events = withEvidence(record.events, evidence);
  const isOwn = isOneOf([file]);
  const facts = versionEvents(events, isOwn);
  const at = lastUntil(events, point.time, point.ref);
  const { last, recorded } = await lastState(events, facts, disk, pause);
  const { state, reason } =
    movedHere(events, [file]) > at ? absentBefore : await stateAt(events, facts, at, point, { disk, recorded, pause });
  const written = new Set(evidence.flatMap(({ time, isWritten }) => (isWritten ? [time] : [])));
  const query = {
    at,
    times: events.map(({ time }) => time),
    isOwn: (index: number) => isEvidence(events[index]) && written.has(events[index]?.time ?? -1),
    ran: async (since: number, until: number) => (await point.ran(since, until)) === 'commands',
  };
  return {
    file,
    gaps: await unrecordedChanges(facts, query, pause),
    at: state,
    ...defined({ reason: reason === undefined ? undefined : stateReason(reason) }),
    last,
    isTouchedAfter: events.slice(at + 1).some(({ source }) => source !== undefined),
    wasRecorded: (text) => recorded.has(text),
  };
}

interface FoundState {
  readonly state: KnownState | undefined;
  readonly reason?: StateReason;
}

const absentBefore: FoundState = { state: { certainty: 'likely', text: '', isAbsent: true, reason: 'later' }, reason: 'before' };

async function stateAt(
  events: readonly TimedEvent[],
  facts: readonly VersionEvent[],
  at: number,
  { ref, time, ran }: Point,
  { disk, recorded, pause }: { readonly disk: DiskText; readonly recorded: RecordedTexts; readonly pause: Yielder },
): Promise<FoundState> {
  const found =
    at < 0
      ? undefined
      : await knownState(events, facts, { at, moment: await momentOf(events[at], time, ref, ran), ran, time }, disk, pause);
  if (found && !('gap' in found)) {
    if (found.certainty === 'exact') return { state: found };
    return { state: found, reason: found.reason === 'later' && !disk.isKnown ? 'unreadable' : found.reason };
  }
  const before = await pause.run(textBefore(facts, at, disk.text));
  // Only a command before the point can have made the change that something later shows.
  const isChangedBefore =
    before && (await ran(events[at]?.time ?? -Infinity)) && !(await ran(time + 1, events[before.shownBy]?.time ?? Infinity));
  const guess = found?.guess && !isChangedBefore ? found.guess : before;
  if (guess) {
    const { text, isAbsent } = guess;
    if (at < 0) recorded.add(isAbsent ? undefined : text);
    return { state: likely(text, isAbsent), reason: guess === before ? 'reversed' : 'changed' };
  }
  if (found) return { state: undefined, reason: found.gap };
  const first = facts.find((fact) => fact.kind !== 'commit');
  return first?.kind === 'edit' && first.edit.text !== undefined ? absentBefore : { state: undefined, reason: 'unwritten' };
}

/** Returns the state after all events, and the texts that the file had before and after each edit. */
async function lastState(
  events: readonly TimedEvent[],
  facts: readonly VersionEvent[],
  disk: DiskText,
  pause: Yielder,
): Promise<{ readonly last: KnownState | undefined; readonly recorded: RecordedTexts }> {
  const recorded = new RecordedTexts();
  const finder = new VersionFinder(facts.length - 1, 'later', disk.text, disk.isKnown);
  let isFirst = true;
  for (const fact of facts) {
    const isEdit = fact.kind === 'edit' && fact.edit.isCertain;
    if (isEdit) {
      const { before, text } = fact.edit;
      if (before !== undefined) recorded.add(before);
      if (isFirst && finder.state() === undefined && before === undefined && text !== undefined) recorded.add(undefined);
      if (finder.state() !== undefined) recorded.add(finder.isAbsent() ? undefined : finder.state());
      isFirst = false;
    }
    await pause.run(finder.add(fact));
    if (isEdit && finder.state() !== undefined) recorded.add(finder.isAbsent() ? undefined : finder.state());
    await pause.yieldIfDue();
  }
  const found = finder.result();
  if (found.kind === 'gap') {
    const { guess } = found;
    return { recorded, last: guess && likely(guess.text, guess.isAbsent) };
  }
  const { text, isAbsent, isProven, doubt } = found;
  const state = isAbsent ? { text, isAbsent: true as const } : { text };
  return { recorded, last: isProven && doubt === undefined ? { certainty: 'exact', ...state } : likely(text, isAbsent) };
}

const likely = (text: string, isAbsent: boolean): KnownState =>
  isAbsent ? { certainty: 'likely', text, isAbsent, reason: 'later' } : { certainty: 'likely', text, reason: 'later' };

/** The texts that a file had, and its absence, in little memory. */
class RecordedTexts {
  private readonly hashes = new Set<string | undefined>();

  add(text: string | undefined): void {
    this.hashes.add(hashOf(text));
  }

  has(text: string | undefined): boolean {
    return this.hashes.has(hashOf(text));
  }
}

const hashOf = (text: string | undefined): string | undefined =>
  text === undefined ? undefined : createHash('sha256').update(text).digest('base64');

const isEvidence = (event: TimedEvent | undefined): boolean => event?.reading?.path === '';

function withEvidence(events: readonly TimedEvent[], evidence: readonly TextAtTime[]): readonly TimedEvent[] {
  if (evidence.length === 0) return events;
  const more = evidence.map(({ time, text }): TimedEvent => {
    const shown = text === undefined ? undefined : { file: '', text, isWhole: true, from: 0, isEndRecorded: true };
    return {
      time,
      event: { kind: 'text', text: text ?? '', isWhole: true },
      reading: { path: '', entryId: '', file: '', time, text: text ?? '', isWhole: true, shown },
    };
  });
  return [...events, ...more].sort((a, b) => a.time - b.time);
}
