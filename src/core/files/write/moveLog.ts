/** The record of sessions that move with their project, so that an interrupted move can be finished, and a finished one undone. */

/** A session whose header changes, and whose path may change with it. */
export interface MoveStep {
  readonly path: string;
  /** The same as `path` if only the header changes. */
  readonly newPath: string;
  /** The text of the header's line until now, and from now on. */
  readonly before: string;
  readonly after: string;
}

/** The record of moves that belong together. */
export interface MoveLog {
  /**
   * Called before anything changes.
   *
   * @throws {SessionError} `permission` or `no-space`: then nothing may change.
   */
  begin(step: MoveStep): Promise<void>;
  /** Called when everything of the step is in place. Never rejects. */
  done(step: MoveStep): Promise<void>;
  /**
   * Called at the end.
   *
   * @param isComplete false if the path of a parent couldn't be replaced everywhere; the next start tries it again.
   */
  end(isComplete: boolean): Promise<void>;
}

/** Keeps nothing, for writers without a journal. */
export const noMoveLog: MoveLog = {
  begin: () => Promise.resolve(),
  done: () => Promise.resolve(),
  end: () => Promise.resolve(),
};
