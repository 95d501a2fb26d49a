/** A digest of what is on the disk below some roots, for a process that knows what it found there earlier. */
import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { areLocal } from '../../files/concurrency/maxConcurrentCalls';
import { listFiles, type FolderContent } from '../../files/locate/listFiles';
import { normalizeRoot } from '../../files/locate/catalogRoots';
import type { Root } from '../../files/locate/roots';
import { unpackFolder, type PackedFolder } from '../worker/protocol/packedFolder';

/** A state of the disk, and the folders as they were read for it. */
export interface DiskState {
  /** The same text only while all sessions of the roots are the same. */
  readonly digest: string;
  /** By path. */
  readonly folders: ReadonlyMap<string, PackedFolder>;
}

/**
 * Reads the folders and the versions of the sessions in them on the calling thread.
 *
 * @returns `undefined` if the state can't be told by that: on disks that may hang, for sessions in databases or of other machines, and
 *   if a folder can't be read or is very large
 */
export async function diskState(given: readonly Root[]): Promise<DiskState | undefined> {
  const roots = given.map(normalizeRoot);
  if (roots.some(({ names, machine }) => names ?? machine) || !(await areLocal(roots.map(({ path }) => path)))) return undefined;
  for (const { path, dialect } of roots) {
    const stats = await statOf(path);
    if (stats && (dialect === 'openclaw' || !stats.isDirectory())) return undefined;
  }
  const { foldersSync } = await import('../worker/foldersSync');
  const folders = new Map<string, PackedFolder>();
  const digests: string[] = [];
  const failed: string[] = [];
  const readFolder = async (path: string): Promise<FolderContent | undefined> => {
    if (failed.length > 0) return undefined;
    const [folder = null] = foldersSync([{ path, digest: '' }]);
    if (folder !== null && folder !== 'same' && folder.digest !== '') {
      folders.set(path, folder);
      digests.push(`${path}\0${folder.digest}`);
      return unpackFolder(folder);
    }
    // A missing folder has no sessions.
    if (await statOf(path)) failed.push(path);
    return undefined;
  };
  await listFiles(roots, (path) => failed.push(path), undefined, { earlier: () => undefined, readFolder });
  if (failed.length > 0) return undefined;
  // Folders are listed in no particular order.
  const all = JSON.stringify([roots, digests.sort()]);
  return { digest: createHash('sha256').update(all).digest('base64'), folders };
}

const statOf = (path: string): Promise<Stats | undefined> => stat(path).catch(() => undefined);
