/**
 * The sessions as the command line and the MCP server ask for them: the folders, the index with its rows, and sessions by their paths.
 * Everything is opened when it's first needed, so that a question about one file doesn't open the index.
 */
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import {
  currentEnvironment,
  databaseOf,
  defined,
  diskState,
  findRoots,
  readSession,
  rootOf,
  type Catalog,
  type CatalogProblem,
  type CatalogRow,
  type DiskState,
  type Root,
  type RootEnvironment,
  type SecretFilter,
  type Session,
} from '../core/index';
import { editorIndexes } from './editorIndexes';
import { LastList } from './lastList';
import { recordLookup, type NewLookup } from './lookups';
import { assertEnabled, isExcluded, type MemorySettings } from './settings';

export interface MemoryOptions {
  /** By default the folders in which the programs keep sessions. */
  readonly roots?: readonly Root[];
  /** The folder of the index; by default one in the folder for caches. */
  readonly cache?: string;
  readonly environment?: RootEnvironment;
  /** Opens the index of the editor, which is then used instead of one of these folders. */
  readonly openCatalog?: () => Promise<Catalog>;
  /** Returns what the person set, which is asked for at each question. @throws {Refusal} if it isn't known */
  readonly settings?: () => MemorySettings | Promise<MemorySettings>;
  readonly signal?: AbortSignal;
  /** The version of this program, if it keeps its last list in its cache. */
  readonly version?: string;
  /** See `CatalogOptions`. */
  readonly canBlock?: true;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Milliseconds after which rows are compared with the disk again. */
const MAX_AGE = 1000;
/** Bytes of sessions' files whose heads are kept. */
const MAX_KEPT = 64 * 1024 * 1024;

export class Memory {
  private opening: Promise<Catalog> | undefined;
  private refreshing: Promise<void> | undefined;
  private refreshedAt = -Infinity;
  private listed: Promise<readonly CatalogRow[]> | undefined;
  private readonly kept = new Map<string, Session>();
  private filter: Promise<SecretFilter> | undefined;
  private found: Promise<readonly Root[]> | undefined;
  private excluded: readonly string[] = [];
  /** The disk before the index was opened, if that was asked for. */
  private disk: DiskState | undefined;
  /** Files and folders that couldn't be read at the last comparison with the disk. */
  problems: readonly CatalogProblem[] = [];
  /** Settings of programs and folders that couldn't be read when folders were looked for. */
  readonly rootProblems: { readonly path: string; readonly message: string }[] = [];

  constructor(private readonly options: MemoryOptions = {}) {}

  get signal(): AbortSignal | undefined {
    return this.options.signal;
  }

  roots(): Promise<readonly Root[]> {
    const { roots } = this.options;
    return (this.found ??= roots ? Promise.resolve(roots) : this.findRoots());
  }

  /** Returns what the person set. @throws {Refusal} if they switched everything off, or if it isn't known */
  async checkSettings(): Promise<MemorySettings | undefined> {
    const settings = await this.options.settings?.();
    if (!settings) return undefined;
    assertEnabled(settings);
    this.excluded = settings.excludedProjects;
    return settings;
  }

  /** True if the index was needed before. */
  get isOpen(): boolean {
    return this.opening !== undefined;
  }

  /** The folder of everything that is kept between calls. */
  get cacheFolder(): string {
    return this.options.cache ?? defaultCache(this.options.environment ?? currentEnvironment());
  }

  /** The folder of the index of these roots: others have their own, so that none drops the sessions of another. */
  async indexFolder(): Promise<string> {
    const roots = await this.roots();
    const key = JSON.stringify(roots.map(({ path, dialect, flat, names }) => [path, dialect, flat, names]));
    return join(this.cacheFolder, `index-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`);
  }

  /**
   * The index with what it knows.
   *
   * @throws {SessionError} `invalid` if this Node has no SQLite; `permission`; `no-space`; {Refusal} as {@link checkSettings}
   */
  async catalog(): Promise<Catalog> {
    await this.checkSettings();
    const { openCatalog } = this.options;
    // The editor opens another one when its folders change.
    if (openCatalog) return (this.opening = openCatalog());
    return (this.opening ??= this.open());
  }

  /**
   * The index, current with the disk.
   *
   * @param wait milliseconds after which it's returned although files are still being read; by default it waits for all
   * @throws as {@link catalog}; the signal's reason if aborted
   */
  async current(wait?: number): Promise<{ readonly catalog: Catalog; readonly isComplete: boolean }> {
    const catalog = await this.catalog();
    if (performance.now() - this.refreshedAt < MAX_AGE) return { catalog, isComplete: true };
    const refresh = (this.refreshing ??= this.refresh(catalog).finally(() => (this.refreshing = undefined)));
    if (wait === undefined) return refresh.then(() => ({ catalog, isComplete: true }));
    // The next call reports its error, if it fails again.
    refresh.catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => (timer = setTimeout(resolve, wait, false)));
    const isComplete = await Promise.race([refresh.then(() => true), late]).finally(() => clearTimeout(timer));
    if (!isComplete) this.listed = undefined;
    return { catalog, isComplete };
  }

