/** Groups all known files into projects, days or programs, and their sessions. Pure: real paths and the time are passed in. */
import { basename, dirname, isAbsolute, relative } from 'node:path';
import { DIALECTS, NO_MESSAGES, withoutSessionSuffix, type Dialect, type SessionSummary, type ListedSession } from '../../core/index';
import type { Arrangement } from '../../contract';
import { sliceCounter, type CooperativeTask } from '../cooperativeTask';
import { dayOf, groupComparator, sessionComparator } from './arrangement';
import type { Day, ForkOrigin, ReadableItem, SessionGroup, SessionItem, UnreadableItem } from './sessionGroups';

export type * from './sessionGroups';

export interface ProjectsInput extends Arrangement {
  readonly files: ReadonlyMap<string, ListedSession>;
  /** The workspace's folders with symlinks resolved. */
  readonly workspace: readonly string[];
  /** A project's folder with symlinks resolved; the folder itself if that isn't known. */
  readonly realPath: (cwd: string) => string;
  readonly program: Dialect | 'all';
  /** True if sessions without messages have no row. Unreadable files always have one. */
  readonly hideEmpty: boolean;
  /** The cost of a session in dollars, if that is known. */
  readonly cost: (path: string) => number | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

type File<K extends ListedSession['kind']> = Extract<ListedSession, { kind: K }>;
type MutableItem = Omit<ReadableItem, 'children' | 'newest' | 'hasParentTitle' | 'showsProgram'> & {
  readonly children: SessionItem[];
  newest: number;
  hasParentTitle: boolean;
  showsProgram: boolean;
};

/**
 * Returns the groups in their order, or one without a row of its own. An unreadable file is in the project of the other files in its folder.
 */
export function* buildGroups(input: ProjectsInput): CooperativeTask<SessionGroup[]> {
  const isStepEnd = sliceCounter();
  const readable = new Map<string, File<'session'>>();
  const unreadable: File<'unreadable'>[] = [];
  // A copy, because the map may change while other work runs in between.
  for (const file of [...input.files.values()]) {
    if (isStepEnd()) yield;
    if (file.kind === 'session') readable.set(file.path, file);
    else if (input.program === 'all' || file.root.dialect === input.program) unreadable.push(file);
  }
  const find = parentFinder(readable);
  const items = new Map<string, MutableItem>();
  for (const file of readable.values()) {
    if (isStepEnd()) yield;
    if (isIncluded(file.summary, input)) items.set(file.path, itemOf(file, find, input));
  }
  const top: TopItem[] = [];
  for (const item of items.values()) {
    if (isStepEnd()) yield;
    const parent = parentItemOf(readable.get(item.path)!, items, find);
    item.hasParentTitle =
      parent !== undefined && !item.isSubagent && hasTitleOf(item, [parent.summary, find(readable.get(item.path)!)?.summary]);
    if (parent) parent.children.push(item);
    else top.push({ item, cwd: item.summary.cwd, dialect: item.summary.dialect });
  }
  const folders = unreadable.length > 0 ? projectsByFolder(readable) : new Map<string, string>();
  for (const file of unreadable) {
    const item: UnreadableItem = {
      kind: 'unreadable',
      path: file.path,
      error: file.error,
      size: file.version.size,
      newest: Math.max(0, file.version.mtimeMs),
    };
    const owner = file.owner === undefined ? undefined : items.get(file.owner);
    if (owner) owner.children.push(item);
    else top.push({ item, cwd: (file.root.flat ? undefined : folders.get(dirname(file.path))) ?? '', dialect: file.root.dialect });
  }
  propagateTimes(items, input);
  markPrograms(items, input);
  const isShown = workspaceFilter(input);
  const lists = new Map<string, { readonly of: TopItem; readonly items: SessionItem[] }>();
  for (const each of top) {
    if (isStepEnd()) yield;
    if (!isShown(each)) continue;
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
    yield;
    list.sort(sessionComparator(input.sort));
    groups.push(groupOf(of, list, (names.get(projectBaseName(of.cwd)) ?? 0) > 1, input));
  }
  return groups.sort(groupComparator(input.sort));
}

/** True if a fork has the title of one of the sessions that it comes from. */
const hasTitleOf = ({ summary }: MutableItem, others: readonly (SessionSummary | undefined)[]): boolean =>
  others.some((other) => other?.title === summary.title);

/** A session that is in no other one, with what decides its group. */
export interface TopItem {
  readonly item: SessionItem;
  /** The folder of its project. */
  readonly cwd: string;
  readonly dialect: Dialect;
}

/** The key of a session's group, as `keyOf` has it. */
export function groupKey({ item, cwd, dialect }: TopItem, { group, sort, now }: Pick<ProjectsInput, 'group' | 'sort' | 'now'>): string {
  switch (group) {
    case 'project':
      return cwd;
    case 'day':
      return dayOf(sort === 'created' && item.kind === 'session' ? item.summary.created : item.newest, now);
    case 'program':
      return dialect;
    case 'none':
      return '';
  }
}

function groupOf(of: TopItem, items: SessionItem[], showsPath: boolean, input: ProjectsInput): SessionGroup {
  const { cwd, dialect } = of;
  const content = { newest: newestOf(items), items };
  switch (input.group) {
    case 'project':
      return { kind: 'project', cwd, inWorkspace: isInWorkspace(cwd, input) || worksInWorkspace(items, input), showsPath, ...content };
    case 'day':
      return { kind: 'day', day: groupKey(of, input) as Day, ...content };
    case 'program':
      return { kind: 'program', dialect, ...content };
    case 'none':
      return { kind: 'all', ...content };
  }
}

/** The newest activity of some sessions, in milliseconds since 1970; 0 without any. */
export function newestOf(items: readonly SessionItem[]): number {
  let newest = 0;
  for (const item of items) newest = Math.max(newest, item.newest);
  return newest;
}

/** Returns whether a session is listed with those below it. */
function workspaceFilter(input: ProjectsInput): (top: TopItem) => boolean {
  if (!input.workspaceOnly || input.workspace.length === 0) return () => true;
  const known = new Map<string, boolean>();
  return ({ cwd, item }) => {
    const is = known.get(cwd) ?? isInWorkspace(cwd, input);
    known.set(cwd, is);
    return is || worksInWorkspace([item], input);
  };
}

const isInWorkspace = (cwd: string, { workspace, realPath }: ProjectsInput): boolean =>
  cwd !== '' && workspace.some((folder) => isInside(realPath(cwd), folder));

/** Returns whether one of the sessions, or of those below them, works in a folder of the workspace beside its own. */
function worksInWorkspace(items: readonly SessionItem[], input: ProjectsInput): boolean {
  if (input.workspace.length === 0) return false;
  const known = new Set<string>();
  const waiting = [...items];
  for (let item = waiting.pop(); item; item = waiting.pop()) {
    if (item.kind !== 'session') continue;
    for (const folder of item.summary.additionalDirectories ?? []) {
      if (known.has(folder) || !isAbsolute(folder)) continue;
      if (isInWorkspace(folder, input)) return true;
      known.add(folder);
    }
    waiting.push(...item.children);
  }
  return false;
}

/** The ancestors of a file's item and the item itself, the outermost first. */
export function pathToItem(items: readonly SessionItem[], path: string): readonly SessionItem[] | undefined {
  // The lists on the current path, each with the position reached in it.
  const open = [{ items, at: 0 }];
  for (let last = open.at(-1); last; last = open.at(-1)) {
    const item = last.items[last.at++];
    if (!item) open.pop();
    else if (item.path === path) return open.map((list) => list.items[list.at - 1]!);
    else if (item.kind === 'session' && item.children.length > 0) open.push({ items: item.children, at: 0 });
  }
  return undefined;
}

export function isIncluded(summary: SessionSummary, { program, hideEmpty }: ProjectsInput): boolean {
  // A partial summary has no message count; only a first message shows that there are messages.
  const isEmpty = summary.isPartial ? summary.firstMessage === undefined : summary.messageCount === 0;
  return (program === 'all' || summary.dialect === program) && !(hideEmpty && isEmpty);
}

function itemOf(file: File<'session'>, find: FindParent, { cost }: ProjectsInput): MutableItem {
  const { summary, path } = file;
  const parent = find(file);
  const isElsewhere = summary.parentSession !== undefined && file.owner === undefined && parent?.summary.cwd !== summary.cwd;
  return {
    kind: 'session',
    path,
    summary,
    size: file.version.size,
    cost: cost(path),
    isSubagent: file.owner !== undefined,
    hasParentTitle: false,
    showsProgram: false,
    ...(isElsewhere ? { forkedFrom: originOf(summary, parent) } : {}),
    children: [],
    newest: summary.modified,
  };
}

function originOf({ parentSession }: SessionSummary, parent: File<'session'> | undefined): ForkOrigin {
  if (!parent) return parentSession !== undefined && isAbsolute(parentSession) ? { path: parentSession } : {};
  const { title, cwd } = parent.summary;
  return { path: parent.path, cwd, ...(title === NO_MESSAGES ? {} : { title }) };
}

const isArchived = (summary: SessionSummary | undefined): boolean => summary?.marks?.isArchived === true;

/**
 * The parent item of a session: its subagent's owner, or its oldest ancestor in the same project. A session that isn't
 * archived has no archived parent, which is at the end of the project.
 */
function parentItemOf(file: File<'session'>, items: ReadonlyMap<string, MutableItem>, find: FindParent): MutableItem | undefined {
  if (file.owner !== undefined) return items.get(file.owner);
  if (file.summary.parentSession === undefined) return undefined;
  const ancestors: MutableItem[] = [];
  const seen = new Set([file.path]);
  let at = find(file);
  for (; at && !seen.has(at.path); at = find(at)) {
    seen.add(at.path);
    const item = items.get(at.path);
    const isPutAside = isArchived(item?.summary) && !isArchived(file.summary);
    if (item && !item.isSubagent && !isPutAside && item.summary.cwd === file.summary.cwd) ancestors.push(item);
  }
  // If files name each other as parents in a cycle, the one with the oldest date is the parent of the others.
  const own = items.get(file.path);
  return at && own ? oldest([own, ...ancestors], own) : ancestors.at(-1);
}

/** The oldest of some items, unless it is `own`. */
function oldest(among: readonly MutableItem[], own: MutableItem): MutableItem | undefined {
  const first = among.reduce((a, b) => (isOlder(b.summary, a.summary) ? b : a));
  return first === own ? undefined : first;
}

const isOlder = (a: SessionSummary, b: SessionSummary): boolean => a.created < b.created || (a.created === b.created && a.path < b.path);

type FindParent = (file: File<'session'>) => File<'session'> | undefined;

/**
 * Finds the parent that a session names: by path, by id (oh-my-pi), or by file name if it was moved or archived. Of several
 * copies, the one with the first path.
 */
function parentFinder(files: ReadonlyMap<string, File<'session'>>): FindParent {
  // Built on demand: few sessions name a parent, and mostly by its path.
  let others: { readonly byId: Map<string, File<'session'>>; readonly byName: Map<string, File<'session'>> } | undefined;
  const find = (name: string): File<'session'> | undefined => {
    if (!others) {
      others = { byId: new Map(), byName: new Map() };
      const put = (known: Map<string, File<'session'>>, key: string, file: File<'session'>): void => {
        const copy = known.get(key);
        if (!copy || file.path < copy.path) known.set(key, file);
      };
      for (const file of files.values()) {
        put(others.byId, file.summary.id, file);
        put(others.byName, withoutSessionSuffix(basename(file.path)), file);
      }
    }
    return others.byId.get(name) ?? others.byName.get(withoutSessionSuffix(basename(name)));
  };
  return ({ summary: { parentSession } }) => (parentSession === undefined ? undefined : (files.get(parentSession) ?? find(parentSession)));
}

/** The project of all sessions in a folder, by folder; empty if they are of several. */
function projectsByFolder(files: ReadonlyMap<string, File<'session'>>): Map<string, string> {
  const found = new Map<string, string>();
  for (const { path, owner, root, summary } of files.values()) {
    if (owner !== undefined || root.flat) continue;
    const folder = dirname(path);
    const before = found.get(folder);
    found.set(folder, before === undefined || before === summary.cwd ? summary.cwd : '');
  }
  return found;
}

/** Gives each item the newest time of its descendants, so that the family of an active session is near the top. */
function propagateTimes(items: ReadonlyMap<string, MutableItem>, { sort }: ProjectsInput): void {
  const families = [...items.values()].filter((item) => item.children.length > 0);
  // Parents precede their children here, and are updated after them.
  const order: MutableItem[] = [];
  const under = new Set(families.flatMap((item) => item.children));
  const stack = families.filter((item) => !under.has(item));
  for (let item = stack.pop(); item; item = stack.pop()) {
    order.push(item);
    for (const below of item.children) if (below.kind === 'session' && below.children.length > 0) stack.push(below as MutableItem);
  }
  for (const item of order.reverse()) {
    item.children.sort(sessionComparator(sort));
    item.newest = Math.max(item.newest, newestOf(item.children));
  }
}

/** Sets `showsProgram` of the sessions whose program isn't the most common one around them. */
function markPrograms(items: ReadonlyMap<string, MutableItem>, { group }: ProjectsInput): void {
  const around = ({ cwd, dialect }: SessionSummary): string => (group === 'project' ? cwd : group === 'program' ? dialect : '');
  const counts = new Map<string, Map<Dialect, number>>();
  for (const { summary } of items.values()) {
    const known = counts.get(around(summary)) ?? new Map<Dialect, number>();
    counts.set(around(summary), known.set(summary.dialect, (known.get(summary.dialect) ?? 0) + 1));
  }
  const common = new Map(Array.from(counts, ([key, known]) => [key, mostCommon(known)]));
  for (const item of items.values()) item.showsProgram = common.get(around(item.summary)) !== item.summary.dialect;
}

/** The dialect with the highest count; of several, the first in the order of `DIALECTS`, so that rows don't depend on the order of files. */
const mostCommon = (counts: ReadonlyMap<Dialect, number>): Dialect | undefined =>
  [...DIALECTS].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0))[0];

const projectBaseName = (cwd: string): string => basename(cwd) || cwd;

function countBy<T>(values: Iterable<T>, key: (value: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(key(value), (counts.get(key(value)) ?? 0) + 1);
  return counts;
}

function isInside(path: string, folder: string): boolean {
  const rest = relative(folder, path);
  return rest === '' || (rest !== '..' && !/^\.\.[/\\]/.test(rest) && !isAbsolute(rest));
}
