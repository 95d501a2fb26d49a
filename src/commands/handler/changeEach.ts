/** Changes of several sessions or entries. */
import { withCancellableProgress, type ProgressOptions } from './cancellableProgress';
import type { CommandDeps } from './commandDeps';
import { untilAborted } from './turns';

/**
 * Does work after the changes that have begun. If that takes long, a notification shows it, and its button ends the waiting and
 * aborts the work's signal. The work mustn't take a turn itself.
 *
 * @throws {vscode.CancellationError}
 */
export const takeTurn = <T>(
  { turns }: Pick<CommandDeps, 'turns'>,
  title: string,
  work: (options: ProgressOptions) => Promise<T>,
): Promise<T> => withCancellableProgress(title, (options) => turns.take(() => work(options), options.signal));

/**
 * Changes sessions or entries in order, in one turn; see `takeTurn`. The button ends the turn even if a change never answers, as in
 * a network folder, and keeps those that are left as they are.
 *
 * @throws the first error, which ends it
 * @throws {vscode.CancellationError}
 */
export function changeEach<T>(
  deps: Pick<CommandDeps, 'turns'>,
  title: string,
  targets: readonly T[],
  change: (target: T) => Promise<void>,
): Promise<void> {
  return takeTurn(deps, title, async ({ signal, onProgress }) => {
    for (const [done, target] of targets.entries()) {
      signal.throwIfAborted();
      if (targets.length > 1) onProgress(done, targets.length);
      await untilAborted(change(target), signal);
    }
  });
}
