/** What the catalog keeps of a session beside its row: labels, usage, tips. Pure. */
import type { ModelRef } from '../format/entry';
import type { EntryHead } from '../format/head';
import type { Session } from '../format/session';
import { tips } from '../format/tree';
import { totalsOf, type Totals } from '../format/usage';

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

const MOST_TIPS = 200;
/** In milliseconds. */
const DAY = 86_400_000;

export function labelFacts(session: Session): LabelFact[] {
  const set = new Map<string, number>();
  if (session.labels.size > 0) for (const head of session.entries) if (head.type === 'label' && typeof head.targetId === 'string') set.set(head.targetId, head.time);
  return Array.from(session.labels, ([entryId, label]) => ({ entryId, label, timestamp: set.get(entryId) ?? 0 }));
}

export function usageFacts(session: Session): UsageFact[] {
  const days = new Map<number, EntryHead[]>();
  let heads: EntryHead[] = [];
  let last: number | undefined;
  for (const head of session.entries) {
    if (!head.usage) continue;
    const day = Math.floor((head.messageTime ?? head.time) / DAY);
    if (day !== last) days.set(day, (heads = days.get(day) ?? []));
    last = day;
    heads.push(head);
  }
  return [...days].flatMap(([day, heads]) => totalsOf(heads).byModel.map(({ model, ...totals }) => ({ day: dayOf(day), model: model ? modelKey(model) : '', ...totals })));
}

export function sessionFacts(session: Session): SessionFacts {
  const models = new Set<string>();
  const tools = new Set<string>();
  let last: ModelRef | undefined;
  for (const { model, toolName } of session.entries) {
    // Mostly it is the model of the entry before.
    if (model && (model.modelId !== last?.modelId || model.provider !== last.provider)) models.add(modelKey((last = model)));
    if (toolName !== undefined) tools.add(toolName);
  }
  const newest = tips(session).sort((a, b) => b.time - a.time).slice(0, MOST_TIPS);
  return { tips: newest.map((tip) => ({ entryId: tip.id, time: tip.time, usage: totalsOnly(totalsOf(own(session, tip))) })), models: [...models], tools: [...tools] };
}

/** The entries up to a tip, from the last fork before it on. */
function own(session: Session, tip: EntryHead): EntryHead[] {
  const found = [tip];
  let head = tip;
  while (head.parentId !== null && (session.children.get(head.parentId)?.length ?? 0) === 1) {
    head = session.byId.get(head.parentId)!;
    found.push(head);
  }
  return found;
}

const totalsOnly = ({ input, output, cacheRead, cacheWrite, cost }: Totals): Totals => ({ input, output, cacheRead, cacheWrite, cost });

const modelKey = ({ provider, modelId }: ModelRef): string => (provider === '' ? modelId : `${provider}/${modelId}`);

function dayOf(day: number): string {
  return day === 0 ? '' : new Date(day * DAY).toISOString().slice(0, 10);
}
