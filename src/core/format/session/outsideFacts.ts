/** Facts about a session that aren't in its lines. */
import type { Dialect } from '../entry/dialect';
import type { SessionMarks } from './session';
import type { SessionProgress } from './sessionProgress';

/** Facts about a session that its program keeps outside of the lines. */
export interface OutsideFacts {
  /** The program. Without it, the form of the lines decides. */
  readonly dialect?: Dialect;
  readonly name?: string;
  /** The path of the session that this one was forked from, or that it continues. */
  readonly parentSession?: string;
  /** Counts if it's an entry. */
  readonly leafId?: string;
  readonly marks: SessionMarks;
  readonly progress?: SessionProgress;
}
