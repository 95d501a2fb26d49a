/** The settings for the data that an export replaces. */
import * as vscode from 'vscode';
import { isArray, PERSONAL_KINDS, type RedactOptions } from '../../core/index';

/** Reads `sessionTree.redaction`. They belong to the machine, so that no workspace switches anything off. */
export function redactionSettings(): RedactOptions {
  const settings = vscode.workspace.getConfiguration('sessionTree.redaction');
  const kinds = Object.fromEntries(PERSONAL_KINDS.map((kind) => [kind, settings.get<unknown>(kind) !== false]));
  const words = settings.get<unknown>('patterns');
  return { ...kinds, words: isArray(words) ? words.filter((word): word is string => typeof word === 'string') : [] };
}
