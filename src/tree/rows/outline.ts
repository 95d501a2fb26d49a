/**
 * A session under a filter as levels of rows. Pure. A level is one line of entries, from its start down to a tip, as a
 * flat list in file order; each branch off that line is one row. So a row's depth is the number of forks above it, never
 * the number of its ancestors.
 */
import { defined, isVisible, type EntryHead, type Filter, type Session } from '../../core/index';
import { sliceCounter, type CooperativeTask } from '../cooperativeTask';
import { activityTimes, type ActivityTimes } from './activityTimes';

export type OutlineRow = OutlineEntry | OutlineBranch;

export interface OutlineEntry {
  readonly kind: 'entry';
  readonly head: EntryHead;
  readonly label?: string;
  /** True if the session continues here, or at an entry below that has no row under this filter. */
  readonly isLeaf: boolean;
}

/** The entries of an abandoned branch. */
export interface OutlineBranch {
  readonly kind: 'branch';
  /** The id of the branch's first entry, visible or not; identifies the branch. */
  readonly startId: string;
  /** The branch's first entry that has a row. */
  readonly head: EntryHead;
  readonly label?: string;
  /** The end of the branch's own line: on the way to the newest message, the last entry that is visible by default or a message. */
  readonly tipId: string;
  readonly tipLabel?: string;
  /** The number of user messages on its own line. */
  readonly turnCount: number;
  /** The number of entries on its own line that have a row. */
  readonly visibleCount: number;
  /** The newest message on the branch and its own branches, in milliseconds since 1970; 0 if nothing in it has a time. */
  readonly newest: number;
}

export interface Outline extends ActivityTimes {
  readonly session: Session;
  readonly filter: Filter;
  /** The rows of the active path. */
  readonly rows: readonly OutlineRow[];
}

/** Walks the session once, and returns its outline. */
export function* buildOutline(session: Session, filter: Filter): CooperativeTask<Outline> {
  const isDue = sliceCounter();
  const path: EntryHead[] = [];
  const active = new Set<string>();
  for (let head = headOf(session, session.leafId); head && !active.has(head.id); head = headOf(session, head.parentId)) {
    path.push(head);
    active.add(head.id);
    if (isDue()) yield;
  }
  path.reverse();
  const left = session.roots.filter((id) => !active.has(id));
  for (const { id } of path) {
    for (const child of session.children.get(id) ?? []) if (!active.has(child)) left.push(child);
    if (isDue()) yield;
  }
  const lines = { session, filter, ...(yield* activityTimes(session, left, isDue)), isDue };
  const rows: OutlineRow[] = yield* branchRows(lines, session.roots, path[0]?.id);
  yield* addRows(rows, lines, path, true);
  setLeafRow(rows, true);
  return { session, filter, newestChild: lines.newestChild, newestTimes: lines.newestTimes, rows };
}

/**
 * The rows of a level: the active path, or with `startId` the line of that branch. A branch comes after the nearest row
 * above its fork; several at one fork are in the order in which they were started. A line without visible entries has no
 * row, and its own branches take its place.
 */
export function* outlineLevel(outline: Outline, startId?: string): CooperativeTask<readonly OutlineRow[]> {
  if (startId === undefined) return outline.rows;
  const lines = { ...outline, isDue: sliceCounter() };
  const rows: OutlineRow[] = [];
  // Branches that fork off before the first row are listed beside the branch, not inside it.
  yield* addRows(rows, lines, yield* branchLine(lines, startId), false);
  return rows;
}

/** Sets `isLeaf` of the last entry with a row. */
export function setLeafRow(rows: OutlineRow[], isLeaf: boolean): void {
  const at = rows.findLastIndex((row) => row.kind === 'entry');
  const row = rows[at];
  if (row?.kind === 'entry') rows[at] = { ...row, isLeaf };
}

/** An entry's row; `undefined` if the filter hides it. */
export function outlineEntryOf({ session, filter }: Pick<Outline, 'session' | 'filter'>, head: EntryHead): OutlineEntry | undefined {
  if (!isVisible(session, head, filter)) return undefined;
  const label = session.labels.get(head.id);
  return { kind: 'entry', head, ...defined({ label }), isLeaf: false };
}

interface LineWalk extends Pick<Outline, 'session' | 'filter' | 'newestChild' | 'newestTimes'> {
  readonly isDue: () => boolean;
}

