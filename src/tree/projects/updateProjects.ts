/** Updates groups after files changed: items that keep their position get new data; nothing else is touched. Pure. */
import type { SessionSummary, ListedSession, Steps } from '../../core/index';
import { childComparator, groupComparator, keyOf, sessionComparator } from './arrangement';
import { groupKey, isIncluded, pathToItem, type SessionGroup, type ProjectsInput, type ReadableItem, type SessionItem } from './projects';
import { withWorktrees } from './projectGroup';
import { projectFolder } from './projectsInput';
import { newestOf } from './sessionGroups';
import { isAtWork, leftToDo } from './unfinishedSessions';

/** With more changed files than this, all groups are rebuilt: that many come from a listing. */
export const MAX_INCREMENTAL_FILES = 100;

/**
 * Returns what `buildGroups` would, in a step for each file, or `undefined` if that has to run: if a file is new, gone, unreadable or hidden, if
 * its position may have changed, which may move others too, or if very many files changed.
 *
 * @param before the last result of either function, for the same settings and folders
 * @param changed the paths of all files that changed since
 */
export function* updateGroups(
  before: readonly SessionGroup[],
  changed: ReadonlySet<string>,
  input: ProjectsInput,
): Steps<readonly SessionGroup[] | undefined> {
  if (changed.size > MAX_INCREMENTAL_FILES) return undefined;
  let groups = before;
  for (const path of changed) {
    const file = input.files.get(path);
    const after = file?.kind === 'session' && isIncluded(file.summary, input) ? withSession(groups, file, input) : undefined;
    if (!after) return undefined;
    groups = after;
    yield;
  }
  return [...groups].sort(groupComparator(input.sort));
}

function withSession(
  groups: readonly SessionGroup[],
  file: Extract<ListedSession, { kind: 'session' }>,
  input: ProjectsInput,
): readonly SessionGroup[] | undefined {
  const compare = sessionComparator(input.sort);
  const isLikely = (group: SessionGroup): boolean => isOwnGroup(group, file.summary, input);
  // Walking the sessions of all groups for each file adds up to tens of milliseconds in a large store.
  for (const group of [...groups.filter(isLikely), ...groups.filter((other) => !isLikely(other))]) {
    const branch = pathToItem(group.items, file.path)?.filter((item) => item.kind === 'session');
    const item = branch?.at(-1);
    if (!branch || !item) continue;
    const { isAtWork: _wasAtWork, ...others } = item;
    const fresh: ReadableItem = {
      ...others,
      summary: file.summary,
      size: file.version.size,
      cost: input.cost(file.path),
      familyCost: input.familyCost?.(file.path),
      ...(isAtWork(file.summary, input.isRunning) ? { isAtWork: true } : {}),
    };
    if (
      isSubagentsFor(file, item.isSubagent) !== item.isSubagent ||
      item.copyOf !== file.copyOf ||
      !hasSamePlacement(item.summary, file.summary) ||
      (input.unfinishedOnly === true && leftToDo(item) !== leftToDo(fresh))
    )
      return undefined;
    let [old, now] = [item, withChildren(fresh, item.children)];
    for (const ancestor of branch.slice(0, -1).reverse()) {
      const withCost = { ...ancestor, familyCost: input.familyCost?.(ancestor.path) };
      [old, now] = [ancestor, withChildren(withCost, replaceItem(ancestor.children, old, now, childComparator(input.sort)))];
    }
    const { cwd, dialect } = now.summary;
    if (groupKey({ item: now, cwd: projectFolder(cwd, input), dialect }, input) !== keyOf(group)) return undefined;
    const items = replaceItem(group.items, old, now, compare);
    const updated = { ...group, items, newest: newestOf(items) };
    return groups.with(groups.indexOf(group), updated.kind === 'project' ? withWorktrees(updated, input) : updated);
  }
  return undefined;
}

/** True for the group that a session is in, unless it's below a session of another group, as subagents' sessions may be. */
function isOwnGroup(group: SessionGroup, { cwd, dialect }: SessionSummary, input: ProjectsInput): boolean {
  if (group.kind === 'project') return group.cwd === projectFolder(cwd, input);
  return group.kind !== 'program' || group.dialect === dialect;
}

/** True if two summaries of a session agree on its position, and on what its forks and its group show of it. */
function hasSamePlacement(before: SessionSummary, now: SessionSummary): boolean {
  return (
    before.cwd === now.cwd &&
    before.dialect === now.dialect &&
    before.parentSession === now.parentSession &&
    before.id === now.id &&
    before.created === now.created &&
    before.title === now.title &&
    familyKey(before) === familyKey(now) &&
    before.isOld === now.isOld &&
    before.machine === now.machine &&
    before.additionalDirectories?.join('\n') === now.additionalDirectories?.join('\n') &&
    before.marks?.isPinned === now.marks?.isPinned &&
    before.marks?.isArchived === now.marks?.isArchived
  );
}

/** True for a subagent's session by its place. Elsewhere only the calls of its parent tell: see `familyKey`. */
const isSubagentsFor = ({ owner, root, summary }: Extract<ListedSession, { kind: 'session' }>, now: boolean): boolean =>
  owner !== undefined || root.ofSubagents === true || (now && summary.parentSession !== undefined);

/** Changes when a session may have become a subagent's, or the parent of one. */
const familyKey = ({ calls = [], rootIds = [] }: SessionSummary): string =>
  `${calls.length} ${calls.filter(({ until }) => until === undefined).length} ${rootIds[0] ?? ''}`;

/** An item with other children, and the newest time of all of them. */
function withChildren(item: ReadableItem, below: readonly SessionItem[]): ReadableItem {
  const { modified } = item.summary;
  return { ...item, children: below, newest: below.length === 0 ? modified : Math.max(modified, newestOf(below)) };
}

function replaceItem(
  items: readonly SessionItem[],
  old: SessionItem,
  now: SessionItem,
  compare: (a: SessionItem, b: SessionItem) => number,
): SessionItem[] {
  const others = items.filter((item) => item !== old);
  const at = others.findIndex((item) => compare(now, item) < 0);
  return others.toSpliced(at < 0 ? others.length : at, 0, now);
}
