/** Provides the data that a snapshot reads beyond a session's heads, and lets long work make room for other work. */
import type { Entry } from '../../core/format/entry/entry';
import type { Session } from '../../core/format/session/session';

/** Bodies and images of a session: from its file in the extension host, from the page's own lines in an export. */
export interface SessionSource {
  /**
   * Reads whole entries, in the order of `ids`.
   * @throws {SessionError} `unknown-entry`; `changed` if the session has changed since it was read.
   */
  readonly bodies: (session: Session, ids: readonly string[]) => Promise<Entry[]>;
  /**
   * Reads an image that is stored in a separate file, as base64; `undefined` if the file doesn't exist. Rejects if it
   * can't be read.
   */
  readonly blob: (session: Session, hash: string) => Promise<string | undefined>;
  /** Reads the beginning of such an image, enough for its size. */
  readonly blobStart: (session: Session, hash: string) => Promise<Uint8Array | undefined>;
  /** The home folder, which paths abbreviate to `~`; empty if it's unknown. */
  readonly home: string;
  /** Yields to the event loop. */
  readonly yield: () => Promise<void>;
  /** Returns a function that yields to the event loop whenever a few milliseconds have passed, and throws the signal's reason. */
  readonly yielder: (signal: AbortSignal | undefined) => SourceYielder;
}

/** Lets other work run during long work. */
export interface SourceYielder {
  readonly yieldIfDue: () => Promise<void>;
}
