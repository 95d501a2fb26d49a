/** Changes that a person starts before the ones before them have ended. */
import { withCancellableProgress } from './cancellableProgress';

let last: Promise<unknown> = Promise.resolve();

/** Makes a change after those that have begun, so that Undo takes back all of a change. */
export function inTurn<T>(change: () => Promise<T>): Promise<T> {
  const made = last.then(() => change());
  last = made.catch(() => undefined); // The caller has the error.
  return made;
}

/**
 * Changes sessions or entries in order. If several take long, a notification shows the progress, and its button keeps those
 * that are left as they are.
 *
 * @throws the first error, which ends it
 * @throws {vscode.CancellationError}
 */
export function changeEach<T>(title: string, targets: readonly T[], change: (target: T) => Promise<void>): Promise<void> {
  const changeAll = async (onEach?: (done: number) => void): Promise<void> => {
    for (const [done, target] of targets.entries()) {
      onEach?.(done);
      await change(target);
    }
  };
  if (targets.length < 2) return inTurn(changeAll);
  return inTurn(() =>
    withCancellableProgress(title, ({ signal, onProgress }) =>
      changeAll((done) => {
        signal.throwIfAborted();
        onProgress(done, targets.length);
      }),
    ),
  );
}
