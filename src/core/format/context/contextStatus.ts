/** What became of each entry of a branch in the model's context: it is there, or why it is not. Over heads alone. */
import type { ContextPlan } from './contextPlan';
import type { EntryHead } from '../entry/entryHead';
import type { Session } from '../session/session';

/**
 * `in`: the model gets it as it is. `edited`: with another content. `omitted`: an edit took it out.
 * `compacted`: a summary stands for it. `reset`: it is before a reset. `failed`: oh-my-pi does not send answers
 * that failed, nor their calls' results. `state`: it is no message.
 */
export type ContextStatus = 'in' | 'edited' | 'omitted' | 'compacted' | 'reset' | 'failed' | 'state';

/** The fate of each entry of the plan's path, in its order. */
export function contextStatuses(session: Pick<Session, 'dialect'>, plan: ContextPlan): ContextStatus[] {
  const steps = new Map(plan.steps.map((step) => [step.id, step]));
  const reset = plan.resetId === undefined ? -1 : plan.path.findIndex((head) => head.id === plan.resetId);
  // What is before the first that was kept, the summary stands for.
  const firstKept = plan.compaction ? plan.compaction.firstKeptEntryId ?? plan.compaction.compactionId : undefined;
  const kept = firstKept === undefined ? 0 : plan.path.findIndex((head) => head.id === firstKept);
  let afterFailed = false;
  return plan.path.map((head, index): ContextStatus => {
    if (!isModelInput(head)) return 'state';
    const step = steps.get(head.id);
    if (step) {
      if (head.type !== 'compaction') afterFailed = session.dialect === 'omp' && (hasFailed(head) || (afterFailed && head.role === 'toolResult'));
      if (afterFailed && head.type !== 'compaction') return 'failed';
      return step.editId === undefined ? 'in' : 'edited';
    }
    if (index < reset) return 'reset';
    // Of what was kept pi sends no system messages: the summary brings its own.
    return index < kept || head.type === 'compaction' || (plan.compaction && head.role === 'system') ? 'compacted' : 'omitted';
  });
}

/** Whether an entry is, by its kind, something that a model reads. */
function isModelInput(head: EntryHead): boolean {
  return head.type === 'message' || head.type === 'custom_message' || head.type === 'compaction' || (head.type === 'branch_summary' && head.hasText === true);
}

const hasFailed = (head: EntryHead): boolean => head.role === 'assistant' && (head.stopReason === 'error' || head.stopReason === 'aborted');
