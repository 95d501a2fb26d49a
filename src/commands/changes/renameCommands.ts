/** The command that names a session, in the way that its program does. */
import * as vscode from 'vscode';
import type { CommandContract } from '../../contract';
import { flag, requiredString, sessionRefOf } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import { askSessionName } from '../models/modelTexts';
import type { ChangeSubmission } from './changeSubmission';

type Answer = CommandContract['sessionTree.rename']['answer'];

export function renameCommands(deps: CommandDeps, { assertMayWrite, laterNotice, submit, submitInteractively }: ChangeSubmission) {
  const rename: CommandHandler<Answer> = {
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
      const about =
        current === ''
          ? vscode.l10n.t('Without a name, the session’s first message is shown.')
          : vscode.l10n.t('Leave empty to clear “{name}”.', { name: current });
      const prompt = `${about}${await laterNotice(path)}`;
      const name = await askSessionName(deps, session, {
        title: call.title,
        value: current,
        placeHolder: vscode.l10n.t('Session name'),
        prompt,
      });
      if (name.trim() !== current) await submitInteractively({ path }, { kind: 'rename', name });
    },
  };

  return { 'sessionTree.rename': rename };
}
