/**
 * A session at a place, as the view reads it: the plan over heads at once, bodies when an article is wanted.
 * What opening costs grows with the number of entries, not with what they hold.
 */
import {
  Yielder,
  contextPlan,
  contextStatuses,
  entryMessages,
  pathTo,
  readBodies,
  withoutFailedTurns,
  type ContextPlan,
  type ContextStep,
  type Entry,
  type EntryHead,
  type ContextStatus,
  type Message,
  type Session,
  type SourcedMessage,
} from '../../../core/index';
import { groupMessages, estimateLines, resultsFirst, type MessageGroup, type MessageSlot } from './messageGroups';
import type { ScrollAnchor, ViewMode } from '../../shared/protocol';

export interface ContextSnapshot {
  readonly session: Session;
  readonly plan: ContextPlan;
  readonly view: ViewMode;
  /** The messages that the model gets, each with its entry, whatever is shown; and what an edit took out. */
  readonly modelSlots: readonly PlannedSlot[];
  /** What is shown. */
  readonly slots: readonly PlannedSlot[];
  readonly groups: readonly MessageGroup[];
}

export interface PlannedSlot extends MessageSlot {
  readonly step: ContextStep;
  /** Which of its entry's messages this is. */
  readonly nth: number;
}

/**
 * A long one is planned in slices: the extension host has others to serve.
 *
 * @param leafId the entry to stand at; by default the session's leaf.
 * @throws {SessionError} `unknown-entry`; `changed` if the file is no longer what was read; the signal's reason when aborted.
 */
export async function readContext(session: Session, leafId?: string, view: ViewMode = 'model', signal?: AbortSignal): Promise<ContextSnapshot> {
  signal?.throwIfAborted();
  const yielder = new Yielder(signal);
  const plan = contextPlan(session, leafId);
  await yielder.yieldIfDue();
  const statuses = contextStatuses(session, plan);
  await yielder.yieldIfDue();
  const first = plan.steps[0];
  // A compaction may bring messages of its own; only its body tells which.
  const compaction = first && session.byId.get(first.id)?.type === 'compaction' ? entryMessages((await readBodies(session, [first.id]))[0]!) : undefined;
  const modelSlots = buildModelSlots(session, plan, statuses, compaction);
  await yielder.yieldIfDue();
  const slots = view === 'model' ? modelSlots : buildTranscriptSlots(session, plan, statuses);
  await yielder.yieldIfDue();
  const groups = groupMessages(slots);
  await yielder.yieldIfDue();
  return { session, plan, view, modelSlots, slots, groups };
}

/** How many messages the model gets. */
export function messageCount({ modelSlots }: ContextSnapshot): number {
  return modelSlots.reduce((count, slot) => (slot.isEntryRow ? count : count + 1), 0);
}

/** How many articles there are that are no thin rows. */
export function articleCount({ groups, slots }: ContextSnapshot): number {
  return groups.reduce((count, { from }) => (slots[from]!.isEntryRow ? count : count + 1), 0);
}

function buildModelSlots(session: Session, plan: ContextPlan, statuses: readonly ContextStatus[], compaction: readonly Message[] | undefined): PlannedSlot[] {
  const steps = new Map(plan.steps.map((step) => [step.id, step]));
  const first = plan.steps[0];
  const summary = first && session.byId.get(first.id)!;
  const slots = compaction && summary ? compaction.map((message, nth) => slotOf(session, summary, 'in', message.role, first, nth)) : [];
  plan.path.forEach((head, index) => {
    const contextStatus = statuses[index]!;
    if (compaction && head === summary) return;
    if (contextStatus === 'in' || contextStatus === 'edited') slots.push(slotOf(session, head, contextStatus, roleOf(head), steps.get(head.id)!, 0));
    else if (contextStatus === 'omitted') slots.push({ ...slotOf(session, head, contextStatus, roleOf(head), { id: head.id }, 0), isEntryRow: true });
  });
  return resultsFirst(slots);
}

/** Of the branch every entry, as it stands in the file. */
function buildTranscriptSlots(session: Session, plan: ContextPlan, statuses: readonly ContextStatus[]): PlannedSlot[] {
  return resultsFirst(
    plan.path.map((head, index) => {
      const slot = slotOf(session, head, statuses[index]!, roleOf(head), { id: head.id }, 0);
      return head.type === 'message' || head.type === 'custom_message' ? slot : { ...slot, isEntryRow: true as const };
    }),
  );
}

