/** Lists session files by reading folders only, exactly one level down. FORMAT section 1. */
import { stat } from 'node:fs/promises';
import { basename, join, sep } from 'node:path';
import { compressionOf, unarchivedPath, withoutSessionSuffix } from '../../format/session/archivedSession';
import { listDatabase } from '../database/listDatabase';
import { budgetOf, entriesIn, foldersOf, namedEntries, type NamedEntry, type OnProblem } from './folderEntries';
import { isSameRoot, type Root } from './roots';

/** A session file in a root. */
export interface SessionPath {
  readonly path: string;
  readonly root: Root;
  /**
   * Path of the session whose subagent wrote this one. oh-my-pi keeps such sessions in a folder beside it, named like
   * the file. FORMAT section 1.
   */
  readonly owner?: string;
  /** Set for a session in a database. FORMAT section 7. */
  readonly isStored?: true;
}

/**
 * True if a file name is that of a session, not of a temporary file, backup, lock or archived session.
 * FORMAT section 1.
 */
export function isSessionName(name: string): boolean {
  if (!name.endsWith('.jsonl') || name.startsWith('.')) return false;
  return !/\.(deleted|reset|checkpoint)\./.test(name);
}

/** True for the name of an archived session. FORMAT section 1. */
export const isArchivedName = (name: string): boolean => compressionOf(name) !== undefined && isSessionName(unarchivedPath(name));

/** True for the name of a file that is listed as a session: its own, or that of an archive. */
export const isListedName = (name: string): boolean => isSessionName(name) || isArchivedName(name);

/** Result of listing session files. */
export interface Listing {
  readonly files: readonly SessionPath[];
  /** Folders that couldn't be listed. Their content is unknown, which differs from empty. */
  readonly failed: readonly string[];
}

/** Folders of one root that are open at the same time. */
const AT_ONCE = 8;

/** Returns what is known of a path: what an earlier listing found, which is returned again if it's the same; otherwise its path is used again. */
type EarlierFile = (path: string) => SessionPath | { readonly path: string } | undefined;

/**
 * Lists the session files of the roots, each once, in no particular order. A folder that can't be listed is passed to
 * `onProblem`, and the others are still listed. So is a missing root, unless it {@link Root.mayBeMissing may be missing}.
 *
 * @param most limit of entries per root. Beyond it the listing stops, and the root is reported as failed.
 * @param earlier see {@link EarlierFile}
 */
export async function listFiles(
  roots: readonly Root[],
  onProblem: OnProblem,
  most?: number,
  earlier: EarlierFile = () => undefined,
): Promise<Listing> {
  const failed: string[] = [];
  const listings = await Promise.all(
    roots.map(async (root) => {
      const budget = budgetOf(root, most);
      const next = (root.flat ? [root.path] : await foldersOf(root.path, budget, onProblem, failed)).values();
      const listed: Listing[] = [];
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (const folder of next) listed.push(await listFolder(folder, root, onProblem, budget, earlier));
        }),
      );
      return listed;
    }),
  );
  for (const listing of listings.flat()) failed.push(...listing.failed);
  const found = listings.flat().flatMap(({ files }) => files);
  // Only roots may contain each other.
  const distinct = roots.length < 2 ? found : [...new Map(found.reverse().map((file) => [file.path, file])).values()].reverse();
  return { files: withoutImported(distinct, new Set()), failed };
}

/**
 * Leaves out the files that OpenClaw has imported to a database, where it continues them. Both have the session's id for a name.
 * FORMAT section 7.
 *
 * @param stored names of sessions in databases, to which those among the files are added.
 */
export function withoutImported(files: readonly SessionPath[], stored: Set<string>): readonly SessionPath[] {
  for (const { path, isStored } of files) if (isStored) stored.add(basename(path));
  if (stored.size === 0) return files;
  return files.filter(({ path, root, isStored }) => isStored || root.dialect !== 'openclaw' || !stored.has(basename(path)));
}

/** Lists the session files in one folder of a root, including those of subagents at any depth. */
export async function listFolder(
  folder: string,
  root: Root,
  onProblem: OnProblem,
  budget = budgetOf(root),
  earlier: EarlierFile = () => undefined,
): Promise<Listing> {
  if (root.flat && folder === root.path && (await isDatabase(folder))) return listRows(root, onProblem);
  const files: SessionPath[] = [];
  const failed: string[] = [];
  const waiting: { folder: string; owner?: string }[] = [{ folder }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { folder: current, owner } = next;
    const entries =
      root.names && owner === undefined
        ? await namedEntries(current, root.names, onProblem, failed)
        : await entriesIn(current, budget, onProblem, failed);
    const folders = new Set(entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name));
    const before = join(current, sep);
    const isShadowed = shadowedArchives(current, entries);
    for (const entry of entries) {
      if (entry.isDirectory()) continue;
      if (!isListedName(entry.name) || (isArchivedName(entry.name) && (await isShadowed(entry.name)))) continue;
      const known = earlier(before + entry.name);
      const path = known?.path ?? before + entry.name;
      const isSame = known && 'root' in known && isSamePlace(known, root, owner);
      files.push(isSame ? known : owner === undefined ? { path, root } : { path, root, owner });
      const beside = withoutSessionSuffix(entry.name);
      // A session and its archive share the folder.
      if (folders.delete(beside)) waiting.push({ folder: join(current, beside), owner: path });
    }
  }
  return { files, failed };
}

/**
 * Returns a function that is true for an archive beside which its session is listed: the file itself, or an archive of
 * another format. Both are there, with the same time, if archiving or unarchiving was interrupted. A file of another time
 * hides no archive: it may hold nothing but the lines that an agent added after its session was archived.
 */
function shadowedArchives(folder: string, entries: readonly NamedEntry[]): (name: string) => Promise<boolean> {
  let names: ReadonlySet<string> | undefined;
  return async (name) => {
    // Few folders have an archive.
    names ??= new Set(entries.flatMap((entry) => (entry.isDirectory() ? [] : [entry.name])));
    const session = unarchivedPath(name);
    for (const other of compressionOf(name) === 'gz' ? [session, `${session}.zst`] : [session])
      if (names.has(other) && (await haveSameTime(join(folder, name), join(folder, other)))) return true;
    return false;
  };
}

/** Milliseconds: FAT counts in steps of two seconds. */
const TIME_STEP_MS = 2000;

/** True if two files were changed at the same time. If that isn't known, both are listed. */
const haveSameTime = (a: string, b: string): Promise<boolean> =>
  Promise.all([stat(a), stat(b)]).then(
    ([one, other]) => Math.abs(one.mtimeMs - other.mtimeMs) < TIME_STEP_MS,
    () => false,
  );

/** True if a file was found in the same place, which isn't a database. */
const isSamePlace = (known: SessionPath, root: Root, owner: string | undefined): boolean =>
  known.owner === owner && known.isStored === undefined && isSameRoot(known.root, root);

/** True for anything but a folder. A missing path is neither. */
const isDatabase = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => !stats.isDirectory(),
    () => false,
  );

/** Lists the sessions of a root that is a database. */
async function listRows(root: Root, onProblem: OnProblem): Promise<Listing> {
  try {
    const { rows, problem } = await listDatabase(root.path);
    if (problem) onProblem(root.path, problem);
    return { files: rows.map((row) => ({ ...row, root, isStored: true as const })), failed: [] };
  } catch (error) {
    onProblem(root.path, error);
    return { files: [], failed: [root.path] };
  }
}
