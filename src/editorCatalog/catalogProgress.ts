/** How far the catalog is, for whoever shows it. */
import { SessionError } from '../core/index';

export interface CatalogProgress {
  /** Files that were read of those that must be; the same when all were. */
  readonly done: number;
  readonly total: number;
  /** The person stopped it; it goes on when everything is looked at anew. */
  readonly isStopped?: true;
  /** It was emptied, and nobody has needed it since. */
  readonly isCleared?: true;
  /** Why it can't be used, or not go on. */
  readonly problem?: SessionError;
}

export const COMPLETE: CatalogProgress = { done: 0, total: 0 };

/** Errors that say nothing to a person, as one that does. */
export function catalogError(error: unknown, folder: string): SessionError {
  const reason = error instanceof Error ? error.message : String(error);
  return new SessionError('permission', 'The catalog can’t be used ({reason}), so not all sessions can be searched: {folder}', { reason, folder }, { cause: error });
}
