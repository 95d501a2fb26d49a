/** The state of a single entry's branch, for hits of a search: from heads alone. */
import { headsOf } from '../linking/headsById';
import { plainRow } from '../entry/plainRow';
import { assertEntry } from '../session/requireEntry';
import type { Session } from '../session/session';
import type { Steps } from '../session/steps';
import { pathMarks } from '../session/treeTraversal';
import { branchPart } from './branchPart';

export interface BranchState {
  /** `left`: the session goes on elsewhere. */
  readonly state: 'active' | 'left';
  /** For an entry that was left: the tip of the branch that the person went on with at the nearest fork above, and the prompt there. */
  readonly replacedBy?: { readonly id: string; readonly prompt: string };
}

/**
 * Returns whether an entry is on the active branch, and what replaced its branch if it isn't.
 *
 * @throws {SessionError} `unknown-entry`
 */
export function* branchState(session: Session, entryId: string): Steps<BranchState> {
  assertEntry(session, entryId);
  const heads = headsOf(session);
  const place = heads.placeOf(entryId);
  if (place !== undefined && pathMarks(heads, session.leafId)[place] === 1) return { state: 'active' };
  const part = yield* branchPart(session, entryId);
  const next = part?.replacedBy;
  if (!next) return { state: 'left' };
  const prompt = next.prompt === undefined ? undefined : heads.at(next.prompt);
  return { state: 'left', replacedBy: { id: heads.idAt(next.tip), prompt: prompt ? plainRow(prompt) : '' } };
}