/** The messages of each of the groups, in order; at least one for each, but none for thin rows. */
export async function readMessages({ session, slots, view }: ContextSnapshot, groups: readonly MessageGroup[]): Promise<SourcedMessage[][]> {
  const slotsOfGroups = groups.map((group) => slots.slice(group.from, group.to).filter((slot) => !slot.isEntryRow));
  const ids = new Set(slotsOfGroups.flat().flatMap(({ step }) => (step.editId === undefined ? [step.id] : [step.id, step.editId])));
  const bodies = new Map<string, Entry>((await readBodies(session, [...ids])).map((entry) => [entry.id, entry]));
  return slotsOfGroups.map((group) => {
    const messages = group.map(({ step, nth, entryId }): SourcedMessage => {
      const message = entryMessages(bodies.get(step.id)!, step.editId === undefined ? undefined : bodies.get(step.editId))[nth];
      return { message: message ?? { role: 'other' }, source: entryId };
    });
    const kept = session.dialect === 'omp' && view === 'model' ? withoutFailedTurns(messages) : messages;
    // An answer of nothing but calls that were never run keeps its place, as an empty one.
    return kept.length > 0 || group.length === 0 ? kept : [{ message: { role: 'other' }, source: group[0]!.entryId }];
  });
}

/** The first group that is not as it was; the number of groups if there is none. */
export function firstDifference(before: ContextSnapshot, after: ContextSnapshot): number {
  // A file that was written anew may say something else in as many bytes; of one that grew the heads stay the same values.
  if (before.session.entries[0] !== after.session.entries[0]) return 0;
  const limit = Math.min(before.groups.length, after.groups.length);
  for (let i = 0; i < limit; i++) {
    const a = before.groups[i]!;
    const b = after.groups[i]!;
    if (a.key !== b.key || a.to - a.from !== b.to - b.from) return i;
    for (let k = 0; k < a.to - a.from; k++) if (!sameSlot(before.slots[a.from + k]!, after.slots[b.from + k]!)) return i;
  }
  return limit;
}

/** The entry that was the leaf, if the session went on on a branch without it; `undefined` also where it is gone. */
export function abandonedLeaf(before: ContextSnapshot, after: ContextSnapshot): string | undefined {
  const { leafId, path } = before.plan;
  if (leafId === null || after.session.path !== before.session.path || after.plan.path[path.length - 1]?.id === leafId) return undefined;
  return after.session.byId.has(leafId) ? leafId : undefined;
}

/** The group that an entry is in; `undefined` if it is not shown. */
export function groupIndexOf({ groups, slots }: ContextSnapshot, entryId: string): number | undefined {
  const slot = slots.findIndex((candidate) => candidate.entryId === entryId);
  if (slot < 0) return undefined;
  const group = groups.findIndex(({ to }) => slot < to);
  return group < 0 ? undefined : group;
}

/** The group of an entry, or the one nearest to it: what is before it on the branch, else what comes after. */
export function nearestGroupIndex(snapshot: ContextSnapshot, entryId: string): number | undefined {
  const exact = groupIndexOf(snapshot, entryId);
  if (exact !== undefined) return exact;
  const positions = new Map(snapshot.plan.path.map((head, index) => [head.id, index]));
  // What is on another branch left this one at a fork point.
  const shared = pathTo(snapshot.session, entryId).findLast(({ id }) => positions.has(id));
  const target = shared && positions.get(shared.id);
  if (target === undefined) return undefined;
  let best: number | undefined;
  let bestAt = -1;
  snapshot.groups.forEach(({ from }, group) => {
    const position = positions.get(snapshot.slots[from]!.entryId) ?? -1;
    if (position <= target && position > bestAt) [best, bestAt] = [group, position];
  });
  return best ?? (snapshot.groups.length > 0 ? 0 : undefined);
}

/** Where somebody stood when something else is to be shown. */
export interface RestorePosition {
  readonly entryId: string;
  /** How far into its article, in pixels. */
  readonly offset: number;
  /** It is to be shown, and not only kept where it is. */
  readonly isTarget?: true;
}

/** About how many lines each article has, from one on. */
export function estimateLinesFrom({ groups, slots }: ContextSnapshot, from = 0): number[] {
  return groups.slice(from).map((group) => estimateLines(group, slots));
}

/** Where an entry is, so that the page stands as far into it as before; or what is nearest to it, from its beginning. */
export function anchorAt(snapshot: ContextSnapshot, entryId: string, offset: number): ScrollAnchor | undefined {
  const index = nearestGroupIndex(snapshot, entryId);
  // What is another article has another height.
  return index === undefined ? undefined : { index, offset: groupIndexOf(snapshot, entryId) === undefined ? 0 : offset };
}

function sameSlot(a: PlannedSlot, b: PlannedSlot): boolean {
  return (
    a.entryId === b.entryId && a.role === b.role && a.bytes === b.bytes && a.label === b.label && a.step.editId === b.step.editId && a.nth === b.nth &&
    a.contextStatus === b.contextStatus && a.isEntryRow === b.isEntryRow
  );
}

function slotOf(session: Session, head: EntryHead, contextStatus: ContextStatus, role: string, step: ContextStep, nth: number): PlannedSlot {
  const label = session.labels.get(head.id);
  return { step, nth, entryId: head.id, role, bytes: head.length, contextStatus, ...(label === undefined ? {} : { label }) };
}

function roleOf(head: EntryHead): string {
  if (head.type === 'custom_message') return 'custom';
  return head.type === 'branch_summary' ? 'branchSummary' : head.role ?? 'other';
}
