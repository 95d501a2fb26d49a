/**
 * A session under a filter as levels of rows. Pure. A level is one line of entries, from its start down to
 * a tip, as a flat list in file direction; what forks off that line is one row each. So a row's depth is the
 * number of forks above it and never the number of its ancestors.
 */
import { activityTime, isVisible, type EntryHead, type Filter, type Session } from '../../core/index';
import { sliceCounter, type CooperativeTask } from '../cooperativeTask';

export type OutlineRow = OutlineEntry | OutlineBranch;

export interface OutlineEntry {
  readonly kind: 'entry';
  readonly head: EntryHead;
  readonly label?: string;
  /** The session goes on here, or at an entry below that has no row under this filter. */
  readonly isLeaf: boolean;
}

/** All that was said on a way that was left. */
export interface OutlineBranch {
  readonly kind: 'branch';
  /** The first entry of the branch, visible or not: what the branch is known by. */
  readonly startId: string;
  /** Its first entry that has a row. */
  readonly head: EntryHead;
  readonly label?: string;
  /** Where its own line ends: the tip with the newest message, and there the last entry that says something. */
  readonly tipId: string;
  readonly tipLabel?: string;
  /** User messages on its own line. */
  readonly turnCount: number;
  /** Entries on its own line that have a row. */
  readonly visibleCount: number;
  /** Its newest message with all its own branches, in milliseconds since 1970; 0 if nothing in it has a time. */
  readonly newest: number;
}

export interface Outline {
  readonly session: Session;
  readonly filter: Filter;
  /** The rows of the active path. */
  readonly rows: readonly OutlineRow[];
  /** Off the active path: the child in whose subtree the newest message is, by the parent's id. */
  readonly newestChild: ReadonlyMap<string, string>;
  /** Of every entry off the active path: milliseconds since 1970 of the newest message at or below it. */
  readonly newestTimes: ReadonlyMap<string, number>;
}

/** Walks the session once, and answers with its outline at the end. */
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
 * The rows of a level: the active path, or with `startId` the line of that branch. A branch stands after the
 * nearest row above its fork; several there stand in the order in which they were begun. A line on which
 * nothing is visible has no row, and its own branches take its place.
 */
export function* outlineLevel(outline: Outline, startId?: string): CooperativeTask<readonly OutlineRow[]> {
  if (startId === undefined) return outline.rows;
  const lines = { ...outline, isDue: sliceCounter() };
  const rows: OutlineRow[] = [];
  // What forks off a branch before its first row stands beside the branch, not inside it.
  yield* addRows(rows, lines, yield* branchLine(lines, startId), false);
  return rows;
}

/** `next` and `newest` of an outline: of some entries and all that hangs off them. */
function* activityTimes(session: Session, starts: readonly string[], isDue: () => boolean): CooperativeTask<Pick<Outline, 'newestChild' | 'newestTimes'>> {
  const next = new Map<string, string>();
  const newest = new Map<string, number>();
  const latestLine = new Map<string, number>();
  // Each after all that hangs off it.
  for (const head of (yield* subtreesOf(session, starts, isDue)).reverse()) {
    let time = activityTime(head) ?? 0;
    let line = head.line;
    let best: string | undefined;
    for (const child of session.children.get(head.id) ?? []) {
      const childTime = newest.get(child)!;
      const childLine = latestLine.get(child)!;
      if (best === undefined || childTime > newest.get(best)! || (childTime === newest.get(best) && childLine > latestLine.get(best)!)) best = child;
      time = Math.max(time, childTime);
      line = Math.max(line, childLine);
    }
    if (best !== undefined) next.set(head.id, best);
    newest.set(head.id, time);
    latestLine.set(head.id, line);
    if (isDue()) yield;
  }
  return { newestChild: next, newestTimes: newest };
}

/** Says of the last entry of the active path that has a row whether the session goes on there. */
export function setLeafRow(rows: OutlineRow[], isLeaf: boolean): void {
  const at = rows.findLastIndex((row) => row.kind === 'entry');
  const row = rows[at];
  if (row?.kind === 'entry') rows[at] = { ...row, isLeaf };
}

/** An entry's row, if it has one. */
export function outlineEntryOf({ session, filter }: Pick<Outline, 'session' | 'filter'>, head: EntryHead): OutlineEntry | undefined {
  if (!isVisible(session, head, filter)) return undefined;
  const label = session.labels.get(head.id);
  return { kind: 'entry', head, ...(label === undefined ? {} : { label }), isLeaf: false };
}

interface LineWalk extends Pick<Outline, 'session' | 'filter' | 'newestChild' | 'newestTimes'> {
  readonly isDue: () => boolean;
}

/** Of a line's entries: their own rows, and what forks off there. `fromBeginning`: also before the line's first row. */
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

/** Where an entry, or the nearest one above it that has a row, is to be found. */
export interface OutlineLocation {
  /** The branch rows to open, from the top, by their `startId`. */
  readonly branches: readonly string[];
  /** The entry that has a row; absent if none has, on the whole way up. */
  readonly entryId?: string;
}

export function locateInOutline(outline: Outline, entryId: string): OutlineLocation {
  const { session } = outline;
  const found = nearestVisible(outline, entryId);
  const branches: string[] = [];
  for (let at = found; at !== undefined; ) {
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

/** The first entry of the branch line that an entry is on; `undefined` on the active path. */
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

/** The rows of the lines that begin at `starts`, but for the one that the level itself goes on with. */
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
    const tipId = (line.findLast((head) => head.type === 'message' || isVisible(session, head, 'default')) ?? line.at(-1)!).id;
    const tipLabel = session.labels.get(tipId);
    found.push({
      kind: 'branch',
      startId,
      head: first,
      ...(label === undefined ? {} : { label }),
      tipId,
      ...(tipLabel === undefined ? {} : { tipLabel }),
      turnCount: turns,
      visibleCount: visible,
      newest: newest.get(startId) || first.time,
    });
  }
  return found.length < 2 ? found : found.sort((a, b) => a.head.time - b.head.time || a.head.line - b.head.line);
}

/** Some entries and all that hangs off them, each before what hangs off it. */
function* subtreesOf(session: Session, starts: readonly string[], isDue: () => boolean): CooperativeTask<EntryHead[]> {
  const order: EntryHead[] = [];
  const stack = [...starts];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const head = session.byId.get(id);
    if (!head) continue;
    order.push(head);
    for (const child of session.children.get(id) ?? []) stack.push(child);
    if (isDue()) yield;
  }
  return order;
}
