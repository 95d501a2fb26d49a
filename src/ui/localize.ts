/** Refusals and problems in the person's language, with arguments that leave something to read beside them. */
import * as vscode from 'vscode';
import { SessionError, uiArgs, uiLine, type Problem } from '../core/index';

export const localizeProblem = ({ template, args }: Pick<Problem, 'template' | 'args'>): string => uiLine(vscode.l10n.t(template, uiArgs(args)));

/** An error in one sentence. */
export function localizeError(error: unknown): string {
  if (error instanceof SessionError) return localizeProblem(error);
  return uiLine(error instanceof Error ? error.message : String(error));
}
