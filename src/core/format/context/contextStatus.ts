/** The status of each entry of a branch in the model's context: included, or the reason why not. Needs heads only. */
import type { ContextPlan } from './contextPlan';
import type { EntryHead } from '../entry/entryHead';
import type { Session } from '../session/session';

/**
 * `in`: the model receives it unchanged. `edited`: with other content. `omitted`: an edit removed it. `compacted`: a
 * summary replaces it. `reset`: it's before a reset. `failed`: oh-my-pi doesn't send failed answers, nor the results of
 * their calls. `state`: it isn't a message. FORMAT section 4.
 */
export type ContextStatus = 'in' | 'edited' | 'omitted' | 'compacted' | 'reset' | 'failed' | 'state';

/** Returns the status of each entry on the plan's path, in its order. FORMAT section 4. */
export function contextStatuses(session: Pick<Session, 'dialect'>, plan: ContextPlan): ContextStatus[] {
  return [...eachContextStatus(session, plan)];
}

/** Yields what {@link contextStatuses} returns, so that the caller can make room for other work in between. */
export function* eachContextStatus(session: Pick<Session, 'dialect'>, plan: ContextPlan): Generator<ContextStatus> {
  const steps = new Map(plan.steps.map((step) => [step.id, step]));
  const reset = plan.resetId === undefined ? -1 : plan.path.findIndex((head) => head.id === plan.resetId);
  // The summary replaces everything before the first kept entry.
  const firstKept = plan.compaction ? (plan.compaction.firstKeptEntryId ?? plan.compaction.compactionId) : undefined;
  const kept = firstKept === undefined ? 0 : plan.path.findIndex((head) => head.id === firstKept);
  let afterFailed = false;
  const statusOf = (head: EntryHead, index: number): ContextStatus => {
    if (!isModelInput(head)) return 'state';
    const step = steps.get(head.id);
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
  for (const [index, head] of plan.path.entries()) yield statusOf(head, index);
}

/** Returns whether an entry's type is one that models read. */
function isModelInput(head: EntryHead): boolean {
  return (
    head.type === 'message' ||
    head.type === 'custom_message' ||
    head.type === 'compaction' ||
    (head.type === 'branch_summary' && head.hasText === true)
  );
}

const hasFailed = (head: EntryHead): boolean => head.role === 'assistant' && (head.stopReason === 'error' || head.stopReason === 'aborted');
