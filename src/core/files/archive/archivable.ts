/** Reasons why a session isn't archived, and why an archive isn't removed. FORMAT section 6, rule 11. */
import { access, constants } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { DIALECT_FACTS, type Dialect } from '../../format/entry/dialect';
import { SessionError } from '../../format/entry/problem';
import { archivedError, isArchivedSession, isInOmpArchive, unarchivedPath } from '../../format/session/archivedSession';
import { readOnlyError } from '../../format/write/change';
import { isSessionName } from '../locate/listFiles';
import { MAX_UNPACKED_BYTES } from '../read/bytes/compressedSession';
import { exists } from '../io/exists';
import { pathTakenError } from '../trash/trashMoves';
import { assertWritable } from '../write/assertWritable';
import { archivePathOf, archivingPath } from './archivePaths';

const MB = 1024 * 1024;

/**
 * Checks everything but other programs that may use the session.
 *
 * @param file `size` in bytes; `mode` with the permission bits.
 * @throws {SessionError} `read-only`, `invalid`, `not-a-session` or `permission`.
 * @throws {NodeJS.ErrnoException} the system's errors.
 */
export async function assertArchivable(
  path: string,
  dialect: Dialect,
  file: { readonly size: number; readonly mode: number },
): Promise<void> {
  if (isArchivedSession(path, dialect) || isInOmpArchive(path)) throw archivedError(path);
  if (!DIALECT_FACTS[dialect].writable) throw readOnlyError(path, DIALECT_FACTS[dialect].label);
  if (!isSessionName(basename(path))) throw new SessionError('not-a-session', 'Only session files can be archived: {path}', { path });
  assertWritable(path, file.mode);
  if (file.size > MAX_UNPACKED_BYTES)
    throw new SessionError('invalid', 'This session is too large to be read from an archive (limit: {limit} MB): {path}', {
      limit: MAX_UNPACKED_BYTES / MB,
      path,
    });
  for (const taken of [archivePathOf(path, 'zst'), archivePathOf(path, 'gz'), archivingPath(path)])
    if (await exists(taken)) throw pathTakenError(taken);
  await access(dirname(path), constants.W_OK);
}

/**
 * Checks that an archive is all there is of its session. Without it, an original that is still kept would come back at the next
 * start.
 *
 * @throws {SessionError} `live`
 */
export async function assertOriginalRemoved(archive: string): Promise<void> {
  if (await exists(archivingPath(unarchivedPath(archive))))
    throw new SessionError(
      'live',
      'A program may still have this session open, so its original is kept beside the archive for a day. Unarchive it first: {path}',
      { path: archive },
    );
}
