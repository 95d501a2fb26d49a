/** Facts about a session beside its lines. */
import type { Dialect } from '../entry/dialect';
import type { SessionMarks } from './session';

/** Facts about a session that its program keeps beside the lines. */
export interface OutsideFacts {
  /** The program. Without it, the form of the lines decides. */
  readonly dialect?: Dialect;
  readonly name?: string;
  /** The path of the session that this one was forked from, or that it continues. */
  readonly parentSession?: string;
  /** Counts if it's an entry. */
  readonly leafId?: string;
  readonly marks: SessionMarks;
}
