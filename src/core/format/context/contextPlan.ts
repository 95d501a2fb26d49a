/**
 * Plans the context that the model sees at an entry: the entries that contribute, their order, their edits, and the
 * settings. Needs heads only; the bodies are read afterwards. FORMAT section 4; the rules follow the programs' own
 * context builders.
 */
import { modelName, type ModelRef } from '../entry/usage';
import type { EntryHead } from '../entry/entryHead';
import type { EntryTraits, HeadSource } from '../columns/headSource';
import { elementAt } from '../values/lookups';
import { headsOf } from '../linking/headsById';
import { assertEntry } from '../session/requireEntry';
import type { Session } from '../session/session';
import { finishSteps, STEP_LENGTH, type Steps } from '../session/steps';
import { pathPlaces } from '../session/treeTraversal';

/** An entry that contributes to the context. FORMAT section 4. */
export interface ContextStep {
  readonly id: string;
  /** The `context_edit` whose replacement is used instead of the entry's content. */
  readonly editId?: string;
}

/** The compaction that applies on a path. FORMAT section 4, rule 3. */
export interface ContextCompaction {
  readonly compactionId: string;
  /** The oldest entry before the compaction that is kept; `null` if the summary replaces all of them. */
  readonly firstKeptEntryId: string | null;
  /** The number of messages and summaries that the summary replaces. */
  readonly summarized: number;
}

/** The settings at an entry. FORMAT section 4, rule 2. */
export interface ContextSettings {
  /** `off` unless the header or an entry sets it. */
  readonly thinkingLevel: string;
  readonly model: ModelRef | null;
  /** oh-my-pi: the model of each role, as `provider/id`. */
  readonly models?: Readonly<Record<string, string>>;
  /** oh-my-pi: names of the injected rules, each once, in order. */
  readonly injectedTtsrRules?: readonly string[];
  /** oh-my-pi: the current mode, or `none`. */
  readonly mode?: string;
}

/** The entries that contribute to a context, and its settings. FORMAT section 4. */
export interface ContextPlan {
  /** The last entry of the path; `null` before the first one. */
  readonly leafId: string | null;
  /** From the root to the leaf. The first access makes the heads. */
  readonly path: readonly EntryHead[];
  readonly steps: readonly ContextStep[];
  readonly compaction?: ContextCompaction;
  /** oh-my-pi: the boundary that hides everything before it. */
  readonly resetId?: string;
  readonly settings: ContextSettings;
}

/** A plan by the places of its entries. */
export interface PlannedPath {
  readonly plan: ContextPlan;
  /** The places of the entries on its path, from the root to the leaf. */
  readonly places: readonly number[];
  /** The plan's steps in their order, by the places of their entries. */
  readonly steps: ReadonlyMap<number, ContextStep>;
}

/**
 * Plans the context at an entry: which entries contribute, and which settings apply. FORMAT section 4.
 *
 * @param leafId the entry; by default the session's leaf, `null` for the context before the first entry.
 * @throws {SessionError} `unknown-entry`
 */
export function contextPlan(session: Session, leafId: string | null = session.leafId): ContextPlan {
  return finishSteps(contextPlanSteps(session, leafId)).plan;
}

/** Does what {@link contextPlan} does, in steps. Makes no head. */
export function* contextPlanSteps(session: Session, leafId: string | null = session.leafId): Steps<PlannedPath> {
  if (leafId !== null) assertEntry(session, leafId);
  const heads = headsOf(session);
  const places = pathPlaces(heads, leafId);
  yield;
  const path = places.map((place) => heads.traitsAt(place));
  yield;
  const settings = session.dialect === 'omp' ? ompSettings(session, path) : defaultSettings(session, path);
  yield;
  const compaction = path.findLastIndex((head) => head.type === 'compaction');
  const reset = path.findLastIndex((head) => head.type === 'reset_boundary');
  yield;
  const plan = { leafId, settings };
  const resetAt = reset < 0 ? {} : { resetId: heads.idAt(elementAt(places, reset)) };
  if (compaction < 0 || reset > compaction)
    return plannedPath(heads, places, yield* stepsOf(heads, places.slice(reset + 1)), { ...plan, ...resetAt });

  const summary = elementAt(path, compaction);
  const firstKept = summary.firstKeptEntryId === undefined ? undefined : heads.placeOf(summary.firstKeptEntryId);
  // The compaction's own id, or an id that isn't before it on the path, keeps nothing.
  const named = places.findIndex((place, index) => index < compaction && place === firstKept);
  const first = named < 0 || summary.retainedTail ? compaction : named;
  const kept = places
    .slice(first, compaction)
    .filter((_, index) => elementAt(path, first + index).role !== 'system' || session.dialect === 'omp');
  yield;
  return plannedPath(heads, places, yield* stepsOf(heads, [elementAt(places, compaction), ...kept, ...places.slice(compaction + 1)]), {
    ...plan,
    // oh-my-pi keeps the entries that a later compaction names, also before a boundary.
    ...(reset < first ? resetAt : {}),
    compaction: {
      compactionId: heads.idAt(elementAt(places, compaction)),
      firstKeptEntryId: first < compaction ? heads.idAt(elementAt(places, first)) : null,
      summarized: path.slice(reset < first ? reset + 1 : 0, first).filter(addsMessages).length,
    },
  });
}

