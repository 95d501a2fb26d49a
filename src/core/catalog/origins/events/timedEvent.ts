/** An event of a file: an edit, a reading or a commit. */
import type { FileEvent } from '../../../format/lineOrigins/replay/replay';
import type { SessionEdit, SessionReading } from './sessionEdits';

/** A file has had no more names than these. */
export const MAX_NAMES = 8;

/** An event and, for edits, where it's recorded. */
export interface TimedEvent {
  readonly time: number;
  readonly event: FileEvent;
  readonly source?: SessionEdit;
  /** For readings, where they are recorded, and how much of the file they showed. */
  readonly reading?: SessionReading;
  /** Set for a commit without the file. */
  readonly isAbsent?: true;
}
