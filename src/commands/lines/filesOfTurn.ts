/** The changed files that an entry is about. Pure. */
import type { EntryHead, FileChange, Session } from '../../core/index';

/** Returns the last result of a message's calls, up to which the message's changes are recorded; other entries as they are. */
export function lastResultOf({ byId, children }: Session, entryId: string): string {
  let last = entryId;
  if (byId.get(entryId)?.role !== 'assistant') return last;
  for (let next: string | undefined = last; next !== undefined;) {
    last = next;
    next = children.get(last)?.find((id) => byId.get(id)?.role === 'toolResult');
  }
  return last;
}

/**
 * Returns the changes that the entry's own message made, else the changes of its turn so far, else all changes of the
 * branch.
 *
 * @param changes the changes of the branch up to the entry, including the results of its calls
 */
export function filesOfTurn({ byId }: Session, entryId: string, changes: readonly FileChange[]): readonly FileChange[] {
  const turn: EntryHead[] = [];
  for (let at = byId.get(entryId); at && at.role !== 'user'; at = at.parentId === null ? undefined : byId.get(at.parentId)) turn.push(at);
  // A result is about the call above it.
  const own = turn[0]?.role === 'toolResult' ? turn.slice(0, turn.findIndex(({ role }) => role === 'assistant') + 1) : turn.slice(0, 1);
  for (const heads of [own, turn]) {
    const ids = new Set(heads.map(({ id }) => id));
    const found = changes.filter(({ entryIds }) => entryIds.some((id) => ids.has(id)));
    if (found.length > 0) return found;
  }
  return changes;
}
