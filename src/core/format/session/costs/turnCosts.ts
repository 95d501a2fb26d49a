/** Costs of a session's turns. Pure. */
import { NO_PARENT, type HeadSource } from '../../columns/headSource';
import type { EntryHead } from '../../entry/entryHead';
import { billedModel, modelName } from '../../entry/usage';
import { headsOf } from '../../linking/headsById';
import type { Session } from '../session';
import { STEP_LENGTH, type Steps } from '../steps';
import { isCounted, UsageAccumulator, type Totals } from './usageTotals';

/** A prompt with what all answers to it cost. */
export interface TurnCost extends Totals {
  /** The prompt; for answers without one, the first of them. */
  readonly entry: EntryHead;
}

/** @param counts returns whether a usage counts, by its time in milliseconds since 1970 and its `provider/model` */
export function* turnCosts(session: Session, counts: (time: number, model: string) => boolean): Steps<TurnCost[]> {
  const heads = headsOf(session);
  const promptAt = promptFinder(heads);
  const turns = new Map<number, UsageAccumulator>();
  for (let place = 0; place < heads.length; place++) {
    if (place % STEP_LENGTH === 0) yield;
    const prompt = promptAt(place);
    const traits = heads.traitsAt(place);
    const usage = isCounted(traits) ? heads.usageAt(place) : undefined;
    if (!usage) continue;
    const model = billedModel(traits);
    if (!counts(heads.messageTimeAt(place) ?? heads.timeAt(place), model ? modelName(model) : '')) continue;
    let sum = turns.get(prompt);
    if (!sum) turns.set(prompt, (sum = new UsageAccumulator()));
    sum.addUsage(traits, usage);
  }
  return Array.from(turns, ([prompt, sum]) => ({ entry: heads.at(prompt), ...sum.total() })).sort(
    (a, b) => b.cost - a.cost || b.output - a.output,
  );
}

/** Returns a function that gives the place of an entry's prompt, or of the first entry of its branch. Must be called in file order. */
function promptFinder(heads: HeadSource): (place: number) => number {
  const known = new Int32Array(heads.length).fill(NO_PARENT);
  return (place) => {
    const parent = heads.parentAt(place);
    // A parent may follow in the file.
    const above = parent === NO_PARENT ? NO_PARENT : known[parent]!;
    const prompt = above === NO_PARENT || heads.traitsAt(place).role === 'user' ? place : above;
    known[place] = prompt;
    return prompt;
  };
}
