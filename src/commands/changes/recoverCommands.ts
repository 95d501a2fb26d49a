/** The command that recovers a damaged session. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { CommandContract } from '../../contract';
import { defined, recoverSession, type CopiedSession, type RecoverOptions } from '../../core/index';
import { withCancellableProgress } from '../handler/cancellableProgress';
import { optionalFolder, sessionRefOf } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler } from '../handler/commandHandler';
import { chooseFolder } from '../handler/prompts';
import { rowCommandAction, type Notifier } from '../handler/notifications';
import { sessionDisplayName } from '../handler/sessions/sessionNames';
import { copyReport } from './copyReport';
import type { ReportDocuments } from '../handler/reportDocuments';

type Answer = CommandContract['sessionTree.recoverSession']['answer'];

export function recoverCommands(deps: CommandDeps, notifier: Notifier, reports: ReportDocuments) {
  const recover = async (path: string, options: Pick<RecoverOptions, 'targetCwd' | 'askForProject' | 'signal'>): Promise<CopiedSession> => {
    const recovered = await deps.writer.create('recover', path, (tools) =>
      recoverSession(path, { ...tools, roots: deps.roots(), ...options }),
    );
    await deps.refreshAfterWrite([recovered.path]);
    return recovered;
  };

  const handler: CommandHandler<Answer> = {
    title: vscode.l10n.t('Recover Session'),
    runWithArguments: async (args) => {
      const { path } = await recover(sessionRefOf(args).path, defined({ targetCwd: optionalFolder(args, 'targetCwd') }));
      return { path };
    },
    runInteractive: async (call) => {
      const { path } = await call.resolveRef();
      const name = sessionDisplayName(deps, path);
      const askForProject = (): Promise<string> => chooseFolder(deps, call.title);
      const recovered = await withCancellableProgress(vscode.l10n.t('Recovering {name}', { name }), ({ signal }) =>
        recover(path, { askForProject, signal }),
      );
      await deps.reveal({ path: recovered.path }, { focus: call.isOnViewRow });
      notifier.info(
        vscode.l10n.t('Copied all whole lines of “{name}” to a new session. The report lists the others.', { name }),
        {
          title: vscode.l10n.t('Show Report'),
          run: () =>
            reports.show(
              vscode.l10n.t('Recovery Report: {name}', { name: basename(path) }),
              copyReport(path, recovered.path, recovered.notes),
            ),
        },
        rowCommandAction(vscode.l10n.t('Show Context'), 'sessionTree.showContext', { path: recovered.path }),
      );
    },
  };
  return { 'sessionTree.recoverSession': handler };
}
