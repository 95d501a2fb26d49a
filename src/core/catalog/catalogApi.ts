/** What the catalog offers, and what it is opened with. */
import type { Dialect } from '../format/entry/dialect';
import type { Session } from '../format/session/session';
import type { CatalogProblem } from './refresh/diskDiff';
import type { CatalogRow, KnownFile } from './rows/catalogRow';
import type { SearchHit, SearchOptions } from './search/search';
import type { UsageKey, UsageSum } from './rows/usageBy';

/** A folder of sessions; by default pi's, with a folder for each project in it. */
export type CatalogRoot = string | { readonly path: string; readonly dialect?: Dialect; readonly flat?: boolean };

export interface CatalogOptions {
  readonly roots: readonly CatalogRoot[];
  /** Where the database lies; made if it is missing, for its owner alone. */
  readonly cacheDir: string;
  /** Ends what is read in the background. What was read is kept, and it is taken up again next time. */
  readonly signal?: AbortSignal;
  /** How many files have been read of those that must be. */
  readonly onProgress?: (done: number, total: number) => void;
  /** These files have other rows than before, have come or gone. Told of as it is found out, many at once. */
  readonly onRows?: (paths: readonly string[]) => void;
  /** Whether what is missing is read behind at once, as it is by default, or only when `refresh` asks for it. */
  readonly background?: boolean;
}

export interface Catalog {
  /** What is known now, newest first. */
  sessions(): Promise<CatalogRow[]>;
  /** The same by path, as it is kept: for whoever shows thousands of them. */
  files(): ReadonlyMap<string, KnownFile>;
  /**
   * Looks again, at everything or at what lies at or under the paths; resolves when all of it is complete and searchable.
   * What was read before `signal` is kept, and the next look goes on from there.
   */
  refresh(paths?: readonly string[], options?: { readonly signal?: AbortSignal }): Promise<{ changed: string[]; problems: CatalogProblem[] }>;
  search(query: string, options?: SearchOptions): Promise<SearchHit[]>;
  /** The names of all tools that entries call, in order. */
  tools(): Promise<string[]>;
  /** The labels of all sessions, newest first; `timestamp` in milliseconds since 1970. */
  labels(): Promise<{ path: string; entryId: string; label: string; timestamp: number }[]>;
  /** The entries whose tool calls read or wrote a file, newest sessions first. */
  touching(file: string): Promise<{ path: string; entryId: string; kind: 'read' | 'write' }[]>;
  /** By UTC day, by the header's cwd, by `provider/model`, by path; days in order, the rest dearest first. */
  usage(options: { readonly by: UsageKey }): Promise<UsageSum[]>;
  /**
   * A session's heads as `readSession` gives them, of large files without reading what is known of them.
   *
   * @throws {SessionError} as `readSession`.
   */
  session(path: string): Promise<Session>;
  /** Takes out what is at or under the paths, or everything, and overwrites it. Files are not touched. */
  forget(paths?: readonly string[]): Promise<void>;
  /**
   * Whether another window took everything out of the database, or put another one in its place, since this was opened:
   * what is known here is not in it any more, and only a catalog that is opened anew will read it again.
   */
  externalReset(): 'cleared' | 'replaced' | undefined;
  close(): Promise<void>;
}
