/** OpenClaw opens sessions by a key; `sessions.json` in the files' folder, or the database, maps keys to sessions. FORMAT section 1. */
import { basename, dirname, join } from 'node:path';
import { asString, isObject } from '../../../format/values/jsonValues';
import type { Session } from '../../../format/session/session';
import { SessionError } from '../../../format/entry/problem';
import { findDatabasePath } from '../../database/databaseSession';
import { databases } from '../../database/thread/databaseThread';
import { errorCode, fileError } from '../../io/fileErrors';
import { readSmallText } from '../../io/smallFile';

/** Bytes. OpenClaw keeps a few kilobytes per session in the list. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Returns the key by which OpenClaw opens a session, from `sessions.json` in the file's folder, or from the session's
 * database. FORMAT section 1.
 *
 * @returns `undefined` if no key refers to the session.
 * @throws {SessionError} `invalid` or `permission` if the list exists but can't be read.
 */
export async function sessionKey(session: Pick<Session, 'path' | 'header'>): Promise<string | undefined> {
  const inDatabase = await findDatabasePath(session.path);
  if (inDatabase) return databases.request('key', inDatabase.database, session.path, inDatabase.id);
  const path = join(dirname(session.path), 'sessions.json');
  const keys = await readKeys(path);
  const isAt = (entry: unknown): boolean =>
    isObject(entry) &&
    (entry['sessionId'] === session.header.id || basename(asString(entry['sessionFile']) ?? '') === basename(session.path));
  return Object.entries(keys).find(([, entry]) => isAt(entry))?.[0];
}

async function readKeys(path: string): Promise<object> {
  try {
    const keys: unknown = JSON.parse(await readSmallText(path, { maxBytes: MAX_BYTES }));
    return isObject(keys) ? keys : {};
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {};
    if (error instanceof SyntaxError)
      throw new SessionError('invalid', 'The list of session keys isn’t valid JSON: {path}', { path }, { cause: error });
    throw fileError(error, path);
  }
}
