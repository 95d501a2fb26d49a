/** The path from the top level down to a row, with the list that each step is in. */
import type { SessionRef } from '../../contract';
import { entriesListId, type Levels } from './levels';
import { locateInOutline } from './outline';
import { pathToItem, type Project, type SessionItem } from '../projects/projects';
import { branchId, entryRowId, type ViewRow } from './viewRows';

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
  projects: readonly Project[],
  levels: Levels,
): Promise<PathStep[] | undefined> {
  const found = find(path, projects);
  if (!found) return undefined;
  const top = levels.allProjects();
  const steps: PathStep[] = [{ ...top, id: top.rows[projects.indexOf(found.project)]!.id, end: 'first' }];
  let items = found.project.items;
  for (const item of found.items) {
    const { list, rows } = levels.allSessions(steps.at(-1)!.id, items);
    steps.push({ list, rows, id: rows[items.indexOf(item)]!.id, end: 'first' });
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

function find(path: string, projects: readonly Project[]): { project: Project; items: readonly SessionItem[] } | undefined {
  for (const project of projects) {
    const items = pathToItem(project.items, path);
    if (items) return { project, items };
  }
  return undefined;
}
