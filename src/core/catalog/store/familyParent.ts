/** The session above a subagent's session. Pure. */
import type { ListedSession } from './listedSession';

/** Sessions above a session. A longer chain counts as a circle. */
const MAX_ABOVE = 100;

/**
 * Returns the path of the nearest session above a subagent's session that has a row.
 *
 * @param rowAt returns the row of a path
 * @returns `undefined` if there is none, or if the sessions above are in a circle
 */
export function familyParent(
  { path, owner }: Pick<ListedSession, 'path' | 'owner'>,
  rowAt: (path: string) => Pick<ListedSession, 'kind' | 'owner'> | undefined,
): string | undefined {
  if (owner === undefined) return undefined;
  const seen = new Set([path]);
  let nearest: string | undefined;
  for (let at: string | undefined = owner; at !== undefined;) {
    if (seen.has(at) || seen.size === MAX_ABOVE) return undefined;
    seen.add(at);
    const above = rowAt(at);
    if (above && above.kind !== 'other') nearest ??= at;
    at = above?.owner;
  }
  return nearest;
}
