/**
 * All session files of the roots and what a list shows of them, kept true by looking again. What did not change is not
 * read again; what only grew is read from where it ended. Rows and heads come from a catalog where there is one: it looks
 * at everything, and what happens while somebody looks is read here at once, so that nobody waits for an index.
 */
import type { Session } from '../format/session';
import { listFiles, type SessionPath } from '../files/listFiles';
import { rootOf, type Root } from '../files/roots';
import { Pause } from '../files/pause';
import type { FileVersion } from '../files/sessionFile';
import { sameVersion } from '../files/versions';
import type { Catalog } from './catalogApi';
import { listAt } from './listAt';
import { LookOrder } from './lookOrder';
import { isUnder, within } from './listing';
import { OpenSessions, versionOf } from './openSessions';
import { Reporter, type StoreChange } from './reporter';
import { storedFile, type StoredFile } from './storedFile';
import { summarize } from './summary';

/** A catalog as the store needs it. Nothing here rejects: without it the store reads by itself. */
export interface RowSource {
  /** Opened where it isn't; `undefined` where there is none that works. What it tells by `onRows` goes to `rowsChanged`. */
  catalog(): Promise<Pick<Catalog, 'files' | 'session'> | undefined>;
  /** Has it look at everything, or at these files; whether it did: not where it broke, or was stopped. */
  look(paths?: readonly string[], signal?: AbortSignal): Promise<boolean>;
  /** These files are other than they were; it looks at them when it gets to it. */
  changed(paths: readonly string[]): void;
}

export interface StoreOptions {
  readonly roots: () => readonly Root[];
  readonly source?: RowSource;
  /** A folder that can't be listed, a settings file that can't be read. */
  readonly onProblem: (path: string, error: unknown) => void;
  /** Called as results come in, a few times a second at most, before `refresh` resolves. */
  readonly onChange: (change: StoreChange) => void;
  readonly home?: string;
}

/** Files that are read at the same time. */
const READERS = 4;
/** What changed is read here if it is no more than so many files, and bytes that nobody has read; else by the catalog. */
const FEW = 16;
const LITTLE = 32 * 1024 * 1024;

interface Stale {
  readonly file: SessionPath;
  readonly version: FileVersion;
}

export class SessionStore {
  private readonly known = new Map<string, StoredFile>();
  private readonly opened = new OpenSessions();
  private readonly order = new LookOrder();
  /** Paths of which more is known here than in the catalog. */
  private readonly ahead = new Set<string>();
  private catalog: Pick<Catalog, 'files' | 'session'> | undefined;
  private lookingAtAll: Promise<void> = Promise.resolve();

  constructor(private readonly options: StoreOptions) {}

  /** What is known now, by path. */
  files(): ReadonlyMap<string, StoredFile> {
    return this.known;
  }

  /** Takes over what the catalog knows, without reading a session; looks at everything where there is none. */
  async open(): Promise<void> {
    if (!(await this.takeCatalog())) await this.refresh();
  }

  /**
   * Looks again: at everything, or only at what lies at or under the given paths. Resolves when what is known
   * is what the disk held. A look at some paths does not wait for one at everything; what it finds is newer,
   * and stays.
   */
  refresh(paths?: readonly string[], signal?: AbortSignal): Promise<void> {
    if (paths !== undefined) return this.look(paths, signal);
    const work = this.lookingAtAll.then(async () => {
      if ((await this.takeCatalog()) && (await this.options.source!.look(undefined, signal))) {
        // It says nothing of what it never knew.
        const others = [...this.known.keys()].filter((path) => this.catalog?.files().has(path) === false);
        if (others.length > 0) await this.look(others, signal);
        return;
      }
      // It may have broken meanwhile.
      await this.takeCatalog();
      await this.look(undefined, signal);
    });
    this.lookingAtAll = work.catch(() => undefined);
    return work;
  }

  /**
   * The session as it is now, its heads kept for the next time.
   *
   * @throws {SessionError} as `readSession`.
   */
  async session(path: string, signal?: AbortSignal): Promise<Session> {
    const version = await versionOf(path);
    const { session } = await this.opened.open(path, version, { ...this.reading(path, signal), keep: true });
    const row = this.known.get(path);
    // Whoever sees the entries sees the row beside them.
    if (row && !(row.complete && sameVersion(row.version, version))) await this.look([path], signal);
    return session;
  }

  /** The catalog has other rows for these files than before, or none any more. */
  rowsChanged(paths: readonly string[]): void {
    const files = this.catalog?.files();
    if (!files) return;
    const look = this.order.begin();
    const report = new Reporter(this.options.onChange);
    const doubtful: string[] = [];
    for (const path of paths) {
      const file = files.get(path);
      const before = this.known.get(path);
      if (file && before?.complete && sameVersion(before.version, file.version) && before.owner === file.owner) this.ahead.delete(path);
      else if (before && this.ahead.has(path)) doubtful.push(path);
      else this.tell(look, path, file && storedFile(file, this.options.roots()), report);
    }
    this.order.end();
    report.flush();
    // Which of the two is behind, the disk knows.
    if (doubtful.length > 0) void this.look(doubtful, undefined);
  }

