/** When the branches of a session were last active, and where each continues. Pure. */
import { activityTime, type EntryHead, type Session } from '../../core/index';
import type { CooperativeTask } from '../cooperativeTask';

export interface ActivityTimes {
  /** For entries off the active path: the child whose subtree has the newest message, by the entry's id. */
  readonly newestChild: ReadonlyMap<string, string>;
  /** For every entry off the active path: the time of the newest message at or below it, in milliseconds since 1970. */
  readonly newestTimes: ReadonlyMap<string, number>;
}

/** A child with the latest time and the last line among it and its descendants. */
interface LatestEntry {
  readonly id: string;
  readonly time: number;
  readonly line: number;
}

/** Computes `newestChild` and `newestTimes` for some entries and all their descendants. */
export function* activityTimes(session: Session, starts: readonly string[], isDue: () => boolean): CooperativeTask<ActivityTimes> {
  const next = new Map<string, string>();
  const newest = new Map<string, number>();
  const latest = new Map<string, LatestEntry>();
  // Descendants come first.
  for (const head of (yield* subtreesOf(session, starts, isDue)).reverse()) {
    let time = activityTime(head) ?? 0;
    let line = head.line;
    let best: LatestEntry | undefined;
    for (const id of session.children.get(head.id) ?? []) {
      const child = latest.get(id);
      if (!child) continue;
      if (!best || child.time > best.time || (child.time === best.time && child.line > best.line)) best = child;
      time = Math.max(time, child.time);
      line = Math.max(line, child.line);
    }
    if (best) next.set(head.id, best.id);
    newest.set(head.id, time);
    latest.set(head.id, { id: head.id, time, line });
    if (isDue()) yield;
  }
  return { newestChild: next, newestTimes: newest };
}

/** Some entries and all their descendants, parents before children. */
function* subtreesOf(session: Session, starts: readonly string[], isDue: () => boolean): CooperativeTask<EntryHead[]> {
  const order: EntryHead[] = [];
  const stack = [...starts];
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const head = session.byId.get(id);
    if (!head) continue;
    order.push(head);
    for (const child of session.children.get(id) ?? []) stack.push(child);
    if (isDue()) yield;
  }
  return order;
}
