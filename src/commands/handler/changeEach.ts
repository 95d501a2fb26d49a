/** Changes of several sessions or entries. */
import { withCancellableProgress } from './cancellableProgress';
import type { CommandDeps } from './commandDeps';

/**
 * Changes sessions or entries in order, after the changes that have begun. If several take long, a notification shows the
 * progress, and its button keeps those that are left as they are.
 *
 * @throws the first error, which ends it
 * @throws {vscode.CancellationError}
 */
export function changeEach<T>(
  { turns }: Pick<CommandDeps, 'turns'>,
  title: string,
  targets: readonly T[],
  change: (target: T) => Promise<void>,
): Promise<void> {
  const changeAll = async (onEach?: (done: number) => void): Promise<void> => {
    for (const [done, target] of targets.entries()) {
      onEach?.(done);
      await change(target);
    }
  };
  if (targets.length < 2) return turns.take(changeAll);
  return turns.take(() =>
    withCancellableProgress(title, ({ signal, onProgress }) =>
      changeAll((done) => {
        signal.throwIfAborted();
        onProgress(done, targets.length);
      }),
    ),
  );
}
