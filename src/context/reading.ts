/**
 * A session's context as the view reads it: the plan over heads at once, bodies when an article is wanted.
 * What opening costs grows with the number of entries, not with what they hold.
 */
import {
  contextPlan,
  messagesOf,
  readBodies,
  withoutDeadTurns,
  type ContextPlan,
  type ContextStep,
  type Entry,
  type EntryHead,
  type Session,
  type SourcedMessage,
} from '../core/index';
import { groupMessages, type Group, type Slot } from './groups';

export interface Reading {
  readonly session: Session;
  readonly plan: ContextPlan;
  readonly slots: readonly PlannedSlot[];
  readonly groups: readonly Group[];
}

export interface PlannedSlot extends Slot {
  readonly step: ContextStep;
  /** Which of its entry's messages this is. */
  readonly nth: number;
}

/**
 * @param leafId the entry to stand at; by default the session's leaf.
 * @throws {SessionError} `unknown-entry`; `changed` if the file is no longer what was read.
 */
export async function readContext(session: Session, leafId?: string): Promise<Reading> {
  const plan = contextPlan(session, leafId);
  const first = plan.steps[0];
  // A compaction may bring messages of its own; only its body tells which.
  const compaction = first && session.byId.get(first.id)?.type === 'compaction' ? messagesOf((await readBodies(session, [first.id]))[0]!) : undefined;
  let afterDead = false;
  const slots = plan.steps.flatMap((step, index): PlannedSlot[] => {
    const head = session.byId.get(step.id)!;
    if (index === 0 && compaction) return compaction.map((message, nth) => slotOf(session, step, head, message.role, nth));
    afterDead = isDead(session, head) || (afterDead && head.role === 'toolResult');
    return afterDead ? [] : [slotOf(session, step, head, roleOf(head), 0)];
  });
  return { session, plan, slots, groups: groupMessages(slots) };
}

/** The messages of each of the groups, in order; at least one for each. */
export async function readMessages({ session, slots }: Reading, groups: readonly Group[]): Promise<SourcedMessage[][]> {
  const wanted = groups.map((group) => slots.slice(group.from, group.to));
  const ids = new Set(wanted.flat().flatMap(({ step }) => (step.editId === undefined ? [step.id] : [step.id, step.editId])));
  const bodies = new Map<string, Entry>((await readBodies(session, [...ids])).map((entry) => [entry.id, entry]));
  return wanted.map((group) => {
    const messages = group.map(({ step, nth, entryId }): SourcedMessage => {
      const message = messagesOf(bodies.get(step.id)!, step.editId === undefined ? undefined : bodies.get(step.editId))[nth];
      return { message: message ?? { role: 'other' }, source: entryId };
    });
    const alive = session.dialect === 'omp' ? withoutDeadTurns(messages) : messages;
    // An answer of nothing but calls that were never run keeps its place, as an empty one.
    return alive.length > 0 ? alive : [{ message: { role: 'other' }, source: group[0]!.entryId }];
  });
}

/** The first group that is not as it was; the number of groups if there is none. */
export function firstDifference(before: Reading, now: Reading): number {
  const limit = Math.min(before.groups.length, now.groups.length);
  for (let i = 0; i < limit; i++) {
    const a = before.groups[i]!;
    const b = now.groups[i]!;
    if (a.key !== b.key || a.to - a.from !== b.to - b.from) return i;
    for (let k = 0; k < a.to - a.from; k++) if (!sameSlot(before.slots[a.from + k]!, now.slots[b.from + k]!)) return i;
  }
  return limit;
}

function sameSlot(a: PlannedSlot, b: PlannedSlot): boolean {
  return a.entryId === b.entryId && a.role === b.role && a.bytes === b.bytes && a.label === b.label && a.step.editId === b.step.editId && a.nth === b.nth;
}

function slotOf(session: Session, step: ContextStep, head: EntryHead, role: string, nth: number): PlannedSlot {
  const label = session.labels.get(head.id);
  return { step, nth, entryId: head.id, role, bytes: head.length, ...(label === undefined ? {} : { label }) };
}

function roleOf(head: EntryHead): string {
  if (head.type === 'custom_message') return 'custom';
  return head.type === 'branch_summary' ? 'branchSummary' : head.role ?? 'other';
}

/** oh-my-pi sends no answers that failed, nor the results of their calls. */
function isDead(session: Session, head: EntryHead): boolean {
  return session.dialect === 'omp' && head.role === 'assistant' && (head.stopReason === 'error' || head.stopReason === 'aborted');
}
