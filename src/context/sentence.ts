/** What went wrong, in the person's language. A session's own words in it are fit to be shown. */
import * as vscode from 'vscode';
import { plain, SessionError } from '../core/index';

export function sentence(error: unknown): string {
  if (error instanceof SessionError) return plain(vscode.l10n.t(error.template, error.args));
  return plain(error instanceof Error ? error.message : String(error));
}
