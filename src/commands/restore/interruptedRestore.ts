/** The message about a restore of files that was interrupted, with the two ways to end it. */
import * as vscode from 'vscode';
import { shortPath, type InterruptedRestore } from '../../core/index';
import type { CommandDeps } from '../handler/commandDeps';
import type { Notifier } from '../handler/notifications';
import { restoredSentence, type RestoredFiles } from './restoreReport';

/** If neither is chosen, the next start offers them again. */
export function offerToEnd(
  deps: Pick<CommandDeps, 'writes' | 'refreshAfterWrite'>,
  notifier: Pick<Notifier, 'info'>,
  { restoreId, recordId, folder }: InterruptedRestore,
): void {
  const finish = async (): Promise<void> => {
    const ended: RestoredFiles = await (await deps.writes()).finishRestore(restoreId);
    notifier.info(restoredSentence(ended));
  };
  const takeBack = async (): Promise<void> => {
    const { paths } = await (await deps.writes()).undo({ id: recordId });
    await deps.refreshAfterWrite(paths);
    notifier.info(vscode.l10n.t('Undid restore of files'));
  };
  notifier.info(
    vscode.l10n.t('Restoring files in {folder} was interrupted, so only some of them are restored.', { folder: shortPath(folder) }),
    { title: vscode.l10n.t({ message: 'Finish', comment: 'Button: writes the files that an interrupted restore left' }), run: finish },
    { title: vscode.l10n.t({ message: 'Take Back', comment: 'Button: undoes an interrupted restore of files' }), run: takeBack },
  );
}
