/** The state of one file at an entry, and what else a plan that leads there needs to know about it. */
import type { Yielder } from '../../files/concurrency/eventLoop';
import { defined } from '../../format/values/defined';
import { textBefore } from '../../format/lineOrigins/versions/textBefore';
import type { VersionEvent } from '../../format/lineOrigins/versions/foundVersion';
import { sharedApplyTo } from '../../format/lineOrigins/versions/editedText';
import { VersionFinder } from '../../format/lineOrigins/versions/versionFinder';
import type { ForeignChange } from '../../format/restore/planFile';
import { stateReason, type StateReason } from '../../format/restore/stateReasons';
import type { DiskText } from '../origins/diskText';
import type { FileEvents, TimedEvent } from '../origins/events/fileEvents';
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
import { isOneOf } from '../origins/events/sessionEdits';
import { recordedStates, type RecordedTexts } from './recordedStates';

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
  const isMovedLater = movedHere(events, [file]) > at;
  const apply = sharedApplyTo();
  const finderFor = (target: number, moment: 'event' | 'later'): VersionFinder =>
    new VersionFinder(target, moment, disk.text, disk.isKnown, apply);
  const last = finderFor(facts.length - 1, 'later');
  const finder = at < 0 || isMovedLater ? undefined : finderFor(at, await momentOf(events[at], point.time, point.ref, point.ran));
  const written = new Set(evidence.flatMap(({ time, isWritten }) => (isWritten ? [time] : [])));
  const query = {
    last,
    other: finder,
    at,
    times: events.map(({ time }) => time),
    isOwn: (index: number) => isEvidence(events[index]) && written.has(events[index]?.time ?? -1),
    ran: async (since: number, until: number) => (await point.ran(since, until)) === 'commands',
  };
  const { gaps, recorded } = await recordedStates(facts, query, pause);
  const { state, reason } = isMovedLater ? absentBefore : await stateAt(events, facts, at, point, { finder, disk, recorded, pause });
  return {
    file,
    gaps,
    at: state,
    ...defined({ reason: reason === undefined ? undefined : stateReason(reason) }),
    last: lastState(last),
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
  { time, ran }: Point,
  {
    finder,
    disk,
    recorded,
    pause,
  }: {
    readonly finder: VersionFinder | undefined;
    readonly disk: DiskText;
    readonly recorded: RecordedTexts;
    readonly pause: Yielder;
  },
): Promise<FoundState> {
  const found = finder && (await knownState(finder, events, { ran, time }));
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

/** Returns the state after all events. */
function lastState(finder: VersionFinder): KnownState | undefined {
  const found = finder.result();
  if (found.kind === 'gap') return found.guess && likely(found.guess.text, found.guess.isAbsent);
  const { text, isAbsent, isProven, doubt } = found;
  const state = isAbsent ? { text, isAbsent: true as const } : { text };
  return isProven && doubt === undefined ? { certainty: 'exact', ...state } : likely(text, isAbsent);
}

const likely = (text: string, isAbsent: boolean): KnownState =>
  isAbsent ? { certainty: 'likely', text, isAbsent, reason: 'later' } : { certainty: 'likely', text, reason: 'later' };

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
