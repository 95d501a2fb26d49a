/** The catalog's interface and options. */
import type { Session } from '../format/session/session';
import type { FolderTouch, LocatedTouch } from './encoding/touchTable';
import type { CatalogRoot } from '../files/locate/catalogRoots';
import type { DiskState } from './refresh/diskState';
import type { CatalogRow, RowProblem } from './rows/catalogRow';
import type { KnownWord } from './search/knownWords';
import type { SearchHit, SearchOptions, SessionSearchOptions } from './search/search';
import type { RowIndex } from './store/catalogSource';
import type { ListedSession } from './store/listedSession';
import type { SessionStore } from './store/sessionStore';
import type { UsageFilter, UsageKey, UsageSum } from './rows/usageBy';
import type { UsageFact } from './rows/usageReport';

/** Options of {@link openCatalog}. */
export interface CatalogOptions {
  readonly roots: readonly CatalogRoot[];
  /** Folder of the database. Created if it is missing, for its owner alone. */
  readonly cacheDir: string;
  /** Stops reading in the background. Keeps everything that was read; the next catalog continues from there. */
  readonly signal?: AbortSignal;
  /**
   * Called with the number of files that have been read, and the number of files that must be: equal when all can be
   * searched. A file whose row is complete, but not its words, counts half.
   */
  readonly onProgress?: (done: number, total: number) => void;
  /** Called with the paths of files whose rows were changed, added or removed, many together. */
  readonly onRows?: (paths: readonly string[]) => void;
  /** Called with a file that reading made no progress with, or broke down with, and the reason. It is left out. */
  readonly onLeftOut?: (path: string, error: Error) => void;
  /** Starts immediately to read missing files in the background. Default true; if false, `refresh` reads them. */
  readonly background?: boolean;
  /**
   * Reads folders of local disks on the calling thread, which is faster for a process that has nothing else to do meanwhile. Those that
   * it has read a moment ago aren't read again the first time.
   */
  readonly canBlock?: { readonly read?: DiskState['folders'] };
  /** Returns what a person keeps about a session, which is in no file of it, by its id. */
  readonly marksOf?: (id: string) => Pick<CatalogRow, 'tags' | 'note' | 'isPinned'>;
  /** Holds the rows, and refreshes them with this catalog as its index. By default the catalog has a store of its own. */
  readonly store?: SessionStore;
}

/** A file that can't be read, or a folder that can't be listed. */
export interface CatalogProblem extends RowProblem {
  readonly path: string;
}

/** The result of a refresh. */
export interface RefreshResult {
  /** Files whose rows have changed since the last refresh. */
  readonly changed: string[];
  readonly problems: CatalogProblem[];
}

/** A persistent, searchable index of sessions. */
export interface Catalog {
  /** Fills the rows of the store that the catalog was opened with. */
  readonly index: RowIndex;
  /** The known rows, newest first. */
  sessions(): Promise<CatalogRow[]>;
  /** The folders of the known sessions' projects without repetitions, beginning with the folder of the newest session. */
  folders(): Promise<string[]>;
  /** The known files by path. Not a copy: for views of thousands of rows. */
  files(): ReadonlyMap<string, ListedSession>;
  /**
   * Inspects the disk, either everything or the files at or under the paths, and reads the files that differ. Resolves
   * when all of them are complete and searchable. Files that were read before `signal` is aborted are kept, and the next
   * refresh continues from there.
   *
   * @throws the signal's reason when it is aborted; {SessionError} if the database can't be written.
   */
  refresh(paths?: readonly string[], options?: { readonly signal?: AbortSignal }): Promise<RefreshResult>;
  /**
   * Finds entries by words, `"phrases"`, `-not`, `begin*`, and the prefixes `role:`, `tool:`, `file:`, `label:`, `project:`,
   * `tag:`, `is:`, `after:`, `before:`, `since:`, `until:`, which limit them in addition to the options.
   */
  search(query: string, options?: SearchOptions): Promise<SearchHit[]>;
  /**
   * The words of a question that say what it's about, with the number of sessions that have each: the rarest first, and those that no
   * session has last. For a question that `search` finds nothing for.
   */
  knownWords(query: string, options?: SearchOptions): Promise<KnownWord[]>;
  /** The paths of the sessions that `search` finds something in, in no order. A query without words and filters finds none. */
  sessionsMatching(query: string, options?: SessionSearchOptions): Promise<string[]>;
  /** The sorted names of all tools that entries call. */
  tools(): Promise<string[]>;
  /** The labels of all sessions, newest first; `timestamp` in milliseconds since 1970. */
  labels(): Promise<{ path: string; entryId: string; label: string; timestamp: number }[]>;
  /** The entries whose tool calls read or wrote a file, newest sessions first. */
  touching(file: string): Promise<{ path: string; entryId: string; kind: 'read' | 'write' }[]>;
  /** Like `touching`, for several files, with the places needed to read the entries. */
  locatedTouches(files: readonly string[]): Promise<LocatedTouch[]>;
  /**
   * The touches of the files below a folder that some session wrote, with the places needed to read the entries, newest
   * sessions first. Names by which links lead to the folder count, too.
   *
   * @throws {SessionError} `invalid` if sessions wrote more than 20,000 files there
   */
  touchesWithin(folder: string): Promise<FolderTouch[]>;
  /** The names that sessions may have for a file on this machine, the given one first: links in its path, or in the folders of sessions, lead to it. */
  namesOf(file: string): Promise<string[]>;
  /** Returns the path on this machine of a file that a session names. @param cwd the folder that its header names */
  pathHere(session: string, cwd: string, file: string): string;
  /**
   * Sums by day, by month, by cause (`UsageCause`), by the header's cwd, by `provider/model`, by path, by path with all sessions below it (`family`), or by program.
   * Each answer counts once, whichever sessions have it: see `UsageFilter.ownForks`. Days are in order, the rest is sorted by cost,
   * highest first.
   */
  usage(options: { readonly by: UsageKey } & UsageFilter): Promise<UsageSum[]>;
  /**
   * The usage of each session with one model on one day of a time zone, for several sums of it (`usageReport`). @param since the time
   * whose day is the first that is needed, in milliseconds since 1970: a short range takes a small part of the time of all
   */
  usageFacts(timeZone: string, since?: number): Promise<UsageFact[]>;
  /**
   * A session's heads as `readSession` gives them, with the dialect of its root.
   *
   * @throws {SessionError} as `readSession`.
   */
  session(path: string): Promise<Session>;
  /**
   * Removes the sessions at or under the paths, by default all of them, and overwrites their data in the database.
   * Session files aren't touched. A database at a path that was left out because reading it made no progress is read again.
   */
  forget(paths?: readonly string[]): Promise<void>;
  /**
   * Returns `cleared` if another window has emptied the database since this catalog was opened, and `replaced` if another
   * database has replaced it. Then the rows here aren't in the database any more, and only a new catalog reads them again.
   */
  externalReset(): 'cleared' | 'replaced' | undefined;
  close(): Promise<void>;
}
