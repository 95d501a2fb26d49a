/** What commands need of the rest of the extension; the front door hands it over. */
import type * as vscode from 'vscode';
import type { Row, SessionRef } from '../../contract';
import type { Catalog, Filter, UntrustedPaths, Root, Session, SessionError, SessionSummary, PendingChange, DeferrableChange, Writer, Writes } from '../../core/index';
import type { Log } from '../../ui/log';
import type { ResumedTerminals } from '../terminal/resumedTerminals';

/** Changes that wait until their sessions are free. */
export interface PendingChanges {
  readonly forSession: (path: string) => readonly PendingChange[];
  readonly add: (path: string, change: DeferrableChange) => Promise<PendingChange>;
  /** Whether it was there to be dropped. */
  readonly drop: (id: string) => Promise<boolean>;
  readonly onSettled: vscode.Event<{ readonly written: readonly PendingChange[]; readonly stuck: readonly PendingChange[] }>;
}

/** What is known of all sessions, to be searched. */
export interface SharedCatalog {
  /** @throws {SessionError} where there can be none. */
  readonly open: () => Promise<Catalog>;
  /** Looks at everything again, behind. */
  readonly refresh: () => void;
  /** Resolves when what has begun to be read is read, or after so many milliseconds. */
  readonly settled: (limit: number) => Promise<void>;
  /** Files that were read of those that must be, and why reading ended early. */
  readonly progress: () => { readonly done: number; readonly total: number; readonly isStopped?: true; readonly problem?: SessionError };
  /** Takes out everything; it is read again when somebody opens it. @throws {SessionError} */
  readonly clear: () => Promise<void>;
  readonly onDidChange: vscode.Event<unknown>;
}

export interface CommandDeps {
  readonly session: (path: string) => Promise<Session>;
  /** Looks at the folders that sessions name. */
  readonly untrustedPaths: UntrustedPaths;
  /** All that are known, newest first. */
  readonly sessions: () => readonly SessionSummary[];
  readonly roots: () => readonly Root[];
  /** Resolves when the roots are known. */
  readonly rootsReady: Promise<void>;
  /** The selected rows of the Sessions view. */
  readonly selection: () => readonly Row[];
  /** What the active context view or document shows. */
  readonly activeRef: () => SessionRef | undefined;
  /** What a document of ours shows; of other addresses nothing. */
  readonly refOfDocument: (uri: vscode.Uri) => SessionRef | undefined;
  readonly writer: Writer;
  /** What was written, deleted and waits. @throws {SessionError} `permission` where it can't be kept. */
  readonly writes: () => Promise<Writes>;
  /** Fires with problems of the extension's own storage that the person should know about. */
  readonly onStorageProblem: vscode.Event<SessionError>;
  readonly pendingChanges: PendingChanges;
  readonly catalog: SharedCatalog;
  /** How long ago a time was, in milliseconds since 1970. */
  readonly ago: (time: number) => string;
  readonly showContext: (ref: SessionRef, options?: { readonly preserveFocus: boolean }) => Promise<{ messages: number }>;
  /** The address of the read-only document of a session's file, which from now on may be read. */
  readonly grantRawAccess: (path: string) => vscode.Uri;
  readonly openMarkdown: (ref: SessionRef, preview: boolean) => Promise<{ uri: string }>;
  /** Opens both sides in the diff. */
  readonly compare: (left: SessionRef, right: SessionRef) => Promise<{ left: string; right: string; forkPoint: string | null }>;
  /** Looks at the disk again; resolves when the rows are current. */
  readonly refresh: () => Promise<void>;
  readonly setFilter: (filter: Filter) => Promise<void>;
  /** Selects the row, which with `focus` gets the keyboard; whether there is one. */
  readonly reveal: (ref: SessionRef, options?: { readonly focus?: boolean }) => Promise<boolean>;
  /** To be called after a write of ours; resolves when rows and views are current. */
  readonly refreshAfterWrite: (paths: readonly string[]) => Promise<void>;
  /** The sessions of terminals that were opened to resume them. */
  readonly terminals: ResumedTerminals;
  readonly log: Log;
}
