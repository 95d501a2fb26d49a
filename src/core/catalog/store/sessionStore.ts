/**
 * The session files of the roots and their rows, as lists show them. The disk inventory gives the files and their
 * versions. A row is current if it was made from that version of its file; any other row is replaced as soon as
 * possible. Rows and heads come from the catalog if there is one. Files that change while sessions are shown are read
 * here immediately instead, because the catalog may be busy for minutes.
 */
import type { Session } from '../../format/session/session';
import type { Root } from '../../files/locate/roots';
import { runWithPriority, Yielder } from '../../files/concurrency/eventLoop';
import { sortSteps } from '../../files/concurrency/sortSteps';
import { WorkQueue } from '../../files/concurrency/workQueue';
import { sameVersion } from '../../files/read/compareVersions';
import { sessionFileVersion } from '../../files/read/findFileVersion';
import type { Catalog } from '../catalogApi';
import { DiskInventory } from '../refresh/diskInventory';
import { isFromVersion, type InventoryFile } from '../refresh/inventoryFile';
import { pathsWithin } from '../refresh/pathScope';
import { SessionFileReader } from './sessionFileReader';
import type { CatalogSource } from './catalogSource';
import { ChangeReporter, type StoreChange } from './changeReporter';
import { isRowOf, ListedRows } from './listedRows';
import { toListedSession, type ListedSession } from './listedSession';

export interface StoreOptions {
  readonly roots: () => readonly Root[];
  readonly source?: CatalogSource;
  /** Called with a folder that can't be listed. */
  readonly onProblem: (path: string, error: unknown) => void;
  /** Called as results come in, a few times a second at most, before `refresh` resolves. */
  readonly onChange: (change: StoreChange) => void;
  readonly home?: string;
}

/** Files that are read at the same time. */
const MAX_CONCURRENT_READS = 4;
/**
 * Limits of reading here although there is a catalog: the number of changed files, and of their bytes that neither the
 * catalog nor the store has read.
 */
const MAX_LOCAL_FILES = 16;
const MAX_LOCAL_BYTES = 32 * 1024 * 1024;
/** Rows per slice when a catalog's rows are taken over. */
const BATCH_SIZE = 100;

/**
 * Lists the sessions of the roots with their summaries, keeps them current, and reads single sessions. Works with or
 * without a catalog.
 */
export class SessionStore {
  /** Lists and inspects the session files. */
  readonly disk: DiskInventory;
  private readonly rows: ListedRows;
  private readonly reader: SessionFileReader;
  private catalog: Pick<Catalog, 'files'> | undefined;
  private readonly fullRefreshes = new WorkQueue();

  constructor(private readonly options: StoreOptions) {
    this.disk = new DiskInventory(options.roots);
    this.rows = new ListedRows(this.disk);
    this.disk.copies.onChange((paths) => {
      const report = new ChangeReporter(options.onChange);
      this.rows.updateCopies(paths, report);
      report.flush();
    });
    this.reader = new SessionFileReader(this.disk, options.home);
  }

  /** The known rows by path. */
  files(): ReadonlyMap<string, ListedSession> {
    return this.rows.all();
  }

  /** Takes over the catalog's rows without reading a session; refreshes everything if there is no catalog. */
  async open(): Promise<void> {
    if (!(await this.adoptCatalog())) await this.refresh();
  }

  /**
   * Inspects the disk, either everything or the files at or under the paths, and resolves when the rows are current. A
   * refresh of some paths doesn't wait for a refresh of everything, and its results aren't overwritten by it.
   */
  refresh(paths?: readonly string[]): Promise<void> {
    if (paths !== undefined) return runWithPriority(() => this.refreshFiles(paths));
    return this.fullRefreshes.add(async () => {
      await this.adoptCatalog();
      await this.refreshFiles(undefined);
    });
  }

  /**
   * The session as it is now. Its heads are kept for the next call.
   *
   * @throws {SessionError} as `readSession`.
   */
  session(path: string): Promise<Session> {
    return runWithPriority(() => this.currentSession(path));
  }

  /** See {@link session}. */
  private async currentSession(path: string): Promise<Session> {
    const version = await sessionFileVersion(path, this.disk.files().get(path)?.version);
    const session = await this.reader.session(path, version);
    const row = this.rows.all().get(path);
    // The row must match the entries that are shown below it.
    if (row && !(row.complete && sameVersion(row.version, version))) await this.refreshFiles([path]);
    return session;
  }

  /** To be called when the catalog's rows of these files have changed, come or gone. */
  rowsChanged(paths: readonly string[]): void {
    const report = new ChangeReporter(this.options.onChange);
    this.takeRows(paths, report);
    report.flush();
    void this.disk.copies.update();
  }

  private takeRows(paths: readonly string[], report: ChangeReporter, roots = this.disk.roots()): void {
    const files = this.catalog?.files();
    if (!files) return;
    for (const path of paths) {
      const file = files.get(path);
      const row = file && toListedSession(file, roots);
      if (row) this.rows.offer(row, report);
      else if (!file && this.hasNoFile(path)) this.remove(path, report);
    }
  }

