/** The command that imports session files into a project, also for files that are dropped on the view. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { CommandContract } from '../../contract';
import { defined, isObject, importSession, type CopiedSession } from '../../core/index';
import { withCancellableProgress } from '../handler/cancellableProgress';
import { absoluteFile, optionalFolder } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandHandler, CommandInvocation } from '../handler/commandHandler';
import { rowCommandAction, type Notifier } from '../handler/notifications';
import { chooseFolder } from '../handler/prompts';
import { sessionDisplayName } from '../handler/sessions/sessionNames';
import { copyReport } from './copyReport';
import type { ReportDocuments } from '../handler/reportDocuments';

type Answer = CommandContract['sessionTree.importSession']['answer'];

export function importCommands(deps: CommandDeps, notifier: Notifier, reports: ReportDocuments) {
  const importFile = (file: string, targetCwd: string | undefined, signal?: AbortSignal): Promise<CopiedSession> =>
    deps.writer.create('import', file, (tools) =>
      importSession(file, {
        ...tools,
        roots: deps.roots(),
        ...defined({ targetCwd, signal }),
      }),
    );

  const report = ({ path, program, notes }: CopiedSession, file: string): void => {
    const name = sessionDisplayName(deps, path);
    const show = rowCommandAction(vscode.l10n.t('Show Context'), 'sessionTree.showContext', { path });
    if (notes.length === 0) {
      notifier.info(vscode.l10n.t('Imported “{name}” from {program}.', { name, program }), show);
      return;
    }
    notifier.info(vscode.l10n.t('Imported “{name}” from {program}, except for parts that the report lists.', { name, program }), show, {
      title: vscode.l10n.t('Show Report'),
      run: () => reports.show(vscode.l10n.t('Import Report: {name}', { name: basename(file) }), copyReport(file, path, notes)),
    });
  };

  const handler: CommandHandler<Answer> = {
    title: vscode.l10n.t('Import Session'),
    runWithArguments: async (args) => {
      const { path } = await importFile(absoluteFile(args), optionalFolder(args, 'targetCwd'));
      await deps.refreshAfterWrite([path]);
      return { path };
    },
    runInteractive: async (call) => {
      const files = await filesOf(call);
      const targetCwd = projectOf(call) ?? (await chooseFolder(deps, call.title));
      for (const file of files) {
        try {
          const imported = await withCancellableProgress(vscode.l10n.t('Importing {name}', { name: basename(file) }), ({ signal }) =>
            importFile(file, targetCwd, signal),
          );
          await deps.refreshAfterWrite([imported.path]);
          await deps.reveal({ path: imported.path }, { focus: true });
          report(imported, file);
        } catch (error) {
          // The next file may be fine.
          notifier.error(error, undefined);
          if (error instanceof vscode.CancellationError) return;
        }
      }
    },
  };
  return { 'sessionTree.importSession': handler };
}

/** Returns the files of a menu or a drop; otherwise lets the person choose. @throws {vscode.CancellationError} */
async function filesOf(call: CommandInvocation): Promise<readonly string[]> {
  const given = call.menuUris();
  if (given.length > 0) return given.map(({ fsPath }) => fsPath);
  const picked = await vscode.window.showOpenDialog({
    canSelectMany: true,
    title: call.title,
    openLabel: vscode.l10n.t('Import'),
    filters: { [vscode.l10n.t('Sessions')]: ['jsonl', 'html', 'gz'], [vscode.l10n.t('All Files')]: ['*'] },
  });
  if (!picked?.[0]) throw new vscode.CancellationError();
  return picked.map(({ fsPath }) => fsPath);
}

/** Returns the project whose menu was used, or on whose row a file was dropped. */
function projectOf(call: CommandInvocation): string | undefined {
  const dropped = call.args[2];
  if (isObject(dropped) && typeof dropped['targetCwd'] === 'string') return dropped['targetCwd'];
  const row = call.rows.find((one) => one.row === 'project');
  return row?.row === 'project' ? row.cwd : undefined;
}
