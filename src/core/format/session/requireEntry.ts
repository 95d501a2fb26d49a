import type { EntryHead } from '../entry/entryHead';
import { SessionError } from '../entry/problem';
import type { Session } from './session';

/**
 * Returns the head of an entry that a request names.
 *
 * @throws {SessionError} `unknown-entry` if the session has no entry with this id.
 */
export function requireEntry({ byId }: Pick<Session, 'byId'>, id: string): EntryHead {
  const head = byId.get(id);
  if (!head) throw new SessionError('unknown-entry', 'The session has no entry {id}.', { id });
  return head;
}
