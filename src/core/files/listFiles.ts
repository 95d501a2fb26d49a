/** Which session files there are, by folder listings alone. A listing goes exactly one level down. */
import { readdir } from 'node:fs/promises';
import type { Dirent } from 'node:fs';
import { join, sep } from 'node:path';
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

export type OnProblem = (path: string, error: unknown) => void;

export interface Listing {
  readonly files: readonly SessionPath[];
  /** Folders that could not be listed: what is in them is not known, which is not the same as nothing. */
  readonly failed: readonly string[];
}

/**
 * The session files of the roots, in no particular order, each once. A folder that can't be listed goes
 * to `onProblem` and the rest is listed; a root that does not exist is no problem.
 */
export async function listFiles(roots: readonly Root[], onProblem: OnProblem): Promise<Listing> {
  const found = new Map<string, SessionPath>();
  const failed: string[] = [];
  const listings = await Promise.all(
    roots.map(async (root) => {
      const folders = root.flat ? [root.path] : await foldersOf(root.path, onProblem, failed);
      return Promise.all(folders.map((folder) => listFolder(folder, root, onProblem)));
    }),
  );
  for (const listing of listings.flat()) {
    failed.push(...listing.failed);
    for (const file of listing.files) if (!found.has(file.path)) found.set(file.path, file);
  }
  return { files: [...found.values()], failed };
}

/** The session files of one folder of a root, with those of their subagents, theirs, and so on. */
export async function listFolder(folder: string, root: Root, onProblem: OnProblem): Promise<Listing> {
  const files: SessionPath[] = [];
  const failed: string[] = [];
  const waiting: { folder: string; owner?: string }[] = [{ folder }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { folder: current, owner } = next;
    const entries = await list(current, onProblem, failed);
    const folders = new Set(entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name));
    const before = join(current, sep);
    for (const entry of entries) {
      if (entry.isDirectory() || !isSessionName(entry.name)) continue;
      const path = before + entry.name;
      files.push({ path, root, ...(owner === undefined ? {} : { owner }) });
      const beside = entry.name.slice(0, -'.jsonl'.length);
      if (folders.has(beside)) waiting.push({ folder: join(current, beside), owner: path });
    }
  }
  return { files, failed };
}

async function foldersOf(path: string, onProblem: OnProblem, failed: string[]): Promise<string[]> {
  const entries = await list(path, onProblem, failed);
  return entries.filter((entry) => (entry.isDirectory() || entry.isSymbolicLink()) && !entry.name.startsWith('.')).map((entry) => join(path, entry.name));
}

async function list(path: string, onProblem: OnProblem, failed: string[]): Promise<Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A link to a file among the folders is no folder, and what vanished meanwhile is gone.
    if (code === 'ENOTDIR' || code === 'ENOENT') return [];
    failed.push(path);
    onProblem(path, error);
    return [];
  }
}
