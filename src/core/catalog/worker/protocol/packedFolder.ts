/** A folder's content as few values, which pass between threads in a fraction of the time and memory of an object for each name. */
import type { FolderContent } from '../../../files/locate/listFiles';
import { versionAt, type VersionNumbers } from './versionNumbers';

export interface FolderRequest {
  readonly path: string;
  /** The digest of the content that the caller knows; empty if it knows none. */
  readonly digest: string;
}

/** `same`: the content has the digest of the request. `null`: the caller must read the folder in parts, or it can't be read. */
export type ReadFolder = PackedFolder | 'same' | null;

export interface PackedFolder {
  /** The names of the sessions and archives, each with `SEPARATOR` after it. */
  readonly names: string;
  /** The names of the folders, in the same form. */
  readonly folders: string;
  /** The number of all entries. */
  readonly count: number;
  readonly versions: VersionNumbers;
  /** The digest of all of that; empty if a version couldn't be read. */
  readonly digest: string;
}

/** A character that no name contains, on any platform. */
const SEPARATOR = '/';

export const packNames = (names: readonly string[]): string => (names.length === 0 ? '' : names.join(SEPARATOR) + SEPARATOR);
const unpackNames = (names: string): string[] => names.split(SEPARATOR).slice(0, -1);

export const unpackFolder = ({ names, folders, count, versions }: PackedFolder): FolderContent => ({
  names: unpackNames(names),
  folders: unpackNames(folders),
  count,
  versionAt: (index, before) => versionAt(versions, index, before) ?? undefined,
});
