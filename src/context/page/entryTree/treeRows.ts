/** The rows of the tree of all entries. Pure, for tests without a page. */
import type { EntryHead } from '../../../core/format/entry/entryHead';
import type { Session } from '../../../core/format/session/session';
import { pathTo } from '../../../core/format/session/treeTraversal';

export interface TreeRow {
  readonly head: EntryHead;
  /** The number of forks above the row. */
  readonly depth: number;
  /** The index of the row above it in the tree; `undefined` at the beginning. */
  readonly parent: number | undefined;
  /** True if the row begins one of several branches. */
  readonly isBranch: boolean;
}

/**
 * Returns the rows of the entries that `keep` accepts. Entries in between are skipped: a row is below its nearest ancestor
 * that has a row. As in the Sessions view, the active path is one flat list, and at each fork the branches that were left
 * come before it, indented.
 */
export function treeRows(session: Session, keep: (head: EntryHead) => boolean): TreeRow[] {
  const active = new Set(pathTo(session, session.leafId).map(({ id }) => id));
  const children = visibleChildren(session, active, keep);
  const rows: TreeRow[] = [];
  const waiting: TreeRow[] = [];
  const add = (ids: readonly string[], depth: number, parent: number | undefined): void => {
    for (const id of [...ids].reverse()) {
      const head = session.byId.get(id);
      const isBranch = ids.length > 1 && !active.has(id);
      if (head) waiting.push({ head, depth: depth + (isBranch ? 1 : 0), parent, isBranch });
    }
  };
  add(children.get(undefined) ?? [], 0, undefined);
  for (let row = waiting.pop(); row; row = waiting.pop()) {
    rows.push(row);
    add(children.get(row.head.id) ?? [], row.depth, rows.length - 1);
  }
  return rows;
}

/** Returns the children with a row of each entry with a row; the top-level entries under `undefined`. */
function visibleChildren(
  session: Session,
  active: ReadonlySet<string>,
  keep: (head: EntryHead) => boolean,
): Map<string | undefined, string[]> {
  const found = new Map<string | undefined, string[]>();
  const activeLast = (ids: readonly string[]): readonly string[] => {
    const last = ids.find((id) => active.has(id));
    return last === undefined ? ids : [...ids.filter((id) => id !== last), last];
  };
  /** Entries with their nearest ancestor that has a row. */
  const waiting: (readonly [id: string, parent: string | undefined])[] = [];
  const add = (ids: readonly string[], parent: string | undefined): void => {
    for (const id of [...activeLast(ids)].reverse()) waiting.push([id, parent]);
  };
  add(session.roots, undefined);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const [id, parent] = next;
    const head = session.byId.get(id);
    const hasRow = head !== undefined && keep(head);
    if (hasRow) {
      const siblings = found.get(parent);
      if (siblings) siblings.push(id);
      else found.set(parent, [id]);
    }
    add(session.children.get(id) ?? [], hasRow ? id : parent);
  }
  return found;
}
