/** Commands that write a line into an existing session: label, branch, rename. */
import * as vscode from 'vscode';
import type { CommandContract, SessionRef } from '../../contract';
import { entryPlainText, isPrompt, readBodies, SessionError, type Session, type DeferrableChange } from '../../core/index';
import { askText } from '../handler/prompts';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandInvocation, CommandHandler } from '../handler/commandHandler';
import { submitOptions, type ConfirmForce } from './confirmForce';
import { entryRefOf, flag, optionalString, sessionRefOf, requiredString } from '../handler/commandArguments';
import { prepareResume } from '../terminal/terminalCommands';
import { forkInsteadAction, rowCommandAction, ActionableError, type Notifier } from '../handler/notifications';
import { writeWhenFreeAction } from './pendingCommands';

type Answer<Id extends keyof CommandContract> = CommandContract[Id]['answer'];
type WriteAnswer = Answer<'sessionTree.label'>;

export function changeCommands(deps: CommandDeps, voice: Notifier, insist: ConfirmForce) {
  const submit = async (path: string, change: DeferrableChange, force: boolean): Promise<WriteAnswer> => {
    const { entryId, concurrent } = await deps.writer.submit(path, change, submitOptions(deps, path, force));
    await deps.refreshAfterWrite([path]);
    return concurrent ? { entryId, concurrent } : { entryId };
  };

  /** A session that another program has can be forked, or the change waits until it is free. */
  const submitAsked = async (ref: SessionRef, change: DeferrableChange): Promise<WriteAnswer> => {
    try {
      const written = await insist(ref, (force) => submit(ref.path, change, force));
      if (written.concurrent) voice.info(vscode.l10n.t('Another program wrote to the session at the same moment. What you changed is in the file, and so is what it wrote.'));
      return written;
    } catch (error) {
      if (!(error instanceof SessionError) || error.code !== 'live') throw error;
      throw new ActionableError(error.code, error.template, error.args, forkInsteadAction(ref), writeWhenFreeAction(deps, ref.path, change));
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
      const present = session.labels.get(ref.entryId) ?? '';
      const given = await askText({
        title: call.title,
        value: present,
        placeHolder: vscode.l10n.t('A name for this place'),
        prompt: present === '' ? vscode.l10n.t('The label stands on “{entry}”.', { entry: excerpt(session, ref.entryId) }) : vscode.l10n.t('An empty label takes “{label}” away.', { label: present }),
      });
      if (given.trim() !== present) await submitAsked(ref, { kind: 'label', entryId: ref.entryId, label: given });
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
      const present = session.labels.get(ref.entryId);
      if (present === undefined) throw new SessionError('invalid', 'The entry has no label: {id}', { id: ref.entryId });
      await submitAsked(ref, { kind: 'label', entryId: ref.entryId, label: '' });
      const undo = { title: vscode.l10n.t('Undo'), run: () => vscode.commands.executeCommand('sessionTree.undo') };
      voice.info(vscode.l10n.t('The label “{label}” was taken away.', { label: present }), undo);
    },
  };

  /** Asks for the summary, branches, and answers with a sentence that says where the session goes on. */
  const branchAsked = async (call: CommandInvocation, ref: Required<SessionRef>, session: Session): Promise<string> => {
    const summary = await askText({
      title: call.title,
      placeHolder: vscode.l10n.t('Summary (optional)'),
      prompt: vscode.l10n.t('What the model should know of the branch that is left. Leave it empty to go on without a summary.'),
    });
    const asked = await promptText(session, ref.entryId);
    const { entryId } = await submitAsked(ref, { kind: 'branch', entryId: ref.entryId, ...(summary.trim() === '' ? {} : { summary }) });
    if (asked !== undefined) await vscode.env.clipboard.writeText(asked);
    await deps.reveal({ path: ref.path, entryId });
    const entry = excerpt(session, ref.entryId);
    return asked === undefined ? vscode.l10n.t('The session now goes on after “{entry}”.', { entry }) : vscode.l10n.t('The session now goes on before “{entry}”, whose text is on the clipboard.', { entry });
  };

  const branchHere: CommandHandler<Answer<'sessionTree.branchHere'>> = {
    title: vscode.l10n.t('Branch Here'),
    runWithArguments: async (args) => {
      const { path, entryId } = entryRefOf(args);
      const summary = optionalString(args, 'summary');
      return submit(path, { kind: 'branch', entryId, ...(summary === undefined ? {} : { summary }) }, flag(args, 'force'));
    },
    runInteractive: async (call) => {
      const { ref, session } = await call.resolveEntry();
      const where = await branchAsked(call, ref, session);
      voice.info(`${where} ${reopenNotice()}`, rowCommandAction(vscode.l10n.t('Resume in Terminal'), 'sessionTree.resume', { path: ref.path }));
    },
  };

  const branchAndResume: CommandHandler<Answer<'sessionTree.branchAndResume'>> = {
    title: vscode.l10n.t('Branch and Resume'),
    runWithArguments: async (args) => {
      const { path } = entryRefOf(args);
      // What could not be resumed is not branched either.
      const resume = await prepareResume(deps, await deps.session(path));
      const written = await branchHere.runWithArguments(args);
      return { ...written, ...resume() };
    },
    runInteractive: async (call) => {
      const { ref, session } = await call.resolveEntry();
      const resume = await prepareResume(deps, session);
      const where = await branchAsked(call, ref, session);
      resume();
      voice.info(`${where} ${reopenNotice()}`);
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
      const present = (await deps.session(path)).name ?? '';
      const prompt = present === '' ? vscode.l10n.t('Without a name, the session shows its first message.') : vscode.l10n.t('An empty name takes “{name}” away.', { name: present });
      const name = await askText({ title: call.title, value: present, placeHolder: vscode.l10n.t('The name of the session'), prompt });
      if (name.trim() !== present) await submitAsked({ path }, { kind: 'rename', name });
    },
  };

  return { 'sessionTree.label': label, 'sessionTree.clearLabel': clearLabel, 'sessionTree.branchHere': branchHere, 'sessionTree.branchAndResume': branchAndResume, 'sessionTree.rename': rename };
}

const reopenNotice = (): string => vscode.l10n.t('A program that already has the session open does not notice; open the session there again.');

/** The text of something that was asked, `undefined` for every other entry. */
async function promptText(session: Session, id: string): Promise<string | undefined> {
  const head = session.byId.get(id);
  if (!head || !isPrompt(head)) return undefined;
  return (await readBodies(session, [id])).map(entryPlainText).join('');
}

/** An entry as messages name it. */
function excerpt(session: Session, id: string): string {
  const text = session.byId.get(id)?.text ?? id;
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
