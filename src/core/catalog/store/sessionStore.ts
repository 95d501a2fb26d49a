/**
 * The session files of the roots and their rows: the only map of them. The disk inventory gives the files and their
 * versions. A row is current if it was made from that version of its file; any other row is replaced as soon as possible.
 * The index reads files and makes their rows. Sessions whose heads are kept because they are open are read here, and so
 * are few files while the index can't read them at once, and all files if there is no index.
 */
import { resolve } from 'node:path';
import { defined } from '../../format/values/defined';
import type { Session } from '../../format/session/session';
import type { Root } from '../../files/locate/roots';
import { runWithPriority, Yielder } from '../../files/concurrency/eventLoop';
import { sortSteps } from '../../files/concurrency/sortSteps';
import { WorkQueue } from '../../files/concurrency/workQueue';
import { sameVersion } from '../../files/read/versions/compareVersions';
import { sessionFileVersion } from '../../files/read/versions/findFileVersion';
import { DiskInventory, type Inspection } from '../refresh/diskInventory';
import { isFromVersion, type InventoryFile } from '../rows/inventoryFile';
import { isUnderAny, pathsWithin } from '../refresh/pathScope';
import { unreadableRow, type KnownFile } from '../rows/catalogRow';
import { SessionFileReader } from './sessionFileReader';
import type { CatalogSource } from './catalogSource';
import { ChangeReporter, type StoreChange } from './changeReporter';
import { IndexedRows } from './indexedRows';
import { isRowOf, ListedRows } from './listedRows';
import { toListedSession, type ListedSession } from './listedSession';

interface StoreOptions {
  readonly roots: () => readonly Root[];
  readonly source?: CatalogSource;
  /** Called with a folder that can't be listed. */
  readonly onProblem: (path: string, error: unknown) => void;
  /** Called as results come in, a few times a second at most, before `refresh` resolves. */
  readonly onChange: (change: StoreChange) => void;
  readonly home?: string;
}

/** The result of a refresh. */
interface StoreRefresh {
  /** Files whose rows have changed, were added or removed. */
  readonly changed: ReadonlySet<string>;
  /** Folders that couldn't be listed. */
  readonly failed: Inspection['failed'];
}

/** Files that are read at the same time. */
const MAX_CONCURRENT_READS = 4;
/**
 * Limits of reading here although there is an index: the number of files, and of their bytes that weren't read before. More
 * new files get first rows from their beginnings and ends.
 */
const MAX_LOCAL_FILES = 16;
const MAX_LOCAL_BYTES = 32 * 1024 * 1024;

/**
 * Lists the sessions of the roots with their summaries, keeps them current, and reads single sessions. Works with or
 * without an index.
 */
export class SessionStore {
  /** Lists and inspects the session files. */
  readonly disk: DiskInventory;
  private readonly rows: ListedRows;
  private readonly reader: SessionFileReader;
  private readonly index: IndexedRows;
  private readonly fullRefreshes = new WorkQueue();

  constructor(private readonly options: StoreOptions) {
    this.disk = new DiskInventory(options.roots, () => this.rows.all());
    this.rows = new ListedRows(this.disk);
    this.disk.copies.onChange((paths) => {
      const report = this.report();
      this.rows.updateCopies(paths, report);
      report.flush();
    });
    this.reader = new SessionFileReader(this.disk, options.home);
    this.index = new IndexedRows(options.source, this.disk, this.rows, (interval) => this.report(interval));
  }

  /** The known rows by path. */
  files(): ReadonlyMap<string, ListedSession> {
    return this.rows.all();
  }

  /**
   * Takes over the rows of the index without reading a session; if it has none, makes rows of the newest files. Refreshes
   * everything if there is no index.
   */
  async open(signal?: AbortSignal): Promise<void> {
    if (!(await this.index.open())) await this.refresh(undefined, signal);
    else if (this.rows.all().size === 0) {
      const { files } = await this.disk.inspect(undefined, signal);
      const report = this.report();
      await this.index.addFirstRows(await this.staleAmong(files, report), report);
    }
  }

