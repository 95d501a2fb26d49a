/**
 * The command that shows why a line is there: the prompt, the message and the session that wrote it, its commit, and
 * its earlier versions.
 */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { defined, isObject, lineCommit, lineHistory, lineOrigins, SessionError, type Catalog } from '../../core/index';
import { absoluteFile, lineNumber, type CommandArguments } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import { isLineTarget, type CommandHandler, type CommandInvocation } from '../handler/commandHandler';
import { settledCatalog } from '../handler/settledCatalog';
import { pickFromLine, type WhyThisLine } from './linePicker';
import { currentUri, openDocument } from './versionTarget';

interface DocumentLine {
  readonly document: vscode.TextDocument;
  /** From 1. */
  readonly line: number;
}

export function whyThisLineCommands(deps: CommandDeps) {
  const whyThisLine: CommandHandler<WhyThisLine> = {
    title: vscode.l10n.t('Why Is This Line Here?'),
    runWithArguments: async (args) => {
      const { file, line } = fileLineOf(args);
      const catalog = await settledCatalog(deps.catalog);
      // Refuses targets that the editor can't open, such as folders and binary files, with a sentence.
      if (!openDocument(file)) await lineOrigins(catalog, file, { git: vscode.workspace.isTrusted });
      return reasonsOf(catalog, { document: await documentOf(deps, file), line });
    },
    runInteractive: async (call) => {
      const { document, line } = await lineOf(call, deps);
      const stop = new AbortController();
      const reasons = deps.catalog.open().then((catalog) => reasonsOf(catalog, { document, line }, stop.signal));
      const title = vscode.l10n.t('Why is line {line} of {name} here?', { line, name: basename(document.uri.fsPath) });
      await pickFromLine(deps, { title, file: document.uri.fsPath, reasons }).finally(() => stop.abort());
    },
  };
  return { 'sessionTree.whyThisLine': whyThisLine };
}

/** @throws the errors of {@link lineOrigins} */
async function reasonsOf(catalog: Catalog, { document, line }: DocumentLine, signal?: AbortSignal): Promise<WhyThisLine> {
  const [file, text] = [document.uri.fsPath, document.getText()];
  // Git runs in the repository of the file, which an untrusted workspace may have brought along.
  const git = vscode.workspace.isTrusted;
  const options = signal ? { git, signal } : { git };
  // Comes first, because it refuses files that aren't text or are too large.
  const origin = (await lineOrigins(catalog, file, { ...options, text })).find(({ from, to }) => from <= line && line <= to);
  const [history, commit] = await Promise.all([
    lineHistory(catalog, file, { text, line }, options),
    git ? lineCommit(file, text, line, signal) : undefined,
  ]);
  const earlier = history.filter(({ path, entryId }) => path !== origin?.path || entryId !== origin.entryId);
  return { ...defined({ origin, commit }), earlier };
}

/** @throws {SessionError} `invalid` */
function fileLineOf(args: CommandArguments): { readonly file: string; readonly line: number } {
  const file = absoluteFile(args);
  const line = lineNumber(args, 'line');
  if (line === undefined) throw new SessionError('invalid', '“{name}” must be a line number, starting at 1.', { name: 'line' });
  return { file, line };
}

/** @throws {SessionError} `not-found` */
async function documentOf(deps: CommandDeps, file: string): Promise<vscode.TextDocument> {
  const uri = await currentUri(deps, file);
  if (!uri) throw new SessionError('not-found', 'This file doesn’t exist: {path}', { path: file });
  return vscode.workspace.openTextDocument(uri);
}

/**
 * Returns the line that a menu or a link names, else the line of the cursor. @throws {SessionError} `invalid` if there
 * is none in a file
 */
async function lineOf({ menuTarget, rows }: CommandInvocation, deps: CommandDeps): Promise<DocumentLine> {
  const row: unknown = rows[0];
  if (isObject(row) && row['row'] === 'line') {
    const { file, line } = fileLineOf(row);
    return { document: await documentOf(deps, file), line };
  }
  const editor = vscode.window.activeTextEditor;
  const uri = isLineTarget(menuTarget) ? menuTarget.uri : menuTarget instanceof vscode.Uri ? menuTarget : editor?.document.uri;
  // Cells of notebooks, earlier versions and the like have other lines than the file.
  if (uri?.scheme !== 'file') throw new SessionError('invalid', 'Open a file and put the cursor in a line to see why it’s there.');
  if (isLineTarget(menuTarget)) return { document: await vscode.workspace.openTextDocument(uri), line: menuTarget.lineNumber };
  const shown = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
  const from = editor?.document.uri.toString() === uri.toString() ? editor : shown;
  if (!from) throw new SessionError('invalid', 'Open a file and put the cursor in a line to see why it’s there.');
  return { document: from.document, line: from.selection.active.line + 1 };
}
