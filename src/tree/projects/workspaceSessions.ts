/** Determines the sessions of the workspace: the sessions of its folders, and sessions that also work in one of them. Pure. */
import { isAbsolute, relative } from 'node:path';
import type { ProjectsInput } from './projectsInput';
import type { SessionItem, TopItem } from './sessionGroups';
import { appendAll } from '../../core/index';

/** Returns whether a session is listed together with the sessions below it. */
export function workspaceFilter(input: ProjectsInput): (top: TopItem) => boolean {
  if (!input.workspaceOnly || input.workspace.length === 0) return () => true;
  const known = new Map<string, boolean>();
  return ({ cwd, item }) => {
    const is = known.get(cwd) ?? isInWorkspace(cwd, input);
    known.set(cwd, is);
    return is || worksInWorkspace([item], input);
  };
}

/** Returns whether a project is in a folder of the workspace. */
export const isInWorkspace = (cwd: string, { workspace, realPath }: ProjectsInput): boolean =>
  cwd !== '' && workspace.some((folder) => isInside(realPath(cwd), folder));

/** Returns whether one of the sessions, or of those below them, works in a folder of the workspace in addition to its own folder. */
export function worksInWorkspace(items: readonly SessionItem[], input: ProjectsInput): boolean {
  if (input.workspace.length === 0) return false;
  const known = new Set<string>();
  const waiting = [...items];
  for (let item = waiting.pop(); item; item = waiting.pop()) {
    if (item.kind !== 'session') continue;
    for (const folder of item.summary.additionalDirectories ?? []) {
      if (known.has(folder) || !isAbsolute(folder)) continue;
      if (isInWorkspace(folder, input)) return true;
      known.add(folder);
    }
    appendAll(waiting, item.children);
  }
  return false;
}

function isInside(path: string, folder: string): boolean {
  const rest = relative(folder, path);
  return rest === '' || (rest !== '..' && !/^\.\.[/\\]/.test(rest) && !isAbsolute(rest));
}
