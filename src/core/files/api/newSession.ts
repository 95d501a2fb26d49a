/** The header of a session that doesn't exist yet. */
import { defined } from '../../format/values/defined';
import { CURRENT_VERSION } from '../../format/entry/entry';
import { SessionError } from '../../format/entry/problem';
import { newSessionId, type Stamp } from '../../format/write/sessionNames';

/** Header fields of a new session. FORMAT section 2. */
export interface NewSessionOptions {
  readonly id?: string;
  readonly parentSession?: string;
}

/**
 * Returns the header of a new session.
 *
 * @throws {SessionError} `invalid` for an unusable id.
 */
export function newSessionHeader(cwd: string, stamp: Stamp, { id = newSessionId(stamp), parentSession }: NewSessionOptions) {
  assertSessionId(id);
  const timestamp = stamp.now().toISOString();
  return { type: 'session', version: CURRENT_VERSION, id, timestamp, cwd, ...defined({ parentSession }) } as const;
}

/** @throws {SessionError} `invalid` unless the id can be a part of a file's name. */
export function assertSessionId(id: string): void {
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?$/.test(id))
    throw new SessionError('invalid', 'Can’t use this as a session ID because it isn’t a valid file name: {id}', { id });
}
