/** What sessions and branches cost: tokens, and dollars where the lines say them. Over heads alone. FORMAT section 5. */
import type { ModelRef } from './entry';
import type { EntryHead } from './head';
import type { Session } from './session';
import { pathTo } from './tree';

export interface Totals {
  /** Tokens. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** Dollars. */
  readonly cost: number;
}

export interface ModelTotals extends Totals {
  /** `null` where the lines name no model: summaries, results of tools. */
  readonly model: ModelRef | null;
}

export interface UsageTotals extends Totals {
  /** The same by model, dearest first. */
  readonly byModel: readonly ModelTotals[];
}

const COUNTED_ROLES = new Set(['assistant', 'toolResult']);
const COUNTED_TYPES = new Set(['compaction', 'branch_summary', 'usage', 'model_usage']);

/** The totals of some entries. */
export function totalsOf(heads: Iterable<EntryHead>): UsageTotals {
  const total = nothing();
  const models = new Map<string, OfModel>();
  let ofModel: OfModel | undefined;
  for (const head of heads) {
    const { usage } = head;
    if (!usage || !(head.type === 'message' ? COUNTED_ROLES.has(head.role ?? '') : COUNTED_TYPES.has(head.type))) continue;
    // Mostly it is the model of the entry before.
    if (!ofModel || ofModel.model?.modelId !== head.model?.modelId || ofModel.model?.provider !== head.model?.provider) {
      const key = head.model ? JSON.stringify([head.model.provider, head.model.modelId]) : '';
      ofModel = models.get(key);
      if (!ofModel) models.set(key, (ofModel = { model: head.model ?? null, ...nothing() }));
    }
    for (const sum of [total, ofModel]) {
      sum.input += usage.input;
      sum.output += usage.output;
      sum.cacheRead += usage.cacheRead;
      sum.cacheWrite += usage.cacheWrite;
      sum.cost += usage.cost?.total ?? 0;
    }
  }
  return { ...total, byModel: [...models.values()].sort((a, b) => b.cost - a.cost || b.output - a.output) };
}

type OfModel = ReturnType<typeof nothing> & { model: ModelRef | null };

const nothing = (): { -readonly [K in keyof Totals]: Totals[K] } => ({ input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0 });

/** All branches of the session. */
export function sessionUsage(session: Session): UsageTotals {
  return totalsOf(session.entries);
}

/** Everything from the root to an entry, itself included. */
export function branchUsage(session: Session, entryId: string): UsageTotals {
  return totalsOf(pathTo(session, entryId));
}

/** What this branch alone cost: the entries up to `entryId` that no other branch has. */
export function ownUsage(session: Session, entryId: string): UsageTotals {
  return totalsOf(ownEntries(session, entryId));
}

/** The end of the path to an entry, after the last fork on it. */
export function ownEntries(session: Session, entryId: string): EntryHead[] {
  const path = pathTo(session, entryId);
  const fork = path.findLastIndex((head) => head.id !== entryId && (session.children.get(head.id)?.length ?? 0) > 1);
  return path.slice(fork + 1);
}
