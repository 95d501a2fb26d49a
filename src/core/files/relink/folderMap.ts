/** The folders of a project that moved, as headers name them. */
import { join } from 'node:path';
import type { UntrustedPaths } from '../io/untrustedPaths';
import { placeWithin } from './movedPaths';

/** Maps the project's folders to the new ones. */
export interface FolderMap {
  /** Returns the new folder; `undefined` for a folder that isn't of the project. Looks at the disk. */
  readonly find: (folder: string) => Promise<string | undefined>;
  /** Returns the new folder without a look at the disk: for folders that `find` was asked about, and for the project's own. */
  readonly known: (folder: string) => string | undefined;
}

/**
 * A subfolder is part of the move if it's gone from the old place and is in the new one: otherwise only the project's own
 * folder says where its sessions belong.
 */
export function createFolderMap(from: string, to: string, named: UntrustedPaths): FolderMap {
  const found = new Map<string, string | undefined>();
  // A header may name a folder on a server that is dead, or that wants to be contacted.
  const hasMoved = async (folder: string, next: string): Promise<boolean> =>
    (await named.realPath(next)) !== undefined && (await named.isMissing(folder));
  const findNew = async (folder: string): Promise<string | undefined> => {
    const within = placeWithin(from, folder);
    if (within === undefined || within === '') return within === '' ? to : undefined;
    const next = join(to, within);
    return (await hasMoved(folder, next)) ? next : undefined;
  };
  return {
    known: (folder) => (found.has(folder) ? found.get(folder) : placeWithin(from, folder) === '' ? to : undefined),
    // Thousands of sessions name few folders.
    find: async (folder) => {
      if (!found.has(folder)) found.set(folder, await findNew(folder));
      return found.get(folder);
    },
  };
}
