/**
 * All session files of the roots and what a list shows of them, kept true by looking again. What did not change is not
 * read again; what only grew is read from where it ended. Rows and heads come from a catalog where there is one: it looks
 * at everything, and what happens while somebody looks is read here at once, so that nobody waits for an index.
 */
import type { Session } from '../../format/session/session';
import { listFiles, type SessionPath } from '../../files/locate/listFiles';
import { rootOf, type Root } from '../../files/locate/roots';
import { Yielder } from '../../files/io/eventLoop';
import type { FileVersion } from '../../files/read/sessionFile';
import { sameVersion } from '../../files/read/compareVersions';
import type { Catalog } from '../catalogApi';
import { listFilesAt } from '../refresh/listFilesAt';
import { RefreshOrder } from './refreshOrder';
import { isUnderAny, pathsWithin } from '../refresh/diskDiff';
import { SessionCache, sessionFileVersion } from './sessionCache';
import { ChangeReporter, type StoreChange } from './changeReporter';
import { toListedSession, type ListedSession } from './listedSession';
import { summarize, withFileTime } from '../rows/sessionSummary';

/** A catalog as the store needs it. Nothing here rejects: without it the store reads by itself. */
export interface CatalogSource {
  /** Opened where it isn't; `undefined` where there is none that works. What it tells by `onRows` goes to `rowsChanged`. */
  catalog(): Promise<Pick<Catalog, 'files' | 'session'> | undefined>;
  /** Has it look at everything, or at these files; whether it did: not where it broke, or was stopped. */
  refresh(paths?: readonly string[], signal?: AbortSignal): Promise<boolean>;
  /** These files are other than they were; it looks at them when it gets to it. */
  markChanged(paths: readonly string[]): void;
}

export interface StoreOptions {
  readonly roots: () => readonly Root[];
  readonly source?: CatalogSource;
  /** A folder that can't be listed, a settings file that can't be read. */
  readonly onProblem: (path: string, error: unknown) => void;
  /** Called as results come in, a few times a second at most, before `refresh` resolves. */
  readonly onChange: (change: StoreChange) => void;
  readonly home?: string;
}

/** Files that are read at the same time. */
const MAX_CONCURRENT_READS = 4;
/** What changed is read here if it is no more than so many files, and bytes that nobody has read; else by the catalog. */
const MAX_LOCAL_FILES = 16;
const MAX_LOCAL_BYTES = 32 * 1024 * 1024;

interface Stale {
  readonly file: SessionPath;
  readonly version: FileVersion;
}

export class SessionStore {
  private readonly known = new Map<string, ListedSession>();
  private readonly sessionCache = new SessionCache();
  private readonly refreshOrder = new RefreshOrder();
  /** Paths of which more is known here than in the catalog. */
  private readonly newerThanCatalog = new Set<string>();
  private catalog: Pick<Catalog, 'files' | 'session'> | undefined;
  private fullRefresh: Promise<void> = Promise.resolve();

  constructor(private readonly options: StoreOptions) {}

  /** What is known now, by path. */
  files(): ReadonlyMap<string, ListedSession> {
    return this.known;
  }

  /** Takes over what the catalog knows, without reading a session; looks at everything where there is none. */
  async open(): Promise<void> {
    if (!(await this.adoptCatalog())) await this.refresh();
  }

  /**
   * Looks again: at everything, or only at what lies at or under the given paths. Resolves when what is known
   * is what the disk held. A look at some paths does not wait for one at everything; what it finds is newer,
   * and stays.
   */
  refresh(paths?: readonly string[], signal?: AbortSignal): Promise<void> {
    if (paths !== undefined) return this.refreshFiles(paths, signal);
    const work = this.fullRefresh.then(async () => {
      if ((await this.adoptCatalog()) && (await this.options.source!.refresh(undefined, signal))) {
        // It says nothing of what it never knew.
        const others = [...this.known.keys()].filter((path) => this.catalog?.files().has(path) === false);
        if (others.length > 0) await this.refreshFiles(others, signal);
        return;
      }
      // It may have broken meanwhile.
      await this.adoptCatalog();
      await this.refreshFiles(undefined, signal);
    });
    this.fullRefresh = work.catch(() => undefined);
    return work;
  }

  /**
   * The session as it is now, its heads kept for the next time.
   *
   * @throws {SessionError} as `readSession`.
   */
  async session(path: string, signal?: AbortSignal): Promise<Session> {
    const version = await sessionFileVersion(path);
    const { session } = await this.sessionCache.open(path, version, { ...this.readOptions(path, signal), keep: true });
    const row = this.known.get(path);
    // Whoever sees the entries sees the row beside them.
    if (row && !(row.complete && sameVersion(row.version, version))) await this.refreshFiles([path], signal);
    return session;
  }

  /** The catalog has other rows for these files than before, or none any more. */
  rowsChanged(paths: readonly string[]): void {
    const files = this.catalog?.files();
    if (!files) return;
    const look = this.refreshOrder.begin();
    const report = new ChangeReporter(this.options.onChange);
    const doubtful: string[] = [];
    for (const path of paths) {
      const file = files.get(path);
      const before = this.known.get(path);
      if (file && before?.complete && sameVersion(before.version, file.version) && before.owner === file.owner) this.newerThanCatalog.delete(path);
      else if (before && this.newerThanCatalog.has(path)) doubtful.push(path);
      else this.applyChange(look, path, file && toListedSession(file, this.options.roots()), report);
    }
    this.refreshOrder.end();
    report.flush();
    // Which of the two is behind, the disk knows.
    if (doubtful.length > 0) void this.refreshFiles(doubtful, undefined);
  }

