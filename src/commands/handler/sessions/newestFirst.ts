/** The order of sessions in lists and answers. */
import { byLastActivity, sortSteps, Yielder, type SessionSummary } from '../../../core/index';
import type { CommandDeps } from '../commandDeps';

/** Returns the sessions, the most recently active first, as in the Sessions view. Sorts in steps: there may be tens of thousands. */
export const newestFirst = <T extends Pick<SessionSummary, 'modified' | 'path'>>(sessions: readonly T[]): Promise<T[]> =>
  new Yielder(undefined).run(sortSteps(sessions, byLastActivity));

/** Returns the paths of a project's sessions, the most recently active first. */
export const pathsInProject = async ({ sessions }: Pick<CommandDeps, 'sessions'>, cwd: string): Promise<string[]> =>
  (await newestFirst(sessions().filter((session) => session.cwd === cwd))).map(({ path }) => path);
