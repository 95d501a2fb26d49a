/** Files that a session's text names: which of them are there, and opening one at its line. */
import { homedir } from 'node:os';
import { basename, isAbsolute, join, resolve } from 'node:path';
import * as vscode from 'vscode';
import { filePlace, type NamedPaths } from '../core/index';
import { setStatusBarMessage } from '../ui/messages';

/** Milliseconds that a word in the status bar stands. */
const SAID = 8000;
/** Texts that are looked at for one question. */
const MOST = 200;

/** Those of the texts that name a file; relative ones start at `cwd`. */
export async function filesAmong(texts: readonly string[], cwd: string, named: NamedPaths): Promise<string[]> {
  const found = await Promise.all(texts.slice(0, MOST).map(async (text) => ((await fileOf(text, cwd, named)) === undefined ? [] : [text])));
  return found.flat();
}

/** Opens the file that a text names, at its line; where there is no such line any more, at its end. @returns whether it is still there. */
export async function openFile(text: string, cwd: string, named: NamedPaths, fileUri: (path: string) => vscode.Uri): Promise<boolean> {
  const path = await fileOf(text, cwd, named);
  if (path === undefined) return false;
  const { line, column = 1 } = filePlace(text)!;
  const at = line === undefined ? undefined : new vscode.Position(line - 1, Math.max(0, column - 1));
  await vscode.commands.executeCommand('vscode.open', fileUri(path), at ? { selection: new vscode.Range(at, at) } : {});
  const lines = vscode.window.visibleTextEditors.find(({ document }) => document.uri.fsPath === path)?.document.lineCount;
  if (line !== undefined && lines !== undefined && line > lines) {
    setStatusBarMessage(vscode.l10n.t('There is no line {0} any more: {1} has {2} lines.', line, basename(path), lines), SAID);
  }
  return true;
}

async function fileOf(text: string, cwd: string, named: NamedPaths): Promise<string | undefined> {
  const place = filePlace(text);
  if (!place) return undefined;
  const path = /^~[\\/]/.test(place.path) ? join(homedir(), place.path.slice(2)) : place.path;
  // The folder is what a file says, as the path is: it may be on another computer too.
  if (!isAbsolute(path) && (!isAbsolute(cwd) || filePlace(cwd) === undefined)) return undefined;
  const whole = resolve(cwd, path);
  return (await named.isFile(whole)) ? whole : undefined;
}