  /** Compares rows with the disk, even if that was done a moment ago: what is asked for may have been written since. */
  async lookAgain(): Promise<void> {
    // One that runs already may have looked before.
    await this.refreshing?.catch(() => undefined);
    this.refreshedAt = -Infinity;
    await this.current();
  }

  /** The rows of all sessions that the person didn't exclude, newest first, as the index has them now. */
  async rows(): Promise<readonly CatalogRow[]> {
    const rows = await this.allRows();
    const { excluded } = this;
    return excluded.length === 0 ? rows : rows.filter((row) => !isExcluded(row, excluded));
  }

  /** True if the person excluded any project. */
  get hasExcluded(): boolean {
    return this.excluded.length > 0;
  }

  /** True for a session of a project that the person excluded. */
  excludes(session: Pick<CatalogRow, 'cwd'>): boolean {
    return isExcluded(session, this.excluded);
  }

  /** Works like {@link excludes} for a session of the index, whose worktree is known. */
  async isHidden(path: string): Promise<boolean> {
    const rows = await this.allRows();
    return rows.some((row) => row.path === path && isExcluded(row, this.excluded));
  }

  /** A session's heads. @throws {SessionError} as `readSession` */
  async session(path: string): Promise<Session> {
    const version = await stat(databaseOf(path) ?? path).catch(() => undefined);
    const key = `${path}\n${String(version?.size)}\n${String(version?.mtimeMs)}`;
    const known = databaseOf(path) === undefined ? this.kept.get(key) : undefined;
    if (known) return known;
    const dialect = rootOf(path, await this.roots())?.dialect;
    const { signal } = this.options;
    const session = await readSession(path, defined({ dialect, signal }));
    this.keep(key, session);
    return session;
  }

  /** Records a look-up where the person can read it, if the settings name a file. @throws {SessionError} if it can't be written */
  async record(lookup: NewLookup): Promise<void> {
    const { log } = (await this.options.settings?.()) ?? {};
    if (log !== undefined) await recordLookup(log, lookup);
  }

  secrets(): Promise<SecretFilter> {
    return (this.filter ??= import('./secrets').then(({ createSecretFilter }) => createSecretFilter()));
  }

  /**
   * The last list, if one is kept. There's none while the person excludes projects, whose worktrees may change, and once secrets of
   * sessions are known, which any title may have.
   */
  async lastList(): Promise<LastList | undefined> {
    const { version, canBlock } = this.options;
    if (version === undefined || this.hasExcluded || this.filter) return undefined;
    if (canBlock && !this.isOpen) this.disk = await diskState(await this.roots());
    return LastList.read(await this.indexFolder(), { version, disk: this.disk?.digest });
  }

  async close(): Promise<void> {
    const catalog = await this.opening?.catch(() => undefined);
    await catalog?.close();
  }

  private async allRows(): Promise<readonly CatalogRow[]> {
    const catalog = await this.catalog();
    const listed = (this.listed ??= catalog.sessions());
    // The next call tries again.
    listed.catch(() => (this.listed = undefined));
    return listed;
  }

  private async findRoots(): Promise<readonly Root[]> {
    const { environment = currentEnvironment() } = this.options;
    // A window of the editor has its own.
    const added = environment.added ?? (await this.options.settings?.())?.added ?? [];
    return findRoots({ ...environment, added }, (path, error) =>
      this.rootProblems.push({ path, message: error instanceof Error ? error.message : String(error) }),
    );
  }

  private async open(): Promise<Catalog> {
    const [roots, cacheDir] = [await this.roots(), await this.indexFolder()];
    const { signal, onProgress, canBlock } = this.options;
    const { openIndex } = await import('./openIndex');
    // The extension's index is of the programs' own folders.
    const others = this.options.roots ? [] : editorIndexes(this.options.environment ?? currentEnvironment());
    return openIndex(
      {
        roots,
        cacheDir,
        background: false,
        ...defined({ signal, onProgress, canBlock: canBlock && defined({ read: this.disk?.folders }) }),
        onRows: () => (this.listed = undefined),
      },
      others,
    );
  }

  private async refresh(catalog: Catalog): Promise<void> {
    const { changed, problems } = await catalog.refresh();
    // The editor's index has its own refreshes, too.
    if (changed.length > 0 || this.options.openCatalog) this.listed = undefined;
    this.problems = problems;
    this.refreshedAt = performance.now();
  }

  private keep(key: string, session: Session): void {
    this.kept.set(key, session);
    let bytes = 0;
    for (const [other, { size }] of [...this.kept].reverse()) {
      bytes += size;
      if (bytes > MAX_KEPT && other !== key) this.kept.delete(other);
    }
  }
}

/** The base directory specification of freedesktop.org ignores relative paths. */
function defaultCache({ env, home }: RootEnvironment): string {
  const named = env['XDG_CACHE_HOME'];
  return join(named !== undefined && isAbsolute(named) ? named : join(home, '.cache'), 'session-tree');
}
