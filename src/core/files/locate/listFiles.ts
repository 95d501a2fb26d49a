/**
 * Lists session files by reading folders only: those of projects are one level down, those of subagents in the folder with
 * the name of their session, at any depth. FORMAT section 1.
 */
import { stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { compressionOf, unarchivedPath, withoutSessionSuffix } from '../../format/session/archivedSession';
import { listDatabase } from '../database/listDatabase';
import { elementAt } from '../../format/values/lookups';
import type { FileVersion } from '../read/versions/fileVersion';
import { Yielder } from '../concurrency/eventLoop';
import { budgetOf, entriesIn, FamilyBudgets, foldersOf, namedEntries, type Budget, type NamedEntry, type OnProblem } from './folderEntries';
import { isSameRoot, type Root } from './roots';
import { shadowedArchives } from './programs/shadowedArchives';
import { appendAll } from '../../format/values/lists';

/** A session file in a root. */
export interface SessionPath {
  readonly path: string;
  readonly root: Root;
  /**
   * Path of the session whose subagent wrote this one, by the folders: the nearest session above that a folder is named like.
   * The file there may be gone, or be no session; `familyParent` finds the session. FORMAT section 1.
   */
  readonly owner?: string;
  /** Set for a session in a database. FORMAT section 7. */
  readonly isStored?: true;
}

/**
 * True for the file name of a session, not of a temporary file, backup, lock or archived session. FORMAT section 1.
 */
export function isSessionName(name: string): boolean {
  if (!name.endsWith('.jsonl') || name.startsWith('.')) return false;
  return !/\.(deleted|reset|checkpoint)\./.test(name);
}

/** True for the name of an archived session. FORMAT section 1. */
export const isArchivedName = (name: string): boolean => compressionOf(name) !== undefined && isSessionName(unarchivedPath(name));

/** True for the name of a file that is listed as a session: a session file or an archive. */
export const isListedName = (name: string): boolean => isSessionName(name) || isArchivedName(name);

/** Result of listing session files. */
export interface Listing {
  readonly files: readonly SessionPath[];
  /** The versions of the files, in their order, as far as they were read together with the folders. */
  readonly versions: readonly (FileVersion | undefined)[];
  /** Folders that couldn't be listed. Their content is unknown, which differs from empty. */
  readonly failed: readonly string[];
  /** Folders whose files aren't in `files`, because they are as an earlier listing found them, in the same versions. */
  readonly unchanged: readonly ListedFolder[];
}

/** The sessions in one folder. */
export interface ListedFolder {
  readonly paths: readonly string[];
  /** The folders of subagents in it. */
  readonly inner: readonly InnerFolder[];
  /** The number of all entries. */
  readonly count: number;
}

/** Folders of one root that are open at the same time. */
const AT_ONCE = 8;

/** The content of a folder as far as listings need it. */
export interface FolderContent {
  /** The names of sessions and their archives. */
  readonly names: readonly string[];
  /** The names of the folders in it. */
  readonly folders: readonly string[];
  /** The number of all entries. */
  readonly count: number;
  /** Returns the version of the file with the index in `names` if it was read, too. @param before returned if it's the same version */
  readonly versionAt?: (index: number, before: FileVersion | undefined) => FileVersion | undefined;
  /** Called with the folder's listed entries, to be kept for the next listing. */
  readonly keep?: (listed: ListedFolder) => void;
}

/** Knowledge of earlier listings, and a thread that reads folders: both spare a listing work and memory. */
interface ListingHelp {
  /**
   * Returns a file that an earlier listing found at a path, or something else with that path. The listing returns the file again
   * if it's still the same, or at least keeps the path's string.
   */
  readonly earlier: (path: string) => ((SessionPath | { readonly path: string }) & { readonly version?: FileVersion }) | undefined;
  /**
   * Reads a folder on another thread, or returns its kept entries if nothing has changed.
   *
   * @returns `undefined` if the listing has to read the folder, also if it can't be read
   */
  readonly readFolder: (path: string, root: Root, owner: string | undefined) => Promise<FolderContent | ListedFolder | undefined>;
}

const NO_HELP: ListingHelp = { earlier: () => undefined, readFolder: () => Promise.resolve(undefined) };

/**
 * Lists the session files of the roots, each once, in no particular order. A folder that can't be listed is passed to
 * `onProblem`, and the others are still listed. So is a missing root, unless it {@link Root.mayBeMissing may be missing}.
 *
 * @param most limit of entries per root. Beyond it the listing stops, and the root is reported as failed.
 */
export async function listFiles(roots: readonly Root[], onProblem: OnProblem, most?: number, help = NO_HELP): Promise<Listing> {
  const failed: string[] = [];
  const ofRoots = await Promise.all(
    roots.map(async (root) => {
      const [budget, families] = [budgetOf(root, most), new FamilyBudgets(root, most)];
      const next = (root.flat ? [root.path] : await foldersOf(root.path, budget, onProblem, failed)).values();
      const listed: Listing[] = [];
      await Promise.all(
        Array.from({ length: AT_ONCE }, async () => {
          for (const folder of next) listed.push(await listFolder(folder, root, onProblem, { budget, families, help }));
        }),
      );
      return listed;
    }),
  );
  const listings = ofRoots.flat();
  const found: Listing = {
    files: listings.flatMap(({ files }) => files),
    versions: listings.flatMap(({ versions }) => versions),
    failed: [...failed, ...listings.flatMap((listing) => listing.failed)],
    unchanged: listings.flatMap(({ unchanged }) => unchanged),
  };
  const seen = new Set<string>();
  return areApart(roots) ? found : filterListing(found, ({ path }) => seen.size < seen.add(path).size);
}

/** True if no root is inside another root or equal to it. Only roots may contain each other. */
export const areApart = (roots: readonly Root[]): boolean =>
  roots.every((root) => roots.every(({ path }) => path === root.path || !root.path.startsWith(path + sep))) &&
  new Set(roots.map(({ path }) => path)).size === roots.length;

/** Keeps some of the files. */
export function filterListing({ files, versions, ...others }: Listing, isKept: (file: SessionPath) => boolean): Listing {
  const kept = files.map(isKept);
  return { files: files.filter((_, at) => kept[at]), versions: versions.filter((_, at) => kept[at]), ...others };
}

/** A folder that is to be listed, and the session that it belongs to. */
export interface InnerFolder {
  readonly folder: string;
  readonly owner: string;
  /** The number of folders from the session's folder down to this one. */
  readonly depth: number;
}

/** Folders of a session's subagents are searched to this depth below the session's folder. FORMAT section 1. */
const MAX_DEPTH = 6;
/** Folders of subagents that are read together: there may be thousands, with a file each. */
const INNER_AT_ONCE = 64;

/** True for the name of a folder that pi's family would give to a session's file. Its sessions are listed without that file, too. */
export const isNamedLikeSession = (name: string): boolean => /^\d{4}-\d\d-\d\dT[\d-]+Z?_./.test(name);

/** Lists the session files in one folder of a root, including subagents' sessions at any depth. @param owner see `SessionPath` */
export async function listFolder(
  folder: string,
  root: Root,
  onProblem: OnProblem,
  { budget = budgetOf(root), families = new FamilyBudgets(root), help = NO_HELP, inner: own }: ListFolderOptions = {},
): Promise<Listing> {
  if (root.flat && folder === root.path && (await isDatabase(folder))) return listRows(root, onProblem);
  const files: SessionPath[] = [];
  const versions: (FileVersion | undefined)[] = [];
  const failed: string[] = [];
  const unchanged: ListedFolder[] = [];
  const pause = new Yielder(undefined);
  const listOne = async (current: string, budgetHere: Budget, place: InnerFolder | undefined): Promise<readonly InnerFolder[]> => {
    const owner = place?.owner;
    const names = owner === undefined ? root.names : undefined;
    const content = names
      ? contentOf(await namedEntries(current, names, onProblem, failed))
      : await readFolder(await help.readFolder(current, root, owner), current, budgetHere, onProblem, failed);
    if ('paths' in content) {
      unchanged.push(content);
      return content.inner;
    }
    const found: SessionPath[] = [];
    const foundVersions: (FileVersion | undefined)[] = [];
    const inner: InnerFolder[] = [];
    const folders = new Set(content.folders);
    const before = join(current, sep);
    const isShadowed = shadowedArchives(current, content.names);
    for (let at = 0; at < content.names.length; at++) {
      const name = elementAt(content.names, at);
      if (isArchivedName(name) && (await isShadowed(name))) continue;
      const known = help.earlier(before + name);
      const path = known?.path ?? before + name;
      const isSame = known && 'root' in known && isSamePlace(known, root, owner);
      found.push(isSame ? known : owner === undefined ? { path, root } : { path, root, owner });
      foundVersions.push(content.versionAt?.(at, known?.version));
      const beside = withoutSessionSuffix(name);
      // A session and its archive share the folder.
      if (folders.delete(beside)) inner.push({ folder: join(current, beside), owner: path, depth: 0 });
      if (pause.isDue()) await pause.yieldIfDue();
    }
    if (place) {
      const depth = place.depth + 1;
      if (depth <= MAX_DEPTH) for (const name of folders) inner.push({ folder: join(current, name), owner: place.owner, depth });
    } else {
      // The session is gone or elsewhere, and its subagents' sessions aren't.
      for (const name of folders) {
        const at = join(current, name);
        if (root.ofSubagents || isNamedLikeSession(name)) inner.push({ folder: at, owner: `${at}.jsonl`, depth: 0 });
      }
    }
    appendAll(files, found);
    appendAll(versions, foundVersions);
    content.keep?.({ paths: found.map(({ path }) => path), inner, count: content.count });
    return inner;
  };
  const listFamily = async (top: InnerFolder): Promise<void> => {
    const familyBudget = families.of(top.folder);
    let waiting: InnerFolder[] = [top];
    while (waiting.length > 0) {
      const now = waiting.splice(-INNER_AT_ONCE);
      for (const inner of await Promise.all(now.map((place) => listOne(place.folder, familyBudget, place)))) appendAll(waiting, inner);
      if (familyBudget.left < 0) waiting = [];
    }
    families.spend(familyBudget);
  };
  for (const family of own ? [own] : await listOne(folder, budget, undefined)) await listFamily(family);
  return { files, versions, failed, unchanged };
}

/** The part of a listing of one folder that it shares with others. */
interface ListFolderOptions {
  readonly budget?: Budget;
  readonly families?: FamilyBudgets;
  readonly help?: ListingHelp;
  /** Set if the folder is one of subagents. */
  readonly inner?: InnerFolder;
}

/** Reads a folder unless that's done within the root's limit of entries. */
async function readFolder(
  content: FolderContent | ListedFolder | undefined,
  path: string,
  budget: Budget,
  onProblem: OnProblem,
  failed: string[],
): Promise<FolderContent | ListedFolder> {
  if (!content || content.count > budget.left) return contentOf(await entriesIn(path, budget, onProblem, failed));
  budget.left -= content.count;
  return content;
}

/** The content of a folder with these entries. */
export function contentOf(entries: Iterable<NamedEntry>): FolderContent {
  const names: string[] = [];
  const folders: string[] = [];
  let count = 0;
  for (const entry of entries) {
    count++;
    if (entry.isDirectory()) folders.push(entry.name);
    else if (isListedName(entry.name)) names.push(entry.name);
  }
  return { names, folders, count };
}

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
    return {
      files: rows.map((row) => ({ ...row, root, isStored: true as const })),
      versions: rows.map(() => undefined),
      failed: [],
      unchanged: [],
    };
  } catch (error) {
    onProblem(root.path, error);
    return { files: [], versions: [], failed: [root.path], unchanged: [] };
  }
}
