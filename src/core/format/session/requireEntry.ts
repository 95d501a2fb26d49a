/** Access to entries that a session must have. */
import type { EntryHead } from '../entry/entryHead';
import { SessionError } from '../entry/problem';
import type { Session } from './session';

/**
 * Returns the head of an entry that a request names.
 *
 * @throws {SessionError} `unknown-entry` if the session has no entry with this id.
 */
export function requireEntry({ byId }: Pick<Session, 'byId'>, id: string): EntryHead {
  return byId.get(id) ?? throwUnknownEntry(id);
}

/**
 * Checks that a session has an entry, without making its head.
 *
 * @throws {SessionError} `unknown-entry` if the session has no entry with this id.
 */
export function assertEntry({ byId }: Pick<Session, 'byId'>, id: string): void {
  if (!byId.has(id)) throwUnknownEntry(id);
}

function throwUnknownEntry(id: string): never {
  throw new SessionError('unknown-entry', 'This session has no entry {id}.', { id });
}
