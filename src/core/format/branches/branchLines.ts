/** A session's tree taken apart into lines: each entry is on exactly one, from where it begins or forks off down to a tip. */
import { isVisible } from '../session/entryFilter';
import type { EntryHead } from '../entry/entryHead';
import type { Session } from '../session/session';
import { activityTime, pathTo } from '../session/treeTraversal';

export interface BranchLine {
  /** From its start to its tip. */
  readonly heads: readonly EntryHead[];
  /** The line that it forks off; none at a root. */
  readonly parent?: BranchLine;
  /** The entry that it hangs off; `null` at a root. */
  readonly forkId: string | null;
  /** What forks off it, by entry, oldest first. */
  readonly forks: ReadonlyMap<string, readonly BranchLine[]>;
  /** It has the leaf. */
  readonly isActive: boolean;
  /** It has entries of the way to the place. */
  readonly isOnCurrentPath: boolean;
  /** Lines that a reader would call a branch: this one, if it says anything, and all that fork off it. */
  readonly branchCount: number;
  /** Its newest message, in milliseconds since 1970; 0 if there is none. What forks off it has no newer ones, unless it has the leaf. */
  readonly newestTime: number;
}

export interface BranchLines {
  /** Each before those that fork off it. */
  readonly lines: readonly BranchLine[];
  /** The ids on the way to the leaf, and to the place. */
  readonly activePath: ReadonlySet<string>;
  readonly currentPath: ReadonlySet<string>;
}

type MutableLine = { -readonly [K in Exclude<keyof BranchLine, 'heads' | 'forks' | 'parent'>]: BranchLine[K] } & { heads: EntryHead[]; forks: Map<string, MutableLine[]>; parent?: MutableLine };

/** The active path is one line; elsewhere a line goes on to where the newest message is, as in the Sessions view. */
export function branchLines(session: Session, placeId: string | null): BranchLines {
  const active = new Set(pathTo(session, session.leafId).map((head) => head.id));
  const way = placeId === session.leafId ? active : new Set(pathTo(session, placeId).map((head) => head.id));
  const next = preferredChildren(session, active);
  const lines: MutableLine[] = [];
  const starts: { id: string; parent?: MutableLine }[] = session.roots.map((id) => ({ id })).reverse();
  for (let start = starts.pop(); start; start = starts.pop()) {
    const { parent } = start;
    const line: MutableLine = {
      heads: [],
      ...(parent ? { parent } : {}),
      forkId: parent ? session.byId.get(start.id)!.parentId : null,
      forks: new Map(),
      isActive: false,
      isOnCurrentPath: false,
      branchCount: 0,
      newestTime: 0,
    };
    lines.push(line);
    if (parent) {
      const siblings = parent.forks.get(line.forkId!);
      if (siblings) siblings.push(line);
      else parent.forks.set(line.forkId!, [line]);
    }
    for (let id: string | undefined = start.id; id !== undefined; ) {
      const head = session.byId.get(id)!;
      line.heads.push(head);
      line.newestTime = Math.max(line.newestTime, activityTime(head) ?? 0);
      line.isActive ||= id === session.leafId;
      line.isOnCurrentPath ||= way.has(id);
      if (line.branchCount === 0 && isVisible(session, head, 'default')) line.branchCount = 1;
      const children: readonly string[] = session.children.get(id) ?? [];
      const on: string | undefined = children.length > 1 ? next.get(id) : children[0];
      for (let i = children.length - 1; i >= 0; i--) if (children[i] !== on) starts.push({ id: children[i]!, parent: line });
      id = on;
    }
  }
  for (let i = lines.length - 1; i >= 0; i--) {
    const { parent, branchCount } = lines[i]!;
    if (parent) parent.branchCount += branchCount;
  }
  return { lines, activePath: active, currentPath: way };
}

/** The child that a line goes on with where there is more than one, by the entry's id. */
function preferredChildren(session: Session, active: ReadonlySet<string>): Map<string, string> {
  const order: { readonly head: EntryHead; readonly children: readonly string[] }[] = [];
  const stack = [...session.roots];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const children = session.children.get(id) ?? [];
    order.push({ head: session.byId.get(id)!, children });
    for (const child of children) stack.push(child);
  }
  const next = new Map<string, string>();
  // Of those that have siblings. An only child stands right behind its parent, and what is newest in a chain is carried up.
  const newest = new Map<string, number>();
  for (const { children } of order) if (children.length > 1) for (const child of children) newest.set(child, 0);
  let below = 0;
  for (let i = order.length - 1; i >= 0; i--) {
    const { head, children } = order[i]!;
    let time = Math.max(activityTime(head) ?? 0, children.length === 1 ? below : 0);
    let best: string | undefined;
    for (const child of children.length > 1 ? children : []) {
      const childTime = newest.get(child)!;
      time = Math.max(time, childTime);
      if (best === undefined || active.has(child) || (!active.has(best) && childTime >= newest.get(best)!)) best = child;
    }
    if (newest.has(head.id)) newest.set(head.id, time);
    if (best !== undefined) next.set(head.id, best);
    below = time;
  }
  return next;
}
