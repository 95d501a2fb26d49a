/** Waits with a timeout for the page to draw. */
import * as vscode from 'vscode';

/** Pending waits for the latest revision to be on the screen. */
export class RenderWaiters {
  private readonly waiting = new Set<{ readonly resolve: () => void; readonly reject: (error: Error) => void }>();

  /** Resolves on `resolveAll`; rejects on `rejectAll` or after `timeout` milliseconds. */
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

/** Rejects after `timeout` milliseconds. The work itself continues and is drawn when it completes. */
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
  return Object.assign(new Error(vscode.l10n.t('The context view didn’t load within 10 seconds.')), { code: 'timeout' });
}