  /** Whether there is a catalog; one that is new brings its rows. */
  private async takeCatalog(): Promise<boolean> {
    const catalog = await this.options.source?.catalog();
    if (catalog === this.catalog) return catalog !== undefined;
    this.catalog = catalog;
    if (!catalog) return false;
    const pause = new Pause(undefined);
    const paths = [...catalog.files().keys()];
    for (let at = 0; at < paths.length; at += SLICE) {
      this.rowsChanged(paths.slice(at, at + SLICE));
      await pause.here();
    }
    return true;
  }

  private look(paths: readonly string[] | undefined, signal: AbortSignal | undefined): Promise<void> {
    const look = this.order.begin();
    return this.lookAs(look, paths, signal).finally(() => this.order.end());
  }

  private async lookAs(look: number, paths: readonly string[] | undefined, signal: AbortSignal | undefined): Promise<void> {
    const report = new Reporter(this.options.onChange);
    const { roots, onProblem } = this.options;
    const { files, failed } = await (paths ? listAt(paths, roots(), this.known, onProblem) : listFiles(roots(), onProblem));
    const there = new Set(files.map((file) => file.path));
    const told: string[] = [];
    const again: string[] = [];
    const tell = (path: string, file: StoredFile | undefined): void => {
      if (this.tell(look, path, file, report)) told.push(path);
      const now = this.known.get(path);
      if (file && now === file) this.ahead.add(path);
      // A later look told of it, and may have seen it before this one did, or not all of it.
      else if (file && !(now?.complete && sameVersion(now.version, file.version))) again.push(path);
    };
    try {
      for (const path of within(this.known, paths)) if (!there.has(path) && !isUnder(path, failed)) tell(path, undefined);
      const stale: Stale[] = [];
      for (const file of files) {
        signal?.throwIfAborted();
        try {
          const version = await versionOf(file.path);
          if (this.isStale(file, version)) stale.push({ file, version });
        } catch (error) {
          const before = this.known.get(file.path);
          const isKnown = before?.kind === 'unreadable' && String(before.error) === String(error);
          if (!isKnown) tell(file.path, isGone(error) ? undefined : { ...file, kind: 'unreadable', version: NO_VERSION, complete: true, error });
        }
      }
      if (!this.isMuch(stale) || !(await this.options.source!.look(stale.map(({ file }) => file.path), signal))) {
        stale.sort((a, b) => b.version.mtimeMs - a.version.mtimeMs);
        const next = stale.values();
        await Promise.all(
          Array.from({ length: READERS }, async () => {
            for (const { file, version } of next) tell(file.path, await this.read(file, version, signal));
          }),
        );
      }
    } finally {
      // What a look that was ended has found is known from now on, too.
      report.flush();
    }
    if (told.length > 0) this.options.source?.changed(told);
    if (again.length > 0) await this.look(again, signal);
  }

  private isStale(file: SessionPath, version: FileVersion): boolean {
    const before = this.known.get(file.path);
    if (!before || !sameVersion(before.version, version) || before.owner !== file.owner) return true;
    // What the catalog has yet to read is its own business, as long as there is one, unless it is open here.
    return !before.complete && (!this.catalog || this.opened.has(file.path));
  }

  private isMuch(stale: readonly Stale[]): boolean {
    if (!this.catalog) return false;
    const files = this.catalog.files();
    const unread = stale.filter(({ file: { path } }) => !this.opened.has(path) && !files.has(path));
    return stale.length > FEW || unread.reduce((sum, { version }) => sum + version.size, 0) > LITTLE;
  }

  /** What there is to know of a file; `undefined` if it is gone. */
  private async read(file: SessionPath, version: FileVersion, signal: AbortSignal | undefined): Promise<StoredFile | undefined> {
    try {
      // Heads are kept of what is open or growing, not of every file that a listing touches.
      const keep = this.opened.has(file.path) || this.known.has(file.path);
      const { session, tally } = await this.opened.open(file.path, version, { ...this.reading(file.path, signal, file.root), keep });
      return { ...file, kind: 'session', version, complete: true, summary: summaryAt(version, summarize(session, tally)) };
    } catch (error) {
      signal?.throwIfAborted();
      return isGone(error) ? undefined : { ...file, kind: 'unreadable', version, complete: true, error };
    }
  }

  private reading(path: string, signal: AbortSignal | undefined, root = rootOf(path, this.options.roots())) {
    const { catalog, options: { home } } = this;
    const heads = catalog?.files().has(path) ? (at: string): Promise<Session> => catalog.session(at) : undefined;
    return { heads, ...(signal ? { signal } : {}), ...(root ? { dialect: root.dialect } : {}), ...(home === undefined ? {} : { home }) };
  }

  /** Takes over what a look found, unless a later look has told of that path already. @returns whether it is news. */
  private tell(look: number, path: string, file: StoredFile | undefined, report: Reporter): boolean {
    if (!this.order.tells(look, path)) return false;
    if (file) this.known.set(path, file);
    else {
      this.opened.delete(path);
      this.ahead.delete(path);
      if (!this.known.delete(path)) return false;
    }
    report.note(path, file ? 'changed' : 'removed');
    return true;
  }
}

/** Rows that are taken over, and told of, at a time. */
const SLICE = 100;

const isGone = (error: unknown): boolean => (error as { code?: unknown }).code === 'not-found';

/** A session without any date is as old as its file. */
const summaryAt = <T extends { readonly modified: number }>(version: FileVersion, summary: T): T => (summary.modified === 0 ? { ...summary, modified: version.mtimeMs } : summary);

const NO_VERSION: FileVersion = { size: -1, mtimeMs: -1, ino: '' };
