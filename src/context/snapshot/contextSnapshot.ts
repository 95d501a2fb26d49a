/**
 * The context at one entry, as an immutable snapshot over heads; bodies are read when an article is requested.
 * The cost of opening grows with the number of entries, not with their sizes.
 */
import { type SourcedMessage, entryMessages, withoutFailedTurns } from '../../core/format/context/contextMessages';
import { type ContextPlan, type ContextStep, contextPlan } from '../../core/format/context/contextPlan';
import { type ContextStatus, contextStatuses } from '../../core/format/context/contextStatus';
import { systemPromptEntries } from '../../core/format/context/systemMessage';
import { defined } from '../../core/format/entry/defined';
import type { Entry } from '../../core/format/entry/entry';
import type { EntryHead } from '../../core/format/entry/entryHead';
import type { Message } from '../../core/format/entry/message';
import { hasPromptText, parseSystemMessage } from '../../core/format/entry/systemPrompt';
import { headsOf } from '../../core/format/linking/headsById';
import { requireEntry } from '../../core/format/session/requireEntry';
import type { Session } from '../../core/format/session/session';
import { pathPlaces, pathTo } from '../../core/format/session/treeTraversal';
import { groupMessages, estimateLines, resultsFirst, type MessageGroup, type MessageSlot } from './messageGroups';
import type { SessionSource, SourceYielder } from './sessionSource';
import type { ScrollAnchor, ViewMode } from '../shared/protocol';

/** Number of entries between two places where work may yield. */
const STEP = 500;

export interface ContextSnapshot {
  readonly session: Session;
  /** Provides what isn't in the heads. */
  readonly source: SessionSource;
  readonly plan: ContextPlan;
  readonly view: ViewMode;
  /** The messages that the model gets, each with its entry, regardless of the view; and those that an edit took out. */
  readonly modelSlots: readonly PlannedSlot[];
  /** Absent if the file records none for this context. */
  readonly prompt?: RecordedPrompt;
  /** The slots that the view shows. */
  readonly slots: readonly PlannedSlot[];
  readonly groups: readonly PlannedGroup[];
}

/** The system prompt and the tools of a context, as the file records them. */
export interface RecordedPrompt {
  /** The entries from which they are replayed, in order. */
  readonly ids: readonly string[];
  /** The first of them. */
  readonly entryId: string;
  /** False if only tools are recorded. */
  readonly hasText: boolean;
}

export type PlannedGroup = MessageGroup<PlannedSlot>;

export interface PlannedSlot extends MessageSlot {
  readonly step: ContextStep;
  /** The slot shows the system prompt and the tools at the end of the context, replayed from these entries. */
  readonly promptIds?: readonly string[];
  /** The number of this message within its entry. */
  readonly nth: number;
}

/**
 * Plans the context of a session in slices, yielding to the event loop.
 *
 * @param leafId the entry whose context is shown; by default the session's leaf.
 * @throws {SessionError} `unknown-entry`; `changed` if the file was rewritten since it was read; the signal's reason
 * when aborted.
 */
export async function readContext(
  session: Session,
  source: SessionSource,
  leafId?: string,
  view: ViewMode = 'model',
  signal?: AbortSignal,
): Promise<ContextSnapshot> {
  signal?.throwIfAborted();
  const yielder = source.yielder(signal);
  const plan = contextPlan(session, leafId);
  await yielder.yieldIfDue();
  await makePathHeads(session, plan.leafId, yielder);
  const statuses = contextStatuses(session, plan);
  await yielder.yieldIfDue();
  const first = plan.steps[0];
  // A compaction may contain messages of its own, which only its body shows.
  const compaction =
    first && session.byId.get(first.id)?.type === 'compaction' ? entryMessages((await source.bodies(session, [first.id]))[0]!) : undefined;
  const modelSlots = await buildModelSlots({ session, plan, statuses, yielder }, compaction);
  await yielder.yieldIfDue();
  const prompt = recordedPrompt(session, plan, compaction);
  const slots =
    view === 'model' ? withPrompt(session, modelSlots, prompt) : await buildTranscriptSlots({ session, plan, statuses, yielder });
  await yielder.yieldIfDue();
  const groups = groupMessages(slots);
  await yielder.yieldIfDue();
  return { session, source, plan, view, modelSlots, ...defined({ prompt }), slots, groups };
}

/** @param compaction the messages of the compaction with which the context begins. */
function recordedPrompt(session: Session, plan: ContextPlan, compaction: readonly Message[] = []): RecordedPrompt | undefined {
  const checkpoints = compaction.filter(({ role }) => role === 'system');
  const ids = systemPromptEntries(plan).filter((id) => checkpoints.length > 0 || requireEntry(session, id).type !== 'compaction');
  const [entryId] = ids;
  if (entryId === undefined) return undefined;
  const hasText =
    checkpoints.some((message) => hasPromptText(parseSystemMessage(message))) ||
    ids.some((id) => requireEntry(session, id).hasText === true);
  return { ids, entryId, hasText };
}

