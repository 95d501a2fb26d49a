/** Walks over a session's tree. Loops, never recursion: a chain may have hundreds of thousands of entries. */
import type { EntryHead } from '../entry/entryHead';
import type { Session } from './session';

/** `customType` of the line that makes a branch without a summary durable. */
export const BRANCH_MARK = 'pi-session-tree/branch';

/** The entries from the root to `id`, both included; empty if there is no such entry. */
export function pathTo(session: Pick<Session, 'byId'>, id: string | null): EntryHead[] {
  const path: EntryHead[] = [];
  // A session's parents never form a circle (`link` cuts them); the guard keeps it true for whoever made one by hand.
  const seen = new Set<string>();
  let head = id === null ? undefined : session.byId.get(id);
  while (head && !seen.has(head.id)) {
    seen.add(head.id);
    path.push(head);
    head = head.parentId === null ? undefined : session.byId.get(head.parentId);
  }
  return path.reverse();
}

/** Entries that nothing hangs off, in file order. */
export function tips(session: Session): EntryHead[] {
  return session.entries.filter((head) => !session.children.get(head.id)?.length);
}

/** `id` and all entries below it, parents before their children, siblings oldest first. */
export function subtree(session: Session, id: string): EntryHead[] {
  const found: EntryHead[] = [];
  const stack = [id];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const head = session.byId.get(next);
    if (!head) continue;
    found.push(head);
    const children = session.children.get(next);
    if (children) for (let i = children.length - 1; i >= 0; i--) stack.push(children[i]!);
  }
  return found;
}

/** The last id that both paths have; forks keep their entries' ids, so it works across files. */
export function forkPoint(a: readonly EntryHead[], b: readonly EntryHead[]): string | undefined {
  const inB = new Set(b.map((head) => head.id));
  for (let i = a.length - 1; i >= 0; i--) if (inB.has(a[i]!.id)) return a[i]!.id;
  return undefined;
}

/** Whether messages of a role count as activity. */
export const isActivityRole = (role: string | undefined): boolean => role === 'user' || role === 'assistant';

/** When a user or assistant message was made, in milliseconds; `undefined` for every other entry. */
export function activityTime(head: EntryHead): number | undefined {
  if (!isActivityRole(head.role)) return undefined;
  return head.messageTime ?? (head.time === 0 ? undefined : head.time);
}

const BOOKKEEPING = new Set(['label', 'session_info', 'title_change', 'custom']);

/**
 * The tip that the session probably should be at, if its leaf looks like an accident: the last line is
 * bookkeeping of somebody who wrote from a stale place, and another branch has newer messages.
 */
export function suspectedTip(session: Session): EntryHead | undefined {
  const leaf = session.leafId === null ? undefined : session.byId.get(session.leafId);
  if (!leaf || !BOOKKEEPING.has(leaf.type) || leaf.customType === BRANCH_MARK || session.entries.at(-1) !== leaf) return undefined;
  const onPath = new Set(pathTo(session, leaf.id).map((head) => head.id));
  let newest: EntryHead | undefined;
  let newestOnPath = 0;
  for (const head of session.entries) {
    const time = activityTime(head);
    if (time === undefined) continue;
    if (onPath.has(head.id)) newestOnPath = Math.max(newestOnPath, time);
    else if (!newest || time >= activityTime(newest)!) newest = head;
  }
  if (!newest || activityTime(newest)! <= newestOnPath) return undefined;
  // Somebody who went back on purpose left a line there; an accident hangs right on the path to the newer messages.
  const below = session.children.get(newest.id);
  return below?.length ? subtree(session, newest.id).findLast((head) => !session.children.get(head.id)?.length) : newest;
}
