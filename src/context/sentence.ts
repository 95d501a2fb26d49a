/** What went wrong, in the person's language. */
import * as vscode from 'vscode';
import { SessionError } from '../core/index';

export function sentence(error: unknown): string {
  if (error instanceof SessionError) return vscode.l10n.t(error.template, error.args);
  return error instanceof Error ? error.message : String(error);
}
