/** The services that `extension.ts` passes to commands. */
import type * as vscode from 'vscode';
import type {
  AgentProgram,
  Arrangement,
  ChangesRef,
  CommandContract,
  LookupRecord,
  MadeMarkChange,
  MarkChange,
  Row,
  RowKey,
  EntryRef,
  SavedView,
  SessionRef,
} from '../../contract';
import type {
  Catalog,
  FileChange,
  Filter,
  FindQuery,
  InterruptedRestore,
  LineOrigin,
  UntrustedPaths,
  Root,
  Session,
  SessionError,
  SessionSummary,
  StartedSession,
  PendingChange,
  DeferrableChange,
  Writer,
  Writes,
} from '../../core/index';
import type { Log } from '../../ui/log';
import type { ResumedTerminals } from '../terminal/resumedTerminals';
import type { Turns } from './turns';

/** Changes that are written once no other program has their session. */
interface PendingChanges {
  readonly forSession: (path: string) => readonly PendingChange[];
  readonly add: (path: string, change: DeferrableChange) => Promise<PendingChange>;
  /** Resolves to false if there is no such change. */
  readonly drop: (id: string) => Promise<boolean>;
  readonly onSettled: vscode.Event<{ readonly written: readonly PendingChange[]; readonly stuck: readonly PendingChange[] }>;
}

/** The searchable index of all sessions, shared with the rest of the extension. */
export interface SharedCatalog {
  /** @throws {SessionError} if no catalog can be opened. */
  readonly open: () => Promise<Catalog>;
  /** Starts reading changed files in the background. */
  readonly refresh: () => void;
  /** Resolves when the current reading ends, at the latest after `limit` milliseconds. */
  readonly settled: (limit: number) => Promise<void>;
  /** Number of files read and of files to read, and the reason if reading ended early. */
  readonly progress: () => { readonly done: number; readonly total: number; readonly isStopped?: true; readonly problem?: SessionError };
  /** Removes all content; it's read again when the catalog is next opened. @throws {SessionError} */
  readonly clear: () => Promise<void>;
  readonly onDidChange: vscode.Event<unknown>;
}

/** Annotations of lines with their sessions. `on` is by default the opposite of the current state. */
interface LineAnnotations {
  /** Returns whether the current line is annotated. */
  readonly toggleBlame: (on?: boolean) => Promise<boolean>;
  /** Annotates a document, or removes its annotations. Resolves to false if it isn't annotated, as when no line comes from a session. */
  readonly toggleFile: (
    document: vscode.TextDocument,
    kind: 'sessions' | 'heatmap',
    on?: boolean,
  ) => Promise<'shown' | 'hidden' | 'no origins'>;
  /** Returns the sessions that wrote some lines of a document, newest first. */
  readonly sessionsOf: (
    document: vscode.TextDocument,
    from: number,
    to: number,
  ) => Promise<CommandContract['sessionTree.sessionsOfLines']['answer']>;
}

/** The pins, tags and notes that the person gave sessions. */
interface SessionMarksOfPerson {
  readonly isPinned: (session: SessionSummary) => boolean;
  readonly of: (session: Pick<SessionSummary, 'id'>) => { readonly tags?: readonly string[]; readonly note?: string };
  /** All tags, those of the most sessions first. */
  readonly allTags: () => readonly string[];
  /** Returns a tag as it's stored. @throws {SessionError} `invalid` if nothing is left of the text */
  readonly tagName: (text: string) => string;
  /** Makes changes of sessions as one; resolves when the rows are current. @param path of the first session */
  readonly change: (changes: readonly MarkChange[], path: string) => Promise<void>;
  /** Returns the newest change of this window that isn't undone. */
  readonly lastChange: () => MadeMarkChange | undefined;
  /** Takes back a change; resolves when the rows are current. */
  readonly undo: (change: MadeMarkChange) => Promise<void>;
}

/** The views of the Sessions view that the person saved. */
interface SavedViewList {
  /** In the order of their names. */
  readonly all: () => readonly SavedView[];
  /** @throws {SessionError} `not-found` */
  readonly get: (name: string) => SavedView;
  readonly saveCurrent: (name: string) => Promise<void>;
  /** @throws {SessionError} `not-found` */
  readonly delete: (name: string) => Promise<void>;
}

