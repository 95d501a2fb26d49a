/** Decides what leads a file to a point: from its recorded states and what the disk has now. */
import { defined } from '../values/defined';
import type { Steps } from '../session/steps';
import { leftReason, type LeftReason } from './leftReasons';
import { isEncodable } from './planChecks';
import type { PlannedFile, PlannedState } from './restorePlan';
import { stateReason } from './stateReasons';
import { mergeTexts } from './threeWay';

/** A state of a file, as far as it's known. `parts`: only some of its lines are. */
export interface RecordedState {
  readonly certainty: 'exact' | 'likely' | 'parts';
  readonly text: string;
  /** True if there was no file. */
  readonly isAbsent?: true;
}

/** The record of a file at a point and after it. */
export interface RecordedFile {
  /** The absolute path. */
  readonly file: string;
  /** The state at the point; `undefined` if nothing is known. */
  readonly at: RecordedState | undefined;
  /** Says which evidence is missing; there unless `at` is exact. */
  readonly reason?: string | undefined;
  /** The state after the last recorded event: the base of merges. */
  readonly last: RecordedState | undefined;
  /** True if something was recorded after the point. */
  readonly isTouchedAfter: boolean;
  /** The changes after the point, in their order, that no session recorded: a recorded edit or reading found another text than the one before it had left. */
  readonly gaps?: readonly ForeignChange[] | undefined;
  /** Returns true if the file had this text after some recorded event; `undefined` stands for no file. Then it isn't a person's. */
  readonly wasRecorded: (text: string | undefined) => boolean;
}

/** A change from one text to another; `undefined` stands for no file. */
export interface ForeignChange {
  readonly from: string | undefined;
  readonly to: string;
}

/** Something at a file's path, or nothing. `other`: something that is never replaced; the reason is a sentence. */
export type FoundFile =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string; readonly state: PlannedState }
  | { readonly kind: 'other'; readonly reason: LeftReason; readonly state?: PlannedState };

type Decision = Pick<PlannedFile, 'action' | 'text' | 'reason'>;

/** Plans a file. @param include the least certainty of states that are written */
export function* planFile(recorded: RecordedFile, found: FoundFile, include: 'exact' | 'likely'): Steps<PlannedFile> {
  const { file, at, reason = stateReason('unrecorded') } = recorded;
  const was = found.kind === 'none' ? null : (found.state ?? null);
  const certainty = at === undefined || at.certainty === 'parts' ? 'unknown' : at.certainty;
  const doubt = certainty === 'exact' ? {} : { reason };
  if (found.kind === 'other') return { file, certainty, was, action: 'left', reason: leftReason(found.reason) };
  if (at === undefined || certainty === 'unknown') return { file, certainty, was, action: 'left', reason };
  const want = textOf(at);
  if (want !== undefined && !isEncodable(want)) return { file, certainty, was, action: 'left', reason: leftReason('notEncoded') };
  const decided = yield* decide(recorded, want, found.kind === 'text' ? found.text : undefined);
  if (decided.action !== 'none' && certainty === 'likely' && include === 'exact') return { file, certainty, was, action: 'left', ...doubt };
  return { file, certainty, was, ...doubt, ...decided };
}

/** @param want the text at the point @param have the text on the disk; `undefined` stands for no file */
function* decide(recorded: RecordedFile, want: string | undefined, have: string | undefined): Steps<Decision> {
  if (have === want) return NOTHING;
  if (have === undefined) return { action: 'create', text: want ?? '' };
  const changes = foreignChanges(recorded, have);
  if (typeof changes === 'string') return changes === 'none' ? NOTHING : conflict(want, changes);
  let text = want;
  for (const { from, to } of changes) {
    if (from === text) {
      text = to;
      continue;
    }
    if (text === undefined || from === undefined) return conflict(want, text === undefined ? 'changedNewFile' : 'overlap');
    const merged = yield* mergeTexts({ base: from, theirs: text, mine: to });
    if (merged.kind !== 'merged') return conflict(want, merged.kind);
    text = merged.text;
  }
  if (text === have) return NOTHING;
  if (text === undefined) return { action: 'delete' };
  return { action: text === want ? 'write' : 'merge', text };
}

/**
 * Returns the changes in a text on the disk that no session recorded, in their order: those must be kept. `none` if there are no
 * others since the point.
 */
function foreignChanges(
  { last, isTouchedAfter, wasRecorded, gaps = [] }: RecordedFile,
  have: string,
): ForeignChange[] | 'none' | LeftReason {
  const isKnown = last !== undefined && last.certainty !== 'parts';
  // Someone went back to this state, so what was changed after it isn't there any more.
  if (wasRecorded(have)) return isKnown && textOf(last) === have ? [...gaps] : [];
  if (!isTouchedAfter) return 'none';
  if (!isKnown) return 'noBase';
  const base = textOf(last);
  return base === have ? [...gaps] : [...gaps, { from: base, to: have }];
}

const NOTHING: Decision = { action: 'none' };
const conflict = (text: string | undefined, reason: LeftReason): Decision => ({
  action: 'conflict',
  reason: leftReason(reason),
  ...defined({ text }),
});
const textOf = ({ text, isAbsent }: RecordedState): string | undefined => (isAbsent ? undefined : text);
