/** Lists the session files at or under some paths, without listing the rest of the roots. */
import { stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { defined } from '../../format/values/defined';
import { SESSION_SUFFIXES, withoutSessionSuffix } from '../../format/session/archivedSession';
import { isSessionName, listFiles, listFolder, type InnerFolder, type Listing, type SessionPath } from '../../files/locate/listFiles';
import type { OnProblem } from '../../files/locate/folderEntries';
import { rootOf, type Root } from '../../files/locate/roots';
import { elementAt, valueOf } from '../../format/values/lookups';
import { pathScope } from './pathScope';

/** Files that are in `known` need no listing. For other paths the folder of sessions that they are in is listed. */
export async function listFilesAt(
  paths: readonly string[],
  roots: readonly Root[],
  known: ReadonlyMap<string, SessionPath>,
  onProblem: OnProblem,
): Promise<Listing> {
  const there = paths.flatMap((path) => known.get(path) ?? []);
  const rest = paths.filter((path) => !known.has(path));
  const listings: Listing[] = [
    {
      files: there.map(({ path, root, owner, isStored }) => ({
        path,
        root,
        ...defined({ owner, isStored: isStored || undefined }),
      })),
      versions: [],
      failed: [],
      unchanged: [],
    },
  ];
  if (rest.length > 0) {
    const whole = roots.filter((root) => rest.includes(root.path));
    listings.push(await listFiles(whole, onProblem));
    const folders = new Map<string, SessionFolder>();
    for (const path of rest) {
      const inFamilies = familyFolders(path, roots, known);
      if (inFamilies) listings.push(await listInFamily(path, inFamilies, onProblem));
      else for (const at of folderAround(path, roots)) folders.set(at.folder, at);
    }
    for (const { folder, root } of folders.values()) listings.push(await listFolder(folder, root, onProblem));
  }
  const files = new Map<string, SessionPath>();
  const inScope = pathScope(paths);
  for (const file of listings.flatMap((listing) => listing.files)) if (inScope(file.path)) files.set(file.path, file);
  return { files: [...files.values()], versions: [], failed: listings.flatMap((listing) => listing.failed), unchanged: [] };
}

interface SessionFolder {
  readonly folder: string;
  readonly root: Root;
}

/** A folder of subagents' sessions. */
type FamilyFolder = SessionFolder & Pick<InnerFolder, 'owner' | 'depth'>;

/** Returns the folder of subagents' sessions that a path is in; `undefined` if it's in no folder of a known session. */
function familyFolders(path: string, roots: readonly Root[], known: ReadonlyMap<string, SessionPath>): FamilyFolder | undefined {
  const root = rootOf(path, roots);
  if (!root) return undefined;
  const folder = dirname(path);
  let depth = 0;
  for (let at = folder; at.length > root.path.length; at = dirname(at), depth++) {
    const owner = SESSION_SUFFIXES.map((suffix) => at + suffix).find((file) => known.has(file));
    if (owner !== undefined) return { folder, root: valueOf(known, owner).root, owner, depth };
  }
  return undefined;
}

/** Lists a session of a family and its subagents, or what is in a folder of the family, and nothing beside it. */
async function listInFamily(path: string, { folder, root, owner, depth }: FamilyFolder, onProblem: OnProblem): Promise<Listing> {
  const isFolder = await stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
  const name = basename(path);
  if (isFolder) return listFolder(path, root, onProblem, { inner: { folder: path, owner, depth: depth + 1 } });
  // An archive may be there twice.
  if (!isSessionName(name)) return listFolder(folder, root, onProblem, { inner: { folder, owner, depth } });
  const inner = { folder: join(folder, withoutSessionSuffix(name)), owner: path, depth: 0 };
  const below = await listFolder(inner.folder, root, onProblem, { inner });
  return { ...below, files: [{ path, root, owner }, ...below.files], versions: [undefined, ...below.versions] };
}

/** Returns the folder of sessions that contains a path or equals it: the root itself, or one of the folders in it. */
function folderAround(path: string, roots: readonly Root[]): SessionFolder[] {
  const inner = rootOf(path, roots);
  if (!inner || path === inner.path) return [];
  // A folder may be a flat root and another root at the same time.
  return roots
    .filter((root) => root.path === inner.path)
    .map((root) => ({ root, folder: root.flat ? root.path : join(root.path, elementAt(relative(root.path, path).split(sep), 0)) }));
}
