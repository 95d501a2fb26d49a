/** All known files as projects and their sessions. Pure: what the disk says of links comes from the caller. */
import { basename, dirname, isAbsolute, relative } from 'node:path';
import type { Dialect, SessionSummary, ListedSession } from '../../core/index';
import { sliceCounter, type CooperativeTask } from '../cooperativeTask';

export interface ProjectsInput {
  readonly files: ReadonlyMap<string, ListedSession>;
  /** Folders of the workspace, symlinks resolved. */
  readonly workspace: readonly string[];
  /** A project's folder with symlinks resolved; the folder itself where that is not known. */
  readonly realPath: (cwd: string) => string;
  readonly program: Dialect | 'all';
  /** Whether sessions without messages have no row. Files that can't be read always have one. */
  readonly hideEmpty: boolean;
}

export interface Project {
  /** As the headers say; empty for the sessions that name no folder. */
  readonly cwd: string;
  /** Equal to or inside a folder of the workspace. */
  readonly inWorkspace: boolean;
  /** Milliseconds since 1970. */
  readonly newest: number;
  /** The newest first. */
  readonly items: readonly SessionItem[];
}

export type SessionItem = ReadableItem | UnreadableItem;

export interface ReadableItem {
  readonly kind: 'session';
  readonly path: string;
  readonly summary: SessionSummary;
  /** Written by a subagent of the session that it stands under. */
  readonly isSubagent: boolean;
  /** The session that it was forked from, if that one is in another project or gone. */
  readonly forkedFrom?: ForkOrigin;
  /** Forks (of the session, or of its forks) and sessions of its subagents, the newest first. */
  readonly children: readonly SessionItem[];
  /** The newest activity of all of them, in milliseconds since 1970. */
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
type MutableItem = Omit<ReadableItem, 'children' | 'newest'> & { readonly children: SessionItem[]; newest: number };

/**
 * Projects of the workspace come first, then the others, both by their newest activity; sessions without a
 * folder come last. A file that can't be read stands where its neighbours in its folder do.
 */
export function* buildProjects(input: ProjectsInput): CooperativeTask<Project[]> {
  const isStep = sliceCounter();
  const readable = new Map<string, File<'session'>>();
  const unreadable: File<'unreadable'>[] = [];
  // Others have their turn in between, and may make it another one.
  for (const file of [...input.files.values()]) {
    if (isStep()) yield;
    if (file.kind === 'session') readable.set(file.path, file);
    else if (input.program === 'all' || file.root.dialect === input.program) unreadable.push(file);
  }
  const find = parentFinder(readable);
  const items = new Map<string, MutableItem>();
  for (const file of readable.values()) {
    if (isStep()) yield;
    if (isIncluded(file.summary, input)) items.set(file.path, itemOf(file, find));
  }
  const lists = new Map<string, SessionItem[]>();
  const put = (cwd: string, item: SessionItem): void => {
    const list = lists.get(cwd);
    if (list) list.push(item);
    else lists.set(cwd, [item]);
  };
  for (const item of items.values()) {
    if (isStep()) yield;
    const above = parentItemOf(readable.get(item.path)!, items, find);
    if (above) above.children.push(item);
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
  const projects: Project[] = [];
  for (const [cwd, list] of lists) {
    yield;
    projects.push(projectOf(cwd, list, input));
  }
  return projects.sort(compareByRank);
}

/** The item of a file, behind those that it stands under, the outermost first. */
export function pathToItem(items: readonly SessionItem[], path: string): readonly SessionItem[] | undefined {
  // The lists that are gone through, and how far.
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
  // Of what was not read to its end, a first message is all that tells of messages.
  const isEmpty = summary.isPartial ? summary.firstMessage === undefined : summary.messageCount === 0;
  return (program === 'all' || summary.dialect === program) && !(hideEmpty && isEmpty);
}

function itemOf(file: File<'session'>, find: FindParent): MutableItem {
  const { summary, path } = file;
  const parent = find(file);
  const isAway = summary.parentSession !== undefined && file.owner === undefined && parent?.summary.cwd !== summary.cwd;
  return { kind: 'session', path, summary, isSubagent: file.owner !== undefined, ...(isAway ? { forkedFrom: originOf(summary, parent) } : {}), children: [], newest: summary.modified };
}

function originOf({ parentSession }: SessionSummary, parent: File<'session'> | undefined): ForkOrigin {
  if (!parent) return parentSession !== undefined && isAbsolute(parentSession) ? { path: parentSession } : {};
  const { name, firstMessage, cwd } = parent.summary;
  const title = name ?? firstMessage;
  return { path: parent.path, cwd, ...(title === undefined ? {} : { title }) };
}

/** The item that a session stands under: its subagent's owner, or its oldest ancestor in the same project. */
function parentItemOf(file: File<'session'>, items: ReadonlyMap<string, MutableItem>, find: FindParent): MutableItem | undefined {
  if (file.owner !== undefined) return items.get(file.owner);
  if (file.summary.parentSession === undefined) return undefined;
  const ancestors: MutableItem[] = [];
  const seen = new Set([file.path]);
  let at = find(file);
  for (; at && !seen.has(at.path); at = find(at)) {
    seen.add(at.path);
    const item = items.get(at.path);
    if (item && !item.isSubagent && item.summary.cwd === file.summary.cwd) ancestors.push(item);
  }
  // Files that name each other as their parents have no first one: the one with the oldest date is taken.
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

/** Finds the session that another one names as its parent: by path, by id (oh-my-pi), or by file name where the folder has moved; of copies, that of the first path. */
function parentFinder(files: ReadonlyMap<string, File<'session'>>): FindParent {
  // Few sessions name one, and mostly by its path.
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
        put(others.byName, basename(file.path), file);
      }
    }
    return others.byId.get(name) ?? others.byName.get(basename(name));
  };
  return ({ summary: { parentSession } }) => (parentSession === undefined ? undefined : (files.get(parentSession) ?? find(parentSession)));
}

/** The one project of all sessions in a folder, by folder. */
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

/** A family is as new as its newest member, so that the session somebody works on is never far down. */
function propagateTimes(items: ReadonlyMap<string, MutableItem>): void {
  const families = [...items.values()].filter((item) => item.children.length > 0);
  // Items that stand under others come after them here, and are settled before them.
  const order: MutableItem[] = [];
  const under = new Set(families.flatMap((item) => item.children));
  const stack = families.filter((item) => !under.has(item));
  for (let item = stack.pop(); item; item = stack.pop()) {
    order.push(item);
    for (const below of item.children) if (below.kind === 'session' && below.children.length > 0) stack.push(below as MutableItem);
  }
  for (const item of order.reverse()) {
    item.children.sort(compareByTime);
    item.newest = Math.max(item.newest, item.children[0]?.newest ?? 0);
  }
}

export const compareByTime = (a: SessionItem, b: SessionItem): number => b.newest - a.newest || (a.path < b.path ? 1 : -1);

function projectOf(cwd: string, items: SessionItem[], { workspace, realPath }: ProjectsInput): Project {
  items.sort(compareByTime);
  const inWorkspace = cwd !== '' && workspace.some((folder) => isInside(realPath(cwd), folder));
  return { cwd, inWorkspace, newest: items[0]?.newest ?? 0, items };
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !/^\.\.[/\\]/.test(way) && !isAbsolute(way));
}

export function compareByRank(a: Project, b: Project): number {
  const rank = ({ cwd, inWorkspace }: Project): number => (inWorkspace ? 0 : cwd === '' ? 2 : 1);
  return rank(a) - rank(b) || b.newest - a.newest || (a.cwd < b.cwd ? -1 : 1);
}
