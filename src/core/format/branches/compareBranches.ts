/** Compares two branches: their common ancestor, and the activity on each since then. Needs heads only. */
import type { EntryHead } from '../entry/entryHead';
import { SessionError } from '../entry/problem';
import type { EntryTraits } from '../columns/headSource';
import { headsOf } from '../linking/headsById';
import { assertEntry } from '../session/requireEntry';
import type { Session } from '../session/session';
import { finishSteps, STEP_LENGTH, type Steps } from '../session/steps';
import { activityTime, activityTimeAt, pathMarks, pathPlaces } from '../session/treeTraversal';
import { totalsOf, UsageAccumulator, type UsageTotals } from '../session/costs/usageTotals';

/** A branch to compare, by its last entry. Without `entryId` that's the session's leaf. */
export interface ComparedBranch {
  readonly session: Session;
  readonly entryId?: string;
}

/**
 * Returns the id of the last entry that both paths contain; `null` if they have none in common. Across files, entries
 * are the same if a fork copied them, which keeps id, type and time. FORMAT section 5.
 *
 * @throws {SessionError} `unknown-entry`; `invalid` if both are the same entry of the same session.
 */
export function commonAncestor(left: ComparedBranch, right: ComparedBranch): string | null {
  return finishSteps(commonAncestorSteps(left, right));
}

/** Does the same as {@link commonAncestor} in steps. Makes no head that it keeps. */
export function* commonAncestorSteps(left: ComparedBranch, right: ComparedBranch): Steps<string | null> {
  const [end, otherEnd] = [endOf(left), endOf(right)];
  const isOneFile = left.session.path === right.session.path;
  if (isOneFile && end === otherEnd)
    throw new SessionError('invalid', 'Both sides are the same entry of the same session. Select two different entries.');
  const [heads, others] = [headsOf(left.session), headsOf(right.session)];
  const path = pathPlaces(heads, end);
  yield;
  const isShared = pathMarks(others, otherEnd);
  for (const [index, place] of path.reverse().entries()) {
    if (index % STEP_LENGTH === 0) yield;
    const id = heads.idAt(place);
    const other = others.placeOf(id);
    if (other !== undefined && isShared[other] === 1 && (isOneFile || isCopy(heads.peek(place), others.peek(other)))) return id;
  }
  return null;
}

/** Compares more than ids, which are only eight characters long and in old files derived from an entry's index in its file. */
const isCopy = (a: EntryHead, b: EntryHead): boolean => a.type === b.type && a.role === b.role && a.timestamp === b.timestamp;

/**
 * Returns the places of the entries of a path after the last one that it shares with the path to `since`. Makes no head.
 *
 * @param since id of an entry of the session; `null` returns the whole path.
 * @throws {SessionError} `unknown-entry`
 */
export function placesSince(side: ComparedBranch, since: string | null): number[] {
  const heads = headsOf(side.session);
  const path = pathPlaces(heads, endOf(side));
  const isShared = pathMarks(heads, since);
  return path.slice(path.findLastIndex((place) => isShared[place] === 1) + 1);
}

/** Returns the id of a branch's last entry. @throws {SessionError} `unknown-entry` */
function endOf({ session, entryId }: ComparedBranch): string | null {
  if (entryId !== undefined) assertEntry(session, entryId);
  return entryId ?? session.leafId;
}

/** The activity in some entries. */
export interface ActivitySummary {
  readonly userMessages: number;
  readonly messages: number;
  /** By the number of results, highest first. */
  readonly tools: readonly { readonly name: string; readonly calls: number; readonly failed: number }[];
  readonly usage: UsageTotals;
  /** The earliest and the latest time, in milliseconds since 1970, except for labels and names; absent if no entry has a time. */
  readonly timeRange?: { readonly from: number; readonly to: number };
}

/** Summarizes entries: turns, messages, tools, usage and time. FORMAT section 5. */
export function activitySummary(heads: readonly EntryHead[]): ActivitySummary {
  const activity = new ActivityCounter();
  for (const head of heads) activity.add(head, activityTime(head) ?? head.time);
  return activity.summary(totalsOf(heads));
}

/** Like `activitySummary`, for the entries at some places, in steps. Makes no head. */
export function* activityAt(session: Pick<Session, 'byId'>, places: readonly number[]): Steps<ActivitySummary> {
  const heads = headsOf(session);
  const activity = new ActivityCounter();
  const usage = new UsageAccumulator();
  for (const [index, place] of places.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    const traits = heads.traitsAt(place);
    activity.add(traits, activityTimeAt(heads, place) ?? heads.timeAt(place));
    const used = heads.usageAt(place);
    if (used) usage.addUsage(traits, used);
  }
  return activity.summary(usage.totals());
}

class ActivityCounter {
  private userMessages = 0;
  private messages = 0;
  private from = Infinity;
  private to = 0;
  private readonly tools = new Map<string, { name: string; calls: number; failed: number }>();

  /** @param time in milliseconds since 1970; 0 if there is none */
  add({ type, role, toolName: name = '?', isError }: EntryTraits, time: number): void {
    if (type === 'message') this.messages++;
    if (role === 'user') this.userMessages++;
    if (role === 'toolResult') {
      let tool = this.tools.get(name);
      if (!tool) this.tools.set(name, (tool = { name, calls: 0, failed: 0 }));
      tool.calls++;
      if (isError) tool.failed++;
    }
    // A label or a name says nothing about when the conversation went on.
    if (time === 0 || type === 'label' || type === 'session_info') return;
    this.from = Math.min(this.from, time);
    this.to = Math.max(this.to, time);
  }

  summary(usage: UsageTotals): ActivitySummary {
    const { userMessages, messages, from, to } = this;
    return {
      userMessages,
      messages,
      tools: [...this.tools.values()].sort((a, b) => b.calls - a.calls),
      usage,
      ...(to === 0 ? {} : { timeRange: { from, to } }),
    };
  }
}
