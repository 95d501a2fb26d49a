/** Opens an entry that was chosen from a list, scrolled to the match, and selects its row. */
import * as vscode from 'vscode';
import type { EntryRef, SessionRef } from '../../contract';
import { defined, isFilter, isVisible, requireEntry, type FindQuery, type Session } from '../../core/index';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandInvocation } from '../handler/commandHandler';

/** The editor to open. */
export type OpenTarget = 'context' | 'side' | 'markdown';

/** Replaces an entry that the filter hides: a message that only calls tools by the tool's result, whose row shows the call. */
function visibleRowOf(session: Session, { entryId }: SessionRef): { entryId?: string } {
  const setting = vscode.workspace.getConfiguration('sessionTree').get('filter');
  const filter = isFilter(setting) ? setting : 'default';
  const head = entryId === undefined ? undefined : session.byId.get(entryId);
  if (!head || isVisible(session, head, filter)) return {};
  const children = (session.children.get(head.id) ?? []).map((id) => requireEntry(session, id));
  const result = children.find((child) => child.role === 'toolResult' && isVisible(session, child, filter));
  return result ? { entryId: result.id } : {};
}

/** Opens the entry and selects its row; if the entry is gone, the session. @param query what to mark in the context. */
export async function revealHit(
  deps: CommandDeps,
  call: CommandInvocation,
  { path, entryId }: EntryRef,
  openTarget: OpenTarget,
  query?: FindQuery,
): Promise<void> {
  const session = await deps.session(path);
  const ref = session.byId.has(entryId) ? { path, entryId } : { path };
  call.ref = ref;
  await deps.reveal({ ...ref, ...visibleRowOf(session, ref) });
  if (openTarget === 'markdown') await deps.openMarkdown(ref, true);
  else if (ref.entryId === undefined) await deps.showContext(ref);
  else await deps.showEntry({ path, entryId }, { ...defined({ query }), toSide: openTarget === 'side' });
}
