/** Groups all known files into projects and their sessions. Pure: real paths are passed in. */
import { basename, dirname, isAbsolute, relative } from 'node:path';
import {
  DIALECTS,
  isArchivedSession,
  NO_MESSAGES,
  withoutSessionSuffix,
  type Dialect,
  type SessionSummary,
  type ListedSession,
} from '../../core/index';
import { sliceCounter, type CooperativeTask } from '../cooperativeTask';

export interface ProjectsInput {
  readonly files: ReadonlyMap<string, ListedSession>;
  /** The workspace's folders with symlinks resolved. */
  readonly workspace: readonly string[];
  /** A project's folder with symlinks resolved; the folder itself if that isn't known. */
  readonly realPath: (cwd: string) => string;
  readonly program: Dialect | 'all';
  /** True if sessions without messages have no row. Unreadable files always have one. */
  readonly hideEmpty: boolean;
}

export interface Project {
  /** The folder as the headers name it; empty for sessions that name none. */
  readonly cwd: string;
  /** True if the folder, or another one that a session of it works in, is one of the workspace's or inside one. */
  readonly inWorkspace: boolean;
  /** True if another project has the same name, so that the row has to show the folder's path. */
  readonly showsPath: boolean;
  /** The newest activity of its sessions, in milliseconds since 1970. */
  readonly newest: number;
  /** Pinned sessions first, archived ones last, and the newest first. */
  readonly items: readonly SessionItem[];
}

export type SessionItem = ReadableItem | UnreadableItem;

export interface ReadableItem {
  readonly kind: 'session';
  readonly path: string;
  readonly summary: SessionSummary;
  /** The size of its file in bytes. */
  readonly size: number;
  /** True if a subagent of the parent session wrote it. */
  readonly isSubagent: boolean;
  /** True if its title is that of the session above it, of which it is a fork. */
  readonly hasParentTitle: boolean;
  /** True if its program isn't the most common one of the project. */
  readonly showsProgram: boolean;
  /** The session that it was forked from, if that is in another project or gone. */
  readonly forkedFrom?: ForkOrigin;
  /** Forks (of the session, or of its forks) and sessions of its subagents, in the order of a project's. */
  readonly children: readonly SessionItem[];
  /** The newest activity of the session and its children, in milliseconds since 1970. */
  readonly newest: number;
}

export interface ForkOrigin {
  readonly path?: string;
  readonly title?: string;
  readonly cwd?: string;
}

export interface UnreadableItem {
  readonly kind: 'unreadable';
  readonly path: string;
  readonly error: unknown;
  readonly newest: number;
}

type File<K extends ListedSession['kind']> = Extract<ListedSession, { kind: K }>;
type MutableItem = Omit<ReadableItem, 'children' | 'newest' | 'hasParentTitle' | 'showsProgram'> & {
  readonly children: SessionItem[];
  newest: number;
  hasParentTitle: boolean;
  showsProgram: boolean;
};

/**
 * Projects of the workspace come first, then the others, both by their newest activity; sessions without a folder come
 * last. An unreadable file is in the project of the other files in its folder.
 */
export function* buildProjects(input: ProjectsInput): CooperativeTask<Project[]> {
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
    if (isIncluded(file.summary, input)) items.set(file.path, itemOf(file, find));
  }
  const lists = new Map<string, SessionItem[]>();
  const put = (cwd: string, item: SessionItem): void => {
    const list = lists.get(cwd);
    if (list) list.push(item);
    else lists.set(cwd, [item]);
  };
  for (const item of items.values()) {
    if (isStepEnd()) yield;
    const parent = parentItemOf(readable.get(item.path)!, items, find);
    item.hasParentTitle = !item.isSubagent && parent?.summary.title === item.summary.title;
    if (parent) parent.children.push(item);
    else put(item.summary.cwd, item);
  }
  const folders = unreadable.length > 0 ? projectsByFolder(readable) : new Map<string, string>();
  for (const file of unreadable) {
    const item: UnreadableItem = { kind: 'unreadable', path: file.path, error: file.error, newest: Math.max(0, file.version.mtimeMs) };
    const owner = file.owner === undefined ? undefined : items.get(file.owner);
    if (owner) owner.children.push(item);
    else put((file.root.flat ? undefined : folders.get(dirname(file.path))) ?? '', item);
  }
  propagateTimes(items);
  markPrograms(items);
  const names = countBy(lists.keys(), projectBaseName);
  const projects: Project[] = [];
  for (const [cwd, list] of lists) {
    yield;
    projects.push(projectOf(cwd, list, (names.get(projectBaseName(cwd)) ?? 0) > 1, input));
  }
  return projects.sort(compareByRank);
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

