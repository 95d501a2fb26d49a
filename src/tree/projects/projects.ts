/** Groups all known files into projects, days or programs, and their sessions. Pure: real paths and the time are passed in. */
import { dirname } from 'node:path';
import {
  familyFinder,
  findByPath,
  parentFinder,
  pathsAbove,
  sortSteps,
  stepCounter,
  type FamilyPlace,
  type ListedFile,
  type SessionSummary,
  type Steps,
} from '../../core/index';
import { dayOf, groupComparator, isPinned, sessionComparator } from './arrangement';
import { hasTitleOf, parentItemOf, propagateTimes } from './sessionNesting';
import { countBy, hideWorktreeNames, projectBaseName, projectOf, withWorktrees } from './projectGroup';
import { projectFolder, type ProjectsInput } from './projectsInput';
import { areAnyOld, newestOf, type Day, type SessionGroup, type SessionItem, type TopItem, type UnreadableItem } from './sessionGroups';
import { createItem, markPrograms, type MutableItem } from './sessionItems';
import { ownFilters } from './ownFilters';
import { isUnfinished } from './unfinishedSessions';
import { workspaceFilter } from './workspaceSessions';

export type { ProjectsInput } from './projectsInput';
export type * from './sessionGroups';

/**
 * Returns the groups in their order, or a single group without a row. An unreadable file is in the project of the other files in its
 * folder.
 */
export function* buildGroups(input: ProjectsInput): Steps<SessionGroup[]> {
  const isStepEnd = stepCounter();
  const readable: ListedFile<'session'>[] = [];
  const unreadable: ListedFile<'unreadable'>[] = [];
  // A copy, because the map may change while other work runs in between.
  const files = [...input.files.values()];
  for (const file of files) {
    if (isStepEnd()) yield;
    if (file.kind === 'session') readable.push(file);
    else if (file.kind === 'unreadable' && (input.program === 'all' || file.root.dialect === input.program)) unreadable.push(file);
  }
  const find = yield* parentFinder(readable, isStepEnd);
  const family = familyFinder((path) => input.files.get(path), find);
  const included: { readonly file: ListedFile<'session'>; readonly item: MutableItem; readonly place: FamilyPlace | undefined }[] = [];
  for (const file of readable) {
    if (isStepEnd()) yield;
    if (!isIncluded(file.summary, input)) continue;
    const place = family(file);
    if (place && input.hideSubagents) continue;
    included.push({ file, item: createItem(file, find, place, input), place });
  }
  const items = included.map(({ item }) => item);
  const itemOf = yield* findByPath(items, yield* pathsAbove(files, find, family, isStepEnd), isStepEnd);
  const top: TopItem[] = [];
  for (const { file, item, place } of included) {
    if (isStepEnd()) yield;
    const parent = parentItemOf(file, item, itemOf, find, place, input);
    item.hasParentTitle =
      parent !== undefined && !item.isSubagent && !item.copyOf && hasTitleOf(item, [parent.summary, find(file)?.summary]);
    if (parent) parent.children.push(item);
    else top.push({ item, cwd: projectFolder(item.summary.cwd, input), dialect: item.summary.dialect });
  }
  const folders = unreadable.length > 0 ? projectsByFolder(readable, input) : new Map<string, string>();
  for (const file of unreadable) {
    const item: UnreadableItem = {
      kind: 'unreadable',
      path: file.path,
      error: file.error,
      isProtected: file.root.readOnly === true,
      size: file.version.size,
      // A file that was touched, or is empty, is no activity.
      newest: 0,
    };
    const owner = itemOf(family(file)?.parent ?? '');
    if (owner) owner.children.push(item);
    else top.push({ item, cwd: (file.root.flat ? undefined : folders.get(dirname(file.path))) ?? '', dialect: file.root.dialect });
  }
  propagateTimes(items, input);
  yield* markPrograms(items, input, isStepEnd);
  const isShown = workspaceFilter(input);
  const isWanted = ownFilters(input);
  const lists = new Map<string, { readonly of: TopItem; readonly items: SessionItem[] }>();
  for (const each of top) {
    if (isStepEnd()) yield;
    if (!isShown(each) || !isWanted(each) || (input.unfinishedOnly === true && !isUnfinished(each))) continue;
    const key = groupKey(each, input);
    const list = lists.get(key);
    if (list) list.items.push(each.item);
    else lists.set(key, { of: each, items: [each.item] });
  }
  const names = countBy(
    Array.from(lists.values(), ({ of }) => of.cwd),
    projectBaseName,
  );
  const groups: SessionGroup[] = [];
  for (const { of, items: list } of lists.values()) {
    const sorted = yield* sortSteps(list, sessionComparator(input.sort));
    const group = groupOf(of, sorted, (names.get(projectBaseName(of.cwd)) ?? 0) > 1, input);
    if (group.kind === 'project') yield* hideWorktreeNames(group, isStepEnd);
    groups.push(group);
  }
  return groups.sort(groupComparator(input.sort));
}

