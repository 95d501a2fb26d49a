/** The API for other extensions: what `activate` resolves to, and `vscode.Extension.exports` has. Its types are published in `dist/api.d.mts`. */
import type { Disposable, Event } from 'vscode';
import type {
  BranchDigest,
  CatalogRow,
  Entry,
  FileAt,
  FileAtPoint,
  LineOrigin,
  SearchHit,
  SearchOptions,
  Session,
  SessionContext,
  SessionManager,
} from './core/index';
import type { EntryRef } from './contract';

export type { Disposable, Event };

/** Sessions whose rows were added or changed, and those that went, by path. */
export interface SessionsChange {
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

interface Cancelable {
  readonly signal?: AbortSignal;
}

/**
 * Version 1. Members may be added; none changes its meaning. A request that can't be fulfilled rejects with an error that has `code`
 * and a sentence as `message`. All values are plain data, and must not be changed.
 */
export interface SessionTreeApi {
  readonly version: 1;
  /** Fires when sessions on the disk have changed, and the rows with them. */
  readonly onDidChangeSessions: Event<SessionsChange>;
  /** Returns the rows of all sessions, newest first. */
  readonly sessions: () => Promise<readonly CatalogRow[]>;
  /** Reads the heads of a session's entries. */
  readonly readSession: (path: string) => Promise<Session>;
  /** Reads entries whole. */
  readonly readBodies: (session: Session, ids: readonly string[]) => Promise<Entry[]>;
  /** Returns what a model would get. `sources` names the entry of each message. @param leafId by default the session's own */
  readonly context: (session: Session, leafId?: string) => Promise<SessionContext & { readonly sources: readonly string[] }>;
  readonly search: (query: string, options?: SearchOptions) => Promise<SearchHit[]>;
  /** Sums up a branch. @param tipId by default the session's leaf */
  readonly digest: (session: Session, tipId?: string, options?: Cancelable) => Promise<BranchDigest>;
  /** Returns which lines of a file come from which entries. @param file an absolute path; `text`: as on the disk if it isn't given */
  readonly lineOrigins: (file: string, options?: Cancelable & { readonly text?: string }) => Promise<LineOrigin[]>;
  /** Returns a file as it was after an entry; `undefined` if nothing is known. @param file an absolute path */
  readonly fileAt: (file: string, ref: EntryRef) => Promise<FileAt | undefined>;
  /** Returns the recorded files of a session's folder as they were after an entry. @param options `files` names others */
  readonly filesAt: (ref: EntryRef, options?: Cancelable & { readonly files?: readonly string[] }) => Promise<FileAtPoint[]>;
  /** Returns the class for reading and writing one session, as pi documents it. Its getters read the disk synchronously. */
  readonly sessionManager: () => Promise<typeof SessionManager>;
}
