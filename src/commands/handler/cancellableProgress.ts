/** Progress of long work, with a button that cancels it. */
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { withProgress } from '../../ui/safe/messages';

export interface ProgressOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (done: number, total: number) => void;
}

/** Milliseconds before progress is shown. For shorter work it would only flash, and hide other messages. */
const PROGRESS_DELAY = 500;

/** Runs work over many items with a progress notification, whose cancel button aborts the signal. @param controller of the signal */
export async function withCancellableProgress<T>(
  title: string,
  work: (options: ProgressOptions) => Promise<T>,
  controller = new AbortController(),
): Promise<T> {
  let show: ProgressOptions['onProgress'] | undefined;
  const running = work({ signal: controller.signal, onProgress: (done, total) => show?.(done, total) });
  if (await Promise.race([running.then(() => true), delay(PROGRESS_DELAY, false)])) return running;
  return withProgress({ location: vscode.ProgressLocation.Notification, title, cancellable: true }, async (progress, token) => {
    token.onCancellationRequested(() => controller.abort(new vscode.CancellationError()));
    let reported = 0;
    show = (done, total) => {
      const now = (100 * done) / total;
      progress.report({ increment: now - reported, message: `${String(done)}/${String(total)}` });
      reported = now;
    };
    return running;
  });
}
