/** The sessions of the view and the groups they are in, as data. */
import type { CopyOf, Dialect, SessionSummary } from '../../core/index';

/** Groups of days, the latest first, below the pinned sessions of all days. */
export const DAYS = ['pinned', 'today', 'yesterday', 'lastWeek', 'older'] as const;
export type Day = (typeof DAYS)[number];

interface GroupedSessions {
  /** The newest activity of its sessions, in milliseconds since 1970. */
  readonly newest: number;
  /** Pinned sessions first, archived ones last, and otherwise in the chosen order. */
  readonly items: readonly SessionItem[];
  /** True if any of its sessions has an old version. */
  readonly hasOld: boolean;
  /** The item data that the row shows. Set in a stored screen, which has no items. */
  readonly stored?: { readonly count: number };
}

/** The main working tree of a repository, or one that is linked to it. */
export const WORKTREE_KINDS = ['main', 'linked'] as const;
type WorktreeKind = (typeof WORKTREE_KINDS)[number];

export interface Project extends GroupedSessions {
  readonly kind: 'project';
  /** The folder as the headers name it; empty for sessions that name none. */
  readonly cwd: string;
  /** True if the folder, or another folder that one of its sessions works in, is a workspace folder or inside one. */
  readonly inWorkspace: boolean;
  /** True if another project has the same name, so that the row has to show the folder's path. */
  readonly showsPath: boolean;
  /** Set if the folder doesn't exist any more. */
  readonly isMissing?: true;
  /** The worktrees that its sessions are in, if these are a level of rows. */
  readonly worktrees?: readonly Project[];
  /** Set for a worktree, which is below the project of its repository. */
  readonly worktree?: WorktreeKind;
}

export interface DayGroup extends GroupedSessions {
  readonly kind: 'day';
  readonly day: Day;
}

export interface ProgramGroup extends GroupedSessions {
  readonly kind: 'program';
  readonly dialect: Dialect;
}

/** Groups of states, in their order. */
export const STATE_GROUPS = ['unfinished', 'finished'] as const;

export interface StateGroup extends GroupedSessions {
  readonly kind: 'state';
  readonly state: (typeof STATE_GROUPS)[number];
}

/** Sessions without a row above them. */
interface AllSessions extends GroupedSessions {
  readonly kind: 'all';
}

export type SessionGroup = Project | DayGroup | ProgramGroup | StateGroup | AllSessions;

export type SessionItem = ReadableItem | UnreadableItem;

export interface ReadableItem {
  readonly kind: 'session';
  readonly path: string;
  readonly summary: SessionSummary;
  /** The size of its file in bytes. */
  readonly size: number;
  /** Dollars. */
  readonly cost?: number | undefined;
  /** Dollars, of the session with all sessions of subagents below it. */
  readonly familyCost?: number | undefined;
  /** True if its last turn goes on. */
  readonly isAtWork?: true;
  /** True if it was pinned in the view, whether its program has a pin for it or not. */
  readonly isPinned: boolean;
  /** The tags that a person gave it. */
  readonly tags?: readonly string[];
  /** A person's note about it. */
  readonly note?: string;
  /** True if a subagent of the parent session wrote it. */
  readonly isSubagent: boolean;
  /** The name of the agent, as the session or the call that started it has it. */
  readonly agent?: string;
  /** The name of the linked worktree that it's in, if its project is the repository and no row above it says so. */
  readonly worktree?: string;
  /** Set for a copy of the session above it that is on another machine. */
  readonly copyOf?: CopyOf;
  /** True if it has the title of the session above it, or of the fork that it was forked from: then the rows would look alike. */
  readonly hasParentTitle: boolean;
  /** True if its program isn't the most common one of the project, or of all sessions if these aren't grouped by project. */
  readonly showsProgram: boolean;
  /** The session that it was forked from, if that is in another project or gone. */
  readonly forkedFrom?: ForkOrigin;
  /** Forks (of the session, or of its forks) and sessions of its subagents, in the chosen order. */
  readonly children: readonly SessionItem[];
  /** The data about children that the row shows. Set in a stored screen, which has no children. */
  readonly stored?: { readonly forks: number; readonly family?: { readonly total: number; readonly failed: number } };
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
  /** True in a read-only root. */
  readonly isProtected: boolean;
  readonly size: number;
  /** 0: no activity. */
  readonly newest: number;
}

/** A session that isn't below another session, with the data that decides its group. */
export interface TopItem {
  readonly item: SessionItem;
  /** The folder of its project, which is the repository of a worktree. */
  readonly cwd: string;
  readonly dialect: Dialect;
}

/** True if any of some sessions, or of those below them, has an old version. */
export function areAnyOld(items: readonly SessionItem[]): boolean {
  const waiting = [items];
  for (let list = waiting.pop(); list; list = waiting.pop()) {
    for (const item of list) {
      if (item.kind !== 'session') continue;
      if (item.summary.isOld) return true;
      if (item.children.length > 0) waiting.push(item.children);
    }
  }
  return false;
}

/** The newest activity of some sessions, in milliseconds since 1970; 0 without any. */
export function newestOf(items: readonly SessionItem[]): number {
  let newest = 0;
  for (const item of items) newest = Math.max(newest, item.newest);
  return newest;
}
