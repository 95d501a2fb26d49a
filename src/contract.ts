/**
 * Names, arguments and answers that keybindings, other extensions, tests and later versions rely on.
 * A change here is a breaking change.
 */
import type {
  ChangeCertainty,
  CleanUpTarget,
  Dialect,
  ExportFormat,
  Filter,
  Finding,
  LineCommit,
  LineOrigin,
  LineVersion,
  PlannedFile,
  Problem,
  ReviewComment,
  ReviewedFile,
  SearchHit,
  SentHow,
  TraceRecord,
  UsageFilter,
  UsageKey,
  UsageSum,
} from './core/index';

export const VIEW = 'sessionTree.sessions';
export const LABELS_VIEW = 'sessionTree.labels';
export const FILE_VERSIONS_VIEW = 'sessionTree.fileVersions';
/** The view that reviews a restore of files. It's there only meanwhile. */
export const RESTORE_VIEW = 'sessionTree.restoreReview';
/** The view of the comments of reviews. */
export const COMMENTS_VIEW = 'sessionTree.reviewComments';
export const CONTEXT_PANEL = 'sessionTree.context';
/** The editor that opens a session file as its context. */
export const SESSION_EDITOR = 'sessionTree.session';
/** The terminal profile that starts a new session of pi. */
export const TERMINAL_PROFILE = 'sessionTree.newSession';
/** Scheme of the Markdown documents. */
export const DOCUMENT_SCHEME = 'session-tree';
/** Scheme of the read-only documents that show a session file's own bytes. The rest of the URI is the file's. */
export const RAW_SCHEME = 'session-tree-raw';
/** Scheme of the read-only documents with the texts of changed files. */
export const CHANGE_SCHEME = 'session-tree-change';
/** Bytes of the largest file that the editor opens as a document. */
export const MAX_DOCUMENT = 50 * 1024 * 1024;

/** A session, or one of its entries. */
export interface SessionRef {
  readonly path: string;
  readonly entryId?: string;
}

/** An entry of a session. */
export type EntryRef = Required<SessionRef>;

/** Programs whose agents may be let look up sessions. */
export const AGENT_PROGRAMS = ['claude', 'codex', 'cursor', 'omp', 'openclaw', 'pi'] as const;
export type AgentProgram = (typeof AGENT_PROGRAMS)[number];

/** A call of a tool by an agent, or of a command that an agent ran. */
export interface LookupRecord {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The program that asked, as it names itself. */
  readonly client: string;
  readonly tool: string;
  /** The arguments as JSON, shortened. */
  readonly input: string;
  /** Bytes of the answer. */
  readonly bytes?: number;
  readonly isRefused: boolean;
}

/** Orders of sessions in the Sessions view. */
export const SESSION_SORTS = ['modified', 'created', 'name', 'cost', 'size'] as const;
export type SessionSort = (typeof SESSION_SORTS)[number];
/** The rows above sessions in the Sessions view. */
/** `state`: the unfinished sessions, and the others. */
export const SESSION_GROUPINGS = ['project', 'day', 'program', 'state', 'none'] as const;
export type SessionGrouping = (typeof SESSION_GROUPINGS)[number];

/** The order and the groups of the Sessions view; remembered for each workspace. */
export interface Arrangement {
  readonly sort: SessionSort;
  readonly group: SessionGrouping;
  /** True to list only sessions of folders in the workspace. Without a folder in the workspace, all are listed. */
  readonly workspaceOnly: boolean;
  /** Set to list only sessions with a tag, and the sessions above them. */
  readonly tag?: string;
  /** Set to list only sessions in which a search for this finds something, and the sessions above them. */
  readonly query?: string;
  /** True to list only sessions that are unfinished, or have a fork that is. */
  readonly unfinishedOnly?: boolean;
}

/** The order, the groups and the filters of the Sessions view under a name. */
export interface SavedView {
  readonly name: string;
  readonly arrangement: Arrangement;
  readonly filter: Filter;
  readonly program: Dialect | 'all';
}

