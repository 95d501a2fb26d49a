/** Commands that write a line into an existing session: label, branch, rename. */
import * as vscode from 'vscode';
import type { CommandContract, SessionRef } from '../contract';
import { describeEntryText, isPrompt, readBodies, SessionError, type Session, type WaitingChange } from '../core/index';
import { askText } from './ask';
import type { CommandDeps } from './deps';
import type { Call, Handler } from './frame';
import { submitOptions, type Insist } from './insist';
import { entryRefOf, flag, optional, refOf, required } from './plain';
import { prepareResume } from './run';
import { forkInstead, onRow, Refusal, type Voice } from './speak';
import { whenFree } from './waiting';

type Answer<Id extends keyof CommandContract> = CommandContract[Id]['answer'];
type Written = Answer<'sessionTree.label'>;

export function changeCommands(deps: CommandDeps, voice: Voice, insist: Insist) {
  const submit = async (path: string, change: WaitingChange, force: boolean): Promise<Written> => {
    const { entryId, concurrent } = await deps.write.submit(path, change, submitOptions(deps, path, force));
    await deps.changed([path]);
    return concurrent ? { entryId, concurrent } : { entryId };
  };

  /** A session that another program has can be forked, or the change waits until it is free. */
  const submitAsked = async (ref: SessionRef, change: WaitingChange): Promise<Written> => {
    try {
      const written = await insist(ref, (force) => submit(ref.path, change, force));
      if (written.concurrent) voice.done(vscode.l10n.t('Another program wrote to the session at the same moment. What you changed is in the file, and so is what it wrote.'));
      return written;
    } catch (error) {
      if (!(error instanceof SessionError) || error.code !== 'live') throw error;
      throw new Refusal(error.code, error.template, error.args, forkInstead(ref), whenFree(deps, ref.path, change));
    }
  };

  const label: Handler<Answer<'sessionTree.label'>> = {
    title: vscode.l10n.t('Label'),
    plain: async (args) => {
      const { path, entryId } = entryRefOf(args);
      return submit(path, { kind: 'label', entryId, label: required(args, 'label') }, flag(args, 'force'));
    },
    asked: async (call) => {
      const { ref, session } = await call.entry();
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

  const clearLabel: Handler<Answer<'sessionTree.clearLabel'>> = {
    title: vscode.l10n.t('Clear Label'),
    plain: async (args) => {
      const { path, entryId } = entryRefOf(args);
      return submit(path, { kind: 'label', entryId, label: '' }, flag(args, 'force'));
    },
    asked: async (call) => {
      const { ref, session } = await call.entry();
      const present = session.labels.get(ref.entryId);
      if (present === undefined) throw new SessionError('invalid', 'The entry has no label: {id}', { id: ref.entryId });
      await submitAsked(ref, { kind: 'label', entryId: ref.entryId, label: '' });
      const undo = { title: vscode.l10n.t('Undo'), run: () => vscode.commands.executeCommand('sessionTree.undo') };
      voice.done(vscode.l10n.t('The label “{label}” was taken away.', { label: present }), undo);
    },
  };

  /** Asks for the summary, branches, and answers with a sentence that says where the session goes on. */
  const branchAsked = async (call: Call, ref: Required<SessionRef>, session: Session): Promise<string> => {
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

  const branchHere: Handler<Answer<'sessionTree.branchHere'>> = {
    title: vscode.l10n.t('Branch Here'),
    plain: async (args) => {
      const { path, entryId } = entryRefOf(args);
      const summary = optional(args, 'summary');
      return submit(path, { kind: 'branch', entryId, ...(summary === undefined ? {} : { summary }) }, flag(args, 'force'));
    },
    asked: async (call) => {
      const { ref, session } = await call.entry();
      const where = await branchAsked(call, ref, session);
      voice.done(`${where} ${unnoticed()}`, onRow(vscode.l10n.t('Resume in Terminal'), 'sessionTree.resume', { path: ref.path }));
    },
  };

  const branchAndResume: Handler<Answer<'sessionTree.branchAndResume'>> = {
    title: vscode.l10n.t('Branch and Resume'),
    plain: async (args) => {
      const { path } = entryRefOf(args);
      // What could not be resumed is not branched either.
      const resume = await prepareResume(deps, await deps.session(path));
      const written = await branchHere.plain(args);
      return { ...written, ...resume() };
    },
    asked: async (call) => {
      const { ref, session } = await call.entry();
      const resume = await prepareResume(deps, session);
      const where = await branchAsked(call, ref, session);
      resume();
      voice.done(`${where} ${unnoticed()}`);
    },
  };

  const rename: Handler<Answer<'sessionTree.rename'>> = {
    title: vscode.l10n.t('Rename'),
    plain: async (args) => {
      const { path } = refOf(args);
      const { entryId } = await submit(path, { kind: 'rename', name: required(args, 'name') }, flag(args, 'force'));
      return { entryId };
    },
    asked: async (call) => {
      const { path } = await call.file();
      const present = (await deps.session(path)).name ?? '';
      const prompt = present === '' ? vscode.l10n.t('Without a name, the session shows its first message.') : vscode.l10n.t('An empty name takes “{name}” away.', { name: present });
      const name = await askText({ title: call.title, value: present, placeHolder: vscode.l10n.t('The name of the session'), prompt });
      if (name.trim() !== present) await submitAsked({ path }, { kind: 'rename', name });
    },
  };

  return { 'sessionTree.label': label, 'sessionTree.clearLabel': clearLabel, 'sessionTree.branchHere': branchHere, 'sessionTree.branchAndResume': branchAndResume, 'sessionTree.rename': rename };
}

const unnoticed = (): string => vscode.l10n.t('A program that already has the session open does not notice; open the session there again.');

/** The text of something that was asked, `undefined` for every other entry. */
async function promptText(session: Session, id: string): Promise<string | undefined> {
  const head = session.byId.get(id);
  if (!head || !isPrompt(head)) return undefined;
  return (await readBodies(session, [id])).map(describeEntryText).join('');
}

/** An entry as messages name it. */
function excerpt(session: Session, id: string): string {
  const text = session.byId.get(id)?.text ?? id;
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
