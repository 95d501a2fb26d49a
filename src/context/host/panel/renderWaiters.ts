/** Waiting for the page to draw: for so long, and no longer. */
import * as vscode from 'vscode';

/** Those who wait until what is wanted is on the screen. */
export class RenderWaiters {
  private readonly waiting = new Set<{ readonly resolve: () => void; readonly reject: (error: Error) => void }>();

  /** Resolves when it is `done`; rejects after `patience` milliseconds, or when it can't be done any more. */
  wait(timeout: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const finish = (settle: () => void): void => {
        clearTimeout(timer);
        this.waiting.delete(wait);
        settle();
      };
      const wait = { resolve: () => finish(resolve), reject: (error: Error) => finish(() => reject(error)) };
      const timer = setTimeout(() => wait.reject(renderTimeoutError()), timeout);
      this.waiting.add(wait);
    });
  }

  resolveAll(): void {
    for (const wait of [...this.waiting]) wait.resolve();
  }

  rejectAll(error: Error): void {
    for (const wait of [...this.waiting]) wait.reject(error);
  }
}

/** Gives up waiting, not working: what is slow is drawn when it is there. */
export async function withRenderTimeout(work: Promise<void>, timeout: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(renderTimeoutError()), timeout);
  });
  try {
    await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

function renderTimeoutError(): Error {
  return Object.assign(new Error(vscode.l10n.t('The context view did not draw its messages within 10 seconds.')), { code: 'timeout' });
}
