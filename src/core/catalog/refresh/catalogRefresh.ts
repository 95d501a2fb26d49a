/**
 * Keeps the rows of an open catalog as the disk has them: compares it with the known files, lets the worker read what
 * differs, and reports the rows. One piece of work runs at a time.
 */
import { resolve } from 'node:path';
import { Yielder, yieldToEventLoop } from '../../files/concurrency/eventLoop';
import type { Root } from '../../files/locate/roots';
import { isSameExactly } from '../../files/read/compareVersions';
import { elementAt } from '../../format/entry/lookups';
import type { CatalogOptions, RefreshResult } from '../catalogApi';
import type { CatalogReader } from '../database/catalogReader';
import type { DatabaseGeneration } from '../database/readingConnection';
import { decodeFile } from '../encoding/fileColumns';
import type { SharedStrings } from '../encoding/sharedStrings';
import { toRowProblem, type KnownFile } from '../rows/catalogRow';
import type { FirstRows } from './firstRows';
import type { IndexProgress, IndexWorkerClient } from '../worker/indexWorkerClient';
import type { StaleFile } from '../rows/catalogRow';
import { diffWithDisk, problemsOf, type CatalogProblem, type DiskDiff, type StaleDiskFile } from './diskDiff';
import type { DiskInventory } from './diskInventory';
import type { InitialDiff } from './initialDiff';
import { isUnderAny } from './pathScope';
import { differences } from './pinnedSessions';

/** The parts of an open catalog that a refresh uses. */
interface CatalogParts {
  readonly options: CatalogOptions;
  readonly roots: readonly Root[];
  /** The rows by path, which a refresh changes. */
  readonly known: Map<string, KnownFile>;
  readonly disk: DiskInventory;
  readonly stored: CatalogReader;
  readonly strings: SharedStrings;
  readonly indexWorker: IndexWorkerClient;
  readonly firstRows: FirstRows;
}

/** Compares the stored rows with the disk. @param inspect whether to inspect the disk first */
type Compare = (inspect: boolean) => Promise<InitialDiff>;

export class CatalogRefresh {
  private pendingWork: Promise<unknown> = Promise.resolve();
  /** Files that changed in the background since the last refresh. */
  private readonly unreportedChanges = new Set<string>();
  private reportedPins: ReadonlySet<string> = new Set();
  private closed = false;
  /** The database that this catalog fills; `undefined` until there is one. */
  private generation: DatabaseGeneration | undefined;

  /** Set while the stored rows haven't been compared with the disk. */
  private compareStored: Compare | undefined;

  constructor(private readonly parts: CatalogParts) {}

  /**
   * Begins with the stored rows, and reads what differs from the disk: in the background, or with the first refresh of
   * everything if that is left to the caller. Without rows, waits for `compare`.
   */
  async begin(compare: Compare): Promise<void> {
    this.reportedPins = this.parts.disk.pinned.ids();
    if (this.parts.known.size === 0) this.startCatchUp(await compare(true));
    else if (this.parts.options.background ?? true) this.startCatchUp(yieldToEventLoop().then(() => compare(true)));
    else this.compareStored = compare;
  }

  /** @param inspect whether to inspect the disk first */
  refresh(paths: readonly string[] | undefined, signal: AbortSignal | undefined, inspect: boolean): Promise<RefreshResult> {
    const signals = [this.parts.options.signal, signal].filter((one) => one !== undefined);
    const compare = paths === undefined ? this.compareStored : undefined;
    if (compare) {
      this.compareStored = undefined;
      this.startCatchUp(this.pendingWork.then(() => compare(inspect)));
    }
    return this.enqueue(async () => {
      const either = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
      const { changed, problems } = await this.refreshFiles(
        paths?.map((path) => resolve(path)),
        either,
        inspect,
      );
      for (const path of this.unreportedChanges) changed.add(path);
      this.unreportedChanges.clear();
      return { changed: [...changed], problems };
    });
  }

  /** Reads all files again, after the database was rebuilt. */
  rereadAll(): Promise<void> {
    return this.enqueue(async () => {
      this.markAllIncomplete();
      for (const path of (await this.refreshFiles(undefined, this.parts.options.signal, true)).changed) this.unreportedChanges.add(path);
    });
  }

  /** Runs `work` after all work before it, whether that succeeded or not. */
  enqueue<T>(work: () => Promise<T>): Promise<T> {
    const done = this.pendingWork.then(work);
    this.pendingWork = done.catch(() => undefined);
    return done;
  }

  /** Resolves when nothing is enqueued. */
  async whenIdle(): Promise<void> {
    await this.pendingWork;
  }

  /** Drops the rows at or under the paths, or all, after they were removed from the database. */
  drop(paths: readonly string[] | undefined): void {
    if (paths === undefined) this.generation = undefined;
    const { known } = this.parts;
    for (const path of [...known.keys()]) if (isUnderAny(path, paths)) known.delete(path);
  }

  /** Ends what isn't finished yet; it rejects. */
  close(): void {
    this.closed = true;
  }

  /** See `Catalog.externalReset`. */
  externalReset(): 'cleared' | 'replaced' | undefined {
    try {
      const now = this.parts.stored.generation();
      const before = (this.generation ??= now);
      if (!now || !before) return undefined;
      return now.ino !== before.ino ? 'replaced' : now.cleared !== before.cleared ? 'cleared' : undefined;
    } catch {
      // It is locked or broken: the next read or write reports it.
      return undefined;
    }
  }

