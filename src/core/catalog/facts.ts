/** What the catalog keeps of a session beside its row: labels, usage, tips. Pure. */
import type { ModelRef } from '../format/entry';
import { columnsOf } from '../format/entryColumns';
import type { EntryHead } from '../format/head';
import { NO_PARENT } from '../format/headColumns';
import type { HeadTable } from '../format/headTable';
import type { Session } from '../format/session';
import { tips } from '../format/tree';
import { totalsOf, UsageSum, type Totals } from '../format/usage';

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
  const entries = columnsOf(session);
  const days = new Map<number, UsageSum>();
  let sum = new UsageSum();
  let last: number | undefined;
  for (let place = 0; place < entries.length; place++) {
    if (!entries.hasUsage(place)) continue;
    const day = Math.floor((entries.messageTime(place) ?? entries.time(place)) / DAY);
    if (day !== last) days.set(day, (sum = days.get(day) ?? new UsageSum()));
    last = day;
    entries.addUsage(place, sum);
  }
  return [...days].flatMap(([day, sum]) => sum.totals().byModel.map(({ model, ...totals }) => ({ day: dayOf(day), model: model ? modelKey(model) : '', ...totals })));
}

export function sessionFacts(session: Session): SessionFacts {
  const entries = columnsOf(session);
  const models = new Set<string>();
  const tools = new Set<string>();
  let last: ModelRef | undefined;
  for (let place = 0; place < entries.length; place++) {
    const { model, toolName } = entries.traits(place);
    // Mostly it is the model of the entry before.
    if (model && (model.modelId !== last?.modelId || model.provider !== last.provider)) models.add(modelKey((last = model)));
    if (toolName !== undefined) tools.add(toolName);
  }
  const { table } = session.reading.maps;
  return { tips: table ? tipsIn(table) : tipsOf(session), models: [...models], tools: [...tools] };
}

function tipsOf(session: Session): TipFact[] {
  const newest = tips(session).sort((a, b) => b.time - a.time).slice(0, MOST_TIPS);
  return newest.map((tip) => ({ entryId: tip.id, time: tip.time, usage: totalsOnly(totalsOf(own(session, tip))) }));
}

/** The same without an object for each entry. */
function tipsIn(table: HeadTable): TipFact[] {
  const children = new Uint32Array(table.length);
  for (let place = 0; place < table.length; place++) if (table.parent(place) !== NO_PARENT) children[table.parent(place)]!++;
  const found: number[] = [];
  for (let place = 0; place < table.length; place++) if (children[place] === 0) found.push(place);
  const newest = found.sort((a, b) => table.time(b) - table.time(a)).slice(0, MOST_TIPS);
  return newest.map((tip) => {
    const sum = new UsageSum();
    table.addUsage(tip, sum);
    for (let place = table.parent(tip); place !== NO_PARENT && children[place] === 1; place = table.parent(place)) table.addUsage(place, sum);
    return { entryId: table.id(tip), time: table.time(tip), usage: totalsOnly(sum.totals()) };
  });
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
