/** The system's own trash, where the editor can reach it: not over a remote, and not from a browser. */
import { sep } from 'node:path';
import * as vscode from 'vscode';
import { relatedPaths, SessionError } from '../../core/index';
import type { CommandDeps } from '../handler/commandDeps';
import { submitOptions } from './confirmForce';

/** Whether the person asked for it and it can be had; else ours is used. */
export function usesSystemTrash(): boolean {
  const isHere = vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
  return isHere && vscode.workspace.getConfiguration('sessionTree').get<unknown>('trash') === 'system';
}

/**
 * Moves a session with what belongs to it, under the guard.
 *
 * @throws {SessionError} `live`, `unsure`, `not-found`; `permission` if the system's trash does not take it.
 */
export async function moveToSystemTrash(deps: CommandDeps, path: string, force: boolean): Promise<void> {
  await deps.writer.guarded(
    path,
    async (file) => {
      const things = await relatedPaths(file.path);
      const below = things.slice(1).map((thing) => thing + sep);
      const subagents = deps.sessions().filter((other) => below.some((folder) => other.path.startsWith(folder)));
      for (const [subagent, { state }] of await deps.writer.presence(subagents.map((other) => other.path))) {
        if (state === 'live') throw new SessionError('live', 'A subagent of this session is at work; wait until it is done: {path}', { path: subagent });
      }
      // The session goes last: until then it is listed, and deleting it again takes the rest.
      for (const thing of [...things].reverse()) {
        try {
          await vscode.workspace.fs.delete(vscode.Uri.file(thing), { recursive: true, useTrash: true });
        } catch (error) {
          const reason = error instanceof Error ? error.message : String(error);
          throw new SessionError('permission', 'The trash of the system did not take this ({reason}); the setting sessionTree.trash can name ours instead: {path}', { reason, path: thing });
        }
      }
    },
    submitOptions(deps, path, force),
  );
}
