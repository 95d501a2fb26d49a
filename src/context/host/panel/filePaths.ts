/** Checks and opens files that a session's text names. */
import { homedir } from 'node:os';
import { basename, isAbsolute, join, resolve } from 'node:path';
import * as vscode from 'vscode';
import { parseFileLocation, type FileLocation, type UntrustedPaths } from '../../../core/index';
import { setStatusBarMessage } from '../../../ui/safe/messages';

/** Milliseconds that a status bar message is shown. */
const STATUS_MESSAGE_DURATION = 8000;
/** Texts checked for one request. */
const MAX_TEXTS = 200;

/** Returns the texts that name existing files. Relative paths start at `cwd`. */
export async function existingFiles(texts: readonly string[], cwd: string, untrustedPaths: UntrustedPaths): Promise<string[]> {
  const found = await Promise.all(
    texts.slice(0, MAX_TEXTS).map(async (text) => ((await resolveFile(text, cwd, untrustedPaths)) ? [text] : [])),
  );
  return found.flat();
}

/**
 * Opens the file that a text names, at its line, or at the end if the file is shorter now.
 * @returns true if the file exists.
 */
export async function openFile(
  text: string,
  cwd: string,
  untrustedPaths: UntrustedPaths,
  fileUri: (path: string) => vscode.Uri,
): Promise<boolean> {
  const location = await resolveFile(text, cwd, untrustedPaths);
  if (!location) return false;
  const { path, line, column = 1 } = location;
  const position = line === undefined ? undefined : new vscode.Position(line - 1, Math.max(0, column - 1));
  await vscode.commands.executeCommand('vscode.open', fileUri(path), position ? { selection: new vscode.Range(position, position) } : {});
  const lines = vscode.window.visibleTextEditors.find(({ document }) => document.uri.fsPath === path)?.document.lineCount;
  if (line !== undefined && lines !== undefined && line > lines) {
    setStatusBarMessage(
      vscode.l10n.t('Line {0} no longer exists; {1} has {2} lines.', line, basename(path), lines),
      STATUS_MESSAGE_DURATION,
    );
  }
  return true;
}

/** Returns the location with the absolute path of an existing file. */
async function resolveFile(text: string, cwd: string, untrustedPaths: UntrustedPaths): Promise<FileLocation | undefined> {
  const location = parseFileLocation(text);
  if (!location) return undefined;
  const path = /^~[\\/]/.test(location.path) ? join(homedir(), location.path.slice(2)) : location.path;
  // `cwd` is text from the session file too, so it is checked like the path.
  if (!isAbsolute(path) && (!isAbsolute(cwd) || parseFileLocation(cwd) === undefined)) return undefined;
  const absolute = resolve(cwd, path);
  return (await untrustedPaths.isFile(absolute)) ? { ...location, path: absolute } : undefined;
}
