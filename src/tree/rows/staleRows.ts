/** Finds the rows in the editor that are out of date. */
import type { Levels } from './levels';
import { type RowRegistry, type ViewRow } from './viewRows';

interface StaleRowsInput {
  readonly rows: RowRegistry;
  readonly levels: Levels;
  /** True if a row looks different from when the editor last saw it. */
  readonly differs: (row: ViewRow) => boolean;
  /** True if a session's entries may have changed since the editor last saw them. */
  readonly hasNewEntries: (path: string) => boolean;
}

/**
 * The rows to refresh, each with all rows below it; `undefined` is the top level. Rows in unchanged lists get their new
 * data immediately.
 */
export function staleRows({ rows, levels, differs, hasNewEntries }: StaleRowsInput): (ViewRow | undefined)[] {
  const stale: (ViewRow | undefined)[] = [];
  const waiting: { readonly parent: ViewRow | undefined; readonly children: () => ViewRow[] }[] = [
    { parent: undefined, children: () => levels.topRows() },
  ];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { parent, children } = next;
    const before = rows.level(parent);
    // Rows that were never expanded have no children to compare.
    if (!before) continue;
    const fresh = children();
    const kept = before.filter((id) => isListed(rows.get(id)));
    if (kept.length !== fresh.length || kept.some((id, index) => id !== fresh[index]?.id)) {
      for (const row of fresh) if (rows.get(row.id)) rows.update(row);
      if (parent === undefined) return [undefined];
      stale.push(parent);
      continue;
    }
    for (const data of fresh) {
      const row = rows.update(data);
      const isStale = differs(row) || (row.row === 'session' && hasNewEntries(row.path) && rows.isRequested(row));
      if (isStale) stale.push(row);
      if (row.row === 'project' || row.row === 'group') waiting.push({ parent: row, children: () => levels.groupLevel(row) });
      else if (row.row === 'session' && !isStale)
        waiting.push({ parent: row, children: () => levels.sessionRows(row.id, row.item.children) });
    }
  }
  return stale;
}

/** True for rows in lists of projects, worktrees and sessions. A session's children also include notes and entries. */
function isListed(row: ViewRow | undefined): boolean {
  return (
    row?.row === 'project' ||
    row?.row === 'group' ||
    row?.row === 'session' ||
    row?.row === 'unreadable' ||
    (row?.row === 'more' && (row.of === 'sessions' || row.of === 'projects' || row.of === 'worktrees'))
  );
}
