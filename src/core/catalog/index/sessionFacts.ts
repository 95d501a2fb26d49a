/** Facts that the catalog keeps of a session besides its row: labels and answers. Pure. */
import { modelName } from '../../format/entry/usage';
import { billedModel, type ModelRef } from '../../format/entry/usage';
import type { Session } from '../../format/session/session';
import { HeadTable } from '../../format/columns/headTable';
import { headsOf } from '../../format/linking/headsById';
import { isCounted, numbersOf } from '../../format/session/costs/usageTotals';
import { fingerprintOf, type Answer } from '../rows/answer';
import { causesOf } from './answerCauses';

export interface LabelFact {
  /** The labeled entry. */
  readonly entryId: string;
  readonly label: string;
  /** The time at which the label was set, in milliseconds since 1970. */
  readonly timestamp: number;
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

/**
 * Returns the entries whose usage counts, from a place on.
 *
 * @param childrenOf the files of subagents' sessions that the tool result at an offset names
 * @param isActive by place: 1 for the entries on the active branch
 */
export function answersOf(
  session: Session,
  from: number,
  childrenOf: ReadonlyMap<number, readonly string[]>,
  isActive: Uint8Array,
): Answer[] {
  const heads = headsOf(session);
  const answers: Answer[] = [];
  // Most answers have the same model as the previous one.
  let [last, model]: [ModelRef | undefined, string] = [undefined, ''];
  for (let place = from; place < heads.length; place++) {
    const traits = heads.traitsAt(place);
    const usage = isCounted(traits) ? heads.usageAt(place) : undefined;
    if (!usage) continue;
    const billed = billedModel(traits);
    if (billed !== last) [last, model] = [billed, billed ? modelName(billed) : ''];
    const numbers = numbersOf({ ...usage, cost: usage.cost?.total ?? 0 });
    const facts = { time: Math.round(heads.messageTimeAt(place) ?? heads.timeAt(place)), model, numbers };
    const children = childrenOf.get(heads.offsetAt(place)) ?? [];
    const causes = causesOf(heads, place, isActive[place] === 1);
    answers.push({ fingerprint: fingerprintOf(heads.idAt(place), facts), ...facts, children, causes });
  }
  return answers;
}
