/**
 * Worktrees that oh-my-pi has made and removed: their folders are named by a branch and a hash of the repository's folder, such as
 * `wt-20260131-080000-1a2b3c4`, with a number after it where that was taken. FORMAT section 1.
 */
import { basename, dirname } from 'node:path';
import type { Steps } from '../../format/session/steps';
import { wyhash } from '../presence/wyhash';
import type { Worktree } from './worktree';

const NAME = /-([\da-f]{7})(?:-\d+)?$/;

/** The count of digits of the hash that are in the name. */
const DIGITS = 7;

/** Hashes that are made at a time. */
const STEP = 100;

/**
 * Returns the worktrees that folders were in, by their names alone, in steps.
 *
 * @param folders that are gone
 * @param known folders that exist; they and those above them may be repositories
 */
export function* hashedWorktrees(folders: readonly string[], known: Iterable<string>): Steps<Map<string, Worktree>> {
  const named = folders.flatMap((folder) => Array.from(levels(folder), (at) => ({ folder, at, hash: NAME.exec(basename(at))?.[1] })));
  const wanted = new Set(named.flatMap(({ hash }) => hash ?? []));
  const found = new Map<string, Worktree>();
  if (wanted.size === 0) return found;
  const repositories = new Map<string, string>();
  const seen = new Set<string>();
  for (const at of known) {
    for (const folder of levels(at)) {
      if (seen.has(folder)) break;
      seen.add(folder);
      if (seen.size % STEP === 0) yield;
      repositories.set(wyhash(folder).toString(16).padStart(DIGITS, '0').slice(-DIGITS), folder);
    }
  }
  for (const { folder, at, hash } of named) {
    const repository = hash === undefined ? undefined : repositories.get(hash);
    if (repository !== undefined && !found.has(folder)) found.set(folder, { folder: at, repository });
  }
  return found;
}

/** Iterates a folder and those above it, the innermost first. */
function* levels(folder: string): Generator<string> {
  for (let at = folder; at !== dirname(at); at = dirname(at)) yield at;
}
