/** Opens an entry that was chosen from a list: expands its branch and selects its row. */
import * as vscode from 'vscode';
import type { SessionRef } from '../../contract';
import { isFilter, isVisible, type Session } from '../../core/index';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandInvocation } from '../handler/commandHandler';

/** The editor to open, in addition to selecting the row. */
export type OpenTarget = 'context' | 'markdown' | undefined;

/** Replaces an entry that the filter hides: a message that only calls tools by the tool's result, whose row shows the call. */
function visibleRowOf(session: Session, { entryId }: SessionRef): { entryId?: string } {
  const setting = vscode.workspace.getConfiguration('sessionTree').get('filter');
  const filter = isFilter(setting) ? setting : 'default';
  const head = entryId === undefined ? undefined : session.byId.get(entryId);
  if (!head || isVisible(session, head, filter)) return {};
  const children = (session.children.get(head.id) ?? []).map((id) => session.byId.get(id)!);
  const result = children.find((child) => child.role === 'toolResult' && isVisible(session, child, filter));
  return result ? { entryId: result.id } : {};
}

/** Selects the entry's row; if the entry is gone, the session's row; and if that is hidden, opens the context. */
export async function revealHit(
  deps: CommandDeps,
  call: CommandInvocation,
  { path, entryId }: SessionRef,
  openTarget?: OpenTarget,
): Promise<void> {
  const session = await deps.session(path);
  const ref: SessionRef = entryId !== undefined && session.byId.has(entryId) ? { path, entryId } : { path };
  call.ref = ref;
  const hasRow = await deps.reveal({ ...ref, ...visibleRowOf(session, ref) }, { focus: openTarget === undefined });
  if (openTarget === 'markdown') await deps.openMarkdown(ref, true);
  else if (openTarget === 'context' || !hasRow) await deps.showContext(ref);
}
