/** Compares two branches: their common ancestor, and the activity on each since then. Needs heads only. */
import type { EntryHead } from '../entry/entryHead';
import { SessionError } from '../entry/problem';
import type { EntryTraits } from '../columns/headSource';
import { headsOf } from '../linking/headsById';
import { assertEntry } from '../session/requireEntry';
import type { Session } from '../session/session';
import { STEP_LENGTH, type Steps } from '../session/steps';
import { activityTime, activityTimeAt, forkPoint, pathTo } from '../session/treeTraversal';
import { totalsOf, UsageAccumulator, type UsageTotals } from '../session/usageTotals';

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
  const [a, b] = [pathOf(left), pathOf(right)];
  if (left.session.path !== right.session.path) return commonAncestorAcrossFiles(a, b);
  if (a.at(-1)?.id === b.at(-1)?.id)
    throw new SessionError('invalid', 'Both sides are the same entry of the same session. Select two different entries.');
  return forkPoint(a, b) ?? null;
}

/**
 * Returns the entries of a path after the last one that it shares with the path to `since`.
 *
 * @param since id of an entry of the session; `null` returns the whole path.
 * @throws {SessionError} `unknown-entry`
 */
export function entriesSince(side: ComparedBranch, since: string | null): EntryHead[] {
  const path = pathOf(side);
  if (since === null) return path;
  const shared = forkPoint(path, pathTo(side.session, since));
  return path.slice(path.findIndex((head) => head.id === shared) + 1);
}

function pathOf({ session, entryId }: ComparedBranch): EntryHead[] {
  if (entryId !== undefined) assertEntry(session, entryId);
  return pathTo(session, entryId ?? session.leafId);
}

/** Compares more than ids, which are only eight characters long and in old files derived from an entry's index in its file. */
function commonAncestorAcrossFiles(a: readonly EntryHead[], b: readonly EntryHead[]): string | null {
  const inB = new Map(b.map((head) => [head.id, head]));
  const shared = a.findLast((head) => {
    const other = inB.get(head.id);
    return other?.type === head.type && other.role === head.role && other.timestamp === head.timestamp;
  });
  return shared?.id ?? null;
}

/** The activity in some entries. */
export interface ActivitySummary {
  readonly userMessages: number;
  readonly messages: number;
  /** By the number of results, highest first. */
  readonly tools: readonly { readonly name: string; readonly calls: number; readonly failed: number }[];
  readonly usage: UsageTotals;
  /** The earliest and the latest time, in milliseconds since 1970; absent if no entry has a time. */
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
    if (time === 0) return;
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
