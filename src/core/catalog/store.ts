/**
 * All session files of the roots and what a list shows of them, kept true by looking again.
 * What did not change is not read again; what only grew is read from where it ended.
 */
import { stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Session } from '../format/session';
import { listFiles, listFolder, type Listing, type SessionPath } from '../files/listFiles';
import { rootOf, type Root } from '../files/roots';
import { fileVersion, followSession, notAFile, readSession, type FileVersion, type ReadOptions } from '../files/sessionFile';
import { fileError } from '../files/errors';
import { summarize, tally, type SessionSummary, type Tally } from './summary';

export type StoredFile = SessionPath & { readonly version: FileVersion } & (
    | { readonly kind: 'session'; readonly summary: SessionSummary }
    | { readonly kind: 'unreadable'; readonly error: unknown }
  );

/** Paths of files whose rows are no longer true. */
export interface StoreChange {
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

export interface StoreOptions {
  readonly roots: () => readonly Root[];
  /** A folder that can't be listed, a settings file that can't be read. */
  readonly onProblem: (path: string, error: unknown) => void;
  /** Called as results come in, a few times a second at most, before `refresh` resolves. */
  readonly onChange: (change: StoreChange) => void;
  readonly home?: string;
}

/** Files that are read at the same time. */
const READERS = 4;
/** Entries of opened sessions whose heads are kept, over all of them: some tens of MB. */
const KEPT_HEADS = 100_000;
/** Milliseconds between two reports of a long refresh. */
const REPORT_EVERY = 150;

interface Opened {
  readonly session: Session;
  readonly version: FileVersion;
  readonly tally: Tally;
}

export class SessionStore {
  private readonly known = new Map<string, StoredFile>();
  /** Opened sessions, the least recently used first. */
  private readonly opened = new Map<string, Opened>();
  /** Looks are numbered; of each path the newest look that told of it counts. */
  private looks = 0;
  private readonly toldBy = new Map<string, number>();
  private failed: readonly string[] = [];
  private lookingAtAll: Promise<void> = Promise.resolve();

  constructor(private readonly options: StoreOptions) {}

  /** What is known now, by path. */
  files(): ReadonlyMap<string, StoredFile> {
    return this.known;
  }

  /** Folders that could not be listed at the last look at everything; what was known of their files still stands. */
  failedFolders(): readonly string[] {
    return this.failed;
  }

  /**
   * Looks again: at everything, or only at what lies at or under the given paths. Resolves when what is known
   * is what the disk held. A look at some paths does not wait for one at everything; what it finds is newer,
   * and stays.
   */
  refresh(paths?: readonly string[], signal?: AbortSignal): Promise<void> {
    if (paths !== undefined) return this.look(paths, signal);
    const work = this.lookingAtAll.then(() => this.look(undefined, signal));
    this.lookingAtAll = work.catch(() => undefined);
    return work;
  }

  /**
   * The session as it is now, its heads kept for the next time.
   *
   * @throws {SessionError} as `readSession`.
   */
  async session(path: string, signal?: AbortSignal): Promise<Session> {
    return (await this.open(path, await this.stat(path), signal)).session;
  }

  private async look(paths: readonly string[] | undefined, signal: AbortSignal | undefined): Promise<void> {
    const look = ++this.looks;
    const roots = this.options.roots();
    const { files, failed } = await this.list(roots, paths);
    if (paths === undefined) this.failed = failed;
    const report = this.reporter();
    const tell = (path: string, file: StoredFile | undefined): void => this.tell(look, path, file, report);
    const inScope = (path: string): boolean => (paths === undefined || paths.some((at) => isAt(path, at))) && !failed.some((at) => isAt(path, at));
    const there = new Set(files.map((file) => file.path));
    for (const path of [...this.known.keys()]) if (!there.has(path) && inScope(path)) tell(path, undefined);
    const stale: { file: SessionPath; version: FileVersion }[] = [];
    for (const file of files) {
      signal?.throwIfAborted();
      try {
        const version = await this.stat(file.path);
        const before = this.known.get(file.path);
        if (!before || !sameVersion(before.version, version) || before.owner !== file.owner) stale.push({ file, version });
      } catch (error) {
        tell(file.path, isGone(error) ? undefined : { ...file, kind: 'unreadable', version: NO_VERSION, error });
      }
    }
    stale.sort((a, b) => b.version.mtimeMs - a.version.mtimeMs);
    const next = stale.values();
    await Promise.all(
      Array.from({ length: READERS }, async () => {
        for (const { file, version } of next) tell(file.path, await this.read(file, version, signal));
      }),
    );
    report.flush();
  }