/** Adds the rows of a line's entries and of the branches off it. @param fromBeginning also branches before the line's first row */
function* addRows(rows: OutlineRow[], lines: LineWalk, line: readonly EntryHead[], fromBeginning: boolean): CooperativeTask<void> {
  for (const [index, head] of line.entries()) {
    const row = outlineEntryOf(lines, head);
    if (row) rows.push(row);
    const children = fromBeginning || rows.length > 0 ? lines.session.children.get(head.id) : undefined;
    const next = line[index + 1]?.id;
    if (children?.some((child) => child !== next)) rows.push(...(yield* branchRows(lines, children, next)));
    if (lines.isDue()) yield;
  }
}

const headOf = ({ byId }: Session, id: string | null): EntryHead | undefined => (id === null ? undefined : byId.get(id));

/** The position of an entry's row, or of the nearest visible ancestor's. */
export interface OutlineLocation {
  /** The `startId`s of the branch rows to expand, from the top. */
  readonly branches: readonly string[];
  /** The id of the entry that has a row; absent if neither the entry nor any ancestor has one. */
  readonly entryId?: string;
}

export function locateInOutline(outline: Outline, entryId: string): OutlineLocation {
  const { session } = outline;
  const found = nearestVisible(outline, entryId);
  const branches: string[] = [];
  for (let at = found; at !== undefined;) {
    const start = branchStart(outline, at.id);
    if (start === undefined) break;
    branches.push(start);
    const parent = session.byId.get(start)?.parentId;
    at = parent === null || parent === undefined ? undefined : nearestVisible(outline, parent);
  }
  return { branches: branches.reverse(), ...(found ? { entryId: found.id } : {}) };
}

function nearestVisible({ session, filter }: Outline, id: string): EntryHead | undefined {
  let head = session.byId.get(id);
  while (head && !isVisible(session, head, filter)) head = head.parentId === null ? undefined : session.byId.get(head.parentId);
  return head;
}

/** The first entry of the branch line that contains an entry; `undefined` on the active path. */
function branchStart({ session, newestTimes: newest, newestChild: next }: Outline, id: string): string | undefined {
  let at = id;
  while (newest.has(at)) {
    const parent = session.byId.get(at)?.parentId ?? null;
    if (parent === null || !newest.has(parent) || next.get(parent) !== at) return at;
    at = parent;
  }
  return undefined;
}

function* branchLine({ session, newestChild: next, isDue }: LineWalk, startId: string): CooperativeTask<EntryHead[]> {
  const line: EntryHead[] = [];
  for (let id: string | undefined = startId; id !== undefined; id = next.get(id)) {
    const head = session.byId.get(id);
    if (!head) break;
    line.push(head);
    if (isDue()) yield;
  }
  return line;
}

/** The rows of the lines that begin at `starts`, except for the one that continues the level itself. */
function* branchRows(lines: LineWalk, starts: readonly string[], except: string | undefined): CooperativeTask<OutlineBranch[]> {
  const { session, filter, newestTimes: newest, isDue } = lines;
  const found: OutlineBranch[] = [];
  const waiting = starts.filter((id) => id !== except);
  for (let startId = waiting.pop(); startId !== undefined; startId = waiting.pop()) {
    const line = yield* branchLine(lines, startId);
    let first: EntryHead | undefined;
    let turns = 0;
    let visible = 0;
    for (const [index, head] of line.entries()) {
      if (head.role === 'user') turns++;
      if (isVisible(session, head, filter)) {
        first ??= head;
        visible++;
      }
      if (!first) for (const child of session.children.get(head.id) ?? []) if (child !== line[index + 1]?.id) waiting.push(child);
      if (isDue()) yield;
    }
    if (!first) continue;
    const label = session.labels.get(first.id);
    const tipId = (line.findLast((head) => head.type === 'message' || isVisible(session, head, 'default')) ?? line.at(-1) ?? first).id;
    const tipLabel = session.labels.get(tipId);
    found.push({
      kind: 'branch',
      startId,
      head: first,
      ...defined({ label }),
      tipId,
      ...defined({ tipLabel }),
      turnCount: turns,
      visibleCount: visible,
      newest: newest.get(startId) || first.time,
    });
  }
  return found.length < 2 ? found : found.sort((a, b) => a.head.time - b.head.time || a.head.line - b.head.line);
}
