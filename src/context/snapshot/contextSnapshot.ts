/**
 * The context at one entry, as an immutable snapshot over heads; bodies are read when an article is requested.
 * The cost of opening grows with the number of entries, not with their sizes.
 */
import { type SourcedMessage, entryMessages, withoutFailedTurns } from '../../core/format/context/contextMessages';
import { type ContextPlan, type ContextStep, contextPlan } from '../../core/format/context/contextPlan';
import { type ContextStatus, eachContextStatus } from '../../core/format/context/contextStatus';
import { systemPromptEntries } from '../../core/format/context/systemMessage';
import { defined } from '../../core/format/entry/defined';
import type { Entry } from '../../core/format/entry/entry';
import type { EntryHead } from '../../core/format/entry/entryHead';
import { elementAt, valueOf } from '../../core/format/entry/lookups';
import type { Message } from '../../core/format/entry/message';
import { hasPromptText, parseSystemMessage } from '../../core/format/entry/systemPrompt';
import { headsOf } from '../../core/format/linking/headsById';
import { requireEntry } from '../../core/format/session/requireEntry';
import type { Session } from '../../core/format/session/session';
import { pathPlaces } from '../../core/format/session/treeTraversal';
import { groupMessages, resultsFirst, type MessageGroup, type MessageSlot } from './messageGroups';
import type { SessionSource, SourceYielder } from './sessionSource';
import type { ViewMode } from '../shared/protocol';

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
  const statuses: ContextStatus[] = [];
  for (const status of eachContextStatus(session, plan)) {
    if (statuses.push(status) % STEP === 0) await yielder.yieldIfDue();
  }
  await yielder.yieldIfDue();
  const first = plan.steps[0];
  // A compaction may contain messages of its own, which only its body shows.
  const compaction =
    first && session.byId.get(first.id)?.type === 'compaction'
      ? entryMessages(elementAt(await source.bodies(session, [first.id]), 0))
      : undefined;
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
    const contextStatus = elementAt(statuses, index);
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
    const slot = slotOf(session, head, elementAt(statuses, index), roleOf(head), { id: head.id }, 0);
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
      const message = entryMessages(valueOf(bodies, step.id), step.editId === undefined ? undefined : bodies.get(step.editId))[nth];
      return { message: message ?? { role: 'other' }, source: entryId };
    });
    const kept = session.dialect === 'omp' && view === 'model' ? withoutFailedTurns(messages) : messages;
    // An answer that consists only of calls that never ran becomes an empty message, so that its group keeps its place.
    return kept.length > 0 || !first ? kept : [{ message: { role: 'other' }, source: first.entryId }];
  });
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
