/** The path from the top level down to a row, with the list that each step is in. */
import type { SessionRef } from '../../contract';
import type { Levels, WholeList } from './levels';
import { locateInOutline } from './outline';
import { pathToItem, type Project, type SessionGroup, type SessionItem } from '../projects/projects';
import { branchId, entryRowId, groupRow, projectRow } from './viewRows';

interface PathStep {
  readonly id: string;
  /** Moves the window of the row's list if it doesn't show the row. Returns true if it had to move. */
  readonly ensureShown: () => boolean;
}

/** `undefined` if the session has no row: it isn't known, or it is hidden. */
export async function pathToRow(
  { path, entryId }: SessionRef,
  groups: readonly SessionGroup[],
  levels: Levels,
): Promise<PathStep[] | undefined> {
  const found = find(path, groups);
  if (!found) return undefined;
  const steps: PathStep[] = [];
  const addStep = <T>(list: WholeList<T>, id: string, end: 'first' | 'last'): void =>
    void steps.push({ id, ensureShown: () => levels.ensureShown(list, id, end) });
  const top = levels.allTopRows();
  const above = groupRow(found.group);
  if (above) addStep(top, above.id, 'first');
  let { items } = found.group;
  const worktree = above && worktreeOf(found);
  if (worktree) {
    addStep(levels.allWorktrees(above), projectRow(worktree).id, 'first');
    ({ items } = worktree);
  }
  for (const item of found.items) {
    const parent = steps.at(-1);
    const siblings = parent ? levels.allSessions(parent.id, items) : top;
    const row = siblings.rows[items.indexOf(item)];
    if (!row) return undefined;
    addStep(siblings, row.id, 'first');
    items = item.kind === 'session' ? item.children : [];
  }
  if (entryId === undefined || found.items.at(-1)?.kind !== 'session') return steps;
  const outline = await levels.outline(path);
  const location = locateInOutline(outline, entryId);
  let start: string | undefined;
  for (const branch of location.branches) {
    addStep(await levels.entryList(outline, start), branchId(path, branch), 'last');
    start = branch;
  }
  if (location.entryId !== undefined) addStep(await levels.entryList(outline, start), entryRowId(path, location.entryId), 'last');
  return steps;
}

/** The worktree whose row is above a session's. */
function worktreeOf({ group, items: [first] }: FoundItem): Project | undefined {
  if (group.kind !== 'project' || !first) return undefined;
  return group.worktrees?.find(({ items }) => items.includes(first));
}

interface FoundItem {
  readonly group: SessionGroup;
  /** The session's item and the items above it, the outermost first. */
  readonly items: readonly SessionItem[];
}

function find(path: string, groups: readonly SessionGroup[]): FoundItem | undefined {
  for (const group of groups) {
    const items = pathToItem(group.items, path);
    if (items) return { group, items };
  }
  return undefined;
}
