/** The place of files that are made from sessions in a database. */
import { sessionFolderOf } from './lines/coldArchive';
import { findDatabasePath } from './databaseSession';

/**
 * Returns the folder for a fork of a session in a database: that of the agent's session files. FORMAT section 7.
 *
 * @returns `undefined` for a session that is a file.
 */
export async function forkFolderOf(path: string): Promise<string | undefined> {
  const at = await findDatabasePath(path);
  return at && sessionFolderOf(at.database);
}
