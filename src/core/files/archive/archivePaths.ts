/** The paths of archives. */
import { basename, dirname, join } from 'node:path';
import * as zlib from 'node:zlib';
import { compressionOf, unarchivedPath, type Compression } from '../../format/session/archivedSession';
import { isSessionName } from '../locate/listFiles';
import { isNormalAbsolutePath } from '../storage/pathChecks';

/** The better format that this version of Node has. */
const bestCompression = (): Compression => (typeof zlib.createZstdCompress === 'function' ? 'zst' : 'gz');

/** Returns the path of a session's archive. */
export const archivePathOf = (path: string, compression = bestCompression()): string => `${path}.${compression}`;

/** The hidden name that a session has from its last check until it's removed. */
export const archivingPath = (path: string): string => join(dirname(path), `.${basename(path)}.archiving`);

/** True for the paths of a session and its archive. Looks at the values only. */
export const areArchivePaths = ({ path, archive }: { readonly path: unknown; readonly archive: unknown }): boolean =>
  isNormalAbsolutePath(path) &&
  isNormalAbsolutePath(archive) &&
  isSessionName(basename(path)) &&
  compressionOf(archive) !== undefined &&
  unarchivedPath(archive) === path;
