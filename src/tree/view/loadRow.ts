/** Makes sure that a session or an entry has a row, before the view reveals it. */
import type { SessionRef } from '../../contract';
import { pathToRow } from '../rows/pathToRow';
import type { ViewRow } from '../rows/viewRows';
import type { SessionRows } from './sessionRows';

/**
 * Loads the rows above a session or an entry, each as a child of the one before, and unfolds the lists that hide them.
 *
 * @returns its row, or that of its nearest visible ancestor; `undefined` if there is none
 */
export async function loadRow(ref: SessionRef, rows: SessionRows): Promise<ViewRow | undefined> {
  const { projects, levels } = rows;
  await rows.restored.current;
  await projects.updated();
  const steps = await pathToRow(ref, projects.current(), levels);
  let row: ViewRow | undefined;
  for (const step of steps ?? []) {
    if (step.ensureShown()) rows.fire([row]);
    await rows.loadChildren(row);
    row = rows.registry.get(step.id);
    if (!row) return undefined;
  }
  return row;
}
