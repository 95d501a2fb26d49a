/** Splits a session's tree into lines. Each entry is on exactly one line, which begins at a root or a fork and ends at a tip. */
import { isVisible } from '../session/entryFilter';
import type { EntryHead } from '../entry/entryHead';
import type { Session } from '../session/session';
import { activityTime, pathTo } from '../session/treeTraversal';

export interface BranchLine {
  /** From the first entry to the tip. */
  readonly heads: readonly EntryHead[];
  /** The line that it forks off; absent at a root. */
  readonly parent?: BranchLine;
  /** The parent of its first entry; `null` at a root. */
  readonly forkId: string | null;
  /** The lines that fork off it, by entry, oldest first. */
  readonly forks: ReadonlyMap<string, readonly BranchLine[]>;
  /** True if it has the leaf. */
  readonly isActive: boolean;
  /** True if it has entries of the path to the current entry. */
  readonly isOnCurrentPath: boolean;
  /** The number of branches: this line, if it has visible entries, and all that fork off it. */
  readonly branchCount: number;
  /** Time of its newest message, in milliseconds since 1970; 0 if there is none. Lines that fork off it have no newer ones, unless this line has the leaf. */
  readonly newestTime: number;
}

export interface BranchLines {
  /** Each line before those that fork off it. */
  readonly lines: readonly BranchLine[];
  /** The ids on the paths to the leaf and to the current entry. */
  readonly activePath: ReadonlySet<string>;
  readonly currentPath: ReadonlySet<string>;
}

type MutableLine = { -readonly [K in Exclude<keyof BranchLine, 'heads' | 'forks' | 'parent'>]: BranchLine[K] } & { heads: EntryHead[]; forks: Map<string, MutableLine[]>; parent?: MutableLine };

/**
 * Divides the tree into lines, one per tip. The active path is one line; at other forks, a line continues to the newest
 * message, as in the Sessions view.
 *
 * @param currentId the current entry; `null` for none.
 */
export function branchLines(session: Session, currentId: string | null): BranchLines {
  const active = new Set(pathTo(session, session.leafId).map((head) => head.id));
  const currentPath = currentId === session.leafId ? active : new Set(pathTo(session, currentId).map((head) => head.id));
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
      line.isOnCurrentPath ||= currentPath.has(id);
      if (line.branchCount === 0 && isVisible(session, head, 'default')) line.branchCount = 1;
      const children: readonly string[] = session.children.get(id) ?? [];
      const continued: string | undefined = children.length > 1 ? next.get(id) : children[0];
      for (let i = children.length - 1; i >= 0; i--) if (children[i] !== continued) starts.push({ id: children[i]!, parent: line });
      id = continued;
    }
  }
  for (let i = lines.length - 1; i >= 0; i--) {
    const { parent, branchCount } = lines[i]!;
    if (parent) parent.branchCount += branchCount;
  }
  return { lines, activePath: active, currentPath };
}

/** Returns, for each entry with several children, the child that its line continues with. */
function preferredChildren(session: Session, active: ReadonlySet<string>): Map<string, string> {
  const order: { readonly head: EntryHead; readonly children: readonly string[] }[] = [];
  const stack = [...session.roots];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const children = session.children.get(id) ?? [];
    order.push({ head: session.byId.get(id)!, children });
    for (const child of children) stack.push(child);
  }
  const next = new Map<string, string>();
  // Times of entries that have siblings. An only child comes right after its parent, so the newest time of a chain is carried along.
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