/**
 * Puts the system prompt at the top: in place of the first message if that is a system message, otherwise as an
 * additional slot. Later system messages stay where they are, as changes.
 */
function withPrompt(session: Session, modelSlots: readonly PlannedSlot[], prompt: RecordedPrompt | undefined): readonly PlannedSlot[] {
  if (!prompt) return modelSlots;
  const { ids: promptIds, entryId } = prompt;
  const [first, ...rest] = modelSlots;
  if (first?.role === 'system' && first.entryId === entryId && !first.isEntryRow) return [{ ...first, promptIds }, ...rest];
  return [{ ...slotOf(session, requireEntry(session, entryId), 'in', 'system', { id: entryId }, 0), promptIds }, ...modelSlots];
}

/** Returns the number of messages that the model gets. */
export function messageCount({ modelSlots }: ContextSnapshot): number {
  return modelSlots.reduce((count, slot) => (slot.isEntryRow ? count : count + 1), 0);
}

/** Returns the number of articles that aren't entry rows. */
export function articleCount({ groups }: ContextSnapshot): number {
  return groups.reduce((count, { first }) => (first.isEntryRow ? count : count + 1), 0);
}

/** Makes the heads of a path, which the first access to `plan.path` would make at once. */
async function makePathHeads(session: Session, leafId: string | null, yielder: SourceYielder): Promise<void> {
  const heads = headsOf(session);
  for (const [index, place] of pathPlaces(heads, leafId).entries()) {
    heads.at(place);
    if (index % STEP === 0) await yielder.yieldIfDue();
  }
}

interface SlotInput {
  readonly session: Session;
  readonly plan: ContextPlan;
  /** One for each entry on the plan's path. */
  readonly statuses: readonly ContextStatus[];
  readonly yielder: SourceYielder;
}

async function buildModelSlots(
  { session, plan, statuses, yielder }: SlotInput,
  compaction: readonly Message[] | undefined,
): Promise<PlannedSlot[]> {
  const steps = new Map(plan.steps.map((step) => [step.id, step]));
  const first = plan.steps[0];
  const summary = first && requireEntry(session, first.id);
  const slots = compaction && summary ? compaction.map((message, nth) => slotOf(session, summary, 'in', message.role, first, nth)) : [];
  for (const [index, head] of plan.path.entries()) {
    if (index % STEP === 0) await yielder.yieldIfDue();
    const contextStatus = statuses[index]!;
    if (compaction && head === summary) continue;
    if (contextStatus === 'in' || contextStatus === 'edited')
      slots.push(slotOf(session, head, contextStatus, roleOf(head), steps.get(head.id) ?? { id: head.id }, 0));
    else if (contextStatus === 'omitted')
      slots.push({ ...slotOf(session, head, contextStatus, roleOf(head), { id: head.id }, 0), isEntryRow: true });
  }
  return resultsFirst(slots);
}

/** Returns every entry of the branch, as it stands in the file. */
async function buildTranscriptSlots({ session, plan, statuses, yielder }: SlotInput): Promise<PlannedSlot[]> {
  const slots: PlannedSlot[] = [];
  for (const [index, head] of plan.path.entries()) {
    if (index % STEP === 0) await yielder.yieldIfDue();
    const slot = slotOf(session, head, statuses[index]!, roleOf(head), { id: head.id }, 0);
    slots.push(head.type === 'message' || head.type === 'custom_message' ? slot : { ...slot, isEntryRow: true });
  }
  return resultsFirst(slots);
}

/** Reads the messages of each group, in order: at least one for each, but none for entry rows. */
export async function readMessages(
  { session, source, slots, view }: ContextSnapshot,
  groups: readonly PlannedGroup[],
): Promise<SourcedMessage[][]> {
  const slotsOfGroups = groups.map((group) => slots.slice(group.from, group.to).filter((slot) => !slot.isEntryRow));
  const ids = new Set(slotsOfGroups.flat().flatMap(({ step }) => (step.editId === undefined ? [step.id] : [step.id, step.editId])));
  const bodies = new Map<string, Entry>((await source.bodies(session, [...ids])).map((entry) => [entry.id, entry]));
  return slotsOfGroups.map((group) => {
    const [first] = group;
    const messages = group.map(({ step, nth, entryId }): SourcedMessage => {
      const message = entryMessages(bodies.get(step.id)!, step.editId === undefined ? undefined : bodies.get(step.editId))[nth];
      return { message: message ?? { role: 'other' }, source: entryId };
    });
    const kept = session.dialect === 'omp' && view === 'model' ? withoutFailedTurns(messages) : messages;
    // An answer that consists only of calls that never ran becomes an empty message, so that its group keeps its place.
    return kept.length > 0 || !first ? kept : [{ message: { role: 'other' }, source: first.entryId }];
  });
}

