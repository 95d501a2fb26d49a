/** Everything that groups of sessions are made from. */
import type { Arrangement } from '../../contract';
import type { Dialect, ListedSession, SessionSummary } from '../../core/index';

export interface ProjectsInput extends Arrangement {
  readonly files: ReadonlyMap<string, ListedSession>;
  /** The workspace's folders with symlinks resolved. */
  readonly workspace: readonly string[];
  /** A project's folder with symlinks resolved; the folder itself if that isn't known. */
  readonly realPath: (cwd: string) => string;
  /** True for a folder that doesn't exist any more. */
  readonly isMissing?: (cwd: string) => boolean;
  readonly program: Dialect | 'all';
  /** True if sessions without messages have no row. Unreadable files always have one. */
  readonly hideEmpty: boolean;
  /** True for a session that was pinned in the Sessions view. */
  readonly isPinned: (session: SessionSummary) => boolean;
  /** The cost of a session in dollars, if that is known. */
  readonly cost: (path: string) => number | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}
