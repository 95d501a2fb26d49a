/** Which rows the editor has that are no longer true. */
import type { Levels } from './levels';
import type { RowRegistry, ViewRow } from './viewRows';

export interface StaleRowsInput {
  readonly rows: RowRegistry;
  readonly levels: Levels;
  /** Whether a row looks other than when the editor saw it. */
  readonly differs: (row: ViewRow) => boolean;
  /** Whether a session's entries may be others than when the editor saw them. */
  readonly hasNewEntries: (path: string) => boolean;
}

/**
 * The rows to refresh, each with all below it; `undefined` is the top level. Rows whose list is still the
 * same take their new data at once.
 */
export function staleRows({ rows, levels, differs, hasNewEntries: grew }: StaleRowsInput): (ViewRow | undefined)[] {
  const stale: (ViewRow | undefined)[] = [];
  const waiting: { readonly parent: ViewRow | undefined; readonly below: () => ViewRow[] }[] = [{ parent: undefined, below: () => levels.projectRows() }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { parent, below } = next;
    const before = rows.level(parent);
    // Of what nobody has opened nothing is made.
    if (!before) continue;
    const fresh = below();
    const kept = before.filter((id) => isListed(rows.get(id)));
    if (kept.length !== fresh.length || kept.some((id, index) => id !== fresh[index]!.id)) {
      for (const row of fresh) if (rows.get(row.id)) rows.update(row);
      if (parent === undefined) return [undefined];
      stale.push(parent);
      continue;
    }
    for (const data of fresh) {
      const row = rows.update(data);
      const isStale = differs(row) || (row.row === 'session' && grew(row.path) && rows.isRequested(row));
      if (isStale) stale.push(row);
      if (row.row === 'project') waiting.push({ parent: row, below: () => levels.sessionRows(row.id, row.project.items) });
      else if (row.row === 'session' && !isStale) waiting.push({ parent: row, below: () => levels.sessionRows(row.id, row.item.children) });
    }
  }
  return stale;
}

/** What stands in lists of projects and sessions; a session also has notes and entries below it. */
function isListed(row: ViewRow | undefined): boolean {
  return row?.row === 'project' || row?.row === 'session' || row?.row === 'unreadable' || (row?.row === 'more' && (row.of === 'sessions' || row.of === 'projects'));
}
