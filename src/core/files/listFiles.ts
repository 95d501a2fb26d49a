/** Which session files there are, by folder listings alone. A listing goes exactly one level down. */
import { readdir } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import { join } from 'node:path';
import type { Root } from './roots';

export interface SessionPath {
  readonly path: string;
  readonly root: Root;
  /** The session whose subagent wrote this one (oh-my-pi keeps them in a folder beside it, named like the file). */
  readonly owner?: string;
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
export async function listFiles(roots: readonly Root[], onProblem: OnProblem): Promise<SessionPath[]> {
  const found = new Map<string, SessionPath>();
  for (const root of roots) {
    for (const folder of root.flat ? [root.path] : await foldersOf(root.path, onProblem)) {
      for (const file of await listFolder(folder, root, onProblem)) if (!found.has(file.path)) found.set(file.path, file);
    }
  }
  return [...found.values()];
}

export type OnProblem = (path: string, error: unknown) => void;

/** The session files of one folder of a root, with those of their subagents, theirs, and so on. */
export async function listFolder(folder: string, root: Root, onProblem: OnProblem): Promise<SessionPath[]> {
  const found: SessionPath[] = [];
  const waiting: { folder: string; owner?: string }[] = [{ folder }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { folder: current, owner } = next;
    const entries = await list(current, onProblem);
    const folders = new Set(entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name));
    for (const entry of entries) {
      if (entry.isDirectory() || !isSessionName(entry.name)) continue;
      const path = join(current, entry.name);
      found.push({ path, root, ...(owner === undefined ? {} : { owner }) });
      const beside = entry.name.slice(0, -'.jsonl'.length);
      if (folders.has(beside)) waiting.push({ folder: join(current, beside), owner: path });
    }
  }
  return found;
}

async function foldersOf(path: string, onProblem: OnProblem): Promise<string[]> {
  const entries = await list(path, onProblem);
  return entries.filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.')).map((entry) => join(path, entry.name));
}

async function list(path: string, onProblem: OnProblem): Promise<Dirent[]> {
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
