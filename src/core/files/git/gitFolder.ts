/**
 * Finds the folder with the data of a repository. A file `.git` names it, and anyone may have written that file, so the
 * other side has to agree: the folder lists this one as its worktree, or belongs to a submodule of the repository around
 * it.
 */
import type { Stats } from 'node:fs';
import { lstat, opendir, readlink } from 'node:fs/promises';
import { basename, dirname, join, parse, sep } from 'node:path';
import { isMissing } from '../io/fileErrors';
import { placeKey, placeWithin } from '../relink/movedPaths';
import { cannotCheck, isNotOwn, placeNamed, smallText, type PlaceCheck } from './repositoryFiles';

/** Maximum number of links on the way to one folder. */
const MAX_LINKS = 40;
/** Maximum number of files in a folder of a repository; object folders have at most 258. */
const MAX_ENTRIES = 2000;

interface GitFolders {
  /** The folder that `.git` is or names. */
  readonly own: string;
  /** The folder with configuration and objects, which worktrees share. */
  readonly common: string;
}

/**
 * Returns the folders of a repository.
 *
 * @param repository the folder with `.git`
 * @throws {SessionError} `invalid` if `.git` leads to another computer, or to a repository that isn't the folder's own
 */
export async function gitFoldersOf(repository: string, assertHere: PlaceCheck): Promise<GitFolders> {
  const real = (path: string): Promise<string> => realPathHere(repository, path, assertHere);
  const own = await namedFolder(repository, join(repository, '.git'), assertHere);
  const sharedText = (await smallText(repository, join(own, 'commondir'))).trimEnd();
  const common = sharedText === '' ? own : placeNamed(own, sharedText);
  const [realOwn, realCommon, realFolder] = [await real(own), await real(common), await real(repository)];
  const isShared = placeKey(realCommon) !== placeKey(realOwn);
  const isOwn = isShared
    ? dirname(realOwn) === join(realCommon, 'worktrees') && (await isWorktree(repository, own, realFolder, real))
    : placeWithin(realFolder, realOwn) !== undefined || (await isSubmodule(realFolder, realOwn, assertHere));
  if (!isOwn) throw isNotOwn(repository);
  for (const folder of new Set([realOwn, realCommon, join(realCommon, 'objects'), join(realCommon, 'refs')]))
    for (const link of await linksIn(repository, folder)) await real(link);
  return { own, common };
}

/** Returns the links in a folder that Git opens files of. */
async function linksIn(repository: string, folder: string): Promise<string[]> {
  const links: string[] = [];
  const entries = await opendir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw cannotCheck(repository);
  });
  let count = 0;
  for await (const entry of entries) {
    if (++count > MAX_ENTRIES) throw cannotCheck(repository);
    if (entry.isSymbolicLink()) links.push(join(folder, entry.name));
  }
  return links;
}

/** Returns the folder that `.git` is, or that it names if it's a link or a file. */
async function namedFolder(repository: string, git: string, assertHere: PlaceCheck): Promise<string> {
  const stats = await lstatOf(repository, git);
  if (!stats || stats.isDirectory()) return git;
  const text = stats.isSymbolicLink() ? await readlink(git) : (await smallText(repository, git)).replace(/^gitdir: /, '').trimEnd();
  const folder = placeNamed(repository, text);
  await assertHere(folder);
  return folder;
}

/** True if a worktree's data names the working folder in turn. */
async function isWorktree(repository: string, own: string, realFolder: string, real: (path: string) => Promise<string>): Promise<boolean> {
  const text = (await smallText(repository, join(own, 'gitdir'))).trimEnd();
  const git = placeNamed(own, text);
  return text !== '' && basename(git) === '.git' && placeKey(await real(dirname(git))) === placeKey(realFolder);
}

/** True if the data belongs to a submodule of the nearest repository around the folder. */
async function isSubmodule(folder: string, own: string, assertHere: PlaceCheck): Promise<boolean> {
  for (let around = dirname(folder); around !== dirname(around); around = dirname(around)) {
    if (!(await lstatOf(folder, join(around, '.git')))) continue;
    const outer = await gitFoldersOf(around, assertHere);
    const within = placeWithin(join(await realPathHere(folder, outer.own, assertHere), 'modules'), own);
    return within !== undefined && within !== '';
  }
  return false;
}

/** Returns a path with its links resolved, one after the other, so that none leads to another computer. */
async function realPathHere(repository: string, path: string, assertHere: PlaceCheck): Promise<string> {
  await assertHere(path);
  let { root: at } = parse(path);
  let rest = path.slice(at.length).split(sep).filter(Boolean);
  for (let links = 0; rest.length > 0;) {
    const [name = '', ...behind] = rest;
    const next = join(at, name);
    const stats = await lstatOf(repository, next);
    if (!stats) return join(next, ...behind);
    if (stats.isSymbolicLink()) {
      if (++links > MAX_LINKS) throw cannotCheck(repository);
      const named = placeNamed(at, await readlink(next));
      await assertHere(named);
      const target = join(named, ...behind);
      await assertHere(target);
      at = parse(target).root;
      rest = target.slice(at.length).split(sep).filter(Boolean);
    } else [at, rest] = [next, behind];
  }
  return at;
}

/** Returns `undefined` for a missing path. */
const lstatOf = (repository: string, path: string): Promise<Stats | undefined> =>
  lstat(path).catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw cannotCheck(repository);
  });
