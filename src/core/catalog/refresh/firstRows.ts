/** Provisional rows for files that the catalog doesn't know yet, from their beginnings and ends: the newest first, the others in batches. */
import { forEachConcurrent } from '../../files/concurrency/forEachConcurrent';
import { maxConcurrentCalls } from '../../files/concurrency/maxConcurrentCalls';
import { elementAt } from '../../format/entry/lookups';
import type { Root } from '../../files/locate/roots';
import type { CatalogOptions } from '../catalogApi';
import { findNewestFiles, sessionFolders } from './newestFiles';
import { quickScan, createQuickScanBuffer } from '../rows/quickScan';
import type { KnownFile, StaleFile, StoredRow } from '../rows/catalogRow';

/** The number of rows that the first answer waits for. */
const FIRST_ROWS = 20;

/**
 * The number of files, and of bytes, that are read in full within about a third of a second on two processors. The other
 * thread would take a processor from the threads that read.
 */
const READ_SOON_LIMITS = { files: 200, bytes: 512 * 1024 * 1024 };

/** The number of leading files within `READ_SOON_LIMITS`. */
function countReadSoon(files: readonly StaleFile[]): number {
  let bytes = 0;
  const first = files.findIndex(
    ({ version }, index) => index === READ_SOON_LIMITS.files || (bytes += version.size) > READ_SOON_LIMITS.bytes,
  );
  return first < 0 ? files.length : first;
}

/** The number of files per request to the other thread, which takes a few milliseconds. */
const BATCH_SIZE = 100;

export class FirstRows {
  /** @param known receives the rows, except for files that have one already */
  constructor(
    private readonly known: Map<string, KnownFile>,
    private readonly options: Pick<CatalogOptions, 'signal' | 'onRows'>,
    /** Runs `quickScan` over several files on another thread. */
    private readonly scanOnThread: (files: readonly StaleFile[]) => Promise<readonly StoredRow[]>,
    /** The roots that contain all the files. */
    private readonly roots: readonly Root[],
  ) {}

  /** Makes rows for a first answer before the disk is inspected. A small store has none then: it's inspected as fast. */
  async scanUnlisted(): Promise<void> {
    const [atOnce, folders] = await Promise.all([this.atOnce(), sessionFolders(this.roots)]);
    const files = await findNewestFiles(folders, FIRST_ROWS, atOnce);
    if (files.length >= FIRST_ROWS) await this.scan(files, atOnce);
  }

  /** @returns the files that are left for `scanRemaining` */
  async scanNewest(files: readonly StaleFile[]): Promise<readonly StaleFile[]> {
    await this.scan(files.slice(0, FIRST_ROWS), await this.atOnce());
    return files.slice(FIRST_ROWS);
  }

  private async scan(files: readonly StaleFile[], atOnce: number): Promise<void> {
    const buffers: Buffer[] = [];
    await forEachConcurrent(
      files,
      async (file) => {
        const buffer = buffers.pop() ?? createQuickScanBuffer();
        this.addRow(file, await quickScan(file, buffer));
        buffers.push(buffer);
      },
      atOnce,
    );
  }

  /** @param isRead true if the files are also being read in full, in this order. The first of them get their row from that soon enough. */
  async scanRemaining(remaining: readonly StaleFile[], isRead: boolean): Promise<void> {
    const files = isRead ? remaining.slice(countReadSoon(remaining)) : remaining;
    for (let at = 0; at < files.length; at += BATCH_SIZE) {
      this.options.signal?.throwIfAborted();
      const slice = files.slice(at, at + BATCH_SIZE).filter(({ path }) => !this.known.has(path));
      if (slice.length === 0) continue;
      // If that thread broke down, the rows come when the files are read in full.
      const rows = await this.scanOnThread(slice).catch(() => undefined);
      if (!rows) return;
      slice.forEach((file, index) => this.addRow(file, elementAt(rows, index)));
      this.options.onRows?.(slice.map(({ path }) => path));
    }
  }

  private atOnce(): Promise<number> {
    return maxConcurrentCalls(this.roots.map(({ path }) => path));
  }

  private addRow({ path, owner, version }: StaleFile, row: StoredRow): void {
    if (this.known.has(path)) return;
    const file = { path, version, row, complete: false };
    this.known.set(path, owner === undefined ? file : { ...file, owner });
  }
}
