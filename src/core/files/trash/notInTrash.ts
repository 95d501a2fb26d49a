/** The refusal to restore a session that the trash no longer has. */
import { SessionError } from '../../format/entry/problem';

export class NotInTrashError extends SessionError {
  /** @param name that of the session, if it's known */
  constructor(name?: string) {
    if (name === undefined)
      super('not-found', 'This session is no longer in the trash. Run “Restore from Trash…” to see what can be restored.');
    else
      super('not-found', '“{name}” is no longer in the trash. Run “Restore from Trash…” to see what can be restored.', {
        name,
      });
  }
}

/** Returns an error of a restore, with the name of the session. Its record in the trash had the name, and may be gone. */
export const namingDeleted = (error: unknown, name: string): unknown =>
  error instanceof NotInTrashError ? new NotInTrashError(name) : error;
