/** The report of an imported or recovered session: what was left out or changed. */
import * as vscode from 'vscode';
import { shortPath, type CopyNote } from '../../core/index';
import { localizeProblem } from '../../ui/localize';

/** Returns the report as plain text. */
export const copyReport = (from: string, to: string, notes: readonly CopyNote[]): string =>
  [
    vscode.l10n.t('From: {path}', { path: shortPath(from) }),
    vscode.l10n.t('To: {path}', { path: shortPath(to) }),
    '',
    ...notes.map((note) => `- ${localizeProblem(note)}`),
    '',
  ].join('\n');
