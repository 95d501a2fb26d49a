/** Facts that the catalog keeps of a session besides its row: labels and usage. Pure. */
import { modelName } from '../../format/context/contextPlan';
import { billedModel, type ModelRef } from '../../format/entry/usage';
import type { Session } from '../../format/session/session';
import { HeadTable } from '../../format/columns/headTable';
import { headsOf } from '../../format/linking/headsById';
import { isCounted, UsageAccumulator, type Totals } from '../../format/session/usageTotals';
import { DAY_MS, utcDayOf, type DayOf } from '../rows/localDays';

export interface LabelFact {
  /** The labeled entry. */
  readonly entryId: string;
  readonly label: string;
  /** The time at which the label was set, in milliseconds since 1970. */
  readonly timestamp: number;
}

export interface UsageFact extends Totals {
  /** `YYYY-MM-DD`, in UTC if nothing else is said; empty if the lines have no time. */
  readonly day: string;
  /** `provider/model`; empty if the lines name none. */
  readonly model: string;
}

export function labelFacts(session: Session): LabelFact[] {
  if (session.labels.size === 0) return [];
  const set = new Map<string, number>();
  const heads = headsOf(session);
  // Labels don't fit into columns.
  for (const place of heads instanceof HeadTable ? heads.irregular.keys() : Array(heads.length).keys()) {
    const { type, targetId } = heads.traitsAt(place);
    if (type === 'label' && typeof targetId === 'string') set.set(targetId, heads.timeAt(place));
  }
  return Array.from(session.labels, ([entryId, label]) => ({ entryId, label, timestamp: set.get(entryId) ?? 0 }));
}

/** @param isLeftOut true for the place of an entry that isn't counted @param dayOf by default the UTC day */
export function usageFacts(
  session: Session,
  { isLeftOut = () => false, dayOf = utcDayOf }: { readonly isLeftOut?: (place: number) => boolean; readonly dayOf?: DayOf } = {},
): UsageFact[] {
  const sums = new Map<string, { readonly day: string; readonly model: string; readonly sum: UsageAccumulator }>();
  const heads = headsOf(session);
  // Most entries have the same sum as the previous entry.
  let last: { readonly day: number; readonly model: ModelRef | undefined; readonly sum: UsageAccumulator } | undefined;
  for (let place = 0; place < heads.length; place++) {
    const traits = heads.traitsAt(place);
    const usage = isCounted(traits) ? heads.usageAt(place) : undefined;
    if (!usage || isLeftOut(place)) continue;
    const day = dayOf(heads.messageTimeAt(place) ?? heads.timeAt(place));
    const billed = billedModel(traits);
    if (last?.day !== day || last.model !== billed) {
      // Two models may share a name here; their costs are summed.
      const model = billed ? modelName(billed) : '';
      const key = `${day} ${model}`;
      let fact = sums.get(key);
      if (!fact) sums.set(key, (fact = { day: dayName(day), model, sum: new UsageAccumulator() }));
      last = { day, model: billed, sum: fact.sum };
    }
    last.sum.addUsage(traits, usage);
  }
  return Array.from(sums.values(), ({ day, model, sum }) => ({ day, model, ...sum.total() }));
}

/** The length of a timestamp's part after the day. Years beyond 9999 and before 0 have a sign and six digits. */
const TIME_LENGTH = 'T00:00:00.000Z'.length;

/** @param day days since 1970 */
export function dayName(day: number): string {
  return day === 0 ? '' : new Date(day * DAY_MS).toISOString().slice(0, -TIME_LENGTH);
}

/** The opposite of `dayName`. */
export const dayNumber = (name: string): number => utcDayOf(Date.parse(name)) || 0;
