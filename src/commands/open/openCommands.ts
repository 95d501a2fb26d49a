/** Commands that open a session: its context view, its document, its raw file, its file in the file manager, its newer branch. */
import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { MAX_DOCUMENT, SESSION_EDITOR, type EntryRef, type SessionRef } from '../../contract';
import { assertEntry, requireEntry, SessionError, sessionFileVersion, suspectedTip, isObject } from '../../core/index';
import { isLocalWindow } from '../../ui/localWindow';
import { activeUri, isOnDisk } from './activeUri';
import type { CommandDeps } from '../handler/commandDeps';
import { hasFile, type Answer, type CommandHandler, type CommandInvocation } from '../handler/commandHandler';
import { flag, requiredString, sessionRefOf } from '../handler/commandArguments';
import { ActionableError } from '../handler/notifications';

export function openCommands(deps: CommandDeps) {
  const checked = (ref: SessionRef): Promise<SessionRef> => checkedRef(deps, ref);

  const showContext: CommandHandler<Answer<'sessionTree.showContext'>> = {
    title: vscode.l10n.t('Show Context'),
    runWithArguments: async (args) => deps.showContext(await checked(sessionRefOf(args))),
    runInteractive: async (call) => {
      await deps.showContext(await checked(await call.resolveRef()), { preserveFocus: call.preserveFocus });
    },
  };

  const showContextToSide: CommandHandler<Answer<'sessionTree.showContextToSide'>> = {
    title: vscode.l10n.t('Open to the Side'),
    runWithArguments: async (args) => deps.showContext(await checked(sessionRefOf(args)), { toSide: true }),
    runInteractive: async (call) => {
      await deps.showContext(await checked(await call.resolveRef()), { toSide: true });
    },
  };

  const markdown = (preview: boolean): CommandHandler<Answer<'sessionTree.openMarkdown'>> => ({
    title: preview ? vscode.l10n.t('Open as Markdown') : vscode.l10n.t('Open as Markdown Source'),
    runWithArguments: async (args) => deps.openMarkdown(await checked(sessionRefOf(args)), flag(args, 'preview')),
    runInteractive: async (call) => {
      for (const ref of await call.resolveRefs()) await deps.openMarkdown(await checked(ref), preview);
    },
  });

  const openRaw: CommandHandler<undefined> = {
    title: vscode.l10n.t('Open Raw File'),
    runWithArguments: async (args) => openFileAt(deps, sessionRefOf(args), lineOf(args)),
    runInteractive: async (call) => {
      const ref = await call.resolveRef();
      await openFileAt(deps, ref, lineOf(call.targetRows().find(hasFile)));
    },
  };

  const revealInOS: CommandHandler<undefined> = {
    title: vscode.l10n.t('Reveal in File Manager'),
    runWithArguments: async (args) => revealFile(sessionRefOf(args).path),
    runInteractive: async (call) => revealFile(projectFolder(call) ?? (await call.resolveRef()).path),
  };

  const openFolder = async (cwd: string): Promise<undefined> => {
    await vscode.commands.executeCommand('vscode.openFolder', vscode.Uri.file(cwd), { forceNewWindow: true });
    return undefined;
  };
  const openProject: CommandHandler<undefined> = {
    title: vscode.l10n.t('Open Folder'),
    runWithArguments: async (args) => openFolder(await existingFolder(requiredString(args, 'cwd'))),
    runInteractive: async (call) => openFolder(await existingFolder(projectFolder(call) ?? '')),
  };

  const openFile: CommandHandler<Answer<'sessionTree.showContext'>> = {
    title: vscode.l10n.t('Open Session File'),
    runWithArguments: showContext.runWithArguments,
    runInteractive: async (call) => {
      const root = deps.roots()[0];
      const chosen = await vscode.window.showOpenDialog({
        title: call.title,
        filters: { [vscode.l10n.t('Session files')]: ['jsonl', 'jsonl.gz', 'jsonl.zst'], [vscode.l10n.t('All files')]: ['*'] },
        ...(root ? { defaultUri: vscode.Uri.file(root.path) } : {}),
      });
      if (chosen?.[0]) await deps.showContext(await checked({ path: chosen[0].fsPath }));
    },
  };

  const openAsSession: CommandHandler<undefined> = {
    title: vscode.l10n.t('Open as Session'),
    runWithArguments: async (args) => openInSessionEditor(vscode.Uri.file(sessionRefOf(args).path)),
    runInteractive: async (call) => {
      const uri = call.menuTarget instanceof vscode.Uri ? call.menuTarget : activeUri();
      await openInSessionEditor(uri && isOnDisk(uri) ? uri : vscode.Uri.file((await call.resolveRef()).path));
    },
  };

  const tipOf = async ({ path }: SessionRef): Promise<EntryRef> => {
    const tip = suspectedTip(await deps.session(path));
    if (!tip) throw new SessionError('invalid', 'No other branch of this session has newer messages: {path}', { path });
    return { path, entryId: tip.id };
  };

  const goToTip: CommandHandler<{ entryId: string }> = {
    title: vscode.l10n.t('Go to Newer Branch'),
    runWithArguments: async (args) => {
      const tip = await tipOf(sessionRefOf(args));
      await deps.reveal(tip);
      return { entryId: tip.entryId };
    },
    runInteractive: async (call) => {
      await deps.reveal(await tipOf(await call.resolveRef()), { focus: true });
    },
  };

  return {
    'sessionTree.showContext': showContext,
    'sessionTree.showContextToSide': showContextToSide,
    'sessionTree.openMarkdown': markdown(true),
    'sessionTree.openMarkdownSource': markdown(false),
    'sessionTree.openRaw': openRaw,
    'sessionTree.revealInOS': revealInOS,
    'sessionTree.openFile': openFile,
    'sessionTree.openFolder': openProject,
    'sessionTree.openAsSession': openAsSession,
    'sessionTree.goToTip': goToTip,
  };
}

