/** The catalog's progress, as views show it. */
import { SessionError } from '../core/index';

export interface CatalogProgress {
  /** Number of files that were read. */
  readonly done: number;
  /** Number of files that must be read; equal to `done` when all are. */
  readonly total: number;
  /** Set if the user stopped reading. It continues when the user refreshes everything. */
  readonly isStopped?: true;
  /** Set if the catalog was emptied, and hasn't been needed since. */
  readonly isCleared?: true;
  /** The reason why it can't be used, or can't continue. */
  readonly problem?: SessionError;
}

export const COMPLETE: CatalogProgress = { done: 0, total: 0 };

/** Wraps an error that users wouldn't understand. */
export function catalogError(error: unknown, folder: string): SessionError {
  const reason = error instanceof Error ? error.message : String(error);
  return new SessionError(
    'permission',
    'The search index can’t be used ({reason}), so not all sessions can be searched: {folder}',
    { reason, folder },
    { cause: error },
  );
}
