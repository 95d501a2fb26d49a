/** Commands that write into an existing session: label, branch, rename, migrate. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { CommandContract, SessionRef } from '../contract';
import { describeEntryText, isPrompt, readBodies, rootOf, SessionError, type Change, type Session, type SubmitOptions } from '../core/index';
import { askText, confirm } from './ask';
import type { CommandDeps } from './deps';
import type { Handler } from './frame';
import { entryRefOf, flag, optional, refOf, required } from './plain';
import { forkInstead, onRow, sentence, type Voice } from './speak';

type Answer<Id extends keyof CommandContract> = CommandContract[Id]['answer'];
type Written = Answer<'sessionTree.label'>;

export function changeCommands(deps: CommandDeps, voice: Voice) {
  const options = (path: string, force: boolean): SubmitOptions => {
    const root = rootOf(path, deps.roots());
    return root ? { force, dialect: root.dialect } : { force };
  };

  const submit = async (path: string, change: Change, force: boolean): Promise<Written> => {
    const { entryId, concurrent } = await deps.write.submit(path, change, options(path, force));
    await deps.changed([path]);
    return concurrent ? { entryId, concurrent } : { entryId };
  };

  const submitAsked = async (ref: SessionRef, change: Change): Promise<Written> => {
    const written = await insist(ref, (force) => submit(ref.path, change, force));
    if (written.concurrent) voice.done(vscode.l10n.t('Another program wrote to the session at the same moment. What you changed is in the file, and so is what it wrote.'));
    return written;
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

  const branchHere: Handler<Answer<'sessionTree.branchHere'>> = {
    title: vscode.l10n.t('Branch Here'),
    plain: async (args) => {
      const { path, entryId } = entryRefOf(args);
      const summary = optional(args, 'summary');
      return submit(path, { kind: 'branch', entryId, ...(summary === undefined ? {} : { summary }) }, flag(args, 'force'));
    },
    asked: async (call) => {
      const { ref, session } = await call.entry();
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
      const where = asked === undefined ? vscode.l10n.t('The session now goes on after “{entry}”.', { entry }) : vscode.l10n.t('The session now goes on before “{entry}”, whose text is on the clipboard.', { entry });
      voice.done(
        `${where} ${vscode.l10n.t('A program that already has the session open does not notice; open the session there again.')}`,
        onRow(vscode.l10n.t('Resume in Terminal'), 'sessionTree.resume', { path: ref.path }),
      );
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

  const migrate: Handler<Answer<'sessionTree.migrate'>> = {
    title: vscode.l10n.t('Migrate'),
    plain: async (args) => {
      const { path } = refOf(args);
      const { backupPath } = await deps.write.migrate(path, options(path, flag(args, 'force')));
      await deps.changed([path]);
      return { path, backupPath };
    },
    asked: async (call) => {
      const paths = [...new Set((await call.files()).map((ref) => ref.path))];
      for (const path of paths) await assertOld(deps, path);
      await confirm(
        paths.length === 1 ? vscode.l10n.t('Migrate “{name}” to the current format?', { name: basename(paths[0]!) }) : vscode.l10n.t('Migrate {count} sessions to the current format?', { count: paths.length }),
        vscode.l10n.t('The file is written anew in version 3, which every program of today opens. What it holds now is kept beside it, in a backup that no program lists. A program that has the session open does not notice, so close the session there first.'),
        vscode.l10n.t('Migrate'),
      );
      const backups: string[] = [];
      for (const path of paths) {
        call.ref = { path };
        const { backupPath } = await insist({ path }, (force) => deps.write.migrate(path, options(path, force)));
        await deps.changed([path]);
        backups.push(backupPath);
      }
      voice.done(
        backups.length === 1 ? vscode.l10n.t('The session now has the current format. Its old content is kept in {backup}', { backup: basename(backups[0]!) }) : vscode.l10n.t('{count} sessions now have the current format. Their old content is kept beside them.', { count: backups.length }),
      );
    },
  };

  return { 'sessionTree.label': label, 'sessionTree.branchHere': branchHere, 'sessionTree.rename': rename, 'sessionTree.migrate': migrate };
}

/** Says before the question what the writing would say after it. */
async function assertOld(deps: CommandDeps, path: string): Promise<void> {
  const session = await deps.session(path);
  if (session.version === 3 && !session.hasGivenIds) throw new SessionError('already-current', 'The session already has the current format: {path}', { path });
}

/** Where it is unsure whether a program has the file, the person decides. What is surely taken stays untouched. */
async function insist<T>(ref: SessionRef, write: (force: boolean) => Promise<T>): Promise<T> {
  try {
    return await write(false);
  } catch (error) {
    if (!(error instanceof SessionError) || error.code !== 'unsure') throw error;
    const anyway = vscode.l10n.t('Write Anyway');
    const fork = forkInstead(ref);
    const chosen = await vscode.window.showWarningMessage(sentence(error), { modal: true }, anyway, fork.title);
    if (chosen === anyway) return write(true);
    if (chosen === fork.title) await fork.run();
    throw new vscode.CancellationError();
  }
}

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
