/** Keeps the keyboard's place where a row is removed: the editor leaves the focus on no row, so the next arrow key would begin at the top. */
import type * as vscode from 'vscode';
import type { Row } from '../../contract';
import { asRow, type ViewRow } from '../rows/viewRows';
import type { SessionRows } from './sessionRows';

/** Milliseconds after which the person may work elsewhere, so the focus stays there. */
const MAX_TIME = 2000;

/**
 * Remembers the rows around a row of the view.
 *
 * @returns a function that moves the focus to the nearest of them if the row is gone
 */
export function rememberPlace(
  removed: Row | undefined,
  rows: Pick<SessionRows, 'registry' | 'settled'>,
  view: Pick<vscode.TreeView<ViewRow>, 'visible' | 'reveal'>,
): () => Promise<void> {
  const { registry } = rows;
  const began = Date.now();
  const row = [...registry.all()].find((each) => asRow(each) === removed);
  const around = row ? registry.around(row) : [];
  return async () => {
    await rows.settled();
    if (!row || registry.get(row.id) || !view.visible || Date.now() - began > MAX_TIME) return;
    const [nearest] = around.flatMap((id) => registry.get(id) ?? []);
    if (nearest) await view.reveal(nearest, { select: false, focus: true });
  };
}