function itemOf(file: File<'session'>, find: FindParent): MutableItem {
  const { summary, path } = file;
  const parent = find(file);
  const isElsewhere = summary.parentSession !== undefined && file.owner === undefined && parent?.summary.cwd !== summary.cwd;
  return {
    kind: 'session',
    path,
    summary,
    size: file.version.size,
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
function propagateTimes(items: ReadonlyMap<string, MutableItem>): void {
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
    item.children.sort(compareSessions);
    item.newest = Math.max(item.newest, newestOf(item.children));
  }
}

/** Pinned sessions come first, archived ones last; within each group the newest first. */
export const compareSessions = (a: SessionItem, b: SessionItem): number => rankOf(a) - rankOf(b) || compareByTime(a, b);

const compareByTime = (a: SessionItem, b: SessionItem): number => b.newest - a.newest || (a.path < b.path ? 1 : -1);

/** As in the programs: oh-my-pi and OpenClaw list pinned sessions first, and a session that is archived isn't pinned any more. */
function rankOf(item: SessionItem): number {
  if (item.kind === 'unreadable') return isArchivedSession(item.path) ? 2 : 1;
  const { marks } = item.summary;
  return isArchived(item.summary) ? 2 : marks?.isPinned ? 0 : 1;
}

/** The newest activity of some items, in milliseconds since 1970; 0 if there are none. */
export const newestOf = (items: readonly SessionItem[]): number => items.reduce((newest, item) => Math.max(newest, item.newest), 0);

/** Sets `showsProgram` of the sessions whose program isn't the most common one of their project. */
function markPrograms(items: ReadonlyMap<string, MutableItem>): void {
  const counts = new Map<string, Map<Dialect, number>>();
  for (const { summary } of items.values()) {
    const known = counts.get(summary.cwd) ?? new Map<Dialect, number>();
    counts.set(summary.cwd, known.set(summary.dialect, (known.get(summary.dialect) ?? 0) + 1));
  }
  const common = new Map(Array.from(counts, ([cwd, known]) => [cwd, mostCommon(known)]));
  for (const item of items.values()) item.showsProgram = common.get(item.summary.cwd) !== item.summary.dialect;
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

function projectOf(cwd: string, items: SessionItem[], showsPath: boolean, { workspace, realPath }: ProjectsInput): Project {
  items.sort(compareSessions);
  const isOfWorkspace = (path: string): boolean => workspace.some((folder) => isInside(realPath(path), folder));
  const inWorkspace = workspace.length > 0 && ((cwd !== '' && isOfWorkspace(cwd)) || additionalFolders(items).some(isOfWorkspace));
  return { cwd, inWorkspace, showsPath, newest: newestOf(items), items };
}

/** Returns the folders beside their own that sessions and those below them work in. */
function additionalFolders(items: readonly SessionItem[]): string[] {
  const found = new Set<string>();
  const waiting = [...items];
  for (let item = waiting.pop(); item; item = waiting.pop()) {
    if (item.kind !== 'session') continue;
    for (const folder of item.summary.additionalDirectories ?? []) if (isAbsolute(folder)) found.add(folder);
    waiting.push(...item.children);
  }
  return [...found];
}

function isInside(path: string, folder: string): boolean {
  const rest = relative(folder, path);
  return rest === '' || (rest !== '..' && !/^\.\.[/\\]/.test(rest) && !isAbsolute(rest));
}

export function compareByRank(a: Project, b: Project): number {
  const rank = ({ cwd, inWorkspace }: Project): number => (inWorkspace ? 0 : cwd === '' ? 2 : 1);
  return rank(a) - rank(b) || b.newest - a.newest || (a.cwd < b.cwd ? -1 : 1);
}
