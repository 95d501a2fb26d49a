/** The path from the top level down to a row, with the list that each step is in. */
import type { SessionRef } from '../../contract';
import { entriesListId, type Levels } from './levels';
import { locateInOutline } from './outline';
import { pathToItem, type SessionGroup, type SessionItem } from '../projects/projects';
import { branchId, entryRowId, groupRow, type ViewRow } from './viewRows';

export interface PathStep {
  readonly list: string;
  /** All rows of the list, those outside its window included. */
  readonly rows: readonly ViewRow[];
  readonly id: string;
  readonly end: 'first' | 'last';
}

/** `undefined` if the session has no row: it isn't known, or it is hidden. */
export async function pathToRow(
  { path, entryId }: SessionRef,
  groups: readonly SessionGroup[],
  levels: Levels,
): Promise<PathStep[] | undefined> {
  const found = find(path, groups);
  if (!found) return undefined;
  const top = levels.allTopRows();
  const above = groupRow(found.group);
  const steps: PathStep[] = above ? [{ ...top, id: above.id, end: 'first' }] : [];
  let { items } = found.group;
  for (const item of found.items) {
    const parent = steps.at(-1);
    const { list, rows } = parent ? levels.allSessions(parent.id, items) : top;
    const row = rows[items.indexOf(item)];
    if (!row) return undefined;
    steps.push({ list, rows, id: row.id, end: 'first' });
    items = item.kind === 'session' ? item.children : [];
  }
  if (entryId === undefined || found.items.at(-1)?.kind !== 'session') return steps;
  const outline = await levels.outline(path);
  const location = locateInOutline(outline, entryId);
  let start: string | undefined;
  const step = async (id: string): Promise<void> =>
    void steps.push({ list: entriesListId(path, start), rows: await levels.entryRows(outline, start), id, end: 'last' });
  for (const branch of location.branches) {
    await step(branchId(path, branch));
    start = branch;
  }
  if (location.entryId !== undefined) await step(entryRowId(path, location.entryId));
  return steps;
}

function find(path: string, groups: readonly SessionGroup[]): { group: SessionGroup; items: readonly SessionItem[] } | undefined {
  for (const group of groups) {
    const items = pathToItem(group.items, path);
    if (items) return { group, items };
  }
  return undefined;
}
