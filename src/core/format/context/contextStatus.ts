/** The status of each entry of a branch in the model's context: included, or the reason why not. Makes no head. */
import type { ContextPlan, PlannedPath } from './contextPlan';
import { NO_PARENT, type EntryTraits } from '../columns/headSource';
import { headsOf } from '../linking/headsById';
import type { Session } from '../session/session';
import { finishSteps, STEP_LENGTH, type Steps } from '../session/steps';
import { pathPlaces } from '../session/treeTraversal';

/**
 * `in`: the model receives it unchanged. `edited`: with other content. `omitted`: an edit removed it. `compacted`: a
 * summary replaces it. `reset`: it's before a reset. `failed`: oh-my-pi doesn't send failed answers, nor the results of
 * their calls. `state`: it isn't a message. FORMAT section 4.
 */
export type ContextStatus = 'in' | 'edited' | 'omitted' | 'compacted' | 'reset' | 'failed' | 'state';

/** Returns the status of each entry on the plan's path, in its order. FORMAT section 4. */
export function contextStatuses(session: Pick<Session, 'byId' | 'dialect'>, plan: ContextPlan): ContextStatus[] {
  const heads = headsOf(session);
  const steps = new Map(plan.steps.map((step) => [heads.placeOf(step.id) ?? NO_PARENT, step]));
  return finishSteps(contextStatusSteps(session, { plan, places: pathPlaces(heads, plan.leafId), steps }));
}

/** Does what {@link contextStatuses} does, in steps. */
export function* contextStatusSteps(
  session: Pick<Session, 'byId' | 'dialect'>,
  { plan, places, steps }: PlannedPath,
): Steps<ContextStatus[]> {
  const heads = headsOf(session);
  const indexOf = (id: string): number => places.indexOf(heads.placeOf(id) ?? NO_PARENT);
  const reset = plan.resetId === undefined ? -1 : indexOf(plan.resetId);
  // The summary replaces everything before the first kept entry.
  const firstKept = plan.compaction ? (plan.compaction.firstKeptEntryId ?? plan.compaction.compactionId) : undefined;
  const kept = firstKept === undefined ? 0 : indexOf(firstKept);
  let afterFailed = false;
  const statusAt = (place: number, index: number): ContextStatus => {
    const head = heads.traitsAt(place);
    if (!isModelInput(head)) return 'state';
    const step = steps.get(place);
    if (step) {
      if (head.type !== 'compaction')
        afterFailed = session.dialect === 'omp' && (hasFailed(head) || (afterFailed && head.role === 'toolResult'));
      if (afterFailed && head.type !== 'compaction') return 'failed';
      return step.editId === undefined ? 'in' : 'edited';
    }
    if (index < reset) return 'reset';
    // pi sends no system messages of the kept entries: the compaction has its own.
    return index < kept || head.type === 'compaction' || (plan.compaction && head.role === 'system') ? 'compacted' : 'omitted';
  };
  const statuses: ContextStatus[] = [];
  for (const [index, place] of places.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    statuses.push(statusAt(place, index));
  }
  return statuses;
}

/** Returns whether models read entries of this type. */
function isModelInput(head: EntryTraits): boolean {
  return (
    head.type === 'message' ||
    head.type === 'custom_message' ||
    head.type === 'compaction' ||
    (head.type === 'branch_summary' && head.hasText === true)
  );
}

const hasFailed = (head: EntryTraits): boolean =>
  head.role === 'assistant' && (head.stopReason === 'error' || head.stopReason === 'aborted');
