/** The files of a session's folder at a point of its tree, and the plan that leads them there. */

/** A file as it was after an entry: after the calls of the entry, and all that ran before them in time, in any session. */
export interface FileAtPoint {
  /** The absolute path. */
  readonly file: string;
  /** `undefined` if the file wasn't there (`exact`, `likely`), or if nothing is known (`unknown`). */
  readonly text?: string;
  readonly certainty: 'exact' | 'likely' | 'unknown';
  /** A sentence of 12 to 400 characters that says which evidence is missing; there unless `exact`. */
  readonly reason?: string;
}

/**
 * The change that leads a file to the point. `merge`: a person changed the file since the last recorded edit, and both changes
 * fit. `conflict`: they overlap. `left`: it can't be written, or isn't certain enough. `conflict` and `left` are never written.
 */
export type RestoreAction = 'write' | 'create' | 'delete' | 'merge' | 'none' | 'conflict' | 'left';

/** A file as it was when it was planned. */
export interface PlannedState {
  /** The hash of its bytes, in hexadecimal digits. */
  readonly sha256: string;
  /** Its permission bits. */
  readonly mode: number;
}

/** A file of a plan. */
export interface PlannedFile extends Omit<FileAtPoint, 'text'> {
  readonly action: RestoreAction;
  /** The text that is written; of a `conflict` the point's. */
  readonly text?: string;
  /** `null` if there was no file. A file that isn't like that any more is left. */
  readonly was: PlannedState | null;
}

/** The changes after which the files are as they were after an entry. Plain data. */
export interface RestorePlan {
  readonly ref: { readonly path: string; readonly entryId: string };
  /** The session's folder, absolute. Only files below it are written. */
  readonly folder: string;
  /** When the last call ran that the state includes, in milliseconds since 1970. */
  readonly time: number;
  readonly files: readonly PlannedFile[];
}
