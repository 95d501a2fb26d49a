/** A session file that an inspection has found, and the comparison of one inspection's files with the next one's. */
import { fileError } from '../../files/io/fileErrors';
import type { SessionPath } from '../../files/locate/listFiles';
import { isSameRoot } from '../../files/locate/roots';
import { sameVersion } from '../../files/read/versions/compareVersions';
import type { FileVersion } from '../../files/read/sessionFile';

/** A session file with its version. */
export interface InventoryFile extends SessionPath {
  /** `NO_VERSION` if there is an error. */
  readonly version: FileVersion;
  /** The reason why the version can't be read. */
  readonly error?: unknown;
  /** Number of the inspection that first found this version. */
  readonly inspection: number;
}

/** A row, or another value that was made from a file. */
interface ReadFile {
  readonly version: FileVersion;
  readonly owner?: string;
}

/** The version of a file that can't be inspected. */
const NO_VERSION: FileVersion = { size: -1, mtimeMs: -1, ino: '' };

/** Returns true if something was made from the file as it is on the disk. */
export const isFromVersion = (read: ReadFile, file: Pick<InventoryFile, 'version' | 'owner'>): boolean =>
  sameVersion(read.version, file.version) && read.owner === file.owner;

export const isSameError = (a: unknown, b: unknown): boolean => messageOf(a) === messageOf(b);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Returns a listed file with its version, or with the reason why it has none. Members are in the literals where that is
 * possible: this runs for each file of a listing, and spreads take space in the result.
 */
export function toInventoryFile(
  { path, root, owner, isStored }: SessionPath,
  result: FileVersion | Error,
  inspection: number,
): InventoryFile {
  const file: { -readonly [K in keyof InventoryFile]: InventoryFile[K] } =
    result instanceof Error
      ? { path, root, version: NO_VERSION, inspection, error: fileError(result, path) }
      : { path, root, version: result, inspection };
  if (owner !== undefined) file.owner = owner;
  if (isStored) file.isStored = isStored;
  return file;
}

/** Returns true if a listed file is as an earlier inspection found it. */
export function isUnchanged(before: InventoryFile, { path, root, owner }: SessionPath, result: FileVersion | Error): boolean {
  const isSamePlace = before.owner === owner && isSameRoot(before.root, root);
  return (
    isSamePlace && (result instanceof Error ? isSameError(before.error, fileError(result, path)) : sameVersion(before.version, result))
  );
}
