/** The system's trash. Available where the extension runs on the person's own machine: not in a remote window or a browser. */
import { sep } from 'node:path';
import * as vscode from 'vscode';
import { relatedPaths, SessionError, withoutSessionSuffix } from '../../core/index';
import { isLocalWindow } from '../../ui/localWindow';
import type { CommandDeps } from '../handler/commandDeps';
import { submitOptions } from '../handler/confirmForce';

/** Returns whether the setting `sessionTree.trash` names the system's trash and it's available; otherwise the extension's own trash is used. */
export function usesSystemTrash(): boolean {
  return isLocalWindow() && vscode.workspace.getConfiguration('sessionTree').get<unknown>('trash') === 'system';
}

/**
 * Moves a session and its related files and folders to the system's trash, under the guard.
 *
 * @param keepFolder leaves the session's folder, which has its subagents' sessions, where it is
 * @throws {SessionError} `live`, `unsure`, `not-found`; `permission` if the system's trash refuses a file.
 */
export async function moveToSystemTrash(deps: CommandDeps, path: string, force: boolean, keepFolder: boolean): Promise<void> {
  await deps.writer.guardedRemoval(
    path,
    async (file) => {
      const kept = keepFolder ? withoutSessionSuffix(file.path) : undefined;
      const related = (await relatedPaths(file.path)).filter((each) => each !== kept);
      const folders = related.slice(1).map((path) => path + sep);
      const subagents = deps.sessions().filter((other) => folders.some((folder) => other.path.startsWith(folder)));
      for (const [subagent, { state }] of await deps.writer.presence(subagents.map((other) => other.path))) {
        if (state === 'live')
          throw new SessionError('live', 'A subagent of this session is still running. Wait until it’s done: {path}', { path: subagent });
      }
      // The session file is last: until then the session is listed, and deleting it again moves the rest.
      for (const item of [...related].reverse()) {
        try {
          await vscode.workspace.fs.delete(vscode.Uri.file(item), { recursive: true, useTrash: true });
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          throw new SessionError(
            'permission',
            'Couldn’t move this to the system trash ({reason}). Set “sessionTree.trash” to “own” to use the extension’s trash: {path}',
            { reason, path: item },
          );
        }
      }
    },
    submitOptions(deps, path, force),
  );
}
