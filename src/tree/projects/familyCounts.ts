/** The subagents below a session, as its row shows them. Pure. */
import type { Unfinished } from '../../core/index';
import type { ReadableItem, SessionItem } from './sessionGroups';

export interface FamilyCounts {
  /** The number of sessions of subagents, at any depth. */
  readonly total: number;
  readonly running: number;
  readonly waiting: number;
  readonly failed: number;
}

/** The state of a session: its program's own, or how it ended. */
export type ShownState = 'running' | 'waiting' | 'failed' | Exclude<Unfinished, 'error'> | 'done';

interface Signs {
  readonly isLive: (path: string) => boolean;
  readonly needsInput: (path: string) => boolean;
}

export function subagentState({ path, summary }: Pick<ReadableItem, 'path' | 'summary'>, { isLive, needsInput }: Signs): ShownState {
  const { marks, unfinished } = summary;
  if (needsInput(path) || marks?.state === 'waiting') return 'waiting';
  if (isLive(path) || marks?.state === 'working') return 'running';
  if (marks?.state === 'failed' || unfinished === 'error') return 'failed';
  return unfinished === 'interrupted' || unfinished === 'unanswered' ? unfinished : 'done';
}

/**
 * Returns the state that the row of a session shows. A program that is stopped leaves its own mark as it was, so that a
 * mark of working or waiting counts only for a subagent, which runs inside its program. Archived sessions are put aside.
 */
export function shownState(item: ReadableItem, signs: Signs): ShownState {
  if (item.isSubagent) return subagentState(item, signs);
  const { marks, unfinished } = item.summary;
  if (signs.needsInput(item.path)) return 'waiting';
  if (signs.isLive(item.path)) return 'running';
  if (marks?.isArchived) return 'done';
  return marks?.state === 'failed' || unfinished === 'error' ? 'failed' : (unfinished ?? 'done');
}

/** Yields the subagents below a session, at any depth. Forks have families of their own. */
function* subagentsIn({ children }: ReadableItem): Generator<ReadableItem, void> {
  const open: (readonly SessionItem[])[] = [children];
  for (let list = open.pop(); list; list = open.pop()) {
    for (const below of list) {
      if (below.kind !== 'session' || !below.isSubagent) continue;
      yield below;
      if (below.children.length > 0) open.push(below.children);
    }
  }
}

/** Milliseconds after its last entry in which a subagent may still run, and the number of those that are looked at for each session. */
const [MAY_RUN, MOST_RUNNING] = [60 * 60 * 1000, 50];

/** Returns the subagents below a session that may run, the last ones to write first: its row counts them, even while it's collapsed. */
export function recentSubagents(item: ReadableItem, now: number): string[] {
  const recent = [...subagentsIn(item)].filter(({ summary }) => now - summary.modified < MAY_RUN);
  return recent
    .sort((a, b) => b.summary.modified - a.summary.modified)
    .slice(0, MOST_RUNNING)
    .map(({ path }) => path);
}

/** Counts the subagents below a session; `undefined` without any. */
export function familyCounts(item: ReadableItem, signs: Signs): FamilyCounts | undefined {
  if (item.stored) return item.stored.family && { running: 0, waiting: 0, ...item.stored.family };
  const counts = { total: 0, running: 0, waiting: 0, failed: 0 };
  for (const below of subagentsIn(item)) {
    counts.total++;
    const state = subagentState(below, signs);
    if (state === 'running' || state === 'waiting' || state === 'failed') counts[state]++;
  }
  // No sign shows a subagent inside its parent's process. A call without a result has one that runs.
  const calls = signs.isLive(item.path) ? (item.summary.calls ?? []).filter(({ until }) => until === undefined).length : 0;
  const running = Math.min(counts.total, Math.max(counts.running, calls));
  return counts.total === 0 ? undefined : { ...counts, running };
}
