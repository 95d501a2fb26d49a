/** Commands that continue a session from an earlier entry, and open it in a terminal. */
import * as vscode from 'vscode';
import type { EntryRef } from '../../contract';
import { defined, entryPlainText, isPrompt, readBodies, type Session } from '../../core/index';
import { entryRefOf, flag, optionalString } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import type { Answer, CommandHandler, CommandInvocation } from '../handler/commandHandler';
import { rowCommandAction, type Notifier } from '../handler/notifications';
import type { UndoAction } from './undoCommands';
import { askText, entryDisplayName } from '../handler/prompts';
import { prepareResume } from '../terminal/terminalCommands';
import type { ChangeSubmission } from './changeSubmission';

export function branchCommands(
  deps: CommandDeps,
  notifier: Notifier,
  { assertMayWrite, submit, submitInteractively }: ChangeSubmission,
  undoAction: UndoAction,
) {
  /** Prompts for the summary and branches; resolves to a sentence that describes the new leaf. */
  const branchInteractively = async (call: CommandInvocation, ref: EntryRef, session: Session): Promise<string> => {
    await assertMayWrite(session);
    const summary = await askText({
      title: call.title,
      placeHolder: vscode.l10n.t('Summary'),
      prompt: vscode.l10n.t('Summarize the abandoned branch for the model (optional)'),
    });
    const prompt = await promptText(session, ref.entryId);
    const { entryId } = await submitInteractively(ref, {
      kind: 'branch',
      entryId: ref.entryId,
      ...(summary.trim() === '' ? {} : { summary }),
    });
    if (prompt !== undefined) await vscode.env.clipboard.writeText(prompt);
    await deps.reveal({ path: ref.path, entryId }, { focus: call.isOnViewRow });
    // The sentence ends after the quotation marks.
    const entry = entryDisplayName(session, ref.entryId).replace(/[.。]$/u, '');
    return prompt === undefined
      ? vscode.l10n.t('The session continues after “{entry}”.', { entry })
      : vscode.l10n.t('The session continues before “{entry}”. Its text is on the clipboard.', { entry });
  };

  const branchHere: CommandHandler<Answer<'sessionTree.branchHere'>> = {
    title: vscode.l10n.t('Branch Here'),
    runWithArguments: async (args) => {
      const { path, entryId } = entryRefOf(args);
      const summary = optionalString(args, 'summary');
      return submit(path, { kind: 'branch', entryId, ...defined({ summary }) }, flag(args, 'force'));
    },
    runInteractive: async (call) => {
      const { ref, session } = await call.resolveEntry();
      const description = await branchInteractively(call, ref, session);
      notifier.info(
        `${description} ${reopenNotice()}`,
        rowCommandAction(vscode.l10n.t('Resume in Terminal'), 'sessionTree.resume', { path: ref.path }),
        undoAction(),
      );
    },
  };

  const branchAndResume: CommandHandler<Answer<'sessionTree.branchAndResume'>> = {
    title: vscode.l10n.t('Branch and Resume'),
    runWithArguments: async (args) => {
      const { path } = entryRefOf(args);
      // Checked first, so that a session that can't be resumed isn't branched.
      const resume = await prepareResume(deps, await deps.session(path));
      const written = await branchHere.runWithArguments(args);
      return { ...written, ...resume() };
    },
    runInteractive: async (call) => {
      const { ref, session } = await call.resolveEntry();
      const resume = await prepareResume(deps, session);
      const description = await branchInteractively(call, ref, session);
      resume();
      notifier.info(`${description} ${reopenNotice()}`);
    },
  };

  return { 'sessionTree.branchHere': branchHere, 'sessionTree.branchAndResume': branchAndResume };
}

const reopenNotice = (): string => vscode.l10n.t('If it’s open elsewhere, reopen it there.');

/** Returns the text of a prompt entry; `undefined` for every other entry. */
async function promptText(session: Session, id: string): Promise<string | undefined> {
  const head = session.byId.get(id);
  if (!head || !isPrompt(head)) return undefined;
  return (await readBodies(session, [id])).map(entryPlainText).join('');
}
