/** Everything that groups of sessions are made from. */
import type { Arrangement } from '../../contract';
import type { ReadableItem } from './sessionGroups';
import type { Dialect, ListedSession, SessionSummary, Worktree } from '../../core/index';

export interface ProjectsInput extends Arrangement {
  readonly files: ReadonlyMap<string, ListedSession>;
  /** The workspace's folders with symlinks resolved. */
  readonly workspace: readonly string[];
  /** A project's folder with symlinks resolved; the folder itself if that isn't known. */
  readonly realPath: (cwd: string) => string;
  /** The linked worktree of Git that a folder is in, as far as it's known. */
  readonly worktreeOf?: (cwd: string) => Worktree | undefined;
  /** True for a folder that doesn't exist any more. */
  readonly isMissing?: (cwd: string) => boolean;
  readonly program: Dialect | 'all';
  /** True if sessions without messages have no row. Unreadable files always have one. */
  readonly hideEmpty: boolean;
  /** True if the worktrees of a project are rows above their sessions. */
  readonly worktreeLevel?: boolean;
  /** True if sessions of subagents have no row. */
  readonly hideSubagents: boolean;
  /** True for a session that was pinned in the Sessions view. */
  readonly isPinned: (session: SessionSummary) => boolean;
  /** True for a session that a program has now. */
  readonly isRunning?: (path: string) => boolean;
  /** Returns whether the query finds a session; absent without a query. */
  readonly isFound?: ((path: string) => boolean) | undefined;
  /** The tags and the note that a person gave a session. */
  readonly marksOf?: (session: SessionSummary) => Pick<ReadableItem, 'tags' | 'note'>;
  /** The cost of a session in dollars, and with the sessions of subagents below it, if that is known. */
  readonly cost: (path: string) => number | undefined;
  readonly familyCost?: (path: string) => number | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Returns the folder of the project that a session in `cwd` belongs to: worktrees belong to their repository. */
export const projectFolder = (cwd: string, { worktreeOf }: Pick<ProjectsInput, 'worktreeOf'>): string =>
  worktreeOf?.(cwd)?.repository ?? cwd;
