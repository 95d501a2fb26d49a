/** Which session files there are, by folder listings alone. A listing goes exactly one level down. */
import { readdir } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Root } from './roots';

export interface SessionPath {
  readonly path: string;
  readonly root: Root;
}

/** Whether a name is a session file's: no temporary, backup, lock or put-away file. */
export function isSessionName(name: string): boolean {
  if (!name.endsWith('.jsonl') || name.startsWith('.')) return false;
  return !/\.(deleted|reset|checkpoint)\./.test(name);
}

/**
 * The session files of the roots, in no particular order, each once. A folder that can't be listed goes
 * to `onProblem` and the rest is listed; a root that does not exist is no problem.
 */
export async function listFiles(roots: readonly Root[], onProblem: (path: string, error: unknown) => void): Promise<SessionPath[]> {
  const found = new Map<string, SessionPath>();
  for (const root of roots) {
    for (const folder of root.flat ? [root.path] : await foldersOf(root.path, onProblem)) {
      for (const entry of await list(folder, onProblem)) {
        const path = join(folder, entry.name);
        if (!entry.isDirectory() && isSessionName(entry.name) && !found.has(path)) found.set(path, { path, root });
      }
    }
  }
  return [...found.values()];
}

/** The session files of one folder of a root. */
export async function listFolder(folder: string, root: Root, onProblem: (path: string, error: unknown) => void): Promise<SessionPath[]> {
  const entries = await list(folder, onProblem);
  return entries.filter((entry) => !entry.isDirectory() && isSessionName(entry.name)).map((entry) => ({ path: join(folder, entry.name), root }));
}

/** oh-my-pi keeps a session's subagents in a folder beside it, named like the file without its ending. */
export async function listSubagents(session: SessionPath, onProblem: (path: string, error: unknown) => void): Promise<SessionPath[]> {
  return listFolder(subagentFolder(session.path), session.root, onProblem);
}

export function subagentFolder(sessionPath: string): string {
  return sessionPath.slice(0, -'.jsonl'.length);
}

/** The session that a file is a subagent of, going by its place alone. */
export function subagentOwner(path: string): string {
  return `${dirname(path)}.jsonl`;
}

async function foldersOf(path: string, onProblem: (path: string, error: unknown) => void): Promise<string[]> {
  const entries = await list(path, onProblem);
  return entries.filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.')).map((entry) => join(path, entry.name));
}

async function list(path: string, onProblem: (path: string, error: unknown) => void): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A link to a file among the folders is no folder, and what vanished meanwhile is gone.
    if (code === 'ENOTDIR' || code === 'ENOENT') return [];
    onProblem(path, error);
    return [];
  }
}