  /** @returns true if there is a catalog. Takes over the rows of a new one. */
  private async adoptCatalog(): Promise<boolean> {
    const catalog = await this.options.source?.catalog();
    if (catalog === this.catalog) return catalog !== undefined;
    this.catalog = catalog;
    if (!catalog) return false;
    const pause = new Yielder(undefined);
    // One report: lists would show each part of the rows.
    const report = new ChangeReporter(this.options.onChange, Infinity);
    const paths = [...catalog.files().keys()];
    const roots = this.disk.roots();
    for (let at = 0; at < paths.length; at += BATCH_SIZE) {
      this.takeRows(paths.slice(at, at + BATCH_SIZE), report, roots);
      await pause.yieldIfDue();
    }
    report.flush();
    void this.disk.copies.update();
    return true;
  }

  private async refreshFiles(paths: readonly string[] | undefined): Promise<void> {
    const { source, onChange, onProblem } = this.options;
    const report = new ChangeReporter(onChange);
    try {
      const { files, failed } = await this.disk.inspect(paths);
      this.rows.updatePins(report);
      const changed = await this.removeRows(paths, report);
      for (const { path, error } of failed) onProblem(path, error);
      const stale = await this.staleAmong(files, report);
      const isLocal = this.isWithinLocalLimits(stale);
      if (isLocal) for (const path of await this.readFiles(stale, report)) changed.push(path);
      report.flush();
      if (source && this.catalog && (paths === undefined || !isLocal)) {
        const isDone = await source.update(paths && [...changed, ...stale.map(({ path }) => path)]);
        // It may have broken meanwhile; then nothing else completes the rows.
        if (!isDone && paths === undefined) await this.adoptCatalog();
        // A catalog that works reads the other files.
        await this.readFiles(await this.staleAmong(isDone ? stale : files, report), report);
      } else if (changed.length > 0) source?.markChanged(changed);
    } finally {
      report.flush();
    }
    await this.disk.copies.update();
  }

  /** Returns the files whose rows aren't current, after rows that the catalog has were taken over. */
  private async staleAmong(files: readonly InventoryFile[], report: ChangeReporter): Promise<InventoryFile[]> {
    const stale: InventoryFile[] = [];
    const pause = new Yielder(undefined);
    for (const found of files) {
      if (pause.isDue()) await pause.yieldIfDue();
      // Nearly all rows are current, and looking up another version takes as long as comparing this one.
      if (!this.needsRead(found)) continue;
      const { path } = found;
      const file = this.disk.files().get(path);
      if (!file || !this.needsRead(file)) continue;
      const indexed = this.catalog?.files().get(path);
      const row = indexed?.complete && isFromVersion(indexed, file) ? toListedSession(indexed, this.disk.roots()) : undefined;
      if (row) this.rows.offer(row, report);
      if (this.needsRead(file)) stale.push(file);
    }
    return pause.run(sortSteps(stale, (a, b) => b.version.mtimeMs - a.version.mtimeMs));
  }

  private needsRead(file: InventoryFile): boolean {
    const row = this.rows.all().get(file.path);
    if (!row || !isRowOf(row, file)) return true;
    // The catalog completes rows later, except the rows of open sessions.
    return !row.complete && (!this.catalog || this.reader.has(file.path));
  }

  private isWithinLocalLimits(stale: readonly InventoryFile[]): boolean {
    if (!this.catalog) return true;
    const files = this.catalog.files();
    const unread = stale.filter(({ path }) => !this.reader.has(path) && !files.has(path));
    return stale.length <= MAX_LOCAL_FILES && unread.reduce((sum, { version }) => sum + version.size, 0) <= MAX_LOCAL_BYTES;
  }

  /** @returns the files whose rows have changed. */
  private async readFiles(files: readonly InventoryFile[], report: ChangeReporter): Promise<string[]> {
    const next = files.values();
    const changed: string[] = [];
    await Promise.all(
      Array.from({ length: MAX_CONCURRENT_READS }, async () => {
        for (const file of next) {
          const row = await this.reader.row(file, this.rows.all().has(file.path));
          if (!row) this.disk.recordRead(file, undefined);
          if (row ? this.rows.offer(row, report) : !this.disk.files().has(file.path) && this.remove(file.path, report))
            changed.push(file.path);
        }
      }),
    );
    return changed;
  }

  /** Removes the rows of files that are gone, everywhere or at or under the paths. @returns their paths */
  private async removeRows(paths: readonly string[] | undefined, report: ChangeReporter): Promise<string[]> {
    const removed: string[] = [];
    const pause = new Yielder(undefined);
    // A copy: rows that arrive during a pause may belong to files that the inspection hasn't seen.
    for (const path of [...(await pause.run(pathsWithin(this.rows.all(), paths)))]) {
      if (this.hasNoFile(path) && this.remove(path, report)) removed.push(path);
      if (pause.isDue()) await pause.yieldIfDue();
    }
    return removed;
  }

  /** True if a file isn't known to the disk inventory, unless its folder couldn't be listed. */
  private hasNoFile(path: string): boolean {
    return !this.disk.files().has(path) && !this.disk.isUnlisted(path);
  }

  /** @returns true if there was such a row. */
  private remove(path: string, report: ChangeReporter): boolean {
    this.reader.delete(path);
    return this.rows.remove(path, report);
  }
}
