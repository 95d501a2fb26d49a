/**
 * The private state of a session, for its reader: the values that continued reading needs. All other code uses the functions
 * of `fileState`.
 */
import type { Dialect } from '../entry/dialect';
import type { SessionHeader } from '../entry/entry';
import type { ToolCallTexts } from '../entry/parseHead';
import type { LayeredMap } from './layeredMap';
import type { Session } from '../session/session';

/** The reader's own values after some lines of a file. */
export interface LinesState {
  readonly header: SessionHeader;
  /** The title in the title slot of oh-my-pi, if the file begins with one. */
  readonly slotTitle?: string;
  /** True if the slot has exactly the required 256 bytes. */
  readonly slotIsExact?: boolean;
  /** The name that the `session_info` lines have given so far. */
  readonly infoName?: string;
  /** The program that wrote the lines, if one of them shows it. */
  readonly evidence?: Dialect;
  readonly calls: ToolCallTexts;
  /** The id of the last entry, for files whose entries form a chain. */
  readonly lastId: string | null;
  /** The number of objects so far, without the header. */
  readonly objects: number;
  /** Position after the last line with a line break, in bytes. */
  readonly offset: number;
  /** The number of lines before `offset`. */
  readonly line: number;
  /** The first characters of the file, and the last ones that were read. They show whether a file only grew. */
  readonly beginning: string;
  readonly ending: string;
  /** The facts that aren't in the lines, as JSON. */
  readonly facts?: string;
  /** The session without a last line that has no line break, if there is one. */
  readonly beforeLastLine?: Session;
}

/** The linker's values, which the next link continues with. */
export interface LinkState {
  /** The entry that children of a `leaf` line belong to, by the line's id. */
  readonly leafTargets: ReadonlyMap<string, string | null>;
  /** Ids that entries name as their parent and that aren't in the file. */
  readonly missing: ReadonlySet<string>;
  /** `Session.children`, in the form that can be extended. */
  readonly children: LayeredMap<readonly string[]>;
}

interface ReaderState {
  readonly lines: LinesState;
  readonly links: LinkState;
}

const STATE = Symbol('reader state');

/** Attaches the state to a new session. It isn't enumerable: a copy of the session has none. */
export function attachReaderState(session: Session, state: ReaderState): Session {
  return Object.defineProperty(session, STATE, { value: state });
}

/** @throws {TypeError} if the session wasn't made by a reader */
export function readerStateOf(session: Session): ReaderState {
  // `Session` doesn’t show this property, so that only readers get it.
  const state = (session as { readonly [STATE]?: ReaderState })[STATE];
  if (!state) throw new TypeError('The session has no reader state.');
  return state;
}
