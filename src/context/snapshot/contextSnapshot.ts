/**
 * The context at one entry, as an immutable snapshot over heads; bodies are read when an article is requested.
 * The cost of opening grows with the number of entries, not with their sizes.
 */
import { type SourcedMessage, entryMessages, withoutFailedTurns } from '../../core/format/context/contextMessages';
import { type ContextPlan, type ContextStep, type PlannedPath, contextPlanSteps } from '../../core/format/context/contextPlan';
import { type ContextStatus, contextStatusSteps } from '../../core/format/context/contextStatus';
import { declaresPrompt, systemPromptPlaces } from '../../core/format/context/systemMessage';
import { defined } from '../../core/format/values/defined';
import type { Entry } from '../../core/format/entry/entry';
import type { EntryTraits, HeadSource } from '../../core/format/columns/headSource';
import { elementAt, valueOf } from '../../core/format/values/lookups';
import type { Message } from '../../core/format/entry/message';
import { hasPromptText, parseSystemMessage } from '../../core/format/entry/prompts/systemPrompt';
import { headsOf } from '../../core/format/linking/headsById';
import type { Session } from '../../core/format/session/session';
import { runSteps, STEP_LENGTH, type Steps } from '../../core/format/session/steps';
import { findEntry } from '../../core/format/session/treeTraversal';
import { groupMessages, resultsFirst, type MessageGroup, type MessageSlot } from './messageGroups';
import type { SessionSource } from './sessionSource';
import type { ViewMode } from '../shared/protocol';

export interface ContextSnapshot {
  readonly session: Session;
  /** Provides what isn't in the heads. */
  readonly source: SessionSource;
  readonly plan: ContextPlan;
  /** The places of the entries on the plan's path, from the root to the leaf. */
  readonly places: readonly number[];
  /** Dollars that the entries on the path record. */
  readonly cost: number;
  /** The system message on the path that declares the prompt; absent if none does. */
  readonly declarationId?: string;
  readonly view: ViewMode;
  /** The messages that the model gets, each with its entry, regardless of the view; and the messages that an edit removed. */
  readonly modelSlots: readonly PlannedSlot[];
  /** Absent if the file records none for this context. */
  readonly prompt?: RecordedPrompt;
  /** The slots that the view shows. */
  readonly slots: readonly PlannedSlot[];
  readonly groups: readonly PlannedGroup[];
}

/** The system prompt and the tools of a context, as the file records them. */
interface RecordedPrompt {
  /** The entries from which they are replayed, in order. */
  readonly ids: readonly string[];
  /** The first of these entries, and its place. */
  readonly entryId: string;
  readonly place: number;
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
  const run = <T>(steps: Steps<T>): Promise<T> => runSteps(steps, () => yielder.yieldIfDue());
  const planned = await run(contextPlanSteps(session, leafId));
  const { plan, places } = planned;
  const input = { session, heads: headsOf(session), planned, statuses: await run(contextStatusSteps(session, planned)) };
  const summary = await readSummary(input, source);
  const modelSlots = await run(buildModelSlots(input, summary));
  const prompt = await run(recordedPrompt(input, summary));
  const declarationId = findEntry(session, declaresPrompt, places)?.id;
  const slots = view === 'model' ? withPrompt(input, modelSlots, prompt) : await run(buildTranscriptSlots(input));
  const groups = await run(groupMessages(slots));
  const cost = await run(costOf(input));
  return { session, source, plan, places, cost, view, modelSlots, ...defined({ prompt, declarationId }), slots, groups };
}

/** The compaction with which a context begins. It may contain messages, which only its body shows. */
interface Summary {
  readonly place: number;
  readonly messages: readonly Message[];
}

async function readSummary({ session, heads, planned }: SlotInput, source: SessionSource): Promise<Summary | undefined> {
  const [first] = planned.steps;
  if (!first || heads.traitsAt(first[0]).type !== 'compaction') return undefined;
  const [place, { id }] = first;
  return { place, messages: entryMessages(elementAt(await source.bodies(session, [id]), 0)) };
}

function* recordedPrompt({ heads, planned }: SlotInput, summary: Summary | undefined): Steps<RecordedPrompt | undefined> {
  const checkpoints = summary?.messages.filter(({ role }) => role === 'system') ?? [];
  const all = yield* systemPromptPlaces(heads, planned);
  yield;
  const places = all.filter((place) => checkpoints.length > 0 || heads.traitsAt(place).type !== 'compaction');
  const [place] = places;
  if (place === undefined) return undefined;
  const hasText =
    checkpoints.some((message) => hasPromptText(parseSystemMessage(message))) || places.some((one) => heads.traitsAt(one).hasText === true);
  return { ids: places.map((one) => heads.idAt(one)), place, entryId: heads.idAt(place), hasText };
}

