/**
 * A session under a filter as levels of rows. Pure. A level is one line of entries, from its start down to
 * a tip, as a flat list in file direction; what forks off that line is one row each. So a row's depth is the
 * number of forks above it and never the number of its ancestors.
 */
import { activityTime, isVisible, type EntryHead, type Filter, type Session } from '../core/index';

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
  readonly turns: number;
  /** Entries on its own line that have a row. */
  readonly visible: number;
  /** Its newest message with all its own branches, in milliseconds since 1970; 0 if nothing in it has a time. */
  readonly newest: number;
}

export interface Outline {
  readonly session: Session;
  readonly filter: Filter;
  /** The rows of the active path. */
  readonly rows: readonly OutlineRow[];
  /** The entries from the root to the leaf. Outlines of later states share it: it may hold entries that only they have. */
  readonly active: Set<string>;
  /** Off the active path: the child in whose subtree the newest message is, by the parent's id. */
  readonly next: ReadonlyMap<string, string>;
  /** Off the active path: milliseconds since 1970 of the newest message at or below an entry. */
  readonly newest: ReadonlyMap<string, number>;
}

/** Entries after which others may have their turn: less than a millisecond. */
const STEP = 500;

/** Walks the session once, in steps, and answers with its outline at the end. A level then costs what it shows. */
export function* outlineOf(session: Session, filter: Filter): Generator<undefined, Outline> {
  let walked = 0;
  const isDue = (): boolean => ++walked % STEP === 0;
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
  const next = new Map<string, string>();
  const newest = new Map<string, number>();
  const latestLine = new Map<string, number>();
  for (const head of childrenFirst(session, left)) {
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
  const lines = { session, filter, next, newest };
  const rows: OutlineRow[] = branchesAmong(lines, session.roots, path[0]?.id);
  for (const [index, head] of path.entries()) {
    addRows(rows, lines, head, path[index + 1], true);
    if (isDue()) yield;
  }
  markLast(rows, true);
  return { ...lines, rows, active };
}

/**
 * The rows of a level: the active path, or with `startId` the line of that branch. A branch stands after the
 * nearest row above its fork; several there stand in the order in which they were begun. A line on which
 * nothing is visible has no row, and its own branches take its place.
 */
export function levelOf(outline: Outline, startId?: string): readonly OutlineRow[] {
  if (startId === undefined) return outline.rows;
  const rows: OutlineRow[] = [];
  const line = lineFrom(outline, startId);
  // What forks off a branch before its first row stands beside the branch, not inside it.
  line.forEach((head, index) => addRows(rows, outline, head, line[index + 1], false));
  return rows;
}

/** Says of the last entry of the active path that has a row whether the session goes on there. */
export function markLast(rows: OutlineRow[], isLeaf: boolean): void {
  const at = rows.findLastIndex((row) => row.kind === 'entry');
  const row = rows[at];
  if (row?.kind === 'entry') rows[at] = { ...row, isLeaf };
}

/** An entry's row, if it has one. */
export function rowOf({ session, filter }: Pick<Outline, 'session' | 'filter'>, head: EntryHead): OutlineEntry | undefined {
  if (!isVisible(session, head, filter)) return undefined;
  const label = session.labels.get(head.id);
  return { kind: 'entry', head, ...(label === undefined ? {} : { label }), isLeaf: false };
}

type Lines = Pick<Outline, 'session' | 'filter' | 'next' | 'newest'>;

/** Of a line's entry: its own row, and what forks off there. `fromBeginning`: also before the line's first row. */
function addRows(rows: OutlineRow[], lines: Lines, head: EntryHead, next: EntryHead | undefined, fromBeginning: boolean): void {
  const row = rowOf(lines, head);
  if (row) rows.push(row);
  const children = fromBeginning || rows.length > 0 ? lines.session.children.get(head.id) : undefined;
  if (children?.some((child) => child !== next?.id)) rows.push(...branchesAmong(lines, children, next?.id));
}

const headOf = ({ byId }: Session, id: string | null): EntryHead | undefined => (id === null ? undefined : byId.get(id));

/** Where an entry, or the nearest one above it that has a row, is to be found. */
export interface PlaceInOutline {
  /** The branch rows to open, from the top, by their `startId`. */
  readonly branches: readonly string[];
  /** The entry that has a row; absent if none has, on the whole way up. */
  readonly entryId?: string;
}

export function placeOf(outline: Outline, entryId: string): PlaceInOutline {
  const { session } = outline;
  const found = visibleAbove(outline, entryId);
  const branches: string[] = [];
  for (let at = found; at !== undefined; ) {
    const start = lineStart(outline, at.id);
    if (start === undefined) break;
    branches.push(start);
    const parent = session.byId.get(start)?.parentId;
    at = parent === null || parent === undefined ? undefined : visibleAbove(outline, parent);
  }
  return { branches: branches.reverse(), ...(found ? { entryId: found.id } : {}) };
}

function visibleAbove({ session, filter }: Outline, id: string): EntryHead | undefined {
  let head = session.byId.get(id);
  while (head && !isVisible(session, head, filter)) head = head.parentId === null ? undefined : session.byId.get(head.parentId);
  return head;
}

/** The first entry of the branch line that an entry is on; `undefined` on the active path. */
function lineStart({ session, active, next }: Outline, id: string): string | undefined {
  let at = id;
  while (!active.has(at)) {
    const parent = session.byId.get(at)?.parentId ?? null;
    if (parent === null || active.has(parent) || !session.byId.has(parent) || next.get(parent) !== at) return at;
    at = parent;
  }
  return undefined;
}

function lineFrom({ session, next }: Lines, startId: string): EntryHead[] {
  const line: EntryHead[] = [];
  for (let id: string | undefined = startId; id !== undefined; id = next.get(id)) {
    const head = session.byId.get(id);
    if (!head) break;
    line.push(head);
  }
  return line;
}

/** The rows of the lines that begin at `starts`, but for the one that the level itself goes on with. */
function branchesAmong(lines: Lines, starts: readonly string[], except: string | undefined): OutlineBranch[] {
  const { session, filter, newest } = lines;
  const found: OutlineBranch[] = [];
  const waiting = starts.filter((id) => id !== except);
  for (let startId = waiting.pop(); startId !== undefined; startId = waiting.pop()) {
    const line = lineFrom(lines, startId);
    let first: EntryHead | undefined;
    let turns = 0;
    let visible = 0;
    line.forEach((head, index) => {
      if (head.role === 'user') turns++;
      if (isVisible(session, head, filter)) {
        first ??= head;
        visible++;
      }
      if (first) return;
      for (const child of session.children.get(head.id) ?? []) if (child !== line[index + 1]?.id) waiting.push(child);
    });
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
      turns,
      visible,
      newest: newest.get(startId) || first.time,
    });
  }
  return found.length < 2 ? found : found.sort((a, b) => a.head.time - b.head.time || a.head.line - b.head.line);
}

/** Some entries and all that hangs off them, each after what hangs off it. */
function childrenFirst(session: Session, starts: readonly string[]): EntryHead[] {
  const order: EntryHead[] = [];
  const stack = [...starts];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const head = session.byId.get(id);
    if (!head) continue;
    order.push(head);
    for (const child of session.children.get(id) ?? []) stack.push(child);
  }
  return order.reverse();
}
