/** The recap that oh-my-pi has of a session, in the history of its agent folder. FORMAT section 1. */
import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { databases } from '../../database/thread/databaseThread';
import { isMissing } from '../../io/fileErrors';

const FILE_NAME = 'history.db';

/**
 * Returns the newest recap of a session of oh-my-pi; `undefined` if there is none.
 *
 * @param path the session's file, in a folder of a project
 * @throws {SessionError} if the history can't be read
 */
export async function sessionRecap(path: string, id: string): Promise<string | undefined> {
  const sessions = dirname(dirname(path));
  if (basename(sessions) !== 'sessions') return undefined;
  const folder = dirname(sessions);
  const history = join(basename(folder) === 'archive' ? dirname(folder) : folder, FILE_NAME);
  try {
    if (!(await lstat(history)).isFile()) return undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  return databases.request('recap', history, id);
}
