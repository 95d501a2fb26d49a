/**
 * Finds the newest session files of a store that has no rows yet, without looking at all files, so that its first rows
 * needn't wait for that. It goes by what little calls tell: when a folder last got a file, and the times in the names of
 * files. Sessions in other places, and old ones that were continued lately, come with the inspection that follows.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { forEachConcurrent } from '../../files/concurrency/forEachConcurrent';
import { budgetOf, entriesIn, foldersOf, isSmallFolder, type Budget, type OnProblem } from '../../files/locate/folderEntries';
import { isSessionName } from '../../files/locate/listFiles';
import type { Root } from '../../files/locate/roots';
import { statListedFiles } from '../../files/read/versions/statFiles';
import { elementAt } from '../../format/values/lookups';
import type { StaleFile } from '../rows/catalogRow';

/** Number of folders that are listed, the newest ones: a view shows no more rows of projects at a time. */
const MAX_FOLDERS = 40;
/** Number of files whose versions are read. The folders share it. */
const CANDIDATES = 60;
/** Limit of the names that are read per root, in about 10 milliseconds. */
const MAX_NAMES = 50_000;

/** The time that begins a session's name. FORMAT section 1. */
const TIME = /^\d{4}-\d\d-\d\dT/;

interface NamedFolder {
  readonly path: string;
  readonly budget: Budget;
}

interface SessionFolder extends NamedFolder {
  readonly mtimeMs: number;
  /** The size in bytes of the folder itself, which grows with the number of its names. */
  readonly size: number;
}

/** The inspection that follows reports what can't be read. */
const ignoreProblem: OnProblem = () => undefined;

/**
 * Returns the newest session of each folder, and further ones, the newest first, if that's fewer than `least`. Never rejects.
 *
 * @param among as `sessionFolders` returns them
 * @param atOnce number of concurrent calls; see `maxConcurrentCalls`
 */
export async function findNewestFiles(among: readonly NamedFolder[], least: number, atOnce: number): Promise<StaleFile[]> {
  const folders = await newestFolders(among, atOnce);
  const each = Math.ceil(CANDIDATES / Math.max(1, folders.length));
  const folderOf = new Map<string, SessionFolder>();
  await forEachConcurrent(
    folders,
    async (folder) => {
      for (const name of newestNames(await namesIn(folder), each)) folderOf.set(join(folder.path, name), folder);
    },
    atOnce,
  );
  const versions = await statListedFiles([...folderOf.keys()], atOnce);
  const files: { readonly file: StaleFile; readonly folder: SessionFolder }[] = [];
  for (const [at, [path, folder]] of [...folderOf].entries()) {
    const version = versions[at];
    if (version && !(version instanceof Error)) files.push({ file: { path, version, dialect: folder.budget.root.dialect }, folder });
  }
  files.sort((a, b) => b.file.version.mtimeMs - a.file.version.mtimeMs);
  const seen = new Set<SessionFolder>();
  const newest: StaleFile[] = [];
  const others: StaleFile[] = [];
  for (const { file, folder } of files) {
    (seen.has(folder) ? others : newest).push(file);
    seen.add(folder);
  }
  return [...newest, ...others].slice(0, Math.max(least, newest.length));
}

/** Returns all names in a folder, in most cases without an object for each. */
async function namesIn({ path, size, budget }: SessionFolder): Promise<readonly string[]> {
  if (!isSmallFolder(size)) return (await entriesIn(path, budget, ignoreProblem, [])).map(({ name }) => name);
  const names = budget.left > 0 ? await readdir(path).catch(() => []) : [];
  budget.left -= names.length;
  return names;
}

/** Returns the latest names. A name without a time doesn't tell how old its file is. */
function newestNames(names: readonly string[], count: number): readonly string[] {
  const newest: string[] = [];
  // Nearly all names end at the first comparison, which needs the oldest of the chosen names.
  let oldest = '';
  for (const name of names) {
    if (name <= oldest || !TIME.test(name) || !isSessionName(name)) continue;
    const at = newest.findIndex((other) => other > name);
    newest.splice(at < 0 ? newest.length : at, 0, name);
    if (newest.length > count) newest.shift();
    if (newest.length === count) oldest = elementAt(newest, 0);
  }
  return newest;
}

/** Returns the folders of the roots that may have sessions. Never rejects. */
export async function sessionFolders(roots: readonly Root[]): Promise<NamedFolder[]> {
  const ofRoots = roots.map(async (root) => {
    // Only some of the files are sessions where these have names.
    if (root.names) return [];
    const budget = budgetOf(root, MAX_NAMES);
    const paths = root.flat ? [root.path] : await foldersOf(root.path, budget, ignoreProblem, []);
    return paths.map((path) => ({ path, budget }));
  });
  return (await Promise.all(ofRoots)).flat();
}

/** Returns the folders that got a file last, the newest first. */
async function newestFolders(among: readonly NamedFolder[], atOnce: number): Promise<SessionFolder[]> {
  const folders: SessionFolder[] = [];
  await forEachConcurrent(
    among,
    async ({ path, budget }) => {
      const stats = await stat(path).catch(() => undefined);
      if (stats?.isDirectory()) folders.push({ path, budget, mtimeMs: stats.mtimeMs, size: stats.size });
    },
    atOnce,
  );
  return folders.sort((a, b) => b.mtimeMs - a.mtimeMs).slice(0, MAX_FOLDERS);
}
