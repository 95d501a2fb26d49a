/** Landing on an entry that was chosen from a list: its branch opened, its row selected. */
import * as vscode from 'vscode';
import type { SessionRef } from '../../contract';
import { isFilter, isVisible, type Session } from '../../core/index';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandInvocation } from '../handler/commandHandler';

/** What is opened beside the row. */
export type OpenTarget = 'context' | 'markdown' | undefined;

/** A message that only calls tools has no row under most filters; what the tool answered has one, and shows the call. */
function visibleRowOf(session: Session, { entryId }: SessionRef): { entryId?: string } {
  const setting = vscode.workspace.getConfiguration('sessionTree').get('filter');
  const filter = isFilter(setting) ? setting : 'default';
  const head = entryId === undefined ? undefined : session.byId.get(entryId);
  if (!head || isVisible(session, head, filter)) return {};
  const children = (session.children.get(head.id) ?? []).map((id) => session.byId.get(id)!);
  const answer = children.find((child) => child.role === 'toolResult' && isVisible(session, child, filter));
  return answer ? { entryId: answer.id } : {};
}

/** Where the entry is not in its file any more, on the session; where that has no row (it is hidden), on its context. */
export async function revealHit(deps: CommandDeps, call: CommandInvocation, { path, entryId }: SessionRef, opened?: OpenTarget): Promise<void> {
  const session = await deps.session(path);
  const ref: SessionRef = entryId !== undefined && session.byId.has(entryId) ? { path, entryId } : { path };
  call.ref = ref;
  const hasRow = await deps.reveal({ ...ref, ...visibleRowOf(session, ref) }, { focus: opened === undefined });
  if (opened === 'markdown') await deps.openMarkdown(ref, true);
  else if (opened === 'context' || !hasRow) await deps.showContext(ref);
}
