/** How a context grew over a branch, by what its answers recorded. Over heads alone. */
import type { ContextPlan } from './contextPlan';
import type { Usage } from '../entry/entry';
import type { FirstAnswerTokens, RecordedTokens } from './contextUsage';
import type { EntryHead } from '../entry/entryHead';

/** After an answer the context had this many tokens. */
export interface GrowthPoint {
  readonly id: string;
  /** Its place on the branch, from 0. */
  readonly at: number;
  readonly tokens: number;
}

export interface ContextGrowth {
  readonly points: readonly GrowthPoint[];
  /** Where the context became another one: compactions and resets. */
  readonly resets: readonly { readonly id: string; readonly at: number }[];
  /** How many entries the branch has. */
  readonly length: number;
}

export function contextGrowth(path: readonly EntryHead[]): ContextGrowth {
  const points: GrowthPoint[] = [];
  const cuts: { id: string; at: number }[] = [];
  path.forEach((head, at) => {
    if (head.type === 'compaction' || head.type === 'reset_boundary') cuts.push({ id: head.id, at });
    const tokens = recordedTokens(head);
    if (tokens > 0) points.push({ id: head.id, at, tokens });
  });
  return { points, resets: cuts, length: path.length };
}

/** At most about `limit` points: of many that stand close together the smallest and the largest. */
export function downsample(points: readonly GrowthPoint[], limit: number): readonly GrowthPoint[] {
  if (points.length <= limit) return points;
  const buckets = Math.max(1, Math.floor((limit - 2) / 2));
  const kept = new Set([points[0]!, points.at(-1)!]);
  for (let bucket = 0; bucket < buckets; bucket++) {
    const from = Math.floor((bucket * points.length) / buckets);
    const to = Math.floor(((bucket + 1) * points.length) / buckets);
    let [least, most] = [points[from]!, points[from]!];
    for (let i = from; i < to; i++) {
      if (points[i]!.tokens < least.tokens) least = points[i]!;
      if (points[i]!.tokens > most.tokens) most = points[i]!;
    }
    kept.add(least).add(most);
  }
  return [...kept].sort((a, b) => a.at - b.at);
}

/** How many tokens the context had after an entry; 0 if that was not recorded, or by an answer that failed. */
export function recordedTokens(head: EntryHead | undefined): number {
  if (head?.role !== 'assistant' || !head.usage || hasFailed(head)) return 0;
  return head.usage.totalTokens ?? inputTokens(head.usage) + head.usage.output;
}

/**
 * The last record that is true of a plan's context: of an answer in it after which nothing was compacted, edited or reset.
 *
 * @param ids the entries of the context's messages, in order.
 */
export function lastRecordedTokens({ path }: ContextPlan, byId: ReadonlyMap<string, EntryHead>, ids: readonly string[]): RecordedTokens | undefined {
  const changed = path.findLastIndex(({ type }) => type === 'compaction' || type === 'context_edit' || type === 'reset_boundary');
  const since = new Set(path.slice(changed + 1).map(({ id }) => id));
  for (let index = ids.length - 1; index >= 0; index--) {
    if (!since.has(ids[index]!)) return undefined;
    const tokens = recordedTokens(byId.get(ids[index]!));
    if (tokens > 0) return { index, tokens };
  }
  return undefined;
}

/** Branches that begin with more entries than this before an answer don't tell how large the prompt was. */
const MAX_ENTRIES_BEFORE_ANSWER = 50;

/** The entries before the branch's first answer, and what that answer read of them and of the prompt; `undefined` if it does not tell. */
export function firstAnswer(path: readonly EntryHead[]): (Omit<FirstAnswerTokens, 'chars'> & { readonly before: readonly EntryHead[] }) | undefined {
  const at = path.findIndex((head) => head.role === 'assistant' && !hasFailed(head));
  const head = path[at];
  const before = path.slice(0, Math.max(0, at));
  if (!head?.usage || at > MAX_ENTRIES_BEFORE_ANSWER || before.some(({ type }) => type === 'compaction' || type === 'reset_boundary')) return undefined;
  const tokens = inputTokens(head.usage);
  return tokens > 0 ? { tokens, before } : undefined;
}

const inputTokens = (usage: Usage): number => usage.input + usage.cacheRead + usage.cacheWrite;

const hasFailed = ({ stopReason }: EntryHead): boolean => stopReason === 'error' || stopReason === 'aborted';
