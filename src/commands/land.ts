/** Landing on an entry that was chosen from a list: its branch opened, its row selected. */
import * as vscode from 'vscode';
import { VIEW, type SessionRef } from '../contract';
import type { CommandDeps } from './deps';
import type { Call } from './frame';

/** What is opened beside the row. */
export type Opened = 'context' | 'markdown' | undefined;

/** Where the entry is not in its file any more, on the session; where that has no row (it is hidden), on its context. */
export async function land(deps: CommandDeps, call: Call, { path, entryId }: SessionRef, opened?: Opened): Promise<void> {
  const isThere = entryId !== undefined && (await deps.session(path)).byId.has(entryId);
  const ref: SessionRef = isThere ? { path, entryId } : { path };
  call.ref = ref;
  const hasRow = await deps.reveal(ref);
  if (opened === 'markdown') await deps.openMarkdown(ref, true);
  else if (opened === 'context' || !hasRow) await deps.showContext(ref);
  else await vscode.commands.executeCommand(`${VIEW}.focus`);
}
