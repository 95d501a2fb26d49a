/** A project with its sessions, and with the worktrees that they are in if these are a level of rows. Pure. */
import { defined, folderName, type Steps } from '../../core/index';
import type { ProjectsInput } from './projectsInput';
import { areAnyOld, newestOf, type Project, type SessionGroup, type SessionItem } from './sessionGroups';
import type { MutableItem } from './sessionItems';
import { isInWorkspace, worksInWorkspace } from './workspaceSessions';

/** @param items in their order */
export function projectOf(cwd: string, items: readonly SessionItem[], showsPath: boolean, input: ProjectsInput): Project {
  return {
    kind: 'project',
    cwd,
    inWorkspace: isInWorkspace(cwd, input) || worksInWorkspace(items, input),
    showsPath,
    ...(input.isMissing && isGone(cwd, items, input.isMissing) ? { isMissing: true } : {}),
    newest: newestOf(items),
    hasOld: areAnyOld(items),
    items,
  };
}

/** Returns a project with its worktrees if they are a level of rows, and its sessions are in several of them. The main working tree comes first. */
export function withWorktrees(project: Project, input: ProjectsInput): Project {
  if (!input.worktreeLevel) return project;
  const lists = new Map<string, SessionItem[]>();
  for (const item of project.items) {
    const folder = (item.kind === 'session' ? input.worktreeOf?.(item.summary.cwd)?.folder : undefined) ?? project.cwd;
    const list = lists.get(folder);
    if (list) list.push(item);
    else lists.set(folder, [item]);
  }
  if (lists.size < 2) return project;
  const names = countBy(lists.keys(), projectBaseName);
  const worktrees = Array.from(lists, ([cwd, items]): Project => {
    const worktree = cwd === project.cwd ? 'main' : 'linked';
    return { ...projectOf(cwd, items, (names.get(projectBaseName(cwd)) ?? 0) > 1, input), worktree };
  });
  const rank = ({ worktree }: Project): number => (worktree === 'main' ? 0 : 1);
  worktrees.sort((a, b) => rank(a) - rank(b) || b.newest - a.newest || (a.cwd < b.cwd ? -1 : 1));
  return { ...project, worktrees };
}

/** Removes a worktree's name from the sessions below its row, which says it already. @param isStepEnd see `stepCounter` */
export function* hideWorktreeNames({ worktrees = [] }: Project, isStepEnd: () => boolean): Steps<void> {
  for (const { cwd, items } of worktrees) {
    const name = folderName(cwd);
    const open = [items.values()];
    for (let list = open.at(-1); list; list = open.at(-1)) {
      if (isStepEnd()) yield;
      const item = list.next().value;
      if (!item) open.pop();
      else if (item.kind === 'session') {
        // The sessions of a group that is being built are items that were made for it.
        if (item.worktree === name) delete (item as MutableItem).worktree;
        open.push(item.children.values());
      }
    }
  }
}

/** Returns a group with the current facts about its folders. Neither the order of groups nor their sessions depend on it. */
export function withFolderState(group: SessionGroup, isMissing: (cwd: string) => boolean): SessionGroup {
  return group.kind === 'project' ? projectWithFolderState(group, isMissing) : group;
}

function projectWithFolderState(project: Project, isMissing: (cwd: string) => boolean): Project {
  const { isMissing: before, worktrees, ...others } = project;
  const now = isGone(project.cwd, project.items, isMissing);
  const below = worktrees?.map((worktree) => projectWithFolderState(worktree, isMissing));
  if (now === (before === true) && !below?.some((worktree, index) => worktree !== worktrees?.[index])) return project;
  return { ...others, ...defined({ worktrees: below }), ...(now ? { isMissing: true } : {}) };
}

const isGone = (cwd: string, items: readonly SessionItem[], isMissing: (cwd: string) => boolean): boolean =>
  isMissing(cwd) && items.some(isOfThisMachine);

/** True unless the session comes from another machine, which may have its folder. */
const isOfThisMachine = (item: SessionItem): boolean => item.kind !== 'session' || item.summary.machine === undefined;

export const projectBaseName = (cwd: string): string => folderName(cwd) || cwd;

export function countBy<T>(values: Iterable<T>, key: (value: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(key(value), (counts.get(key(value)) ?? 0) + 1);
  return counts;
}
