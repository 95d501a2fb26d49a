/** Forks of a session, which keep naming it when it's deleted. */
import { resolve } from 'node:path';
import { unarchivedPath } from '../../format/session/archivedSession';

/**
 * Returns the sessions that were forked from a session. oh-my-pi's forks name their parent by its id, others by path, which
 * has changed if the parent has been archived since. FORMAT section 1.
 */
export function forksOf<Other extends { readonly path: string; readonly parentSession?: string }>(
  session: { readonly path: string; readonly id: string },
  sessions: Iterable<Other>,
): Other[] {
  const path = resolve(session.path);
  const original = unarchivedPath(path);
  return [...sessions].filter(
    ({ path: other, parentSession: parent }) =>
      parent !== undefined && resolve(other) !== path && (parent === session.id || unarchivedPath(resolve(parent)) === original),
  );
}
