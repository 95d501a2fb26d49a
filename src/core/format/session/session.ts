/** The immutable value that a session file is read into. */
import type { Dialect } from '../entry/dialect';
import type { SessionHeader } from '../entry/entry';
import type { EntryHead } from '../entry/entryHead';
import type { Problem } from '../entry/problem';
import type { SessionProgress } from './sessionProgress';

/** Facts that a program keeps about a session outside of its lines. FORMAT section 7. */
export interface SessionMarks {
  readonly state?: SessionState;
  /** The agent whose session it is, for a program that has several. */
  readonly agent?: string;
  readonly isPinned?: true;
  /** True if the program has put the session aside. */
  readonly isArchived?: true;
}

/** The state of a session in its program. */
export type SessionState = 'working' | 'waiting' | 'failed' | 'idle';

/** A session as an immutable value: the heads of all entries, and the tree they form. FORMAT section 3. */
export interface Session {
  readonly path: string;
  readonly dialect: Dialect;
  readonly header: SessionHeader;
  /** The version that the header states; 1 if it states none. */
  readonly version: number;
  /**
   * The entries in file order, without `leaf` lines. If an id occurs more than once, its last line counts. The first
   * read makes the heads of all entries; `byId` makes single ones.
   */
  readonly entries: readonly EntryHead[];
  readonly byId: ReadonlyMap<string, EntryHead>;
  /** Ids of an entry's children, oldest first. Entries without children have no list. */
  readonly children: ReadonlyMap<string, readonly string[]>;
  /** Ids of the entries without a parent in the file, in file order. */
  readonly roots: readonly string[];
  /** The entry that the programs continue at; `null` before the first entry. */
  readonly leafId: string | null;
  readonly name?: string;
  /** The labels of all branches, by the id of the labeled entry. */
  readonly labels: ReadonlyMap<string, string>;
  /** oh-my-pi: the ids of entries that are archived with everything below them, in the file or not. FORMAT section 5. */
  readonly archived: ReadonlySet<string>;
  readonly problems: readonly Problem[];
  /** True if some entries have no id in the file. They get ids by their position, and nothing is written to the file. */
  readonly hasGivenIds: boolean;
  /** Set only if the program keeps such facts. */
  readonly marks?: SessionMarks;
  readonly progress?: SessionProgress;
  /** Bytes that were read, up to the end of the last line that is complete or an entry. */
  readonly size: number;
}
