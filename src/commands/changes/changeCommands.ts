/** Commands that append to an existing session: label, branch, rename. */
import * as vscode from 'vscode';
import type { CommandContract, EntryRef, SessionRef } from '../../contract';
import {
  defined,
  entryPlainText,
  isPrompt,
  oneLine,
  plainRowWithRole,
  readBodies,
  SessionError,
  writeRefusal,
  type Session,
  type DeferrableChange,
} from '../../core/index';
import { askText } from '../handler/prompts';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandInvocation, CommandHandler } from '../handler/commandHandler';
import { submitOptions, type ConfirmForce } from '../handler/confirmForce';
import { entryRefOf, flag, optionalString, sessionRefOf, requiredString } from '../handler/commandArguments';
import { prepareResume } from '../terminal/terminalCommands';
import { forkInsteadAction, rowCommandAction, undoAction, ActionableError, type Notifier } from '../handler/notifications';
import { writeWhenFreeAction } from './pendingCommands';

type Answer<Id extends keyof CommandContract> = CommandContract[Id]['answer'];
type WriteAnswer = Answer<'sessionTree.label'>;

export function changeCommands(deps: CommandDeps, notifier: Notifier, confirmForce: ConfirmForce) {
  const submit = async (path: string, change: DeferrableChange, force: boolean): Promise<WriteAnswer> => {
    const { entryId, concurrent } = await deps.writer.submit(path, change, submitOptions(deps, path, force));
    await deps.refreshAfterWrite([path]);
    return concurrent ? { entryId, concurrent } : { entryId };
  };

  /** Refuses before anything is typed, not after it. @throws {SessionError} the reason why nothing may be appended */
  const assertMayWrite = async (session: Session): Promise<void> => {
    await deps.writer.assertChangeable(session.path);
    const refusal = writeRefusal(session);
    if (refusal) throw refusal;
  };

  /** Writes a change interactively. If another program has the session, the error offers a fork and a pending change. */
  const submitInteractively = async (ref: SessionRef, change: DeferrableChange): Promise<WriteAnswer> => {
    try {
      const written = await confirmForce(ref, (force) => submit(ref.path, change, force));
      if (written.concurrent)
        notifier.info(vscode.l10n.t('Another program wrote to this session at the same time. Both changes were kept.'));
      return written;
    } catch (error) {
      if (!(error instanceof SessionError) || error.code !== 'live') throw error;
      throw new ActionableError(
        error.code,
        error.template,
        error.args,
        forkInsteadAction(ref),
        writeWhenFreeAction(deps, ref.path, change),
      );
    }
  };

  const label: CommandHandler<Answer<'sessionTree.label'>> = {
    title: vscode.l10n.t('Label'),
    runWithArguments: async (args) => {
      const { path, entryId } = entryRefOf(args);
      return submit(path, { kind: 'label', entryId, label: requiredString(args, 'label') }, flag(args, 'force'));
    },
    runInteractive: async (call) => {
      const { ref, session } = await call.resolveEntry();
      await assertMayWrite(session);
      const current = session.labels.get(ref.entryId) ?? '';
      const input = await askText({
        title: call.title,
        value: current,
        placeHolder: vscode.l10n.t('Label name'),
        prompt:
          current === ''
            ? vscode.l10n.t('Label for “{entry}”', { entry: excerpt(session, ref.entryId) })
            : vscode.l10n.t('Leave empty to clear “{label}”.', { label: current }),
      });
      if (input.trim() !== current) await submitInteractively(ref, { kind: 'label', entryId: ref.entryId, label: input });
    },
  };

  const clearLabel: CommandHandler<Answer<'sessionTree.clearLabel'>> = {
    title: vscode.l10n.t('Clear Label'),
    runWithArguments: async (args) => {
      const { path, entryId } = entryRefOf(args);
      return submit(path, { kind: 'label', entryId, label: '' }, flag(args, 'force'));
    },
    runInteractive: async (call) => {
      const { ref, session } = await call.resolveEntry();
      await assertMayWrite(session);
      const current = session.labels.get(ref.entryId);
      if (current === undefined) throw new SessionError('invalid', 'This entry has no label: {id}', { id: ref.entryId });
      await submitInteractively(ref, { kind: 'label', entryId: ref.entryId, label: '' });
      notifier.info(vscode.l10n.t('Cleared label “{label}”.', { label: current }), undoAction());
    },
  };

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
    await deps.reveal({ path: ref.path, entryId });
    const entry = excerpt(session, ref.entryId);
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

  const rename: CommandHandler<Answer<'sessionTree.rename'>> = {
    title: vscode.l10n.t('Rename'),
    runWithArguments: async (args) => {
      const { path } = sessionRefOf(args);
      const { entryId } = await submit(path, { kind: 'rename', name: requiredString(args, 'name') }, flag(args, 'force'));
      return { entryId };
    },
    runInteractive: async (call) => {
      const { path } = await call.resolveRef();
      const session = await deps.session(path);
      await assertMayWrite(session);
      const current = session.name ?? '';
      const prompt =
        current === ''
          ? vscode.l10n.t('Without a name, the session’s first message is shown.')
          : vscode.l10n.t('Leave empty to clear “{name}”.', { name: current });
      const name = await askText({ title: call.title, value: current, placeHolder: vscode.l10n.t('Session name'), prompt });
      if (name.trim() !== current) await submitInteractively({ path }, { kind: 'rename', name });
    },
  };

  return {
    'sessionTree.label': label,
    'sessionTree.clearLabel': clearLabel,
    'sessionTree.branchHere': branchHere,
    'sessionTree.branchAndResume': branchAndResume,
    'sessionTree.rename': rename,
  };
}

const reopenNotice = (): string => vscode.l10n.t('If it’s open elsewhere, reopen it there.');

/** Returns the text of a prompt entry; `undefined` for every other entry. */
async function promptText(session: Session, id: string): Promise<string | undefined> {
  const head = session.byId.get(id);
  if (!head || !isPrompt(head)) return undefined;
  return (await readBodies(session, [id])).map(entryPlainText).join('');
}

/** Returns the beginning of an entry's text without Markdown marks, for messages. */
function excerpt(session: Session, id: string): string {
  const head = session.byId.get(id);
  return head ? plainRowWithRole(head, 60) : oneLine(id, 60);
}
