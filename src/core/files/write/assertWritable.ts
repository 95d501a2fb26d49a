/** Checks whether a file may be written to: its permission bits, and whether it's a file at all. */
import { stat } from 'node:fs/promises';
import { DIALECT_FACTS } from '../../format/entry/dialect';
import { SessionError } from '../../format/entry/problem';
import { archivedError, isArchivedSession } from '../../format/session/archivedSession';
import { readOnlyError } from '../../format/write/change';
import { findDatabasePath } from '../database/databaseSession';
import { fileError } from '../io/fileErrors';

const ANY_WRITER = 0o222;

/**
 * @throws {SessionError} `permission` if the file has no write permission at all. A read-only file stays unchanged on
 *   purpose, even if this process could write to it.
 */
export function assertWritable(path: string, mode: number): void {
  if ((mode & ANY_WRITER) !== 0) return;
  throw new SessionError('permission', 'The file is read-only. Make it writable, or fork instead: {path}', { path });
}

/** Returns the reason why a file's permissions refuse every change; `undefined` if they don't. Follows links. */
export async function permissionRefusal(path: string): Promise<SessionError | undefined> {
  try {
    assertWritable(path, (await stat(path)).mode);
    return undefined;
  } catch (error) {
    const reason = fileError(error, path);
    if (reason instanceof SessionError) return reason;
    throw reason;
  }
}

/** @throws {SessionError} `read-only` for a session in an archive or in a database. FORMAT section 6, rule 8. */
export async function assertIsOwnFile(path: string): Promise<void> {
  if (isArchivedSession(path)) throw archivedError(path);
  if (await findDatabasePath(path)) throw readOnlyError(path, DIALECT_FACTS.openclaw.label);
}
