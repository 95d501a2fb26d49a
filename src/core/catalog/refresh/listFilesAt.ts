/** Lists the session files at or under some paths, without listing the rest of the roots. */
import { join, relative, sep } from 'node:path';
import { defined } from '../../format/entry/defined';
import { listFiles, listFolder, type Listing, type SessionPath } from '../../files/locate/listFiles';
import type { OnProblem } from '../../files/locate/folderEntries';
import { rootOf, type Root } from '../../files/locate/roots';
import { elementAt } from '../../format/entry/lookups';
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
    const folders = new Map(rest.flatMap((path) => folderAround(path, roots)).map((at) => [at.folder, at]));
    listings.push(await listFiles(whole, onProblem));
    for (const { folder, root } of folders.values()) listings.push(await listFolder(folder, root, onProblem));
  }
  const files = new Map<string, SessionPath>();
  const inScope = pathScope(paths);
  for (const file of listings.flatMap((listing) => listing.files)) if (inScope(file.path)) files.set(file.path, file);
  return { files: [...files.values()], versions: [], failed: listings.flatMap((listing) => listing.failed), unchanged: [] };
}

/** Returns the folder of sessions that contains a path or equals it: the root itself, or one of the folders in it. */
function folderAround(path: string, roots: readonly Root[]): { folder: string; root: Root }[] {
  const inner = rootOf(path, roots);
  if (!inner || path === inner.path) return [];
  // A folder may be a flat root and another root at the same time.
  return roots
    .filter((root) => root.path === inner.path)
    .map((root) => ({ root, folder: root.flat ? root.path : join(root.path, elementAt(relative(root.path, path).split(sep), 0)) }));
}
