/** The steps of continuing a session from an earlier entry, from a row: the summary, the change, and where the session is now. */
import * as vscode from 'vscode';
import type { EntryRef } from '../../contract';
import { entryPlainText, isPrompt, readBodies, type DeferrableChange, type Session } from '../../core/index';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandInvocation } from '../handler/commandHandler';
import { entryDisplayName } from '../handler/prompts';
import { askBranchSummary } from '../models/modelTexts';

export type BranchChange = Extract<DeferrableChange, { readonly kind: 'branch' }>;

/** The place where a call branches. */
export interface BranchTarget {
  readonly call: CommandInvocation;
  readonly ref: EntryRef;
  readonly session: Session;
}

/** Prompts for the summary of the branch that is left, and branches. @returns a sentence that describes the new leaf */
export async function branchInteractively(
  deps: CommandDeps,
  { call, ref, session }: BranchTarget,
  write: (change: BranchChange) => Promise<{ readonly entryId: string }>,
): Promise<string> {
  const summary = await askBranchSummary(deps, call.title, session, ref.entryId);
  const prompt = await promptText(session, ref.entryId);
  const { entryId } = await write({ kind: 'branch', entryId: ref.entryId, ...(summary.trim() === '' ? {} : { summary }) });
  if (prompt !== undefined) await vscode.env.clipboard.writeText(prompt);
  await deps.reveal({ path: ref.path, entryId }, { focus: call.isOnViewRow });
  // The sentence ends after the quotation marks.
  const entry = entryDisplayName(session, ref.entryId).replace(/[.。]$/u, '');
  return prompt === undefined
    ? vscode.l10n.t('The session continues after “{entry}”.', { entry })
    : vscode.l10n.t('The session continues before “{entry}”. Its text is on the clipboard.', { entry });
}

export const reopenNotice = (): string => vscode.l10n.t('If it’s open elsewhere, reopen it there.');

/** Returns the text of a prompt entry; `undefined` for every other entry. */
async function promptText(session: Session, id: string): Promise<string | undefined> {
  const head = session.byId.get(id);
  if (!head || !isPrompt(head)) return undefined;
  return (await readBodies(session, [id])).map(entryPlainText).join('');
}
