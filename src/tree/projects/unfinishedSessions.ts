/** The sessions whose last turn left something to do. Pure. */
import { appendAll, type SessionSummary, type Unfinished } from '../../core/index';
import type { ReadableItem, SessionGroup, SessionItem, TopItem } from './sessionGroups';

/** Returns what a session's last turn left to do; nothing in an archived session, which was put aside, or while the turn goes on. */
export const leftToDo = ({ summary, isAtWork }: Pick<ReadableItem, 'summary' | 'isAtWork'>): Unfinished | undefined =>
  summary.marks?.isArchived === true || isAtWork === true ? undefined : summary.unfinished;

/** True if a program that runs has yet to answer. After an error or an interruption, it waits for the person. */
export const isAtWork = ({ path, unfinished }: SessionSummary, isRunning: ((path: string) => boolean) | undefined): boolean =>
  unfinished === 'unanswered' && isRunning?.(path) === true;

/** True if a session, or a fork below it, is unfinished. Subagents are their parents' business. */
export function isUnfinished({ item }: Pick<TopItem, 'item'>): boolean {
  const waiting: SessionItem[] = [item];
  for (let each = waiting.pop(); each; each = waiting.pop()) {
    if (!counts(each)) continue;
    if (leftToDo(each)) return true;
    appendAll(waiting, each.children);
  }
  return false;
}

/** Counts the unfinished sessions of groups. Lists that haven't changed since an earlier call aren't counted again. */
export class UnfinishedCount {
  private readonly known = new WeakMap<readonly SessionItem[], number>();

  of(groups: readonly SessionGroup[]): number {
    let sum = 0;
    for (const { items } of groups) {
      let count = this.known.get(items);
      if (count === undefined) this.known.set(items, (count = countIn(items)));
      sum += count;
    }
    return sum;
  }
}

function countIn(items: readonly SessionItem[]): number {
  let count = 0;
  const waiting = [...items];
  for (let item = waiting.pop(); item; item = waiting.pop()) {
    if (!counts(item)) continue;
    if (leftToDo(item)) count++;
    appendAll(waiting, item.children);
  }
  return count;
}

const counts = (item: SessionItem): item is Extract<SessionItem, { kind: 'session' }> =>
  item.kind === 'session' && !item.isSubagent && item.copyOf === undefined;