/** Returns the index of the first group that differs; the number of groups if none does. */
export function firstDifference(before: ContextSnapshot, after: ContextSnapshot): number {
  // A rewritten file may have different content of the same size. Heads of a file that only grew are the same objects.
  if (before.session.entries[0] !== after.session.entries[0]) return 0;
  const limit = Math.min(before.groups.length, after.groups.length);
  for (let i = 0; i < limit; i++) {
    const [a, b] = [before.groups[i], after.groups[i]];
    if (!a || !b || a.key !== b.key || a.to - a.from !== b.to - b.from) return i;
    for (let k = 0; k < a.to - a.from; k++) if (!sameSlot(before.slots[a.from + k], after.slots[b.from + k])) return i;
  }
  return limit;
}

/** Returns the previous leaf, if it still exists but is no longer on the branch that ends at the new leaf. */
export function abandonedLeaf(before: ContextSnapshot, after: ContextSnapshot): string | undefined {
  const { leafId, path } = before.plan;
  if (leafId === null || after.session.path !== before.session.path || after.plan.path[path.length - 1]?.id === leafId) return undefined;
  return after.session.byId.has(leafId) ? leafId : undefined;
}

/** Returns the index of the group that contains an entry; `undefined` if the view doesn't show it. */
export function groupIndexOf({ groups, slots }: ContextSnapshot, entryId: string): number | undefined {
  const isOfEntry = (candidate: PlannedSlot): boolean => candidate.entryId === entryId;
  // A message that declares the prompt later on has a slot of its own, too.
  const own = slots.findIndex((candidate) => isOfEntry(candidate) && !candidate.promptIds);
  const slot = own < 0 ? slots.findIndex(isOfEntry) : own;
  if (slot < 0) return undefined;
  const group = groups.findIndex(({ to }) => slot < to);
  return group < 0 ? undefined : group;
}

/** Returns the index of the group of an entry, or of the nearest one: the last before it on the branch, else the first. */
export function nearestGroupIndex(snapshot: ContextSnapshot, entryId: string): number | undefined {
  const exact = groupIndexOf(snapshot, entryId);
  if (exact !== undefined) return exact;
  const positions = new Map(snapshot.plan.path.map((head, index) => [head.id, index]));
  // An entry on another branch is represented by the fork point.
  const shared = pathTo(snapshot.session, entryId).findLast(({ id }) => positions.has(id));
  const target = shared && positions.get(shared.id);
  if (target === undefined) return undefined;
  let best: number | undefined;
  let bestAt = -1;
  snapshot.groups.forEach(({ first }, group) => {
    const position = positions.get(first.entryId) ?? -1;
    if (position <= target && position > bestAt) [best, bestAt] = [group, position];
  });
  return best ?? (snapshot.groups.length > 0 ? 0 : undefined);
}

/** A position to restore after other content is loaded. */
export interface RestorePosition {
  readonly entryId: string;
  /** Pixels of its article above the top edge. */
  readonly offset: number;
  /** The entry is to be shown and focused, not only kept in place. */
  readonly isTarget?: true;
}

/** Returns the estimated number of lines of each article, from one on. */
export function estimateLinesFrom({ groups }: ContextSnapshot, from = 0): number[] {
  return groups.slice(from).map((group) => estimateLines(group));
}

/** Returns the scroll position that keeps an entry in place, or the start of the nearest article. */
export function anchorAt(snapshot: ContextSnapshot, entryId: string, offset: number): ScrollAnchor | undefined {
  const index = nearestGroupIndex(snapshot, entryId);
  // Another article has another height.
  return index === undefined ? undefined : { index, offset: groupIndexOf(snapshot, entryId) === undefined ? 0 : offset };
}

function sameSlot(a: PlannedSlot | undefined, b: PlannedSlot | undefined): boolean {
  return (
    a !== undefined &&
    b !== undefined &&
    a.entryId === b.entryId &&
    a.role === b.role &&
    a.bytes === b.bytes &&
    a.label === b.label &&
    a.step.editId === b.step.editId &&
    a.promptIds?.join('\n') === b.promptIds?.join('\n') &&
    a.nth === b.nth &&
    a.contextStatus === b.contextStatus &&
    a.isEntryRow === b.isEntryRow
  );
}

function slotOf(
  session: Session,
  head: EntryHead,
  contextStatus: ContextStatus,
  role: string,
  step: ContextStep,
  nth: number,
): PlannedSlot {
  const label = session.labels.get(head.id);
  return { step, nth, entryId: head.id, role, bytes: head.length, contextStatus, ...defined({ label }) };
}

function roleOf(head: EntryHead): string {
  if (head.type === 'custom_message') return 'custom';
  return head.type === 'branch_summary' ? 'branchSummary' : (head.role ?? 'other');
}
