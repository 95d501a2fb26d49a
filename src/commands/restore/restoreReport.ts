/** Tells what was restored and what wasn't, in a sentence and in a document. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { PlannedFile } from '../../core/index';
import { outcomeReport } from '../handler/outcomeReport';
import type { NotificationAction } from '../handler/notifications';
import type { ReportDocuments } from '../handler/reportDocuments';

export interface RestoredFiles {
  readonly restoreId?: string;
  readonly done: readonly PlannedFile[];
  /** Conflicts and all others that were to be restored and weren't. */
  readonly left: readonly PlannedFile[];
}

/** Returns what was restored, and how many files weren't. */
export function restoredSentence({ done, left }: RestoredFiles): string {
  return [
    done.length === 0 ? vscode.l10n.t('No file was changed.') : vscode.l10n.t('Files restored: {count}.', { count: done.length }),
    left.length === 0 ? '' : vscode.l10n.t('Files that stay as they are: {count}.', { count: left.length }),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** Returns the actions of the message about files that stay: the merge editor for conflicts, and the reasons. */
export function leftActions(
  {
    reports,
    openConflicts,
  }: { readonly reports: ReportDocuments; readonly openConflicts: (files: readonly PlannedFile[]) => Promise<void> },
  title: string,
  restored: RestoredFiles,
): NotificationAction[] {
  const { done, left } = restored;
  if (left.length === 0) return [];
  const detailOf = ({ reason }: PlannedFile): string => (reason === undefined ? '' : vscode.l10n.t(reason));
  const conflicts = left.filter(({ action }) => action === 'conflict');
  return [
    ...(conflicts.length === 0 ? [] : [{ title: vscode.l10n.t('Open in Merge Editor'), run: () => openConflicts(conflicts) }]),
    {
      title: vscode.l10n.t('Show Report'),
      run: () =>
        reports.show(
          title,
          outcomeReport(
            restoredSentence(restored),
            [
              [vscode.l10n.t('Not restored'), left.map((file) => ({ path: file.file, detail: detailOf(file) }))],
              [vscode.l10n.t('Restored'), done.map((file) => ({ path: file.file, detail: detailOf(file) }))],
            ],
            basename,
          ),
        ),
    },
  ];
}