/**
 * Puts the system prompt at the top: replacing the first message if that is a system message, otherwise as an
 * additional slot. Later system messages keep their places, as changes.
 */
function withPrompt(input: SlotInput, modelSlots: readonly PlannedSlot[], prompt: RecordedPrompt | undefined): readonly PlannedSlot[] {
  if (!prompt) return modelSlots;
  const { ids: promptIds, place, entryId } = prompt;
  const [first, ...rest] = modelSlots;
  if (first?.role === 'system' && first.entryId === entryId && !first.isEntryRow) return [{ ...first, promptIds }, ...rest];
  return [{ ...slotOf(input, place, { contextStatus: 'in', role: 'system' }), promptIds }, ...modelSlots];
}

/** Returns the number of messages that the model gets. */
export function messageCount({ modelSlots }: ContextSnapshot): number {
  return modelSlots.reduce((count, slot) => (slot.isEntryRow ? count : count + 1), 0);
}

/** Returns the number of articles that aren't entry rows. */
export function articleCount({ groups }: ContextSnapshot): number {
  return groups.reduce((count, { first }) => (first.isEntryRow ? count : count + 1), 0);
}

interface SlotInput {
  readonly session: Session;
  readonly heads: HeadSource;
  readonly planned: PlannedPath;
  /** One for each entry on the plan's path. */
  readonly statuses: readonly ContextStatus[];
}

function* buildModelSlots(input: SlotInput, summary: Summary | undefined): Steps<PlannedSlot[]> {
  const { planned, statuses } = input;
  const slots: PlannedSlot[] = [];
  if (summary) {
    const step = planned.steps.get(summary.place);
    for (const [nth, { role }] of summary.messages.entries()) {
      if (nth % STEP_LENGTH === 0) yield;
      slots.push(slotOf(input, summary.place, { contextStatus: 'in', role, nth, step }));
    }
  }
  for (const [index, place] of planned.places.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    const contextStatus = elementAt(statuses, index);
    if (place === summary?.place) continue;
    if (contextStatus === 'in' || contextStatus === 'edited')
      slots.push(slotOf(input, place, { contextStatus, step: planned.steps.get(place) }));
    else if (contextStatus === 'omitted') slots.push({ ...slotOf(input, place, { contextStatus }), isEntryRow: true });
  }
  yield;
  return resultsFirst(slots);
}

/** Returns every entry of the branch, as it stands in the file. */
function* buildTranscriptSlots(input: SlotInput): Steps<PlannedSlot[]> {
  const slots: PlannedSlot[] = [];
  for (const [index, place] of input.planned.places.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    const { type } = input.heads.traitsAt(place);
    const slot = slotOf(input, place, { contextStatus: elementAt(input.statuses, index) });
    slots.push(type === 'message' || type === 'custom_message' ? slot : { ...slot, isEntryRow: true });
  }
  return resultsFirst(slots);
}

function* costOf({ heads, planned: { places } }: SlotInput): Steps<number> {
  let cost = 0;
  for (const [index, place] of places.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    cost += heads.usageAt(place)?.cost?.total ?? 0;
  }
  return cost;
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

/** The parts of a slot that its entry's head doesn't have. Without the optional ones it shows the entry's own message, unchanged. */
interface SlotDetails {
  readonly contextStatus: ContextStatus;
  readonly role?: string;
  readonly step?: ContextStep | undefined;
  readonly nth?: number;
}

function slotOf({ session, heads }: SlotInput, place: number, { contextStatus, role, step: given, nth = 0 }: SlotDetails): PlannedSlot {
  const traits = heads.traitsAt(place);
  const step = given ?? { id: heads.idAt(place) };
  const label = session.labels.get(step.id);
  const slot = { step, nth, entryId: step.id, role: role ?? roleOf(traits), bytes: heads.lengthAt(place), contextStatus };
  // Most slots have neither.
  return label === undefined && !traits.isHidden ? slot : { ...slot, ...defined({ label }), ...(traits.isHidden && { isHidden: true }) };
}

function roleOf({ type, role }: EntryTraits): string {
  if (type === 'custom_message') return 'custom';
  return type === 'branch_summary' ? 'branchSummary' : (role ?? 'other');
}