/** A change of what a person keeps about sessions: pins, tags, a note. `ids` are ids of sessions. */
export type MarkChange =
  | { readonly kind: 'pin'; readonly ids: readonly string[]; readonly isOn: boolean }
  | { readonly kind: 'tag'; readonly ids: readonly string[]; readonly tag: string; readonly isOn: boolean }
  /** An empty text removes the note. */
  | { readonly kind: 'note'; readonly ids: readonly [string]; readonly text: string };

/** A change that was made in this window, and can be taken back there. */
export interface MadeMarkChange {
  /** Only what differed before. */
  readonly changes: readonly MarkChange[];
  /** The path of the first session. */
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** A branch whose changes are shown; with `since` only the ones after that entry. */
export type ChangesRef = SessionRef & { readonly since?: string };

/**
 * A row of the Sessions view, as menus pass it to commands. The property `row` distinguishes it from plain arguments:
 * called on a row, a command may prompt and show messages; with plain arguments it does neither.
 */
export type Row =
  | { readonly row: 'project'; readonly cwd: string }
  /** A day or a program, if sessions are grouped by these. */
  | { readonly row: 'group' }
  | { readonly row: 'session'; readonly path: string }
  | { readonly row: 'unreadable'; readonly path: string }
  | { readonly row: 'entry' | 'note'; readonly path: string; readonly entryId: string }
  /** `entryId` is the end of the branch, `branch` where it begins. */
  | {
      readonly row: 'branch';
      readonly path: string;
      readonly entryId: string;
      readonly branch?: { readonly head: { readonly id: string } };
    }
  /** A pending change, which is written once no other program has the session. */
  | { readonly row: 'waiting'; readonly path: string; readonly waitingId: string }
  | { readonly row: 'more' | 'problem'; readonly path: string };

/** The keys that rename, delete and copy rows, and open them to the side. The editor passes them no row, so their argument is `{ row: 'focused' }`. */
export type RowKey = 'rename' | 'delete' | 'copy' | 'openToSide' | 'tag' | 'note';

/** The argument of commands that a key runs on the rows that have the focus. */
export const isFocusedRow = (value: unknown): boolean => isRow(value) && (value.row as string) === 'focused';

/** The argument of commands that a key runs on the message of a context view that has the focus. */
export const isFocusedMessage = (value: unknown): boolean => isRow(value) && (value.row as string) === 'focusedMessage';

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && 'row' in value;
}

interface Force {
  /** Write although it is `unsure` whether another program has the file. A `live` session is never written to. */
  readonly force?: boolean;
}

