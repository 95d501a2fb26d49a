/**
 * A session under a filter as levels of rows. Pure. A level is one line of entries, from its start down to
 * a tip, as a flat list in file direction; what forks off that line is one row each. So a row's depth is the
 * number of forks above it and never the number of its ancestors.
 */
import { activityTime, isVisible, pathTo, type EntryHead, type Filter, type Session } from '../core/index';

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
  /** The entries from the root to the leaf. */
  readonly active: ReadonlySet<string>;
  /** The child in whose subtree the newest message is, by the parent's id. */
  readonly next: ReadonlyMap<string, string>;
  /** Milliseconds since 1970 of the newest message at or below an entry. */
  readonly newest: ReadonlyMap<string, number>;
  /** The nearest entry with a row at or above the leaf. */
  readonly mark?: string;
}

/** Walks the session once; a level then costs what it shows. */
export function outlineOf(session: Session, filter: Filter): Outline {
  const activePath = pathTo(session, session.leafId);
  const mark = activePath.findLast((head) => isVisible(session, head, filter));
  const next = new Map<string, string>();
  const newest = new Map<string, number>();
  const latestLine = new Map<string, number>();
  for (const head of childrenFirst(session)) {
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
  }
  return { session, filter, active: new Set(activePath.map((head) => head.id)), next, newest, ...(mark ? { mark: mark.id } : {}) };
}

/**
 * The rows of a level: the active path, or with `startId` the line of that branch. A branch stands after the
 * nearest row above its fork; several there stand in the order in which they were begun. A line on which
 * nothing is visible has no row, and its own branches take its place.
 */
export function levelOf(outline: Outline, startId?: string): OutlineRow[] {
  const { session } = outline;
  const line = startId === undefined ? pathTo(session, session.leafId) : lineFrom(outline, startId);
  const rows: OutlineRow[] = [];
  if (startId === undefined) rows.push(...branchesAmong(outline, session.roots, line[0]?.id));
  // What forks off a branch before its first row stands beside the branch, not inside it.
  let shown = startId === undefined;
  line.forEach((head, index) => {
    if (isVisible(session, head, outline.filter)) {
      rows.push(entryRow(outline, head));
      shown = true;
    }
    const children = session.children.get(head.id);
    if (shown && children) rows.push(...branchesAmong(outline, children, line[index + 1]?.id));
  });
  return rows;
}

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

function lineFrom({ session, next }: Outline, startId: string): EntryHead[] {
  const line: EntryHead[] = [];
  for (let id: string | undefined = startId; id !== undefined; id = next.get(id)) {
    const head = session.byId.get(id);
    if (!head) break;
    line.push(head);
  }
  return line;
}

/** The rows of the lines that begin at `starts`, but for the one that the level itself goes on with. */
function branchesAmong(outline: Outline, starts: readonly string[], except: string | undefined): OutlineBranch[] {
  const { session, filter } = outline;
  const found: OutlineBranch[] = [];
  const waiting = starts.filter((id) => id !== except);
  for (let startId = waiting.pop(); startId !== undefined; startId = waiting.pop()) {
    const line = lineFrom(outline, startId);
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
      newest: outline.newest.get(startId) || first.time,
    });
  }
  return found.length < 2 ? found : found.sort((a, b) => a.head.time - b.head.time || a.head.line - b.head.line);
}

function entryRow({ session, mark }: Outline, head: EntryHead): OutlineEntry {
  const label = session.labels.get(head.id);
  return { kind: 'entry', head, ...(label === undefined ? {} : { label }), isLeaf: head.id === mark };
}

/** Every entry, after all that hangs off it. */
function childrenFirst(session: Session): EntryHead[] {
  const order: EntryHead[] = [];
  const stack = [...session.roots];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const head = session.byId.get(id);
    if (!head) continue;
    order.push(head);
    for (const child of session.children.get(id) ?? []) stack.push(child);
  }
  return order.reverse();
}
