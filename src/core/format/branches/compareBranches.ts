/** Compares two branches: their common ancestor, and the activity on each since then. Needs heads only. */
import type { EntryHead } from '../entry/entryHead';
import { SessionError } from '../entry/problem';
import { requireEntry } from '../session/requireEntry';
import type { Session } from '../session/session';
import { activityTime, forkPoint, pathTo } from '../session/treeTraversal';
import { totalsOf, type UsageTotals } from '../session/usageTotals';

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
  if (a.at(-1)?.id === b.at(-1)?.id) throw new SessionError('invalid', 'Both sides are the same place of the same session; choose two different ones.');
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
  if (entryId !== undefined) requireEntry(session, entryId);
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

/** Summarizes entries: turns, messages, tools, usage and time. */
export function activitySummary(heads: readonly EntryHead[]): ActivitySummary {
  let userMessages = 0;
  let messages = 0;
  let from = Infinity;
  let to = 0;
  const tools = new Map<string, { name: string; calls: number; failed: number }>();
  for (const head of heads) {
    if (head.type === 'message') messages++;
    if (head.role === 'user') userMessages++;
    if (head.role === 'toolResult') {
      const name = head.toolName ?? '?';
      let tool = tools.get(name);
      if (!tool) tools.set(name, (tool = { name, calls: 0, failed: 0 }));
      tool.calls++;
      if (head.isError) tool.failed++;
    }
    const time = activityTime(head) ?? head.time;
    if (time === 0) continue;
    from = Math.min(from, time);
    to = Math.max(to, time);
  }
  return {
    userMessages,
    messages,
    tools: [...tools.values()].sort((a, b) => b.calls - a.calls),
    usage: totalsOf(heads),
    ...(to === 0 ? {} : { timeRange: { from, to } }),
  };
}