/** The key of a session's group, as `keyOf` has it. */
export function groupKey({ item, cwd, dialect }: TopItem, { group, sort, now }: Pick<ProjectsInput, 'group' | 'sort' | 'now'>): string {
  switch (group) {
    case 'project':
      return cwd;
    case 'day':
      if (isPinned(item)) return 'pinned';
      return dayOf(sort === 'created' && item.kind === 'session' ? item.summary.created : item.newest, now);
    case 'program':
      return dialect;
    case 'state':
      return isUnfinished({ item }) ? 'unfinished' : 'finished';
    case 'none':
      return '';
  }
}

function groupOf(of: TopItem, items: SessionItem[], showsPath: boolean, input: ProjectsInput): SessionGroup {
  const { cwd, dialect } = of;
  const content = { newest: newestOf(items), hasOld: areAnyOld(items), items };
  switch (input.group) {
    case 'project':
      return withWorktrees(projectOf(cwd, items, showsPath, input), input);
    case 'day':
      // Grouped by day, the key is a day.
      return { kind: 'day', day: groupKey(of, input) as Day, ...content };
    case 'program':
      return { kind: 'program', dialect, ...content };
    case 'state':
      return { kind: 'state', state: isUnfinished(of) ? 'unfinished' : 'finished', ...content };
    case 'none':
      return { kind: 'all', ...content };
  }
}

/** The ancestors of a file's item and the item itself, the outermost first. */
export function pathToItem(items: readonly SessionItem[], path: string): readonly SessionItem[] | undefined {
  // The lists on the current path, each with its items that are left, and the item above it.
  const open: { readonly above?: SessionItem; readonly rest: Iterator<SessionItem, undefined> }[] = [{ rest: items.values() }];
  for (let last = open.at(-1); last; last = open.at(-1)) {
    const item = last.rest.next().value;
    if (!item) open.pop();
    else if (item.path === path) return [...open.flatMap(({ above }) => above ?? []), item];
    else if (item.kind === 'session' && item.children.length > 0) open.push({ above: item, rest: item.children.values() });
  }
  return undefined;
}

export function isIncluded(summary: SessionSummary, { program, hideEmpty }: ProjectsInput): boolean {
  return (program === 'all' || summary.dialect === program) && isListed(summary, { hideEmpty });
}

/** Returns false for a session without messages if these are hidden. One with damaged lines stays: these may have been messages. */
export function isListed(summary: SessionSummary, { hideEmpty }: Pick<ProjectsInput, 'hideEmpty'>): boolean {
  // A partial summary has no message count; only a first message shows that there are messages.
  const isEmpty = summary.problems === 0 && (summary.isPartial ? summary.firstMessage === undefined : summary.messageCount === 0);
  return !(hideEmpty && isEmpty);
}

/** The project of all sessions in a folder, by folder; empty if they are of several. */
function projectsByFolder(files: readonly ListedFile<'session'>[], input: ProjectsInput): Map<string, string> {
  const found = new Map<string, string>();
  for (const { path, owner, root, summary } of files) {
    if (owner !== undefined || root.flat) continue;
    const folder = dirname(path);
    const before = found.get(folder);
    const project = projectFolder(summary.cwd, input);
    found.set(folder, before === undefined || before === project ? project : '');
  }
  return found;
}
