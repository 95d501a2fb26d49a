/**
 * Connects the store's rows with the index: takes its rows over, and has it read the files that it lacks. Each row knows
 * the number of the index that has its version of the file, so that all rows count as not indexed once there's another one.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Root } from '../../files/locate/roots';
import { isSameExactly } from '../../files/read/versions/compareVersions';
import type { DiskInventory } from '../refresh/diskInventory';
import type { InventoryFile } from '../rows/inventoryFile';
import { isUnderAny } from '../refresh/pathScope';
import type { KnownFile } from '../rows/catalogRow';
import type { CatalogSource, ReadFile, RowIndex } from './catalogSource';
import type { ChangeReporter } from './changeReporter';
import { isRowOf, type ListedRows } from './listedRows';
import { listingRoot, toListedSession } from './listedSession';

/**
 * Milliseconds until files are indexed that the store has read itself. Indexing takes a processor, which the editor needs
 * first: it's drawing the rows. Files that grow in many steps are indexed in fewer.
 */
const INDEX_DELAY = 250;

export class IndexedRows {
  private index: RowIndex | undefined;
  private number = 0;
  /** Files that the index may have, but that are gone. */
  private readonly gone = new Set<string>();
  /** Files that the index reads later. */
  private readonly waiting = new Set<string>();
  private indexing: Promise<void> | undefined;
  private hurry = new AbortController();

  /** @param report makes a reporter for changes that no refresh reports */
  constructor(
    private readonly source: CatalogSource | undefined,
    private readonly disk: DiskInventory,
    private readonly rows: ListedRows,
    private readonly report: (interval?: number) => ChangeReporter,
  ) {}

  get isOpen(): boolean {
    return this.index !== undefined;
  }

  /** True if it would read a few files at once. */
  get isReady(): boolean {
    return this.index !== undefined && this.source?.isReady() === true;
  }

  /** Opens the index if necessary, and takes the rows of a new one over. @returns true if there is one. */
  async open(): Promise<boolean> {
    const index = await this.source?.index();
    if (index === this.index) return index !== undefined;
    this.index = index;
    this.markUnindexed();
    if (!index) return false;
    const roots = this.disk.roots();
    // The next inspection reports what can't be read.
    await this.disk.pinned.refresh(roots, undefined, () => undefined);
    // One report: lists would show each part of the rows.
    const report = this.report(Infinity);
    for await (const records of index.storedRows()) {
      for (const record of records) {
        const root = listingRoot(record, roots);
        if (root && this.disk.isGone(record.path)) this.gone.add(record.path);
        else if (root) this.take(record, root, report);
      }
    }
    if (this.rows.all().size === 0) this.takeFirst(await index.firstRows.unlisted(), report);
    report.flush();
    void this.disk.copies.update();
    return true;
  }

  /** Makes rows of the first files that have none. */
  async addFirstRows(files: readonly InventoryFile[], report: ChangeReporter): Promise<void> {
    if (this.index) this.takeFirst(await this.index.firstRows.newest(files), report);
    report.flush();
  }

  /** Makes rows of the other files that have none, while the files are read. */
  async addOtherFirstRows(files: readonly InventoryFile[], report: ChangeReporter): Promise<void> {
    const hasRow = (path: string): boolean => this.rows.all().has(path);
    await this.index?.firstRows.remaining(files, true, hasRow, (records) => this.takeFirst(records, report));
  }

  /** True if the index must read a file. */
  lacks(file: InventoryFile): boolean {
    const row = this.rows.all().get(file.path);
    if (!row || !isRowOf(row, file)) return true;
    return file.error === undefined && (row.indexedIn !== this.number || !row.complete);
  }

  /** To be called when a file is gone. */
  remove(path: string): void {
    this.waiting.delete(path);
    if (this.index) this.gone.add(path);
  }

  /** To be called when the index has lost what it had of the files at or under the paths, by default of all files. */
  markUnindexed(paths?: readonly string[]): void {
    if (paths === undefined) this.number++;
    else for (const row of this.rows.all().values()) if (isUnderAny(row.path, paths)) row.indexedIn = undefined;
  }

  /**
   * Has files read, and removes others from the index.
   *
   * @returns `failed` if there's no index, or it couldn't do that
   * @throws as `CatalogSource.read`
   */
  async read(
    files: readonly InventoryFile[],
    isComplete: boolean,
    report: ChangeReporter,
    signal?: AbortSignal,
  ): Promise<'done' | 'failed' | 'rebuilt'> {
    if (!this.index || !this.source) return 'failed';
    const { number } = this;
    const gone = [...this.gone];
    if (files.length + gone.length === 0 && !isComplete) return 'done';
    const onRead = (read: readonly ReadFile[]): void => {
      for (const [file, record] of read) this.takeRead(file, record, number, report);
      report.flush();
    };
    const outcome = await this.source.read({ files, gone, isComplete }, onRead, signal);
    if (outcome === 'done') for (const path of gone) this.gone.delete(path);
    else if (outcome === 'rebuilt') this.markUnindexed();
    return outcome;
  }

  /** Has files read whose rows are complete, and files that are gone removed, some time later. */
  readLater(files: readonly InventoryFile[]): void {
    if (!this.index) return;
    for (const { path } of files) if (this.rows.all().get(path)?.complete) this.waiting.add(path);
    if (this.waiting.size + this.gone.size === 0) return;
    // They are read with the next refresh of everything if that fails.
    this.indexing ??= this.readWaiting()
      .catch(() => undefined)
      .finally(() => (this.indexing = undefined));
  }

  /** Resolves when no files wait to be read. */
  async settled(): Promise<void> {
    this.hurry.abort();
    await this.indexing;
    this.hurry = new AbortController();
  }

  private async readWaiting(): Promise<void> {
    const report = this.report();
    while (this.waiting.size + this.gone.size > 0) {
      await delay(INDEX_DELAY, undefined, { signal: this.hurry.signal, ref: false }).catch(() => undefined);
      const files = [...this.waiting].flatMap((path) => this.disk.files().get(path) ?? []);
      this.waiting.clear();
      const outcome = await this.read(
        files.filter((file) => this.lacks(file)),
        false,
        report,
      );
      report.flush();
      if (outcome !== 'done') return;
    }
  }

  private takeFirst(records: readonly KnownFile[], report: ChangeReporter): void {
    const roots = this.disk.roots();
    for (const record of records) {
      const root = listingRoot(record, roots);
      if (root) this.take(record, root, report);
    }
  }

  private takeRead(file: InventoryFile, record: KnownFile | undefined, number: number, report: ChangeReporter): void {
    this.disk.recordRead(file, record?.version);
    if (record) this.take(record, file.root, report, number);
    else if (!this.disk.files().has(file.path)) this.rows.remove(file.path, report);
  }

  private take(record: KnownFile, root: Root, report: ChangeReporter, number = this.number): void {
    const version = this.disk.files().get(record.path)?.version;
    // One object for both takes less memory.
    const shared = version && isSameExactly(version, record.version) ? { ...record, version } : record;
    this.rows.offer(toListedSession(shared, root, record.complete ? number : undefined), report);
  }
}