/** Adds the steps and the path to a plan. The path's heads are made at the first access, because many callers need only the steps. */
function plannedPath(
  heads: HeadSource,
  places: readonly number[],
  steps: ReadonlyMap<number, ContextStep>,
  plan: Omit<ContextPlan, 'path' | 'steps'>,
): PlannedPath {
  let path: readonly EntryHead[] | undefined;
  return {
    places,
    steps,
    plan: {
      ...plan,
      steps: [...steps.values()],
      get path() {
        return (path ??= places.map((place) => heads.at(place)));
      },
    },
  };
}

/** Returns whether an entry's type adds messages. Compactions aren't included: only the newest one adds any. */
function addsMessages(head: EntryTraits): boolean {
  return head.type === 'message' || head.type === 'custom_message' || (head.type === 'branch_summary' && head.hasText === true);
}

/**
 * Returns the contributions of entries in context order, by their places. A compaction contributes only in first place; only
 * edits among the entries apply.
 */
function* stepsOf(heads: HeadSource, places: readonly number[]): Steps<Map<number, ContextStep>> {
  /** Places of edits, by the id of their target. */
  const edits = new Map<string, number>();
  for (const place of places) {
    const head = heads.traitsAt(place);
    if (head.type === 'context_edit' && typeof head.targetId === 'string') edits.set(head.targetId, place);
  }
  const steps = new Map<number, ContextStep>();
  for (const [index, place] of places.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    const head = heads.traitsAt(place);
    if (!addsMessages(head) && !(head.type === 'compaction' && index === 0)) continue;
    const id = heads.idAt(place);
    const edit = edits.get(id);
    if (edit === undefined) steps.set(place, { id });
    else if (!heads.traitsAt(edit).omits) steps.set(place, { id, editId: heads.idAt(edit) });
  }
  return steps;
}

function defaultSettings({ header }: Session, path: readonly EntryTraits[]): ContextSettings {
  let thinkingLevel = header.thinkingLevel ?? 'off';
  let model = header.provider !== undefined && header.modelId !== undefined ? { provider: header.provider, modelId: header.modelId } : null;
  for (const head of path) {
    if (head.type === 'thinking_level_change') thinkingLevel = head.thinkingLevel ?? 'off';
    if ((head.type === 'model_change' || head.role === 'assistant') && head.model) model = head.model;
  }
  return { thinkingLevel, model };
}

function ompSettings({ header }: Session, path: readonly EntryTraits[]): ContextSettings {
  let thinkingLevel = header.thinkingLevel ?? 'off';
  let mode = 'none';
  const models = new Map<string, ModelRef>();
  const rules = new Set<string>();
  if (header.provider !== undefined && header.modelId !== undefined)
    models.set('default', { provider: header.provider, modelId: header.modelId });
  // Models of answers don't overwrite a chosen default, because they may be fallbacks.
  let chosen = false;
  for (const head of path) {
    if (head.type === 'thinking_level_change') thinkingLevel = head.thinkingLevel ?? 'off';
    if (head.type === 'mode_change') mode = head.mode ?? 'none';
    for (const rule of head.rules ?? []) rules.add(rule);
    if (!head.model) continue;
    if (head.type === 'model_change') {
      const role = head.modelRole ?? 'default';
      models.set(role, head.model);
      chosen ||= role === 'default';
    } else if (head.role === 'assistant' && !chosen) models.set('default', head.model);
  }
  return {
    thinkingLevel,
    model: models.get('default') ?? null,
    models: Object.fromEntries([...models].map(([role, model]) => [role, modelName(model)])),
    injectedTtsrRules: [...rules],
    mode,
  };
}