  private async list(roots: readonly Root[], paths: readonly string[] | undefined): Promise<Listing> {
    if (paths === undefined) return listFiles(roots, this.options.onProblem);
    // A single known file needs no listing; anything else is looked up where it lies.
    const known = paths.flatMap((path) => this.known.get(path) ?? []);
    const rest = paths.filter((path) => !this.known.has(path));
    const listings: Listing[] = [{ files: known.map(({ path, root, owner }) => ({ path, root, ...(owner === undefined ? {} : { owner }) })), failed: [] }];
    if (rest.length > 0) {
      const whole = roots.filter((root) => rest.includes(root.path));
      const folders = new Map(rest.flatMap((path) => folderAround(path, roots)).map((at) => [at.folder, at]));
      listings.push(await listFiles(whole, this.options.onProblem));
      for (const { folder, root } of folders.values()) listings.push(await listFolder(folder, root, this.options.onProblem));
    }
    const files = new Map<string, SessionPath>();
    for (const file of listings.flatMap((listing) => listing.files)) if (paths.some((at) => isAt(file.path, at))) files.set(file.path, file);
    return { files: [...files.values()], failed: listings.flatMap((listing) => listing.failed) };
  }

  /** What there is to know of a file; `undefined` if it is gone. */
  private async read(file: SessionPath, version: FileVersion, signal: AbortSignal | undefined): Promise<StoredFile | undefined> {
    try {
      const isKnown = this.opened.has(file.path) || this.known.has(file.path);
      const opened = await this.open(file.path, version, signal, isKnown, file.root);
      return { ...file, kind: 'session', version, summary: summarize(opened.session, opened.tally) };
    } catch (error) {
      signal?.throwIfAborted();
      return isGone(error) ? undefined : { ...file, kind: 'unreadable', version, error };
    }
  }

  /** Reads or follows; keeps the heads of what is open or growing, not of every file that a listing touches. */
  private async open(path: string, version: FileVersion, signal: AbortSignal | undefined, keep = true, root?: Root): Promise<Opened> {
    const before = this.opened.get(path);
    if (before && sameVersion(before.version, version)) {
      this.keep(path, before);
      return before;
    }
    const dialect = (root ?? rootOf(path, this.options.roots()))?.dialect;
    const options: ReadOptions = { ...(signal ? { signal } : {}), ...(dialect ? { dialect } : {}), ...(this.options.home === undefined ? {} : { home: this.options.home }) };
    const grew = before && before.version.ino === version.ino && version.size > before.version.size;
    const session = grew ? await followSession(before.session, options) : await readSession(path, options);
    const opened: Opened = { session, version, tally: tally(session, before?.tally) };
    if (keep) this.keep(path, opened);
    return opened;
  }

  private keep(path: string, opened: Opened): void {
    this.opened.delete(path);
    this.opened.set(path, opened);
    let heads = 0;
    for (const { session } of this.opened.values()) heads += session.entries.length;
    for (const [oldest, { session }] of this.opened) {
      if (heads <= KEPT_HEADS || oldest === path) break;
      this.opened.delete(oldest);
      heads -= session.entries.length;
    }
  }

  /** Takes over what a look found, unless a later look has told of that path already. */
  private tell(look: number, path: string, file: StoredFile | undefined, report: Reporter): void {
    if ((this.toldBy.get(path) ?? 0) > look) return;
    this.toldBy.set(path, look);
    if (file) {
      this.known.set(path, file);
      report.changed(path);
      return;
    }
    this.opened.delete(path);
    if (this.known.delete(path)) report.removed(path);
  }

  private async stat(path: string): Promise<FileVersion> {
    const stats = await stat(path, { bigint: true }).catch((error: unknown) => {
      throw fileError(error, path);
    });
    if (!stats.isFile()) throw notAFile(path);
    return fileVersion(stats);
  }

  private reporter(): Reporter {
    let changed = new Set<string>();
    let removed = new Set<string>();
    let last = performance.now();
    const flush = (): void => {
      if (changed.size + removed.size === 0) return;
      const change = { changed: [...changed], removed: [...removed] };
      changed = new Set();
      removed = new Set();
      last = performance.now();
      this.options.onChange(change);
    };
    const note = (set: Set<string>, path: string): void => {
      set.add(path);
      if (performance.now() - last > REPORT_EVERY) flush();
    };
    return { changed: (path) => note(changed, path), removed: (path) => note(removed, path), flush };
  }
}

interface Reporter {
  changed(path: string): void;
  removed(path: string): void;
  flush(): void;
}

const isGone = (error: unknown): boolean => (error as { code?: unknown }).code === 'not-found';

/** Whether a path is another one or lies under it. */
const isAt = (path: string, at: string): boolean => path === at || path.startsWith(at + sep);

/** The folder of sessions that a path in a root lies in or is: the root itself, or one of its folders. */
function folderAround(path: string, roots: readonly Root[]): { folder: string; root: Root }[] {
  const inner = rootOf(path, roots);
  if (!inner || path === inner.path) return [];
  // A folder may be a root at both depths.
  return roots
    .filter((root) => root.path === inner.path)
    .map((root) => ({ root, folder: root.flat ? root.path : join(root.path, relative(root.path, path).split(sep)[0]!) }));
}

const NO_VERSION: FileVersion = { size: -1, mtimeMs: -1, ino: '' };

function sameVersion(a: FileVersion, b: FileVersion): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino;
}
