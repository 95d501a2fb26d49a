/** What the catalog keeps of a session besides its row: labels, usage, tips. Pure. */
import { modelName } from '../../format/context/contextPlan';
import type { ModelRef } from '../../format/entry/entry';
import type { EntryHead } from '../../format/entry/entryHead';
import type { Session } from '../../format/session/session';
import { tips } from '../../format/session/treeTraversal';
import { addUsage, isCounted, totalsOf, UsageAccumulator, type Totals } from '../../format/session/usageTotals';

export interface LabelFact {
  /** The labeled entry. */
  readonly entryId: string;
  readonly label: string;
  /** When the label was set, in milliseconds since 1970. */
  readonly timestamp: number;
}

export interface UsageFact extends Totals {
  /** `YYYY-MM-DD` in UTC; empty if the lines have no time. */
  readonly day: string;
  /** `provider/model`; empty if the lines name none. */
  readonly model: string;
}

export interface TipFact {
  readonly entryId: string;
  /** In milliseconds since 1970. */
  readonly time: number;
  /** The cost of the entries that no other branch has. */
  readonly usage: Totals;
}

/** The shape of a session. If there are very many tips, only the newest are kept. */
export interface SessionFacts {
  readonly tips: readonly TipFact[];
  readonly models: readonly string[];
  readonly tools: readonly string[];
}

const MAX_TIPS = 200;
const DAY_MS = 86_400_000;

export function labelFacts(session: Session): LabelFact[] {
  const set = new Map<string, number>();
  const { table } = session.readerState.maps;
  // Labels are never in columns.
  if (session.labels.size > 0) for (const head of table?.irregular.values() ?? session.entries) if (head.type === 'label' && typeof head.targetId === 'string') set.set(head.targetId, head.time);
  return Array.from(session.labels, ([entryId, label]) => ({ entryId, label, timestamp: set.get(entryId) ?? 0 }));
}

export function usageFacts(session: Session): UsageFact[] {
  const sums = new Map<string, { readonly day: string; readonly model: string; readonly sum: UsageAccumulator }>();
  for (const head of session.entries) {
    if (!head.usage || !isCounted(head)) continue;
    const day = Math.floor((head.messageTime ?? head.time) / DAY_MS);
    // Two models may share a name here; their costs are summed.
    const model = head.model ? modelName(head.model) : '';
    const key = `${day} ${model}`;
    let fact = sums.get(key);
    if (!fact) sums.set(key, (fact = { day: dayName(day), model, sum: new UsageAccumulator() }));
    addUsage(fact.sum, head);
  }
  return Array.from(sums.values(), ({ day, model, sum }) => ({ day, model, ...totalsOnly(sum.totals()) }));
}

export function sessionFacts(session: Session): SessionFacts {
  const newest = newestTips(tips(session), ({ time }) => time);
  return {
    tips: newest.map((tip) => ({ entryId: tip.id, time: tip.time, usage: totalsOnly(totalsOf(entriesSinceFork(session, tip))) })),
    ...namesOf(session.entries),
  };
}

/** The models that answered and the tools that were used, in the order of their first use. */
export function namesOf(entries: Iterable<Pick<EntryHead, 'model' | 'toolName'>>): Pick<SessionFacts, 'models' | 'tools'> {
  const models = new Set<string>();
  const tools = new Set<string>();
  let last: ModelRef | undefined;
  for (const { model, toolName } of entries) {
    // Mostly the model of the entry before.
    if (model && (model.modelId !== last?.modelId || model.provider !== last.provider)) models.add(modelName((last = model)));
    if (toolName !== undefined) tools.add(toolName);
  }
  return { models: [...models], tools: [...tools] };
}

export const newestTips = <T>(found: readonly T[], timeOf: (tip: T) => number): T[] => found.toSorted((a, b) => timeOf(b) - timeOf(a)).slice(0, MAX_TIPS);

/** The entries up to a tip, from the last fork before it on. */
function entriesSinceFork(session: Session, tip: EntryHead): EntryHead[] {
  const found = [tip];
  let head = tip;
  while (head.parentId !== null && (session.children.get(head.parentId)?.length ?? 0) === 1) {
    head = session.byId.get(head.parentId)!;
    found.push(head);
  }
  return found;
}

const totalsOnly = ({ input, output, cacheRead, cacheWrite, cost }: Totals): Totals => ({ input, output, cacheRead, cacheWrite, cost });

/** @param day days since 1970 */
export function dayName(day: number): string {
  return day === 0 ? '' : new Date(day * DAY_MS).toISOString().slice(0, 10);
}