  /**
   * Inspects the disk, either everything or the files at or under the paths, and resolves when the rows are current. A
   * refresh of some paths doesn't wait for a refresh of everything, and its results aren't overwritten by it.
   *
   * @throws the signal's reason when it is aborted; the errors of the source, if that throws them
   */
  refresh(paths?: readonly string[], signal?: AbortSignal): Promise<StoreRefresh> {
    if (paths !== undefined)
      return runWithPriority(() =>
        this.refreshFiles(
          paths.map((path) => resolve(path)),
          signal,
        ),
      );
    return this.fullRefreshes.add(async () => {
      await this.index.open();
      return this.refreshFiles(undefined, signal);
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

  /** Has everything indexed again that is under the paths, by default all, because the index has lost it. */
  markUnindexed(paths?: readonly string[]): void {
    this.index.markUnindexed(paths);
  }

  /** Removes the rows at or under the paths, by default all, until they are read again. */
  drop(paths: readonly string[] | undefined): void {
    const report = this.report();
    for (const path of [...this.rows.all().keys()]) if (isUnderAny(path, paths)) this.rows.remove(path, report);
    report.flush();
  }

  /** Resolves when the index has everything that was read here. */
  indexed(): Promise<void> {
    return this.index.settled();
  }

  /** See {@link session}. */
  private async currentSession(path: string): Promise<Session> {
    const version = await sessionFileVersion(path, this.disk.files().get(path)?.version);
    const session = await this.reader.session(path, version);
    const row = this.rows.all().get(path);
    // The row must match the entries that are shown below it.
    if (row && !(row.complete && sameVersion(row.version, version))) await this.refreshFiles([path], undefined);
    return session;
  }

  private async refreshFiles(paths: readonly string[] | undefined, signal: AbortSignal | undefined): Promise<StoreRefresh> {
    signal?.throwIfAborted();
    const report = this.report();
    try {
      const { files, failed } = await this.disk.inspect(paths, signal);
      this.rows.updatePins(report);
      await this.removeRows(paths, report);
      for (const { path, error } of failed) this.options.onProblem(path, error);
      const stale = await this.staleAmong(files, report);
      const { isReady } = this.index;
      const here = this.amongOpen(stale, isReady);
      await this.readFiles(here, report);
      report.flush();
      const readHere = new Set(here);
      // A person waits for few files, and not for the index to do what it's busy with.
      const mustWait = (file: InventoryFile): boolean => !readHere.has(file) && (isReady || this.needsRead(file));
      const others = paths ? stale.filter(mustWait) : stale;
      if (paths) this.index.readLater(stale.filter((file) => !mustWait(file)));
      if (others.length > 0 || isReady || !paths) await this.indexFiles(others, paths === undefined, report, signal);
      await this.disk.copies.update();
      return { changed: report.reported, failed };
    } finally {
      report.flush();
    }
  }

  /** Reads files with the index, or here if that can't do it. @param isComplete true if everything is to be searchable then */
  private async indexFiles(
    files: readonly InventoryFile[],
    isComplete: boolean,
    report: ChangeReporter,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const fresh = isComplete ? files.filter(({ path }) => !this.rows.all().has(path)) : [];
    const needsFirstRows = this.index.isOpen && fresh.length > MAX_LOCAL_FILES;
    if (needsFirstRows) await this.index.addFirstRows(fresh, report);
    const reading = this.index.read(files, isComplete, report, signal);
    const [outcome] = await Promise.all([reading, needsFirstRows ? this.index.addOtherFirstRows(fresh, report) : undefined]);
    // It may have broken meanwhile; then nothing else completes the rows.
    if (outcome === 'failed' && isComplete && this.index.isOpen) await this.index.open();
    const left = files.flatMap(({ path }) => this.disk.files().get(path) ?? []).filter((file) => this.needsRead(file));
    await this.readFiles(left, report);
    if (outcome !== 'rebuilt') return;
    for (const path of (await this.refreshFiles(undefined, signal)).changed) report.reported.add(path);
  }

  /** Returns the files whose rows aren't current, or that the index lacks, the newest first. */
  private async staleAmong(files: readonly InventoryFile[], report: ChangeReporter): Promise<InventoryFile[]> {
    const stale: InventoryFile[] = [];
    const pause = new Yielder(undefined);
    for (const found of files) {
      if (pause.isDue()) await pause.yieldIfDue();
      // Nearly all rows are current, and looking up another version takes as long as comparing this one.
      if (!this.isStale(found)) continue;
      const file = this.disk.files().get(found.path);
      if (!file || !this.isStale(file)) continue;
      this.updateRow(file, report);
      if (file.error === undefined && this.isStale(file)) stale.push(file);
    }
    return pause.run(sortSteps(stale, (a, b) => b.version.mtimeMs - a.version.mtimeMs));
  }

  /** Updates the row of a file that needn't be read for that: it can't be inspected, or has another root now. */
  private updateRow(file: InventoryFile, report: ChangeReporter): void {
    const { path, root, version, error } = file;
    const row = this.rows.all().get(path);
    if (row && isRowOf(row, file)) return;
    if (error !== undefined) this.offer({ path, version, complete: true, row: unreadableRow(path, error, root.dialect, 0) }, file, report);
    else if (row?.complete && isFromVersion(row, file)) this.offer(row, file, report);
  }

  private isStale(file: InventoryFile): boolean {
    return this.index.isOpen ? this.index.lacks(file) : this.needsRead(file);
  }

  private needsRead(file: InventoryFile): boolean {
    const row = this.rows.all().get(file.path);
    if (!row || !isRowOf(row, file)) return true;
    // The index completes rows later, except the rows of open sessions.
    return !row.complete && (!this.index.isOpen || this.reader.has(file.path));
  }

  /** Returns the files that are read here: those that are open, and all if they are few and the index can't read them at once. */
  private amongOpen(stale: readonly InventoryFile[], isReady: boolean): InventoryFile[] {
    const outdated = stale.filter((file) => this.needsRead(file));
    if (!this.index.isOpen) return outdated;
    const closed = outdated.filter(({ path }) => !this.reader.has(path));
    const unread = closed.filter(({ path }) => !this.rows.all().get(path)?.complete);
    const bytes = unread.reduce((sum, { version }) => sum + version.size, 0);
    const isFew = closed.length <= MAX_LOCAL_FILES && bytes <= MAX_LOCAL_BYTES;
    return isFew && !isReady ? outdated : outdated.filter(({ path }) => this.reader.has(path));
  }

  private async readFiles(files: readonly InventoryFile[], report: ChangeReporter): Promise<void> {
    const next = files.values();
    const isReader = this.index.isOpen;
    await Promise.all(
      Array.from({ length: MAX_CONCURRENT_READS }, async () => {
        for (const file of next) {
          const { path } = file;
          // The heads are kept of files that are open or growing, not of every file in a listing.
          const record = await this.reader.record(file, this.reader.has(path) || (!isReader && this.rows.all().has(path)));
          if (!record) this.disk.recordRead(file, undefined);
          if (record) this.offer(record, file, report);
          else if (!this.disk.files().has(path)) this.remove(path, report);
        }
      }),
    );
  }

  private offer(record: KnownFile & Pick<ListedSession, 'indexedIn'>, { root, owner }: InventoryFile, report: ChangeReporter): void {
    this.rows.offer(toListedSession({ ...record, ...defined({ owner }) }, root, record.indexedIn), report);
  }

  /** Removes the rows of files that are gone, everywhere or at or under the paths. */
  private async removeRows(paths: readonly string[] | undefined, report: ChangeReporter): Promise<void> {
    const pause = new Yielder(undefined);
    // A copy: rows that arrive during a pause may belong to files that the inspection hasn't seen.
    for (const path of [...(await pause.run(pathsWithin(this.rows.all(), paths)))]) {
      if (!this.disk.files().has(path) && !this.disk.isUnlisted(path)) this.remove(path, report);
      if (pause.isDue()) await pause.yieldIfDue();
    }
  }

  private remove(path: string, report: ChangeReporter): void {
    this.reader.delete(path);
    if (this.rows.remove(path, report)) this.index.remove(path);
  }

  private report(interval?: number): ChangeReporter {
    return new ChangeReporter(this.options.onChange, interval);
  }
}
