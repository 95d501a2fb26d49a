/** The version of a file that a command is about: an entry and the absolute path of a file that the person has seen. */
import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import type { EntryRef } from '../../contract';
import { expandPath, isWithin, pathKey, SessionError, shortPath, type FileChange, type Session } from '../../core/index';
import { workspaceFolderPaths } from '../../ui/workspaceFolders';
import { absoluteFile, entryRefOf, optionalString, type CommandArguments } from '../handler/commandArguments';
import type { CommandDeps } from '../handler/commandDeps';
import type { CommandInvocation } from '../handler/commandHandler';
import { choose } from '../handler/prompts';
import { filesOfTurn, lastResultOf } from './filesOfTurn';

export interface VersionTarget {
  readonly ref: EntryRef;
  /** An absolute path. */
  readonly file: string;
}

/** Reads the entry and the file from plain arguments. Without a file, the entry must have changed only one. @throws {SessionError} */
export async function versionTargetOf(deps: CommandDeps, args: CommandArguments): Promise<VersionTarget> {
  const ref = entryRefOf(args);
  if (optionalString(args, 'file') !== undefined) return { ref, file: absoluteFile(args) };
  const [only, ...more] = await candidates(deps, await deps.session(ref.path), ref);
  if (!only || more.length > 0) throw new SessionError('invalid', 'The command needs a string for “{name}”.', { name: 'file' });
  return { ref, file: only.file };
}

/**
 * Returns the target of an interactive call. A row of the File Versions view has its file; else the person picks one of
 * the files that the entry changed. If there is only one, and it's in the workspace, it's used without asking.
 *
 * @throws {SessionError} `not-found` if the branch changed no file
 */
export async function resolveVersionTarget(deps: CommandDeps, call: CommandInvocation): Promise<VersionTarget> {
  const { path, entryId } = await call.resolveRef();
  const session = await deps.session(path);
  const end = entryId ?? session.leafId;
  if (end === null) throw new SessionError('not-found', 'This branch has no recorded edits or writes.');
  const ref = { path, entryId: end };
  const known = fileOfRow(call.targetRows()[0]);
  if (known !== undefined) return { ref, file: known };
  const found = await candidates(deps, session, ref);
  const [first, ...more] = found;
  if (!first) throw new SessionError('not-found', 'This branch has no recorded edits or writes.');
  if (more.length === 0 && (await isWorkspaceFile(deps, first.file))) return { ref, file: first.file };
  const choices = found.map(({ file, name }) => ({ label: name, description: shortPath(file), value: file }));
  return { ref, file: await choose(call.title, vscode.l10n.t('Select a file'), choices) };
}

interface Candidate {
  readonly file: string;
  /** The path as the session has it. */
  readonly name: string;
}

async function candidates(deps: CommandDeps, session: Session, ref: EntryRef): Promise<Candidate[]> {
  const end = lastResultOf(session, ref.entryId);
  return filesOfTurn(session, ref.entryId, await deps.changes({ path: ref.path, entryId: end })).flatMap((change) =>
    candidateOf(session, change),
  );
}

function candidateOf({ header: { cwd } }: Session, { file: name }: FileChange): Candidate[] {
  const isKnown = name !== '' && !name.includes('\0') && (isAbsolute(cwd) || isAbsolute(name) || /^~[\\/]/.test(name));
  return isKnown ? [{ file: expandPath(name, homedir(), cwd), name }] : [];
}

/** Returns the absolute path that a row of the File Versions view has. */
function fileOfRow(row: object | undefined): string | undefined {
  const file: unknown = row && 'file' in row ? row.file : undefined;
  return typeof file === 'string' && isAbsolute(file) ? file : undefined;
}

/** True if a file is in a folder of the workspace, also with symbolic links resolved. A path that may lead to another computer isn't. */
export async function isWorkspaceFile({ untrustedPaths }: Pick<CommandDeps, 'untrustedPaths'>, file: string): Promise<boolean> {
  if (await untrustedPaths.isRefused(file)) return false;
  const folders = workspaceFolderPaths();
  const isIn = (path: string, roots: readonly string[]): boolean => roots.some((folder) => isWithin(path, folder, process.platform));
  if (!isIn(file, folders)) return false;
  const real = await untrustedPaths.realPath(file);
  if (real === undefined || pathKey(real, process.platform) === pathKey(file, process.platform)) return true;
  return isIn(real, [...folders, ...(await Promise.all(folders.map(async (folder) => (await untrustedPaths.realPath(folder)) ?? folder)))]);
}

/** Returns the document or file that has a path now; `undefined` if it's no regular file, or may be on another computer. */
export async function currentUri({ untrustedPaths }: Pick<CommandDeps, 'untrustedPaths'>, file: string): Promise<vscode.Uri | undefined> {
  const open = openDocument(file);
  if (open) return open.uri;
  return (await untrustedPaths.isFile(file)) ? vscode.Uri.file(file) : undefined;
}

/** Returns the open document of a file. @param file its normalized path */
export const openDocument = (file: string): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === file);
