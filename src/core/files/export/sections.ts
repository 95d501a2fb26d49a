/**
 * Renders entries as the sections of one document. Bodies are read in slices, so memory grows with the document, not
 * with the branch.
 */
import { placesSince } from '../../format/branches/compareBranches';
import { contextPlanSteps, type ContextPlan } from '../../format/context/contextPlan';
import { promptDeclaration } from '../../format/context/systemMessage';
import { defined } from '../../format/entry/defined';
import type { Entry } from '../../format/entry/entry';
import type { EntryHead } from '../../format/entry/entryHead';
import { isBookkeeping, isOmitted, markdownSection, type SectionOptions } from '../../format/context/markdownSection';
import type { TranslateMessage } from '../../format/entry/problem';
import { headsOf } from '../../format/linking/headsById';
import { makeHeads } from '../../format/session/makeHeads';
import type { Session } from '../../format/session/session';
import { STEP_LENGTH, type Steps } from '../../format/session/steps';
import { Yielder } from '../concurrency/eventLoop';
import { readBodies } from '../read/sessionFile';

/** Bytes: approximate size of a slice of bodies. */
const SLICE_BYTES = 4 * 1024 * 1024;
const SLICE_ENTRIES = 500;

/** An entry and the results of its tool calls, which share one section. */
export type EntryGroup = readonly [EntryHead, ...EntryHead[]];

export interface SectionDocument {
  /** Markdown above the sections. */
  readonly top: string;
  readonly groups: readonly EntryGroup[];
  /** Upper limit of the document's size in bytes. Beyond it, whole sections are left out in the middle. */
  readonly maxBytes: number;
  readonly options: SectionOptions;
  readonly signal?: AbortSignal | undefined;
}

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

/** Rendering options for the sections of a branch. */
export function sectionOptions(
  session: Session,
  plan: ContextPlan,
  units: readonly EntryGroup[],
  translate: TranslateMessage,
): SectionOptions {
  const cutAt = firstKept(plan, units);
  const declaration = promptDeclaration(plan.path);
  return {
    translate,
    labels: session.labels,
    ...defined({ compaction: plan.compaction, firstKeptEntryId: cutAt }),
    ...(declaration ? { promptEntryId: declaration.id } : {}),
  };
}

/**
 * The section where the entries that a compaction kept begin: that of the first kept entry, or the next one if that
 * entry has none.
 */
function firstKept({ path, compaction: cut }: ContextPlan, units: readonly EntryGroup[]): string | undefined {
  if (!cut || cut.firstKeptEntryId === null) return undefined;
  const kept = new Set(path.slice(path.findIndex((head) => head.id === cut.firstKeptEntryId)).map((head) => head.id));
  return units.find((unit) => kept.has(unit[0].id))?.[0].id;
}

async function renderGroups(
  session: Session,
  groups: readonly EntryGroup[],
  options: SectionOptions,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const bodies = await readBodies(
    session,
    groups.flatMap((group) => group.map((head) => head.id)),
    signal,
  );
  const turn = new Yielder(signal);
  const sections: string[] = [];
  let next = 0;
  for (const group of groups) {
    await turn.yieldIfDue();
    // There's a body for each head, and a group has at least one head.
    const [entry, ...results] = bodies.slice(next, (next += group.length)) as [Entry, ...Entry[]];
    sections.push(markdownSection({ head: group[0], entry, results }, options));
  }
  return sections;
}

/** Renders all sections, one slice after the other. @throws as {@link sectionsToMarkdown} */
export async function* sections(
  session: Session,
  groups: readonly EntryGroup[],
  options: SectionOptions,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void> {
  for (let from = 0; from < groups.length;) {
    const to = sliceAfter(groups, from);
    yield* await renderGroups(session, groups.slice(from, to), options, signal);
    from = to;
  }
}

/**
 * Renders the document.
 *
 * @throws {SessionError} `changed` if the file has changed since it was read.
 * @throws the signal's reason if aborted.
 */
export async function sectionsToMarkdown(
  session: Session,
  { top, groups: units, maxBytes, options, signal }: SectionDocument,
): Promise<string> {
  const render = (from: number, to: number): Promise<string[]> => renderGroups(session, units.slice(from, to), options, signal);

  let room = maxBytes - size(top);
  const start: string[] = [];
  const half = room / 2;
  for (let full = false; !full && start.length < units.length;) {
    const from = start.length;
    for (const section of await render(from, sliceAfter(units, from))) {
      if (room - size(section) < half) {
        full = true;
        break;
      }
      room -= size(section);
      start.push(section);
    }
  }
  const end: string[] = [];
  for (let full = false; !full && start.length + end.length < units.length;) {
    const to = units.length - end.length;
    for (const section of (await render(Math.max(start.length, sliceBefore(units, to)), to)).reverse()) {
      if (room < size(section)) {
        full = true;
        break;
      }
      room -= size(section);
      end.push(section);
    }
  }
  const missing = units.length - start.length - end.length;
  const note = missing === 0 ? [] : [`*${options.translate(LEFT_OUT, { count: missing })}*`];
  return `${[top, ...withOneBookkeepingLine(start, units), ...note, ...end.reverse()].join('\n\n')}\n`;
}

/** Joins the lines of bookkeeping entries at the start: every session begins with some. */
function withOneBookkeepingLine(sections: readonly string[], units: readonly EntryGroup[]): string[] {
  const end = units.findIndex(([head], index) => !isBookkeeping(head) || (sections[index] ?? '\n').includes('\n'));
  const count = end < 0 ? sections.length : end;
  return count < 2 ? [...sections] : [sections.slice(0, count).join(' · '), ...sections.slice(count)];
}

const LEFT_OUT =
  '{count} sections are left out to keep this document short. To read them, open an entry between them as Markdown, or open the raw file.';

const size = (text: string): number => Buffer.byteLength(text) + 2;

/** Groups entries into sections, in steps. */
export function* groupEntries(path: readonly EntryHead[]): Steps<EntryGroup[]> {
  const units: [EntryHead, ...EntryHead[]][] = [];
  let bytes = 0;
  for (const [index, head] of path.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    if (isOmitted(head)) continue;
    const last = units.at(-1);
    bytes += head.length;
    // If a message has more results than fit into a slice, the rest get sections of their own.
    if (head.role === 'toolResult' && last?.[0].role === 'assistant' && last.length < SLICE_ENTRIES && bytes < SLICE_BYTES) {
      last.push(head);
      continue;
    }
    units.push([head]);
    bytes = head.length;
  }
  return units;
}

const bytesOf = (unit: EntryGroup): number => unit.reduce((sum, head) => sum + head.length, 0);

/** Returns the end of the slice that begins at `from`: at least one section. */
const sliceAfter = (units: readonly EntryGroup[], from: number): number => from + fitting(units.slice(from, from + SLICE_ENTRIES));

const sliceBefore = (units: readonly EntryGroup[], to: number): number =>
  to - fitting(units.slice(Math.max(0, to - SLICE_ENTRIES), to).reverse());

/** Returns the number of sections that fit into a slice. The last one may exceed it. */
function fitting(units: readonly EntryGroup[]): number {
  let [count, bytes] = [0, 0];
  for (const unit of units) {
    if (bytes >= SLICE_BYTES) break;
    bytes += bytesOf(unit);
    count++;
  }
  return count;
}
