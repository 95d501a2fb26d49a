/** Growth of a context over a branch, from the usage that its answers recorded. Needs heads only. */
import type { ContextPlan } from './contextPlan';
import { tokensIn } from '../entry/usage';
import type { FirstAnswerTokens, RecordedTokens } from './contextUsage';
import type { EntryHead } from '../entry/entryHead';
import { elementAt, lastOf } from '../values/lookups';

/** Context size after an answer, in tokens. */
export interface GrowthPoint {
  readonly id: string;
  /** The answer's index on the branch. */
  readonly at: number;
  readonly tokens: number;
}

/** Context sizes along a branch. */
export interface ContextGrowth {
  readonly points: readonly GrowthPoint[];
  /** Compactions and resets, with their indexes on the branch. */
  readonly resets: readonly { readonly id: string; readonly at: number }[];
  /** The number of entries of the branch. */
  readonly length: number;
}

/** Returns the recorded context sizes along a branch. */
export function contextGrowth(path: readonly EntryHead[]): ContextGrowth {
  const points: GrowthPoint[] = [];
  const resets: { id: string; at: number }[] = [];
  path.forEach((head, at) => {
    if (head.type === 'compaction' || head.type === 'reset_boundary') resets.push({ id: head.id, at });
    const tokens = recordedTokens(head);
    if (tokens > 0) points.push({ id: head.id, at, tokens });
  });
  return { points, resets, length: path.length };
}

/** Reduces points to about `limit` of them, keeping the smallest and the largest of each section. */
export function downsample(points: readonly GrowthPoint[], limit: number): readonly GrowthPoint[] {
  if (points.length <= limit) return points;
  const buckets = Math.max(1, Math.floor((limit - 2) / 2));
  const kept = new Set([elementAt(points, 0), lastOf(points)]);
  for (let bucket = 0; bucket < buckets; bucket++) {
    const from = Math.floor((bucket * points.length) / buckets);
    const to = Math.floor(((bucket + 1) * points.length) / buckets);
    let [least, most] = [elementAt(points, from), elementAt(points, from)];
    for (const point of points.slice(from, to)) {
      if (point.tokens < least.tokens) least = point;
      if (point.tokens > most.tokens) most = point;
    }
    kept.add(least).add(most);
  }
  return [...kept].sort((a, b) => a.at - b.at);
}

/** Returns the number of tokens in the context after an entry; 0 if it wasn't recorded, or if the answer failed. */
function recordedTokens(head: EntryHead | undefined): number {
  if (head?.role !== 'assistant' || !head.usage || hasFailed(head)) return 0;
  return head.usage.totalTokens ?? tokensIn(head.usage) + head.usage.output;
}

/**
 * Returns the last recorded context size that still applies: the size at the last answer since the last compaction,
 * edit or reset.
 *
 * @param ids the entries of the context's messages, in order.
 * @returns `undefined` if there is none.
 */
export function lastRecordedTokens(
  { path }: ContextPlan,
  byId: ReadonlyMap<string, EntryHead>,
  ids: readonly string[],
): RecordedTokens | undefined {
  const changed = path.findLastIndex(({ type }) => type === 'compaction' || type === 'context_edit' || type === 'reset_boundary');
  const since = new Set(path.slice(changed + 1).map(({ id }) => id));
  for (let index = ids.length - 1; index >= 0; index--) {
    const id = elementAt(ids, index);
    if (!since.has(id)) return undefined;
    const tokens = recordedTokens(byId.get(id));
    if (tokens > 0) return { index, tokens };
  }
  return undefined;
}

/** With more entries before the first answer, its usage doesn't show the size of the prompt. */
const MAX_ENTRIES_BEFORE_ANSWER = 50;

/**
 * Returns the tokens that the branch's first answer read, and the entries before it; `undefined` if they aren't
 * recorded.
 */
export function firstAnswer(
  path: readonly EntryHead[],
): (Omit<FirstAnswerTokens, 'chars'> & { readonly before: readonly EntryHead[] }) | undefined {
  const at = path.findIndex((head) => head.role === 'assistant' && !hasFailed(head));
  const head = path[at];
  const before = path.slice(0, Math.max(0, at));
  if (!head?.usage || at > MAX_ENTRIES_BEFORE_ANSWER || before.some(({ type }) => type === 'compaction' || type === 'reset_boundary'))
    return undefined;
  const tokens = tokensIn(head.usage);
  return tokens > 0 ? { tokens, before } : undefined;
}

const hasFailed = ({ stopReason }: EntryHead): boolean => stopReason === 'error' || stopReason === 'aborted';
