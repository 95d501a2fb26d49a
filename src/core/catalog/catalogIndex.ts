/** The index of a catalog: the rows that the database has, and the thread that reads files into it. */
import { Yielder } from '../files/concurrency/eventLoop';
import type { WatchLimits } from '../files/concurrency/threadWatch';
import type { Root } from '../files/locate/roots';
import { elementAt } from '../format/values/lookups';
import type { CatalogOptions } from './catalogApi';
import { CatalogReader } from './database/catalogReader';
import { hasDatabase, type DatabaseLocation } from './database/database';
import { CACHE_KB, type DatabaseGeneration } from './database/readingConnection';
import { decodeFile, type FileColumns } from './encoding/fileColumns';
import { SharedStrings } from './encoding/sharedStrings';
import type { InventoryFile } from './rows/inventoryFile';
import { FirstRows } from './refresh/firstRows';
import type { KnownFile, StaleFile } from './rows/catalogRow';
import type { ReadFile, RowIndex } from './store/catalogSource';
import { IndexWorkerClient, type IndexProgress } from './worker/indexWorkerClient';
import type { IndexWork } from './worker/protocol/workerProtocol';

/** Runs `quickScan` over several files on another thread. */
type QuickScan = (files: readonly StaleFile[]) => Promise<readonly FileColumns[]>;

export class CatalogIndex implements RowIndex {
  /** Reads the database on this thread. */
  readonly stored: CatalogReader;
  readonly worker: IndexWorkerClient;
  readonly firstRows: FirstRows;
  private readonly strings = new SharedStrings();
  /** The database that this index fills; `undefined` until there is one. */
  private generation: DatabaseGeneration | undefined;
  private isClosed = false;

  constructor(
    private readonly options: CatalogOptions,
    place: DatabaseLocation,
    limits: WatchLimits,
    { roots, quickScan }: { readonly roots: readonly Root[]; readonly quickScan: QuickScan },
  ) {
    this.stored = new CatalogReader(place, CACHE_KB.list, this.strings);
    this.worker = new IndexWorkerClient(place, options.onLeftOut, limits);
    const scan = async (files: readonly StaleFile[]) => {
      // A thread that starts needs a processor, and has rows soon.
      await this.worker.whenStarted();
      const rows = await quickScan(files);
      return rows.map((columns, at) => decodeFile(elementAt(files, at).path, columns, this.strings).row);
    };
    this.firstRows = new FirstRows(roots, scan, options.signal);
  }

  async *storedRows(): AsyncGenerator<readonly KnownFile[]> {
    if (!hasDatabase(this.options)) return;
    const pause = new Yielder(this.options.signal);
    const slices = this.stored.files();
    for (let rows; (rows = nextSlice(slices));) {
      yield rows;
      await pause.yieldIfDue();
    }
    this.externalReset();
  }

  isReady(): boolean {
    return this.worker.isReady;
  }

  async read(
    { files, gone, isComplete }: IndexWork,
    onRead: (files: readonly ReadFile[]) => void,
    signal?: AbortSignal,
  ): Promise<'done' | 'rebuilt'> {
    this.assertOpen();
    if (files.length + gone.length > 0 || this.isUnfinished()) {
      const isRebuilt = await this.worker.index({ files, gone, isComplete }, signal, (progress) => {
        onRead(this.readFiles(files, progress));
        this.options.onProgress?.(progress.done, progress.total);
      });
      signal?.throwIfAborted();
      if (isRebuilt) {
        this.markLost();
        return 'rebuilt';
      }
    }
    // A new database can only be recognized once it has been filled.
    this.externalReset();
    return 'done';
  }

  /** Removes the files at or under the paths, by default all. */
  async forget(paths: readonly string[] | undefined): Promise<void> {
    await this.worker.forget(paths);
    if (paths === undefined) this.markLost();
  }

  /** To be called when the database was emptied or replaced by this index. */
  markLost(): void {
    this.generation = undefined;
  }

  /** See `Catalog.externalReset`. */
  externalReset(): 'cleared' | 'replaced' | undefined {
    try {
      const now = this.stored.generation();
      const before = (this.generation ??= now);
      if (!now || !before) return undefined;
      return now.ino !== before.ino ? 'replaced' : now.cleared !== before.cleared ? 'cleared' : undefined;
    } catch {
      // It is locked or broken: the next read or write reports it.
      return undefined;
    }
  }

  /** Ends what runs as soon as the files read so far are stored, and refuses anything else. */
  stop(): void {
    this.isClosed = true;
    this.worker.stop();
  }

  /** @throws when it was stopped */
  assertOpen(): void {
    if (this.isClosed) throw new Error('The catalog is closed.');
  }

  async close(): Promise<void> {
    // The writing thread closes last, which leaves a single file.
    this.stored.close();
    await this.worker.close();
  }

  private readFiles(files: readonly InventoryFile[], { files: read, gone }: IndexProgress): ReadFile[] {
    return [
      ...read.map(({ index, columns }): ReadFile => {
        const file = elementAt(files, index);
        return [file, decodeFile(file.path, columns, this.strings)];
      }),
      ...gone.map((index): ReadFile => [elementAt(files, index), undefined]),
    ];
  }

  /** True if a process ended before it had added words, or erased removed data. */
  private isUnfinished(): boolean {
    try {
      return this.stored.isUnfinished();
    } catch {
      // It is locked or broken: the next read or write reports it.
      return false;
    }
  }
}

/** Returns the next slice; `undefined` after the last one, or if the database is damaged: all files are read again then. */
function nextSlice(slices: Iterator<KnownFile[], unknown>): KnownFile[] | undefined {
  try {
    const next = slices.next();
    return next.done === true ? undefined : next.value;
  } catch {
    return undefined;
  }
}
