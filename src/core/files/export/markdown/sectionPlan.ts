/** Plans the sections of a branch: which entries share one, and what their rendering depends on. */
import { placesSince } from '../../../format/branches/compareBranches';
import { contextPlanSteps, type ContextPlan } from '../../../format/context/contextPlan';
import { isBookkeeping, isOmitted, type SectionOptions } from '../../../format/context/markdown/markdownSection';
import { promptDeclaration } from '../../../format/context/systemMessage';
import { defined } from '../../../format/values/defined';
import type { EntryHead } from '../../../format/entry/entryHead';
import type { TranslateMessage } from '../../../format/entry/problem';
import { headsOf } from '../../../format/linking/headsById';
import { makeHeads } from '../../../format/session/read/makeHeads';
import type { Session } from '../../../format/session/session';
import { STEP_LENGTH, type Steps } from '../../../format/session/steps';

/** The approximate bytes of bodies that are read together, and the most entries. */
export const SLICE_BYTES = 4 * 1024 * 1024;
export const SLICE_ENTRIES = 500;

/** An entry and the results of its tool calls, which share one section. */
export type EntryGroup = readonly [EntryHead, ...EntryHead[]];

/** A branch, or the part of it after a fork point, as sections. */
export interface PlannedSections {
  readonly plan: ContextPlan;
  readonly entries: readonly EntryHead[];
  /** The places of the entries. */
  readonly places: readonly number[];
  readonly groups: readonly EntryGroup[];
  readonly options: SectionOptions;
}

/**
 * Plans the sections of a branch in steps.
 *
 * @param since id of the fork point; `null` for the whole branch
 * @throws {SessionError} `unknown-entry`
 */
export function* planSections(
  session: Session,
  { entryId, since = null, translate }: { readonly entryId?: string; readonly since?: string | null; readonly translate: TranslateMessage },
): Steps<PlannedSections> {
  const { plan, places: pathPlaces } = yield* contextPlanSteps(session, entryId);
  const path = yield* makeHeads(headsOf(session), pathPlaces);
  const places = placesSince({ session, ...defined({ entryId }) }, since);
  yield;
  const entries = path.slice(path.length - places.length);
  const groups = yield* groupEntries(entries);
  return { plan, entries, places, groups, options: sectionOptions(session, plan, groups, translate) };
}

/** Returns the rendering options that all branches have in common. */
export function branchIndependentOptions({ labels, header }: Session, translate: TranslateMessage): SectionOptions {
  const started = Date.parse(header.timestamp);
  return { translate, labels, ...(Number.isNaN(started) ? {} : { startDay: new Date(started).toISOString().slice(0, 10) }) };
}

/** Returns the rendering options for the sections of a branch. */
export function sectionOptions(
  session: Session,
  plan: ContextPlan,
  groups: readonly EntryGroup[],
  translate: TranslateMessage,
): SectionOptions {
  const firstKeptEntryId = firstKept(plan, groups);
  const declaration = promptDeclaration(plan.path);
  return {
    ...branchIndependentOptions(session, translate),
    ...defined({ compaction: plan.compaction, firstKeptEntryId }),
    ...(declaration ? { promptEntryId: declaration.id } : {}),
  };
}

/**
 * Returns the section where the entries that a compaction kept begin: the section of the first kept entry, or the next one
 * if that entry has none.
 */
function firstKept({ path, compaction }: ContextPlan, groups: readonly EntryGroup[]): string | undefined {
  if (!compaction || compaction.firstKeptEntryId === null) return undefined;
  const kept = new Set(path.slice(path.findIndex((head) => head.id === compaction.firstKeptEntryId)).map((head) => head.id));
  return groups.find((group) => kept.has(group[0].id))?.[0].id;
}

/** Groups entries into sections, in steps. Bookkeeping between an answer and its results, such as stored values, follows them. */
export function* groupEntries(path: readonly EntryHead[]): Steps<EntryGroup[]> {
  const groups: [EntryHead, ...EntryHead[]][] = [];
  let answer: [EntryHead, ...EntryHead[]] | undefined;
  let bytes = 0;
  for (const [index, head] of path.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    if (isOmitted(head)) continue;
    bytes += head.length;
    // If a message has more results than fit into a slice, the others get separate sections.
    if (head.role === 'toolResult' && answer && answer.length < SLICE_ENTRIES && bytes < SLICE_BYTES) {
      answer.push(head);
      continue;
    }
    const group: [EntryHead] = [head];
    groups.push(group);
    if (isBookkeeping(head)) continue;
    answer = head.role === 'assistant' ? group : undefined;
    bytes = head.length;
  }
  return groups;
}
