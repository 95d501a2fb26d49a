/**
 * Renders planned sections as one document. Bodies are read in slices, so memory grows with the document, not with the
 * branch.
 */
import type { Entry } from '../../../format/entry/entry';
import { isBookkeeping, markdownSectionParts, PART_BREAK, type SectionOptions } from '../../../format/context/markdown/markdownSection';
import type { Session } from '../../../format/session/session';
import { Yielder } from '../../concurrency/eventLoop';
import { readBodies } from '../../read/sessionFile';
import { SLICE_BYTES, SLICE_ENTRIES, type EntryGroup } from './sectionPlan';

interface SectionDocument {
  /** Markdown above the sections. */
  readonly top: string;
  readonly groups: readonly EntryGroup[];
  /** Upper limit of the document's size in bytes. Beyond it, whole sections are left out in the middle. */
  readonly maxBytes: number;
  readonly options: SectionOptions;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the parts of each group's section. */
async function renderGroups(
  session: Session,
  groups: readonly EntryGroup[],
  options: SectionOptions,
  signal: AbortSignal | undefined,
): Promise<(readonly string[])[]> {
  const bodies = await readBodies(
    session,
    groups.flatMap((group) => group.map((head) => head.id)),
    signal,
  );
  const turn = new Yielder(signal);
  const sections: (readonly string[])[] = [];
  let next = 0;
  for (const group of groups) {
    await turn.yieldIfDue();
    // There's a body for each head, and a group has at least one head.
    const [entry, ...results] = bodies.slice(next, (next += group.length)) as [Entry, ...Entry[]];
    sections.push(await turn.run(markdownSectionParts({ head: group[0], entry, results }, options)));
  }
  return sections;
}

/** Renders the parts of all sections, one slice after the other. @throws as {@link sectionsToMarkdown} */
export async function* renderSections(
  session: Session,
  groups: readonly EntryGroup[],
  options: SectionOptions,
  signal: AbortSignal | undefined,
): AsyncGenerator<string, void> {
  for (let from = 0; from < groups.length;) {
    const to = sliceAfter(groups, from);
    for (const parts of await renderGroups(session, groups.slice(from, to), options, signal)) yield* parts;
    from = to;
  }
}

/**
 * Renders the document.
 *
 * @throws {SessionError} `changed` if the file has changed since it was read.
 * @throws the signal's reason if aborted.
 */
export async function sectionsToMarkdown(session: Session, { top, groups, maxBytes, options, signal }: SectionDocument): Promise<string> {
  const render = async (from: number, to: number): Promise<string[]> =>
    (await renderGroups(session, groups.slice(from, to), options, signal)).map((parts) => parts.join(PART_BREAK));

  let room = maxBytes - size(top);
  const start: string[] = [];
  const half = room / 2;
  for (let full = false; !full && start.length < groups.length;) {
    const from = start.length;
    for (const section of await render(from, sliceAfter(groups, from))) {
      if (room - size(section) < half) {
        full = true;
        break;
      }
      room -= size(section);
      start.push(section);
    }
  }
  const end: string[] = [];
  for (let full = false; !full && start.length + end.length < groups.length;) {
    const to = groups.length - end.length;
    for (const section of (await render(Math.max(start.length, sliceBefore(groups, to)), to)).reverse()) {
      if (room < size(section)) {
        full = true;
        break;
      }
      room -= size(section);
      end.push(section);
    }
  }
  const missing = groups.length - start.length - end.length;
  const note = missing === 0 ? [] : [`*${options.translate(LEFT_OUT, { count: missing })}*`];
  return `${[top, ...withOneBookkeepingLine(start, groups), ...note, ...end.reverse()].join(PART_BREAK)}\n`;
}

/** Joins the lines of bookkeeping entries at the start: every session begins with some. */
function withOneBookkeepingLine(sections: readonly string[], groups: readonly EntryGroup[]): string[] {
  const end = groups.findIndex(([head], index) => !isBookkeeping(head) || (sections[index] ?? '\n').includes('\n'));
  const count = end < 0 ? sections.length : end;
  return count < 2 ? [...sections] : [sections.slice(0, count).join(' · '), ...sections.slice(count)];
}

const LEFT_OUT =
  '{count} sections are left out to keep this document short. To read them, open an entry between them as Markdown, or open the raw file.';

const size = (text: string): number => Buffer.byteLength(text) + 2;

const bytesOf = (group: EntryGroup): number => group.reduce((sum, head) => sum + head.length, 0);

/** Returns the end of the slice that begins at `from`: at least one section. */
const sliceAfter = (groups: readonly EntryGroup[], from: number): number => from + fitting(groups.slice(from, from + SLICE_ENTRIES));

const sliceBefore = (groups: readonly EntryGroup[], to: number): number =>
  to - fitting(groups.slice(Math.max(0, to - SLICE_ENTRIES), to).reverse());

/** Returns the number of sections that fit into a slice. The last one may exceed it. */
function fitting(groups: readonly EntryGroup[]): number {
  let [count, bytes] = [0, 0];
  for (const group of groups) {
    if (bytes >= SLICE_BYTES) break;
    bytes += bytesOf(group);
    count++;
  }
  return count;
}
