/**
 * All session files of the roots and what a list shows of them, kept true by looking again.
 * What did not change is not read again; what only grew is read from where it ended.
 */
import { stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { Session } from '../format/session';
import { listFiles, listFolder, type SessionPath } from '../files/listFiles';
import { rootOf, type Root } from '../files/roots';
import { fileVersion, followSession, readSession, type FileVersion, type ReadOptions } from '../files/sessionFile';
import { fileError } from '../files/errors';
import { summarize, type SessionSummary } from './summary';

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
/** Entries of opened sessions whose heads are kept, over all of them. */
const KEPT_HEADS = 400_000;
/** Milliseconds between two reports of a long refresh. */
const REPORT_EVERY = 150;

export class SessionStore {
  private readonly known = new Map<string, StoredFile>();
  /** Opened sessions, the least recently used first. */
  private readonly opened = new Map<string, { session: Session; version: FileVersion }>();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: StoreOptions) {}

  /** What is known now, by path. */
  files(): ReadonlyMap<string, StoredFile> {
    return this.known;
  }

  /**
   * Looks again: at everything, or only at what lies at or under the given paths. Resolves when what is
   * known is what the disk held. Calls run one after the other, so that a later look is never overwritten
   * by an earlier one.
   */
  refresh(paths?: readonly string[], signal?: AbortSignal): Promise<void> {
    const work = this.running.then(() => this.look(paths, signal));
    this.running = work.catch(() => undefined);
    return work;
  }

  /**
   * The session as it is now, its heads kept for the next time.
   *
   * @throws {SessionError} as `readSession`.
   */
  async session(path: string, signal?: AbortSignal): Promise<Session> {
    const version = await this.stat(path);
    return this.open(path, version, signal);
  }

  private async look(paths: readonly string[] | undefined, signal: AbortSignal | undefined): Promise<void> {
    const roots = this.options.roots();
    const found = await this.list(roots, paths);
    const report = this.reporter();
    const inScope = (path: string): boolean => paths === undefined || paths.some((at) => isAt(path, at));
    const there = new Set(found.map((file) => file.path));
    for (const path of [...this.known.keys()]) {
      if (there.has(path) || !inScope(path)) continue;
      this.forget(path);
      report.removed(path);
    }
    const stale: { file: SessionPath; version: FileVersion }[] = [];
    for (const file of found) {
      signal?.throwIfAborted();
      try {
        const version = await this.stat(file.path);
        const before = this.known.get(file.path);
        if (!before || !sameVersion(before.version, version) || before.owner !== file.owner) stale.push({ file, version });
      } catch (error) {
        if (this.isGone(error)) {
          if (this.forget(file.path)) report.removed(file.path);
        } else this.set({ ...file, kind: 'unreadable', version: NO_VERSION, error }, report);
      }
    }
    stale.sort((a, b) => b.version.mtimeMs - a.version.mtimeMs);
    const next = stale.values();
    await Promise.all(
      Array.from({ length: READERS }, async () => {
        for (const { file, version } of next) await this.read(file, version, report, signal);
      }),
    );
    report.flush();
  }

  private async list(roots: readonly Root[], paths: readonly string[] | undefined): Promise<SessionPath[]> {
    if (paths === undefined) return listFiles(roots, this.options.onProblem);
    // A single known file needs no listing; anything else is looked up where it lies.
    const files = paths.filter((path) => this.known.has(path));
    const rest = paths.filter((path) => !this.known.has(path));
    const found = files.map((path) => this.known.get(path)!);
    if (rest.length === 0) return found.map(({ path, root, owner }) => ({ path, root, ...(owner === undefined ? {} : { owner }) }));
    const whole = rest.map((path) => rootOf(path, roots)).filter((root, index) => root?.path === rest[index]);
    const folders = new Map(rest.flatMap((path) => folderAround(path, roots)).map((at) => [at.folder, at]));
    const listed = await listFiles(whole.filter((root) => root !== undefined), this.options.onProblem);
    for (const { folder, root } of folders.values()) listed.push(...(await listFolder(folder, root, this.options.onProblem)));
    const scope = listed.filter((file) => paths.some((at) => isAt(file.path, at)));
    const seen = new Set(scope.map((file) => file.path));
    return [...scope, ...found.filter((file) => !seen.has(file.path))];
  }

  private async read(file: SessionPath, version: FileVersion, report: Reporter, signal: AbortSignal | undefined): Promise<void> {
    try {
      const known = this.opened.has(file.path) || this.known.has(file.path);
      const session = await this.open(file.path, version, signal, known, file.root);
      this.set({ ...file, kind: 'session', version, summary: summarize(session) }, report);
    } catch (error) {
      signal?.throwIfAborted();
      if (this.isGone(error)) {
        if (this.forget(file.path)) report.removed(file.path);
      } else this.set({ ...file, kind: 'unreadable', version, error }, report);
    }
  }

  /** Reads or follows; keeps the heads of what is open or growing, not of every file that a listing touches. */
  private async open(path: string, version: FileVersion, signal: AbortSignal | undefined, keep = true, root?: Root): Promise<Session> {
    const before = this.opened.get(path);
    if (before && sameVersion(before.version, version)) {
      this.keep(path, before);
      return before.session;
    }
    const dialect = (root ?? rootOf(path, this.options.roots()))?.dialect;
    const options: ReadOptions = { ...(signal ? { signal } : {}), ...(dialect ? { dialect } : {}), ...(this.options.home === undefined ? {} : { home: this.options.home }) };
    const grew = before && before.version.ino === version.ino && version.size > before.version.size;
    const session = grew ? await followSession(before.session, options) : await readSession(path, options);
    if (keep) this.keep(path, { session, version });
    return session;
  }

  private keep(path: string, opened: { session: Session; version: FileVersion }): void {
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

  private set(file: StoredFile, report: Reporter): void {
    this.known.set(file.path, file);
    report.changed(file.path);
  }

  private forget(path: string): boolean {
    this.opened.delete(path);
    return this.known.delete(path);
  }

  private async stat(path: string): Promise<FileVersion> {
    try {
      return fileVersion(await stat(path, { bigint: true }));
    } catch (error) {
      throw fileError(error, path);
    }
  }

  private isGone(error: unknown): boolean {
    return (error as { code?: unknown }).code === 'not-found';
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

/** Whether a path is another one or lies under it. */
const isAt = (path: string, at: string): boolean => path === at || path.startsWith(at + sep);

/** The folder of sessions that a path in a root lies in or is: the root itself, or one of its folders. */
function folderAround(path: string, roots: readonly Root[]): { folder: string; root: Root }[] {
  const root = rootOf(path, roots);
  if (!root || path === root.path) return [];
  return [{ root, folder: root.flat ? root.path : join(root.path, relative(root.path, path).split(sep)[0]!) }];
}

const NO_VERSION: FileVersion = { size: -1, mtimeMs: -1, ino: '' };

function sameVersion(a: FileVersion, b: FileVersion): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino;
}
