/** What the catalog keeps of a session beside its row: labels, usage, tips. Pure. */
import { modelName } from '../../format/context/contextPlan';
import type { ModelRef } from '../../format/entry/entry';
import type { EntryHead } from '../../format/entry/entryHead';
import type { Session } from '../../format/session/session';
import { tips } from '../../format/session/treeTraversal';
import { addUsage, isCounted, totalsOf, UsageAccumulator, type Totals } from '../../format/session/usageTotals';

export interface LabelFact {
  /** The entry that it stands on. */
  readonly entryId: string;
  readonly label: string;
  /** When it was set, in milliseconds since 1970. */
  readonly timestamp: number;
}

export interface UsageFact extends Totals {
  /** `YYYY-MM-DD` in UTC; empty where the lines have no time. */
  readonly day: string;
  /** `provider/model`, empty where the lines name none. */
  readonly model: string;
}

export interface TipFact {
  readonly entryId: string;
  /** In milliseconds since 1970. */
  readonly time: number;
  /** What the entries cost that no other branch has. */
  readonly usage: Totals;
}

/** What is told of a session's shape. Of very many tips the newest are kept. */
export interface SessionFacts {
  readonly tips: readonly TipFact[];
  readonly models: readonly string[];
  readonly tools: readonly string[];
}

const MAX_TIPS = 200;
/** In milliseconds. */
const DAY_MS = 86_400_000;

export function labelFacts(session: Session): LabelFact[] {
  const set = new Map<string, number>();
  const { table } = session.readerState.maps;
  // In columns there are none.
  if (session.labels.size > 0) for (const head of table?.irregular.values() ?? session.entries) if (head.type === 'label' && typeof head.targetId === 'string') set.set(head.targetId, head.time);
  return Array.from(session.labels, ([entryId, label]) => ({ entryId, label, timestamp: set.get(entryId) ?? 0 }));
}

export function usageFacts(session: Session): UsageFact[] {
  const sums = new Map<string, { readonly day: string; readonly model: string; readonly sum: UsageAccumulator }>();
  for (const head of session.entries) {
    if (!head.usage || !isCounted(head)) continue;
    const day = Math.floor((head.messageTime ?? head.time) / DAY_MS);
    // Two models can have the same name here.
    const model = head.model ? modelName(head.model) : '';
    const key = `${day} ${model}`;
    let of = sums.get(key);
    if (!of) sums.set(key, (of = { day: dayName(day), model, sum: new UsageAccumulator() }));
    addUsage(of.sum, head);
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

/** Which models answered and which tools were used, in the order in which they came. */
export function namesOf(entries: Iterable<Pick<EntryHead, 'model' | 'toolName'>>): Pick<SessionFacts, 'models' | 'tools'> {
  const models = new Set<string>();
  const tools = new Set<string>();
  let last: ModelRef | undefined;
  for (const { model, toolName } of entries) {
    // Mostly it is the model of the entry before.
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

/** `day`: since 1970. */
export function dayName(day: number): string {
  return day === 0 ? '' : new Date(day * DAY_MS).toISOString().slice(0, 10);
}