  /** Whether there is a catalog; one that is new brings its rows. */
  private async adoptCatalog(): Promise<boolean> {
    const catalog = await this.options.source?.catalog();
    if (catalog === this.catalog) return catalog !== undefined;
    this.catalog = catalog;
    if (!catalog) return false;
    const pause = new Yielder(undefined);
    const paths = [...catalog.files().keys()];
    for (let at = 0; at < paths.length; at += BATCH_SIZE) {
      this.rowsChanged(paths.slice(at, at + BATCH_SIZE));
      await pause.yieldIfDue();
    }
    return true;
  }

  private refreshFiles(paths: readonly string[] | undefined, signal: AbortSignal | undefined): Promise<void> {
    const look = this.refreshOrder.begin();
    return this.runRefresh(look, paths, signal).finally(() => this.refreshOrder.end());
  }

  private async runRefresh(look: number, paths: readonly string[] | undefined, signal: AbortSignal | undefined): Promise<void> {
    const report = new ChangeReporter(this.options.onChange);
    const { roots, onProblem } = this.options;
    const { files, failed } = await (paths ? listFilesAt(paths, roots(), this.known, onProblem) : listFiles(roots(), onProblem));
    const there = new Set(files.map((file) => file.path));
    const told: string[] = [];
    const again: string[] = [];
    const tell = (path: string, file: ListedSession | undefined): void => {
      if (this.applyChange(look, path, file, report)) told.push(path);
      const now = this.known.get(path);
      if (file && now === file) this.newerThanCatalog.add(path);
      // A later look told of it, and may have seen it before this one did, or not all of it.
      else if (file && !(now?.complete && sameVersion(now.version, file.version))) again.push(path);
    };
    try {
      for (const path of pathsWithin(this.known, paths)) if (!there.has(path) && !isUnderAny(path, failed)) tell(path, undefined);
      const stale: Stale[] = [];
      for (const file of files) {
        signal?.throwIfAborted();
        try {
          const version = await sessionFileVersion(file.path);
          if (this.isStale(file, version)) stale.push({ file, version });
        } catch (error) {
          const before = this.known.get(file.path);
          const isKnown = before?.kind === 'unreadable' && String(before.error) === String(error);
          if (!isKnown) tell(file.path, isGone(error) ? undefined : { ...file, kind: 'unreadable', version: NO_VERSION, complete: true, error });
        }
      }
      if (!this.exceedsLocalLimit(stale) || !(await this.options.source!.refresh(stale.map(({ file }) => file.path), signal))) {
        stale.sort((a, b) => b.version.mtimeMs - a.version.mtimeMs);
        const next = stale.values();
        await Promise.all(
          Array.from({ length: MAX_CONCURRENT_READS }, async () => {
            for (const { file, version } of next) tell(file.path, await this.read(file, version, signal));
          }),
        );
      }
    } finally {
      // What a look that was ended has found is known from now on, too.
      report.flush();
    }
    if (told.length > 0) this.options.source?.markChanged(told);
    if (again.length > 0) await this.refreshFiles(again, signal);
  }

  private isStale(file: SessionPath, version: FileVersion): boolean {
    const before = this.known.get(file.path);
    if (!before || !sameVersion(before.version, version) || before.owner !== file.owner) return true;
    // What the catalog has yet to read is its own business, as long as there is one, unless it is open here.
    return !before.complete && (!this.catalog || this.sessionCache.has(file.path));
  }

  private exceedsLocalLimit(stale: readonly Stale[]): boolean {
    if (!this.catalog) return false;
    const files = this.catalog.files();
    const unread = stale.filter(({ file: { path } }) => !this.sessionCache.has(path) && !files.has(path));
    return stale.length > MAX_LOCAL_FILES || unread.reduce((sum, { version }) => sum + version.size, 0) > MAX_LOCAL_BYTES;
  }

  /** What there is to know of a file; `undefined` if it is gone. */
  private async read(file: SessionPath, version: FileVersion, signal: AbortSignal | undefined): Promise<ListedSession | undefined> {
    try {
      // Heads are kept of what is open or growing, not of every file that a listing touches.
      const keep = this.sessionCache.has(file.path) || this.known.has(file.path);
      const { session, tally } = await this.sessionCache.open(file.path, version, { ...this.readOptions(file.path, signal, file.root), keep });
      return { ...file, kind: 'session', version, complete: true, summary: withFileTime(summarize(session, tally), version) };
    } catch (error) {
      signal?.throwIfAborted();
      return isGone(error) ? undefined : { ...file, kind: 'unreadable', version, complete: true, error };
    }
  }

  private readOptions(path: string, signal: AbortSignal | undefined, root = rootOf(path, this.options.roots())) {
    const { catalog, options: { home } } = this;
    const heads = catalog?.files().has(path) ? (at: string): Promise<Session> => catalog.session(at) : undefined;
    return { heads, ...(signal ? { signal } : {}), ...(root ? { dialect: root.dialect } : {}), ...(home === undefined ? {} : { home }) };
  }

  /** Takes over what a look found, unless a later look has told of that path already. @returns whether it is news. */
  private applyChange(look: number, path: string, file: ListedSession | undefined, report: ChangeReporter): boolean {
    if (!this.refreshOrder.claim(look, path)) return false;
    if (file) this.known.set(path, file);
    else {
      this.sessionCache.delete(path);
      this.newerThanCatalog.delete(path);
      if (!this.known.delete(path)) return false;
    }
    report.add(path, file ? 'changed' : 'removed');
    return true;
  }
}

/** Rows that are taken over, and told of, at a time. */
const BATCH_SIZE = 100;

const isGone = (error: unknown): boolean => (error as { code?: unknown }).code === 'not-found';

const NO_VERSION: FileVersion = { size: -1, mtimeMs: -1, ino: '' };
