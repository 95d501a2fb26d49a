/** The refusal to restore a session that the trash no longer has. */
import { SessionError } from '../../format/entry/problem';

export class NotInTrashError extends SessionError {
  /** @param name the session's name, if it's known */
  constructor(name?: string) {
    if (name === undefined)
      super('not-found', 'This session is no longer in the trash. Run “Restore from Trash…” to see what can be restored.');
    else
      super('not-found', '“{name}” is no longer in the trash. Run “Restore from Trash…” to see what can be restored.', {
        name,
      });
  }
}

/**
 * Adds a session's name to the refusal to restore it, if the refusal has none: the record in the trash, which had the
 * name, may be gone.
 */
export const withTrashedName = (error: unknown, name: string): unknown =>
  error instanceof NotInTrashError && error.args['name'] === undefined ? new NotInTrashError(name) : error;
