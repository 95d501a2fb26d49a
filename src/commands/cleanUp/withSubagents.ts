/** Questions about the sessions of subagents below sessions that a command moves or archives. */
import { basename, dirname, sep } from 'node:path';
import * as vscode from 'vscode';
import { hasOtherFiles, isNamedLikeSession, rootOf, subagentsBelow, withoutSessionSuffix, Yielder } from '../../core/index';
import { showModal } from '../../ui/safe/messages';
import type { CommandDeps } from '../handler/commandDeps';

/** Returns the paths of the sessions of subagents below any of these sessions, at any depth, without these sessions. */
export async function subagentPaths(deps: Pick<CommandDeps, 'subagentParents'>, paths: readonly string[]): Promise<string[]> {
  return new Yielder(undefined).run(subagentsBelow(await deps.subagentParents(), paths));
}

/** Returns the sessions in the folders of these sessions, which move with them. */
export const insideFolders = (subagents: readonly string[], paths: readonly string[]): string[] => {
  const folders = new Set(paths.map(withoutSessionSuffix));
  return subagents.filter((path) => isInside(path, folders));
};

/** Returns the sessions of subagents that aren't in the folder of any of these sessions, nor in the folder of one another. */
export function outsideFolders(subagents: readonly string[], paths: readonly string[]): string[] {
  const inside = new Set(insideFolders(subagents, [...paths, ...subagents]));
  return subagents.filter((path) => !inside.has(path));
}

/** True if the sessions in the folders of these sessions are still listed when these sessions are gone. */
export function stayListed(deps: Pick<CommandDeps, 'roots'>, subagents: readonly string[], paths: readonly string[]): boolean {
  return paths.every((path) => {
    if (insideFolders(subagents, [path]).length === 0 || isNamedLikeSession(basename(path))) return true;
    const root = rootOf(path, deps.roots());
    // Below the folder of another session, all folders are listed.
    const isDeep = root && ![dirname(path), dirname(dirname(path))].includes(root.path);
    return isDeep === true || root?.ofSubagents === true;
  });
}

function isInside(path: string, folders: ReadonlySet<string>): boolean {
  for (let end = path.lastIndexOf(sep); end > 0; end = path.lastIndexOf(sep, end - 1)) if (folders.has(path.slice(0, end))) return true;
  return false;
}

/** Returns the sentences about the sessions of subagents that a session's folder takes along, and about its other files. */
export async function alongWith(paths: readonly string[], subagents: readonly string[]): Promise<string> {
  const known = new Set(subagents);
  const sentences = [subagentsSentence(subagents.length)];
  for (const path of paths)
    if (await hasOtherFiles(path, known)) {
      sentences.push(vscode.l10n.t('Other files in the session’s folder move along.'));
      break;
    }
  return sentences.join(' ');
}

export const subagentsSentence = (count: number): string => vscode.l10n.t('Sessions of subagents: {count}.', { count });

/** Asks with two answers; returns true for the one with subagents. @throws {vscode.CancellationError} */
export async function askWithSubagents(question: string, detail: string, all: string): Promise<boolean> {
  const without = vscode.l10n.t('Without Subagents');
  const answer = await showModal({ question, detail }, all, without);
  if (answer !== all && answer !== without) throw new vscode.CancellationError();
  return answer === all;
}
