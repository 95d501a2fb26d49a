/** Makes sure that a session or an entry has a row, before the view reveals it. */
import { isDeepStrictEqual } from 'node:util';
import type { SessionRef } from '../../contract';
import { pathToRow } from '../rows/pathToRow';
import type { ViewRow } from '../rows/viewRows';
import type { SessionRows } from './sessionRows';

/** True if a session has a row, which may have to be loaded. */
export async function hasRow(ref: SessionRef, { restored, projects, levels }: SessionRows): Promise<boolean> {
  await restored.current;
  await projects.updated();
  return (await pathToRow(ref, projects.current(), levels)) !== undefined;
}

/**
 * Loads the rows above a session or an entry, each as a child of the previous row, and unfolds the lists that hide
 * them.
 *
 * @returns its row, or the row of its nearest visible ancestor; `undefined` if there is none
 */
export async function loadRow(ref: SessionRef, rows: SessionRows): Promise<ViewRow | undefined> {
  const { projects, levels } = rows;
  await rows.restored.current;
  await projects.updated();
  const steps = await pathToRow(ref, projects.current(), levels);
  let row: ViewRow | undefined;
  for (const step of steps ?? []) {
    const hasMoved = step.ensureShown();
    const before = rows.registry.level(row);
    await rows.loadChildren(row);
    // The next refresh compares with the rows loaded here, so the editor is notified now.
    if (hasMoved || (before && !isDeepStrictEqual(before, rows.registry.level(row)))) rows.fire([row]);
    row = rows.registry.get(step.id);
    if (!row) return undefined;
  }
  return row;
}
