/** The paths of archives. */
import { basename, dirname, join } from 'node:path';
import * as zlib from 'node:zlib';
import type { Compression } from '../../format/session/archivedSession';

/** The better format that this version of Node has. */
const bestCompression = (): Compression => (typeof zlib.createZstdCompress === 'function' ? 'zst' : 'gz');

/** Returns the path of a session's archive. */
export const archivePathOf = (path: string, compression = bestCompression()): string => `${path}.${compression}`;

/** The hidden name that a session has from its last check until it's removed. */
export const archivingPath = (path: string): string => join(dirname(path), `.${basename(path)}.archiving`);
