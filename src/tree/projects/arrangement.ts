/** The order of sessions and their groups. Pure. */
import type { Arrangement, SessionSort } from '../../contract';
import { isArchivedSession, type SessionSummary } from '../../core/index';
import { DAYS, STATE_GROUPS, type Day, type SessionGroup, type SessionItem } from './sessionGroups';

export const DEFAULT_ARRANGEMENT: Arrangement = { sort: 'modified', group: 'project', workspaceOnly: false };

type Compare<T> = (a: T, b: T) => number;

/** Compares the sessions of a list. Pinned sessions come first, then others, archived ones, and files that can't be read, in any order. */
export function sessionComparator(sort: SessionSort): Compare<SessionItem> {
  const steps = [byMarks, COMPARISONS[sort], byActivity, byPath];
  return (a, b) => {
    for (const step of steps) {
      const order = step(a, b);
      if (order !== 0) return order;
    }
    return 0;
  };
}

/**
 * Compares the sessions below another one: forks, then subagents. In an order of time, subagents stay in the order in which
 * they started, so that a family that runs is a calm list.
 */
export function childComparator(sort: SessionSort): Compare<SessionItem> {
  const compare = sessionComparator(sort);
  const isByTime = sort === 'modified' || sort === 'created';
  return (a, b) =>
    Number(isSubagent(a)) - Number(isSubagent(b)) ||
    (isByTime && isSubagent(a) ? byMarks(a, b) || createdOf(a) - createdOf(b) || (a.path < b.path ? -1 : 1) : compare(a, b));
}

const isSubagent = (item: SessionItem): boolean => item.kind === 'session' && item.isSubagent;

const byMarks: Compare<SessionItem> = (a, b) => markRank(a) - markRank(b);

/** As in the programs: oh-my-pi and OpenClaw list pinned sessions first. A session that is archived comes last all the same. */
function markRank(item: SessionItem): number {
  if (item.kind === 'unreadable') return isArchivedSession(item.path) ? 4 : 3;
  return item.summary.marks?.isArchived === true ? 2 : isPinned(item) ? 0 : 1;
}

/** True for a session that is pinned, here or in its program, and not archived. */
export function isPinned(item: SessionItem): boolean {
  if (item.kind === 'unreadable') return false;
  const { marks } = item.summary;
  return marks?.isArchived !== true && (item.isPinned || marks?.isPinned === true);
}

const byActivity: Compare<SessionItem> = (a, b) => b.newest - a.newest;
const byPath: Compare<SessionItem> = (a, b) => (a.path < b.path ? 1 : -1);

const COMPARISONS: Readonly<Record<SessionSort, Compare<SessionItem>>> = {
  modified: byActivity,
  created: (a, b) => createdOf(b) - createdOf(a),
  name: (a, b) => compareNames(nameOf(a), nameOf(b)),
  cost: (a, b) => costOf(b) - costOf(a),
  size: (a, b) => b.size - a.size,
};

const createdOf = (item: SessionItem): number => (item.kind === 'session' ? item.summary.created : item.newest);
const nameOf = (item: SessionItem): string => (item.kind === 'session' ? titleForSorting(item.summary) : item.path);

/** The titles that oh-my-pi makes begin with an icon and a code, such as `HULL: `. */
const titleForSorting = ({ title, dialect, name }: SessionSummary): string =>
  dialect === 'omp' && name !== undefined ? title.replace(/^(?:[^\p{L}\p{N}\s]+ )?[A-Z0-9]{1,6}: (?=\S)/u, '') : title;
const costOf = (item: SessionItem): number => (item.kind === 'session' ? (item.cost ?? 0) : 0);

/** Created when it's first used, which takes 4 ms. */
let collator: Intl.Collator | undefined;
const compareNames: Compare<string> = (a, b) => (collator ??= new Intl.Collator(undefined, { numeric: true })).compare(a, b);

/** Compares groups. Projects of the workspace come first and sessions without a folder last; the names of projects count only if sessions are sorted by name. */
export function groupComparator(sort: SessionSort): Compare<SessionGroup> {
  return (a, b) =>
    rankOf(a) - rankOf(b) ||
    (sort === 'name' && a.kind === 'project' && b.kind === 'project' ? compareNames(a.cwd, b.cwd) : b.newest - a.newest) ||
    (keyOf(a) < keyOf(b) ? -1 : 1);
}

function rankOf(group: SessionGroup): number {
  if (group.kind === 'day') return DAYS.indexOf(group.day);
  if (group.kind === 'state') return STATE_GROUPS.indexOf(group.state);
  return group.kind !== 'project' || group.inWorkspace ? 0 : group.cwd === '' ? 2 : 1;
}

/** Identifies a group within an arrangement. */
export function keyOf(group: SessionGroup): string {
  switch (group.kind) {
    case 'project':
      return group.cwd;
    case 'day':
      return group.day;
    case 'program':
      return group.dialect;
    case 'state':
      return group.state;
    case 'all':
      return '';
  }
}

/** The group of a time, in the time zone of the machine. @param now milliseconds since 1970 */
export function dayOf(time: number, now: number): Day {
  if (time >= startOfDay(now, 0)) return 'today';
  if (time >= startOfDay(now, -1)) return 'yesterday';
  return time >= startOfDay(now, -7) ? 'lastWeek' : 'older';
}

/** The first moment of a day, as many days from now. */
export function startOfDay(now: number, days: number): number {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime();
}