  private async refreshFiles(
    paths: readonly string[] | undefined,
    signal: AbortSignal | undefined,
    inspect: boolean,
  ): Promise<{ readonly changed: Set<string>; readonly problems: CatalogProblem[] }> {
    signal?.throwIfAborted();
    if (this.closed) throw new Error('The catalog is closed.');
    const failed = inspect ? (await this.parts.disk.inspect(paths, signal)).failed : [];
    const changed = await this.indexDifferences(
      await diffWithDisk(this.parts.disk, this.parts.roots, paths, this.parts.known, signal),
      paths === undefined,
      signal,
    );
    const problems = failed.map(({ path, error }) => ({ path, ...toRowProblem(error) }));
    for (const path of this.repinned()) changed.add(path);
    // Without the signal: everything is read by now.
    const unread = await new Yielder(undefined).run(problemsOf(this.parts.known, paths));
    return { changed, problems: [...problems, ...unread] };
  }

  /** Returns the files whose sessions were pinned or unpinned since the last call. */
  private repinned(): string[] {
    const ids = differences(this.reportedPins, this.parts.disk.pinned.ids());
    this.reportedPins = this.parts.disk.pinned.ids();
    if (ids.size === 0) return [];
    const paths = [...this.parts.known.values()].flatMap(({ path, row: { summary } }) =>
      summary.dialect === 'omp' && ids.has(summary.id) ? [path] : [],
    );
    this.parts.options.onRows?.(paths);
    return paths;
  }

  /**
   * @param isComplete true if everything is to be searchable then
   * @returns the files whose rows have changed.
   */
  private async indexDifferences(
    { stale, gone, unreadable }: DiskDiff,
    isComplete: boolean,
    signal: AbortSignal | undefined,
  ): Promise<Set<string>> {
    if (this.closed) throw new Error('The catalog is closed.');
    const changed = new Set(gone);
    for (const file of unreadable) {
      if (file.row.problem?.message !== this.parts.known.get(file.path)?.row.problem?.message) changed.add(file.path);
      this.parts.known.set(file.path, file);
    }
    for (const path of gone) this.parts.known.delete(path);
    if (changed.size > 0) {
      // Tens of thousands take ten milliseconds each: here, where they are reported, and in the message to the thread.
      await yieldToEventLoop();
      this.parts.options.onRows?.([...changed]);
      await yieldToEventLoop();
    }
    signal?.throwIfAborted();
    if (stale.length + gone.length > 0 || (isComplete && this.isUnfinished())) {
      const isFresh = ({ path }: StaleFile): boolean => this.parts.known.get(path)?.complete !== true;
      const isRebuilt = await this.parts.indexWorker.index({ files: stale, gone, isComplete }, isFresh, signal, (progress) => {
        for (const path of this.takeRead(stale, progress)) changed.add(path);
        this.parts.options.onProgress?.(progress.done, progress.total);
      });
      signal?.throwIfAborted();
      if (isRebuilt) {
        this.markAllIncomplete();
        for (const path of (await this.refreshFiles(undefined, signal, true)).changed) changed.add(path);
        return changed;
      }
    }
    // A new database can only be recognized once it has been filled.
    this.externalReset();
    return changed;
  }

  /** Takes over the rows of files that were read, and reports them. @returns their paths, and the paths of removed files */
  private takeRead(stale: readonly StaleDiskFile[], { files, gone }: IndexProgress): string[] {
    const { known, disk, strings, options } = this.parts;
    const paths: string[] = [];
    for (const { index, columns } of files) {
      const file = elementAt(stale, index);
      const read = decodeFile(file.path, columns, strings);
      disk.recordRead(file, read.version);
      known.set(file.path, isSameExactly(read.version, file.version) ? { ...read, version: file.version } : read);
      paths.push(file.path);
    }
    for (const index of gone) {
      const file = elementAt(stale, index);
      disk.recordRead(file, undefined);
      known.delete(file.path);
      paths.push(file.path);
    }
    options.onRows?.(paths);
    return paths;
  }

  /** True if a process ended before it had added words, or erased removed data. */
  private isUnfinished(): boolean {
    try {
      return this.parts.stored.isUnfinished();
    } catch {
      // It is locked or broken: the next read or write reports it.
      return false;
    }
  }

  private markAllIncomplete(): void {
    this.generation = undefined;
    for (const [path, known] of this.parts.known) this.parts.known.set(path, { ...known, complete: false });
  }

  private startCatchUp(compared: InitialDiff | Promise<InitialDiff>): void {
    // Errors are reported by the next `refresh`, which does the remaining work.
    this.pendingWork = this.catchUp(compared).catch(() => undefined);
  }

  private async catchUp(compared: InitialDiff | Promise<InitialDiff>): Promise<void> {
    const { diff, remaining } = await compared;
    const rows = diff.stale.flatMap(({ path }) => (this.parts.known.has(path) ? [path] : []));
    if (rows.length > 0) this.parts.options.onRows?.(rows);
    if (diff.stale.length + diff.gone.length === 0 && !this.isUnfinished()) return;
    const { signal, background = true } = this.parts.options;
    // Starting a thread takes time here, too, and the caller waits for the first rows.
    await yieldToEventLoop();
    const indexing = background ? this.indexDifferences(diff, true, signal) : undefined;
    // A thread that starts needs a processor, and has rows soon.
    const [changed] = await Promise.all([
      indexing,
      this.parts.indexWorker.whenStarted().then(() => this.parts.firstRows.scanRemaining(remaining, background)),
    ]);
    for (const path of changed ?? []) this.unreportedChanges.add(path);
  }
}
