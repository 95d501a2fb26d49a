/** The way down to a row: which list each step is in. */
import type { SessionRef } from '../contract';
import { entriesList, type Levels } from './levels';
import { placeOf } from './outline';
import { lineTo, type Project, type SessionItem } from './projects';
import { branchId, entryRowId, type ViewRow } from './rows';

export interface Step {
  readonly list: string;
  /** All rows of the list, also those outside its window. */
  readonly rows: readonly ViewRow[];
  readonly id: string;
  readonly end: 'first' | 'last';
}

/** `undefined` if the session has no row: it is not known, or hidden. */
export async function wayTo({ path, entryId }: SessionRef, projects: readonly Project[], levels: Levels): Promise<Step[] | undefined> {
  const found = find(path, projects);
  if (!found) return undefined;
  const top = levels.allProjects();
  const steps: Step[] = [{ ...top, id: top.rows[projects.indexOf(found.project)]!.id, end: 'first' }];
  let items = found.project.items;
  for (const item of found.items) {
    const { list, rows } = levels.allSessions(steps.at(-1)!.id, items);
    steps.push({ list, rows, id: rows[items.indexOf(item)]!.id, end: 'first' });
    items = item.kind === 'session' ? item.below : [];
  }
  if (entryId === undefined || found.items.at(-1)?.kind !== 'session') return steps;
  const outline = await levels.outline(path);
  const place = placeOf(outline, entryId);
  let start: string | undefined;
  const step = async (id: string): Promise<void> => void steps.push({ list: entriesList(path, start), rows: await levels.entryRows(outline, start), id, end: 'last' });
  for (const branch of place.branches) {
    await step(branchId(path, branch));
    start = branch;
  }
  if (place.entryId !== undefined) await step(entryRowId(path, place.entryId));
  return steps;
}

function find(path: string, projects: readonly Project[]): { project: Project; items: readonly SessionItem[] } | undefined {
  for (const project of projects) {
    const items = lineTo(project.items, path);
    if (items) return { project, items };
  }
  return undefined;
}
