/** Logs failures instead of showing them, because hovers and annotations appear without a request. */
import * as vscode from 'vscode';
import { SessionError } from '../core/index';
import type { Log } from '../ui/log';

export type FailureLog = Pick<Log, 'warnOnce' | 'error'>;

/** @param doing the action that failed, for bugs; other errors are complete sentences */
export function logFailure(log: FailureLog, error: unknown, doing: string): void {
  if (error instanceof vscode.CancellationError) return;
  if (error instanceof SessionError) log.warnOnce(error.message);
  else log.error(error, doing);
}
