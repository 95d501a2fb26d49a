/** Facts that the catalog keeps of a session besides its row: labels, usage, tips. Pure. */
import { modelName } from '../../format/context/contextPlan';
import type { ModelRef } from '../../format/entry/entry';
import { NO_PARENT, type EntryTraits, type HeadSource } from '../../format/columns/headSource';
import { billedModel, type EntryHead } from '../../format/entry/entryHead';
import type { Session } from '../../format/session/session';
import { headsOf } from '../../format/linking/headsById';
import { tipPlaces } from '../../format/session/treeTraversal';
import { isCounted, totalsAt, UsageAccumulator, type Totals } from '../../format/session/usageTotals';

export interface LabelFact {
  /** The labeled entry. */
  readonly entryId: string;
  readonly label: string;
  /** The time at which the label was set, in milliseconds since 1970. */
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
  const heads = headsOf(session);
  for (let place = 0; session.labels.size > 0 && place < heads.length; place++) {
    const { type, targetId } = heads.traitsAt(place);
    if (type === 'label' && typeof targetId === 'string') set.set(targetId, heads.timeAt(place));
  }
  return Array.from(session.labels, ([entryId, label]) => ({ entryId, label, timestamp: set.get(entryId) ?? 0 }));
}

export function usageFacts(session: Session): UsageFact[] {
  const sums = new Map<string, { readonly day: string; readonly model: string; readonly sum: UsageAccumulator }>();
  const heads = headsOf(session);
  for (let place = 0; place < heads.length; place++) {
    const traits = heads.traitsAt(place);
    const usage = isCounted(traits) ? heads.usageAt(place) : undefined;
    if (!usage) continue;
    const day = Math.floor((heads.messageTimeAt(place) ?? heads.timeAt(place)) / DAY_MS);
    // Two models may share a name here; their costs are summed.
    const billed = billedModel(traits);
    const model = billed ? modelName(billed) : '';
    const key = `${day} ${model}`;
    let fact = sums.get(key);
    if (!fact) sums.set(key, (fact = { day: dayName(day), model, sum: new UsageAccumulator() }));
    fact.sum.addUsage(traits, usage);
  }
  return Array.from(sums.values(), ({ day, model, sum }) => ({ day, model, ...totalsOnly(sum.totals()) }));
}

export function sessionFacts(session: Session): SessionFacts {
  const heads = headsOf(session);
  const newest = newestTips(tipPlaces(heads), (place) => heads.timeAt(place));
  return {
    tips: newest.map((place) => ({
      entryId: heads.idAt(place),
      time: heads.timeAt(place),
      usage: totalsOnly(totalsAt(heads, placesSinceFork(session, heads, place))),
    })),
    ...namesOf(allTraits(heads)),
  };
}

function* allTraits(heads: HeadSource): Generator<EntryTraits> {
  for (let place = 0; place < heads.length; place++) yield heads.traitsAt(place);
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

export const newestTips = <T>(found: readonly T[], timeOf: (tip: T) => number): T[] =>
  found.toSorted((a, b) => timeOf(b) - timeOf(a)).slice(0, MAX_TIPS);

/** The places of the entries up to a tip, from the last fork before it on, the tip first. */
function placesSinceFork(session: Session, heads: HeadSource, tip: number): number[] {
  const found = [tip];
  for (
    let parent = heads.parentAt(tip);
    parent !== NO_PARENT && session.children.get(heads.idAt(parent))?.length === 1;
    parent = heads.parentAt(parent)
  )
    found.push(parent);
  return found;
}

const totalsOnly = ({ input, output, cacheRead, cacheWrite, cost }: Totals): Totals => ({ input, output, cacheRead, cacheWrite, cost });

/** @param day days since 1970 */
export function dayName(day: number): string {
  return day === 0 ? '' : new Date(day * DAY_MS).toISOString().slice(0, 10);
}
