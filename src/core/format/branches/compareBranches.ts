/** Two ways through sessions side by side: where they part, and what was done on each since. Over heads alone. */
import type { EntryHead } from '../entry/entryHead';
import { SessionError } from '../entry/problem';
import { requireEntry } from '../session/requireEntry';
import type { Session } from '../session/session';
import { activityTime, forkPoint, pathTo } from '../session/treeTraversal';
import { totalsOf, type UsageTotals } from '../session/usageTotals';

/** A place to compare: an entry, or without one the session's leaf. */
export interface ComparedBranch {
  readonly session: Session;
  readonly entryId?: string;
}

/**
 * The last entry that both ways have; `null` if they have nothing in common. In two files an entry is the same
 * one if it was copied by a fork, which keeps its id, its kind and its time.
 *
 * @throws {SessionError} `unknown-entry`; `invalid` where both are the same place.
 */
export function commonAncestor(left: ComparedBranch, right: ComparedBranch): string | null {
  const [a, b] = [pathOf(left), pathOf(right)];
  if (left.session.path !== right.session.path) return commonAncestorAcrossFiles(a, b);
  if (a.at(-1)?.id === b.at(-1)?.id) throw new SessionError('invalid', 'Both sides are the same place of the same session; choose two different ones.');
  return forkPoint(a, b) ?? null;
}

/**
 * What comes after a parting on the way to a place: everything behind the last entry that the way shares with the
 * one to `since`. `null` is before the first entry.
 *
 * @throws {SessionError} `unknown-entry`
 */
export function entriesSince(side: ComparedBranch, since: string | null): EntryHead[] {
  const way = pathOf(side);
  if (since === null) return way;
  const shared = forkPoint(way, pathTo(side.session, since));
  return way.slice(way.findIndex((head) => head.id === shared) + 1);
}

function pathOf({ session, entryId }: ComparedBranch): EntryHead[] {
  if (entryId !== undefined) requireEntry(session, entryId);
  return pathTo(session, entryId ?? session.leafId);
}

/** Ids are only eight characters, and those of old files come from places: an id alone proves nothing between files. */
function commonAncestorAcrossFiles(a: readonly EntryHead[], b: readonly EntryHead[]): string | null {
  const inB = new Map(b.map((head) => [head.id, head]));
  const shared = a.findLast((head) => {
    const other = inB.get(head.id);
    return other?.type === head.type && other.role === head.role && other.timestamp === head.timestamp;
  });
  return shared?.id ?? null;
}

/** What was done in some entries. */
export interface ActivitySummary {
  /** User messages. */
  readonly userMessages: number;
  readonly messages: number;
  /** By how often they answered, the busiest first. */
  readonly tools: readonly { readonly name: string; readonly calls: number; readonly failed: number }[];
  readonly usage: UsageTotals;
  /** When the first and the last of them was made, in milliseconds since 1970; absent where none has a time. */
  readonly timeRange?: { readonly from: number; readonly to: number };
}

export function activitySummary(heads: readonly EntryHead[]): ActivitySummary {
  let turns = 0;
  let messages = 0;
  let from = Infinity;
  let to = 0;
  const tools = new Map<string, { name: string; calls: number; failed: number }>();
  for (const head of heads) {
    if (head.type === 'message') messages++;
    if (head.role === 'user') turns++;
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
    userMessages: turns,
    messages,
    tools: [...tools.values()].sort((a, b) => b.calls - a.calls),
    usage: totalsOf(heads),
    ...(to === 0 ? {} : { timeRange: { from, to } }),
  };
}
