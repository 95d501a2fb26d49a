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
 * Returns the rows of the entries that `keep` accepts, with the branch of the leaf first. Entries in between are
 * skipped: a row is below its nearest ancestor that has a row. Entries without a fork between them have the same depth.
 */
export function treeRows(session: Session, keep: (head: EntryHead) => boolean): TreeRow[] {
  const children = visibleChildren(session, keep);
  const rows: TreeRow[] = [];
  const waiting: TreeRow[] = [];
  const add = (ids: readonly string[], depth: number, parent: number | undefined): void => {
    const isBranch = ids.length > 1;
    for (const id of [...ids].reverse()) {
      const head = session.byId.get(id);
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
function visibleChildren(session: Session, keep: (head: EntryHead) => boolean): Map<string | undefined, string[]> {
  const active = new Set(pathTo(session, session.leafId).map(({ id }) => id));
  const found = new Map<string | undefined, string[]>();
  const activeFirst = (ids: readonly string[]): readonly string[] => {
    const first = ids.find((id) => active.has(id));
    return first === undefined ? ids : [first, ...ids.filter((id) => id !== first)];
  };
  /** Entries with their nearest ancestor that has a row. */
  const waiting: (readonly [id: string, parent: string | undefined])[] = [];
  const add = (ids: readonly string[], parent: string | undefined): void => {
    for (const id of [...activeFirst(ids)].reverse()) waiting.push([id, parent]);
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