/** The plain arguments of each command, and the answer that it then resolves to. Refusals reject with a `SessionError`. */
export interface CommandContract {
  'sessionTree.label': { args: [SessionRef & Force & { readonly label: string }]; answer: { entryId: string; concurrent?: true } };
  'sessionTree.clearLabel': { args: [SessionRef & Force]; answer: { entryId: string; concurrent?: true } };
  'sessionTree.branchHere': { args: [SessionRef & Force & { readonly summary?: string }]; answer: { entryId: string; concurrent?: true } };
  /**
   * Leads the files of a session's folder to the state after an entry: what was on the disk after its calls, and all calls that ran
   * before them, of any session. By default all files that recorded edits of sessions touched; `files` names others by absolute
   * paths. With `include: 'likely'` also files whose state isn't certain. Files that a person changed since are merged, or left as a
   * `conflict`; files outside the folder, and files with unsaved changes in an editor, are left. With `dryRun` nothing is written.
   * `undo` takes it back.
   */
  'sessionTree.restoreFiles': {
    args: [EntryRef & { readonly files?: readonly string[]; readonly include?: 'exact' | 'likely'; readonly dryRun?: boolean }];
    answer: { restoreId?: string; files: Pick<PlannedFile, 'file' | 'action' | 'certainty' | 'reason'>[] };
  };
  /**
   * `branchHere` and `restoreFiles` as one change, which one `undo` takes back. If one of the two is refused, neither happens.
   */
  'sessionTree.branchWithFiles': {
    args: [EntryRef & Force & { readonly summary?: string; readonly include?: 'exact' | 'likely' }];
    answer: {
      entryId: string;
      concurrent?: true;
      restoreId?: string;
      files: Pick<PlannedFile, 'file' | 'action' | 'certainty' | 'reason'>[];
    };
  };
  'sessionTree.fork': {
    args: [SessionRef & { readonly targetCwd?: string; readonly position?: 'before' | 'at' }];
    answer: { path: string };
  };
  /**
   * Imports a file as a new session of a project: a session of any supported program, or of Claude Code or Codex, by its absolute path.
   * By default the project is the folder that the file names. The last line of the new session names its origin, and the parts that were
   * left out.
   */
  'sessionTree.importSession': { args: [{ readonly file: string; readonly targetCwd?: string }]; answer: { path: string } };
  /** Copies all whole lines of a damaged session into a new session in the same folder. Its last line names the others. */
  'sessionTree.recoverSession': { args: [SessionRef & { readonly targetCwd?: string }]; answer: { path: string } };
  'sessionTree.migrate': { args: [SessionRef & Force]; answer: { path: string; backupPath: string } };
  'sessionTree.rename': { args: [SessionRef & Force & { readonly name: string }]; answer: { entryId?: string } };
  'sessionTree.branchAndResume': {
    args: [SessionRef & Force & { readonly summary?: string }];
    answer: { entryId: string; concurrent?: true; command: string[] };
  };
  /** Migrates all sessions of a project that have an older format. */
  'sessionTree.migrateAll': {
    args: [Force & { readonly cwd: string }];
    answer: { migrated: { path: string; backupPath: string }[]; left: { path: string; reason: string }[] };
  };
  /**
   * Moves all sessions of a project folder, of all programs, to another folder, and keeps forks leading to their parents. The
   * paths are absolute. Sessions that are in use or can't be changed are left, with the reason. With `dryRun` it only returns
   * the planned result. The whole move is undone as one change.
   */
  'sessionTree.relink': {
    args: [{ readonly from: string; readonly to: string; readonly dryRun?: boolean }];
    answer: { moved: { path: string; newPath: string }[]; left: { path: string; reason: string }[] };
  };
  /** Pins sessions in the Sessions view, or takes their pins away: pinned ones come first in their list. Resolves when the rows are current. */
  'sessionTree.pin': { args: [SessionRef | readonly SessionRef[]]; answer: undefined };
  'sessionTree.unpin': { args: [SessionRef | readonly SessionRef[]]; answer: undefined };
  /** Gives sessions a tag, or takes it away. A tag is one line of at most 50 characters without quotation marks; `Bug` and `bug` are the same. Resolves when the rows are current. */
  'sessionTree.tag': { args: [{ readonly refs: readonly SessionRef[]; readonly tag: string }]; answer: undefined };
  'sessionTree.untag': { args: [{ readonly refs: readonly SessionRef[]; readonly tag: string }]; answer: undefined };
  /** Keeps a note of at most 1,000 characters about a session; an empty text removes it. Resolves when the rows are current. */
  'sessionTree.note': { args: [SessionRef & { readonly text: string }]; answer: undefined };
  /** Saves the order, the groups and the filters of the Sessions view under a name, replacing a view with that name. */
  'sessionTree.saveView': { args: [{ readonly name: string }]; answer: undefined };
  /** Shows the Sessions view as it was saved; resolves when the rows are current. */
  'sessionTree.applyView': { args: [{ readonly name: string }]; answer: undefined };
  'sessionTree.deleteView': { args: [{ readonly name: string }]; answer: undefined };
  /** Replaces sessions by compressed archives in the same folder, which are read like sessions; resolves when the rows are current. */
  'sessionTree.archive': { args: [(SessionRef & Force) | readonly SessionRef[]]; answer: undefined };
  /** Restores archived sessions, byte for byte, at their former paths; resolves when the rows are current. */
  'sessionTree.unarchive': { args: [SessionRef | readonly SessionRef[]]; answer: undefined };
  /**
   * Archives old and large sessions, or moves them to the extension's trash: sessions without a message and a change for
   * `olderThanDays` (90 by default, 0 for any age), of at least `largerThan` bytes, of a project's folder, of a program. Sessions
   * that are in use or can't be cleaned up are left, with the reason. `bytes` is the size of a session; `newPath` is its archive.
   * With `dryRun` it only returns the planned result. The whole clean-up is undone as one change.
   */
  'sessionTree.cleanUp': {
    args: [
      {
        readonly to: CleanUpTarget;
        readonly olderThanDays?: number;
        readonly largerThan?: number;
        readonly project?: string;
        readonly program?: Dialect;
        readonly dryRun?: boolean;
      },
    ];
    answer: { cleaned: { path: string; newPath?: string; bytes: number }[]; left: { path: string; reason: string }[] };
  };
  /**
   * Moves to the extension's own trash, independently of the setting `sessionTree.trash`. The session's folder moves along, with
   * the sessions of subagents in it. With `withSubagents` all sessions of its subagents do; if it's false, the folder stays.
   */
  'sessionTree.delete': { args: [SessionRef & Force & { readonly withSubagents?: boolean }]; answer: { trashId: string } };
  'sessionTree.restore': { args: [{ readonly trashId: string }]; answer: { path: string } };
  /** With an object it empties the trash immediately; without one it asks first. */
  'sessionTree.emptyTrash': { args: [object]; answer: { removed: number } };
  /** Without an object it shows messages; it returns the answer in both cases. */
  'sessionTree.undo': { args: [] | [Force]; answer: { did: 'inverse' | 'file'; path: string } };
  'sessionTree.dropWaiting': { args: [{ readonly waitingId: string }]; answer: undefined };
  'sessionTree.showContext': { args: [SessionRef]; answer: { messages: number } };
  /** Like `showContext`, in another view to the side of the active editor. */
  'sessionTree.showContextToSide': { args: [SessionRef]; answer: { messages: number } };
  'sessionTree.openMarkdown': { args: [SessionRef & { readonly preview?: boolean }]; answer: { uri: string } };
  /**
   * Exports a session to a new file: all branches, or with an `entryId` the branch that ends there; `branches` says otherwise.
   * Secrets and personal data become placeholders, unless `redact` is false; the settings `sessionTree.redaction` apply, and
   * uncertain findings stay. `target` is an absolute path outside the session folders. An existing file is refused without
   * `overwrite`, and a session always, also an earlier export as JSONL. `problems` are lines that couldn't be exported.
   */
  'sessionTree.exportSession': {
    args: [
      SessionRef & {
        readonly format: ExportFormat;
        readonly target: string;
        readonly branches?: 'active' | 'all';
        readonly redact?: boolean;
        readonly overwrite?: boolean;
      },
    ];
    answer: { path: string; bytes: number; redacted: Finding[]; problems: Problem[] };
  };
  /**
   * Exports several sessions into the new folder `target`, one file for each and an index for HTML and Markdown, with the same
   * placeholder for the same text in all. A `dataset` is one of Hugging Face, as pi-share-hf uploads it. An existing `target` is
   * refused. `failed` are sessions that couldn't be exported.
   */
  'sessionTree.exportSessions': {
    args: [
      {
        readonly sessions: readonly SessionRef[];
        readonly format: ExportFormat | 'dataset';
        readonly target: string;
        readonly branches?: 'active' | 'all';
        readonly redact?: boolean;
      },
    ];
    answer: {
      path: string;
      index?: string;
      files: { session: string; path: string; bytes: number; redacted: Finding[]; problems: Problem[] }[];
      failed: { path: string; reason: string }[];
    };
  };
  /** Opens both sides after their fork point in the diff editor. Takes one array or two arguments; answers with the URIs of the two documents, and the last entry that both sides have (`null` if none). */
  'sessionTree.compare': {
    args: [readonly [SessionRef, SessionRef]] | [SessionRef, SessionRef];
    answer: { left: string; right: string; forkPoint: string | null };
  };
  /** Opens the files that at least one of two branches changed after their fork point, in the multi-file diff editor. */
  'sessionTree.compareFiles': { args: [readonly [SessionRef, SessionRef]] | [SessionRef, SessionRef]; answer: { files: string[] } };
  /**
   * Opens the files that a branch changed in the multi-file diff editor; without an `entryId` the files of the active branch. `since` is
   * an entry of it, after which changes count.
   */
  'sessionTree.openChanges': {
    args: [ChangesRef];
    answer: { files: { file: string; certainty: ChangeCertainty; entryIds: string[] }[] };
  };
  /** Shows the last message of a branch that changed a file, by default any; `file` is as in the answer of `openChanges`. */
  'sessionTree.goToChange': { args: [SessionRef & { readonly file?: string }]; answer: undefined };
  /** Sets the left side for the next `compareWithSelected`, whose answer is like the answer of `compare`. */
  'sessionTree.selectForCompare': { args: [SessionRef]; answer: undefined };
  'sessionTree.compareWithSelected': { args: [SessionRef]; answer: { left: string; right: string; forkPoint: string | null } };
  'sessionTree.resume': { args: [SessionRef]; answer: { command: string[] } };
  /**
   * Searches the catalog; waits for the current reading, at most 10 s. The query may have the prefixes `role:`, `tool:`, `file:`, `label:`, `project:`.
   * The command line and agents search with `SearchOptions.weighed`, too; only their hits have `missing`.
   */
  'sessionTree.search': { args: [{ readonly query: string; readonly limit?: number }]; answer: SearchHit[] };
  /** Finds sessions by title, project, label and id; the best first, at most 100. Without words the most recently active. */
  'sessionTree.goToSession': { args: [{ readonly query: string }]; answer: SessionRef[] };
  /** Finds the entries whose tool calls read or wrote a file. Its path is absolute, or relative to a workspace folder. From a menu or the palette it shows the file's versions. */
  'sessionTree.sessionsForFile': { args: [{ readonly file: string }]; answer: { path: string; entryId: string; kind: 'read' | 'write' }[] };
  /**
   * Finds which lines of a file were written by which messages. The text in the editor counts, saved or not. Its path is
   * absolute; `from` and `to` are lines from 1. Lines of unknown origin are in none of the ranges, which are in order and don't
   * overlap.
   */
  'sessionTree.lineOrigins': { args: [{ readonly file: string; readonly from?: number; readonly to?: number }]; answer: LineOrigin[] };
  /** Opens no editor: answers with a read-only document of the file's text after an entry, and whether that text is certain. If the whole text isn't known, the document has only the changed parts. */
  'sessionTree.fileAt': { args: [SessionRef & { readonly file: string }]; answer: { uri: string; exact: boolean } };
  /**
   * Makes records of Agent Trace 0.1.0 (https://github.com/cursor/agent-trace) of files on the disk, or of the lines that each
   * commit added, for the commits that `to` (by default `HEAD`) has and `from` hasn't; an empty `from` is the beginning. With
   * `target`, an absolute path, they are also written there, one on each line; an existing file is refused without
   * `overwrite`, and a path in a session folder always.
   */
  'sessionTree.exportAgentTrace': {
    args: [
      ({ readonly files: readonly string[] } | { readonly repository: string; readonly from: string; readonly to?: string }) & {
        readonly target?: string;
        readonly overwrite?: boolean;
      },
    ];
    answer: { records: TraceRecord[]; path?: string };
  };
  /**
   * Finds the messages that wrote the changed lines of a working tree since its last commit; ranges without an origin
   * come from people or commands. By default the repository is the one of the session's folder. The texts in the editor
   * count, saved or not. `left` is the number of files that were left out.
   */
  'sessionTree.reviewChanges': {
    args: [{ readonly repository: string } | { readonly path: string; readonly repository?: string }];
    answer: { repository: string; files: ReviewedFile[]; left: number };
  };
  /**
   * Describes the changes between two commits for a pull request, in Markdown: what was asked, changed, tried and checked in the sessions
   * that wrote its lines. By default from the last commit that the remote's default branch has, too, to the files on the disk. Secrets and
   * personal data become placeholders, which `redacted` lists.
   */
  'sessionTree.describeChanges': {
    args: [{ readonly repository: string; readonly from?: string; readonly to?: string }];
    answer: { markdown: string; redacted: Finding[] };
  };
  /** Lets a language model of the editor write a recap of a session, or of a branch up to an entry. Only the person can start it: with plain arguments it's refused. */
  'sessionTree.recap': { args: [SessionRef]; answer: undefined };
  /** The same for one commit, by its name or hash. */
  'sessionTree.explainCommit': {
    args: [{ readonly repository: string; readonly commit: string }];
    answer: { markdown: string; redacted: Finding[] };
  };
  /**
   * Sends comments on lines to the sessions that certainly wrote them, one prompt for each session and branch. `file` is absolute, lines
   * begin at 1. A session is resumed in its program (`resume`), after a branch if its tip was left. One in use gets the prompt in this
   * window's terminal if it waits for input there (`terminal`), else once it's closed (`later`). A session that can't be written to is
   * forked (`fork`). With `dryRun` nothing is sent. `comments` and `comment` are places in the given list.
   */
  'sessionTree.sendComments': {
    args: [{ readonly comments: readonly ReviewComment[]; readonly dryRun?: boolean }];
    answer: {
      sent: { path: string; entryId: string; comments: number[]; text: string; how: SentHow }[];
      left: { comment: number; reason: string }[];
    };
  };
  /** Adds such records of commits as Git notes, below `refs/notes/agent-trace`; with `dryRun` it writes none. Commits that have a note keep it without `overwrite`. The answer has the commits' hashes. */
  'sessionTree.addAgentTraceNotes': {
    args: [
      { readonly repository: string; readonly from: string; readonly to?: string; readonly overwrite?: boolean; readonly dryRun?: boolean },
    ];
    answer: { added: string[]; kept: string[] };
  };
  /** Shows or hides the annotation of the current line; without arguments the opposite. Answers with whether it's shown. */
  'sessionTree.toggleSessionBlame': { args: [] | [{ readonly on?: boolean }]; answer: { on: boolean } };
  /** The same for all lines of the active file, by session or by age. They're not shown if no line is known to come from a session. */
  'sessionTree.toggleSessionAnnotations': { args: [] | [{ readonly on?: boolean }]; answer: { on: boolean } };
  'sessionTree.toggleSessionHeatmap': { args: [] | [{ readonly on?: boolean }]; answer: { on: boolean } };
  /**
   * Finds why a line is there: the message that wrote it, the commit, and the versions that messages wrote before, the newest first,
   * which are a guess. The file's path is absolute, `line` begins at 1, and the text is the editor's. With `row: 'line'` in its
   * argument, as in links, it shows the list instead.
   */
  'sessionTree.whyThisLine': {
    args: [{ readonly file: string; readonly line: number }];
    answer: { origin?: LineOrigin; commit?: LineCommit; earlier: LineVersion[] };
  };
  /**
   * Opens a file's text after an entry next to the current file, or alone if there is none or if only the changed parts are known.
   * `file` is an absolute path; it may be left out if the entry changed only one file.
   */
  'sessionTree.openFileAt': {
    args: [SessionRef & { readonly file?: string }];
    answer: { file: string; uri: string; exact: boolean };
  };
  /** Opens the changes of an entry in a file in the diff editor; `file` as for `openFileAt`. */
  'sessionTree.showFileChange': {
    args: [SessionRef & { readonly file?: string }];
    answer: { before: string; after: string; exact: boolean };
  };
  /**
   * Puts a file's text after an entry into the editor, unsaved; `file` as for `openFileAt`. Rejects with `unsure` if that text
   * isn't certain, the file has unsaved changes, or it isn't in the workspace, unless forced; with `not-found`, even if forced, if only
   * the changed parts are known.
   */
  'sessionTree.restoreFileVersion': {
    args: [SessionRef & Force & { readonly file?: string }];
    answer: { file: string; exact: boolean };
  };
  /**
   * Lists the sessions that wrote lines of a file that is open in the editor, newest first: the last message that wrote one of them, its time in
   * milliseconds since 1970, how many they are, and the session's letter and color in the annotations of the file.
   */
  'sessionTree.sessionsOfLines': {
    args: [{ readonly file: string; readonly from?: number; readonly to?: number }];
    answer: readonly (EntryRef & {
      readonly time: number;
      readonly title: string;
      readonly lines: number;
      readonly letter: string;
      readonly color: { readonly light: string; readonly dark: string };
    })[];
  };
  /**
   * Selects the row of a session or entry; with an empty object, the row of the active editor, context view or
   * terminal. Resolves to the selected session or entry.
   */
  'sessionTree.revealSession': { args: [SessionRef | Record<string, never>]; answer: SessionRef };
  /** With an object it empties the index immediately; without one it asks first. */
  'sessionTree.clearIndex': { args: [object]; answer: undefined };
  /** Shows what agents looked up, newest first. With an object it shows nothing. */
  'sessionTree.showLookups': { args: [object]; answer: readonly LookupRecord[] };
  /**
   * Lets the agents of a program look up sessions, by an entry in its settings. By default it only says what would be written;
   * `state` is that of the entry afterwards, and `theirs` is one of the same name that isn't ours, which is never changed.
   */
  'sessionTree.letAgentsSearch': {
    args: [{ readonly program: AgentProgram; readonly action?: 'show' | 'write' | 'takeBack' }];
    answer: { file: string; lines: string; state: 'absent' | 'ours' | 'theirs' };
  };
  /** Installs the command `session-tree` in a folder of PATH. `isInPath` is false if no folder of the person is in it. */
  'sessionTree.installCommand': { args: [object]; answer: { path: string; isInPath: boolean } };
  /** Removes that command. `path` is what was removed, or null. */
  'sessionTree.uninstallCommand': { args: [object]; answer: { path: string | null } };
  /** Reads a file again that couldn't be read. Resolves when its row is current. */
  'sessionTree.retry': { args: [SessionRef]; answer: undefined };
  /**
   * Adds up the usage of sessions by day, by month, by project folder, by `provider/model`, by path, by path with all sessions below
   * it (`family`), by program, or by cause, where an answer counts for each of its causes. Costs are in dollars. Each answer counts once, however many sessions have it.
   * `cacheWrite1h`, a part of `cacheWrite`, is left out if it is 0.
   * `since` and `until` are in milliseconds since 1970, and their whole days count. Days are in `timeZone`, such as
   * `Europe/Berlin`, by default UTC. From the palette it shows a page with the days of this computer's time zone.
   */
  'sessionTree.usage': { args: [{ readonly by: UsageKey } & UsageFilter]; answer: UsageSum[] };
  /** Opens the next session of the window's folders that needs input, after the active one. */
  'sessionTree.nextAttention': { args: []; answer: SessionRef | undefined };
  /** Lists the places where sessions and programs were looked for. With an object it shows nothing. */
  'sessionTree.showLocations': {
    args: [object];
    answer: {
      folders: { path: string; dialect: Dialect; state: 'found' | 'missing' | 'unreadable' }[];
      programs: { dialect: Dialect; name: string; path: string | null }[];
    };
  };
  'sessionTree.refresh': { args: []; answer: undefined };
  /** Changes the order, the groups, or both; resolves when the rows are current. */
  'sessionTree.arrange': { args: [Partial<Arrangement>]; answer: undefined };
  'sessionTree.setFilter': { args: [{ readonly filter: Filter }]; answer: undefined };
}
export type CommandId = keyof CommandContract;
