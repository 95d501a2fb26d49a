/**
 * `l10n` of the editor's API that also finds texts by the short keys of the package. The build puts it in place of the
 * editor's, so all modules use it as `vscode.l10n`.
 */
import * as vscode from 'vscode';
import { shortTextKey, textKey } from '../core/index';

type Value = string | number | boolean;

/** A text with its arguments and comments for translators, which may be none. */
interface CommentedText {
  readonly message: string;
  readonly args?: Value[] | Record<string, unknown>;
  readonly comment: string | string[];
}

/** Works like the editor's `l10n.t`. If there is no translation by a short key, the editor looks for one. */
function t(text: string | CommentedText, ...args: Value[]): string {
  const { bundle } = vscode.l10n;
  const { message, comment = [] } = typeof text === 'string' ? { message: text } : text;
  // The editor joins comments, and leaves an empty one out of its key.
  const key = shortTextKey(textKey(message, [comment].flat().join('') || undefined));
  const found = bundle !== undefined && Object.hasOwn(bundle, key);
  if (typeof text === 'string') return vscode.l10n.t(found ? key : text, ...args);
  const short = { ...text, message: key, comment: [] };
  return vscode.l10n.t(found ? short : text);
}

export const l10n = {
  t,
  /** Translations of the editor's language, by short or whole keys; `undefined` in English. */
  get bundle() {
    return vscode.l10n.bundle;
  },
};