/** Programs outside of the editor whose agents look up sessions. The errors are `SessionError`s. */
interface OtherAgents {
  /** Returns the recorded look-ups, oldest first. */
  readonly lookups: () => Promise<LookupRecord[]>;
  /** Reads a program's settings, and returns what would be added, which is in `after`. */
  readonly plan: (program: AgentProgram) => Promise<{
    readonly name: string;
    readonly file: string;
    readonly lines: string;
    readonly state: 'absent' | 'ours' | 'theirs';
    readonly before: string | undefined;
    readonly after: string;
  }>;
  readonly write: (program: AgentProgram) => Promise<void>;
  readonly takeBack: (program: AgentProgram) => Promise<boolean>;
  readonly installCommand: () => Promise<CommandContract['sessionTree.installCommand']['answer']>;
  /** Returns the path of what was removed. */
  readonly uninstallCommand: () => Promise<string | undefined>;
}

export interface CommandDeps {
  readonly agents: OtherAgents;
  readonly session: (path: string) => Promise<Session>;
  /** Checks folders that session files name. */
  readonly untrustedPaths: UntrustedPaths;
  /** Returns all known sessions, in no order. */
  readonly sessions: () => readonly SessionSummary[];
  /** Returns the sessions to choose from, in no order, without sessions that the view hides because they have no messages. */
  readonly listedSessions: () => readonly SessionSummary[];
  /** Returns the summary of a known session. */
  readonly summary: (path: string) => SessionSummary | undefined;
  /** Returns the running sessions of the window's folders, newest first. */
  readonly runningSessions: () => readonly SessionSummary[];
  /** Returns the sessions of the subagents right below a session, the oldest first. */
  readonly subagentsOf: (path: string) => Promise<readonly StartedSession[]>;
  /** Returns the path of the session above, for each session of a subagent that has one. */
  readonly subagentParents: () => Promise<ReadonlyMap<string, string>>;
  /** Returns the session above a subagent's, and the entry of the call that started it. */
  readonly callOf: (path: string) => Promise<SessionRef | undefined>;
  /** True if a session's program waits for the person. */
  readonly needsInput: (path: string) => boolean;
  readonly roots: () => readonly Root[];
  /** Resolves when the roots are known. */
  readonly rootsReady: () => Promise<void>;
  /** Resolves when the Sessions view shows the current sessions, not stored rows. */
  readonly rowsCurrent: () => Promise<void>;
  /** The selected rows of the Sessions view, without rows below collapsed ones. */
  readonly selection: () => readonly Row[];
  /**
   * Remembers the place of a row that a command may remove. If the row is gone, the returned function moves the focus to
   * the row that is now at this place.
   */
  readonly rememberPlace: (row: Row | undefined) => () => Promise<void>;
  /** Returns whether the page of a context view has the keyboard focus. */
  readonly contextHasFocus: () => boolean;
  /** Returns the session and the entry that the active context view or document shows. */
  readonly activeRef: () => SessionRef | undefined;
  /** Returns the session and the entry that a document of the extension shows; `undefined` for other URIs. */
  readonly refOfDocument: (uri: vscode.Uri) => SessionRef | undefined;
  readonly writer: Writer;
  /** Opens the journal, the trash and the queue of pending changes. @throws {SessionError} `permission` if the storage can't be used. */
  readonly writes: () => Promise<Writes>;
  /** Fires with problems of the extension's own storage that should be shown. */
  readonly onStorageProblem: vscode.Event<SessionError>;
  /** Fires with restores of files that were interrupted when a window closed. */
  readonly onInterruptedRestore: vscode.Event<InterruptedRestore>;
  /** Fires with values of settings that can't be used. */
  readonly onSettingProblem: vscode.Event<SessionError>;
  readonly pendingChanges: PendingChanges;
  readonly catalog: SharedCatalog;
  /** Resolves to `undefined` if there is no catalog, or if this or another window has cleared it. */
  readonly currentCatalog: () => Promise<Catalog | undefined>;
  /** Makes a document with the text of a file after an entry. @throws {SessionError} */
  readonly fileAt: (ref: EntryRef, file: string) => Promise<FileVersionDocument>;
  /** Like `fileAt`, for the file before and after the entry changed it, or only for the changed parts. @throws {SessionError} */
  readonly fileChange: (ref: EntryRef, file: string) => Promise<{ before: FileVersionDocument; after: FileVersionDocument }>;
  /** Shows the versions of a file in their view. */
  readonly showFileVersions: (file: string) => Promise<void>;
  /** Returns the origins of an open document's lines; empty if they can't be found. Never rejects. */
  readonly documentOrigins: (document: vscode.TextDocument, token?: vscode.CancellationToken) => Promise<readonly LineOrigin[]>;
  readonly annotations: LineAnnotations;
  /** Formats how long ago a time was. `time` in milliseconds since 1970. */
  readonly ago: (time: number) => string;
  readonly showContext: (
    ref: SessionRef,
    options?: { readonly preserveFocus?: boolean; readonly toSide?: boolean },
  ) => Promise<{ messages: number }>;
  /** Shows the branch of an entry, scrolled to the entry, with the matches of `query` marked. */
  readonly showEntry: (
    ref: EntryRef,
    options?: { readonly query?: FindQuery; readonly toSide?: boolean; readonly preserveFocus?: boolean },
  ) => Promise<void>;
  /** Returns the URI of a file's read-only document, and allows that file to be read from now on. */
  readonly grantRawAccess: (path: string) => vscode.Uri;
  readonly openMarkdown: (ref: SessionRef, preview: boolean) => Promise<{ uri: string }>;
  /** Returns the files that a branch changed. */
  readonly changes: (ref: ChangesRef) => Promise<readonly FileChange[]>;
  /** Opens the files that a branch changed in the multi-file diff editor. @throws {SessionError} `not-found` if there are none */
  readonly openChanges: (ref: ChangesRef) => Promise<readonly FileChange[]>;
  /** Counts the files that would change by going to an entry; `undefined` if that would take too long. */
  readonly changeCount: (ref: EntryRef, signal: AbortSignal) => Promise<number | undefined>;
  /** Returns the session and the file that a document of a change shows; `undefined` for other URIs. */
  readonly fileOfChange: (uri: vscode.Uri) => { readonly ref: ChangesRef; readonly file: string } | undefined;
  /** Opens both sides in the diff editor; see `CommandContract`. */
  readonly compare: (left: SessionRef, right: SessionRef) => Promise<{ left: string; right: string; forkPoint: string | null }>;
  /** Opens the files of two branches in the multi-file diff editor; see `CommandContract`. Resolves to their names. */
  readonly compareFiles: (left: SessionRef, right: SessionRef) => Promise<readonly string[]>;
  /** The folder with the comments of reviews, in the extension's storage. */
  readonly reviewFolder: string;
  /** Changes of several sessions, and undo, which takes back all of a change that is being made. */
  readonly turns: Turns;
  /** The choices of the last export, in all windows. */
  readonly lastExport: {
    readonly get: (choice: 'folder' | 'format' | 'branches') => string | undefined;
    readonly set: (choice: 'folder' | 'format' | 'branches', value: string) => Thenable<void>;
  };
  /** Lists the disk again; resolves when the rows are current. */
  readonly refresh: () => Promise<void>;
  readonly setFilter: (filter: Filter) => Promise<void>;
  /** The order and groups of the Sessions view. */
  readonly arrangement: () => Arrangement;
  readonly arrange: (change: Partial<Arrangement>) => Promise<void>;
  readonly marks: SessionMarksOfPerson;
  readonly savedViews: SavedViewList;
  /** Runs the command of a key on the rows of the Sessions view that have the focus. */
  readonly runKey: (key: RowKey) => Promise<void>;
  /** Runs the command of a key on the message of the active context view that has the focus. */
  readonly runMessageKey: (key: RowKey) => void;
  /** Selects the row, and with `focus` moves the keyboard focus there. Resolves to false if there is no row. */
  readonly reveal: (ref: SessionRef, options?: { readonly focus?: boolean }) => Promise<boolean>;
  /** To be called after a write; resolves when rows and views are current. */
  readonly refreshAfterWrite: (paths: readonly string[]) => Promise<void>;
  /** Maps terminals to the sessions that they resumed. */
  readonly terminals: ResumedTerminals;
  /** Values that are kept for the window's folders. */
  readonly workspaceState: Pick<vscode.Memento, 'get' | 'update'>;
  readonly log: Log;
}

/** A read-only document of a version of a file. `isWhole`: false if it has only the changed parts, because the rest isn't known. */
interface FileVersionDocument {
  readonly uri: string;
  readonly exact: boolean;
  readonly isWhole: boolean;
}