async function openInSessionEditor(uri: vscode.Uri): Promise<undefined> {
  await vscode.commands.executeCommand('vscode.openWith', uri.with({ scheme: 'file' }), SESSION_EDITOR);
  return undefined;
}

/** Returns the folder of the project whose row the command was called on. */
const projectFolder = ({ rows: [row] }: CommandInvocation): string | undefined =>
  row?.row === 'project' && row.cwd !== '' ? row.cwd : undefined;

/** @throws {SessionError} `not-found` if there is no such folder */
async function existingFolder(cwd: string): Promise<string> {
  const isFolder = await stat(cwd).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new SessionError('not-found', 'This folder doesn’t exist: {cwd}', { cwd });
  return cwd;
}

/** Checks that a session can be read and has the entry. @throws {SessionError} the errors of reading; `unknown-entry` */
export async function checkedRef({ session }: Pick<CommandDeps, 'session'>, ref: SessionRef): Promise<SessionRef> {
  const found = await session(ref.path);
  if (ref.entryId !== undefined) assertEntry(found, ref.entryId);
  return ref;
}

/** Returns the line number of a row or of arguments; rows of problems have one. */
function lineOf(value: unknown): number | undefined {
  const line = isObject(value) ? value['line'] : undefined;
  return typeof line === 'number' ? line : undefined;
}

async function openFileAt(deps: CommandDeps, { path, entryId }: SessionRef, line: number | undefined): Promise<undefined> {
  const { size } = await sessionFileVersion(path);
  if (size > MAX_DOCUMENT) {
    const reveal = { title: vscode.l10n.t('Reveal in File Manager'), run: () => revealFile(path) };
    throw new ActionableError(
      'invalid',
      'The file is too large to open ({size} MB; the limit is 50 MB): {path}',
      { size: Math.round(size / 1024 / 1024), path },
      reveal,
    );
  }
  const lineNumber = line ?? (entryId === undefined ? 1 : await lineOfEntry(deps, path, entryId));
  const document = await vscode.workspace.openTextDocument(deps.grantRawAccess(path));
  const start = new vscode.Position(Math.min(lineNumber, document.lineCount) - 1, 0);
  await vscode.window.showTextDocument(document, { selection: new vscode.Range(start, start) });
  return undefined;
}

async function lineOfEntry(deps: CommandDeps, path: string, entryId: string): Promise<number> {
  return requireEntry(await deps.session(path), entryId).line;
}

async function revealFile(path: string): Promise<undefined> {
  if (!isLocalWindow()) {
    const copy = { title: vscode.l10n.t('Copy Path'), run: () => vscode.env.clipboard.writeText(path) };
    throw new ActionableError(
      'invalid',
      'The file is on another machine, so it can’t be shown in a file manager here: {path}',
      { path },
      copy,
    );
  }
  await vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(path));
  return undefined;
}
