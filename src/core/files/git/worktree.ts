/** Linked worktrees of Git: which repository a folder belongs to, by small files alone. No program runs. FORMAT section 1. */
import { opendir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SessionError } from '../../format/entry/problem';
import { errorCode } from '../io/fileErrors';
import { UntrustedPaths } from '../io/untrustedPaths';
import { repositoryOf } from './fileCommits';
import { gitFoldersOf } from './gitFolder';
import { leadsAway, placeNamed, smallText, type PlaceCheck } from './repositoryFiles';

/** A linked worktree. */
export interface Worktree {
  /** The folder with the worktree's files. */
  readonly folder: string;
  /** The main working tree; of a bare repository, its folder. */
  readonly repository: string;
}

/** Maximum number of worktrees of a repository that are listed. */
const MAX_WORKTREES = 1_000;

/**
 * Returns the linked worktree that a folder is in; `undefined` in a main working tree, outside of repositories, and if the
 * files of the worktree and its repository don't name each other.
 *
 * @param folder an absolute path that a session names; it may be gone, or on another computer that isn't asked
 */
export async function worktreeOf(
  folder: string,
  paths: Pick<UntrustedPaths, 'isRefused'> = new UntrustedPaths(),
): Promise<Worktree | undefined> {
  if (await paths.isRefused(folder)) return undefined;
  const root = await repositoryOf(join(folder, '.git'));
  if (root === undefined) return undefined;
  const assertHere: PlaceCheck = async (path) => {
    if (await paths.isRefused(path)) throw leadsAway(root);
  };
  try {
    const { own, common } = await gitFoldersOf(root, assertHere);
    return own === common || basename(dirname(own)) !== 'worktrees' ? undefined : { folder: root, repository: mainFolderOf(common) };
  } catch (error) {
    // Git doesn't run in such a folder, or the disk doesn't have it: it's nobody's worktree.
    if (error instanceof SessionError || errorCode(error) !== undefined) return undefined;
    throw error;
  }
}

/**
 * Returns the folders that a repository's records name as its linked worktrees, whether they still exist or not.
 *
 * @param repository the main working tree, or the folder of a bare repository
 */
export async function recordedWorktrees(
  repository: string,
  paths: Pick<UntrustedPaths, 'isRefused'> = new UntrustedPaths(),
): Promise<readonly string[]> {
  if (await paths.isRefused(repository)) return [];
  const found: string[] = [];
  for (const records of [join(repository, '.git', 'worktrees'), join(repository, 'worktrees')]) {
    for (const name of await namesIn(records)) {
      const record = join(records, name);
      const git = placeNamed(record, await recordedPlace(repository, record));
      if (basename(git) === '.git') found.push(dirname(git));
    }
  }
  return found;
}

/** Returns the place of `.git` that a record names; an empty text for a record that can't be read. */
async function recordedPlace(repository: string, record: string): Promise<string> {
  try {
    return (await smallText(repository, join(record, 'gitdir'))).trimEnd();
  } catch (error) {
    if (error instanceof SessionError) return '';
    throw error;
  }
}

/** The folder around `.git`; data elsewhere, as of a bare repository, stands for itself. */
const mainFolderOf = (common: string): string => (basename(common) === '.git' ? dirname(common) : common);

/** Returns the names in a folder, as many as are listed; none if it can't be listed. */
async function namesIn(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(folder)) {
      if (names.length === MAX_WORKTREES) break;
      names.push(name);
    }
  } catch (error) {
    // A place that can't be listed, such as a link in a circle, names no worktree.
    if (errorCode(error) === undefined) throw error;
  }
  return names;
}
