/** Rows of files that nothing is known of yet, from their beginnings and ends: the newest at once, the others behind. */
import { forEachConcurrent } from '../../files/io/forEachConcurrent';
import { maxConcurrentCalls } from '../../files/io/maxConcurrentCalls';
import type { CatalogOptions } from '../catalogApi';
import { quickScan, createQuickScanBuffer } from './quickScan';
import type { StaleFile } from '../worker/workerProtocol';
import type { KnownFile, StoredRow } from './catalogRow';

/** Rows that the first answer waits for. */
const FIRST_ROWS = 20;

/** What is read in a quarter of a second, in files and in bytes. */
const READ_SOON_LIMITS = { files: 200, bytes: 256 * 1024 * 1024 };

/** How many files are read soon. */
function countReadSoon(files: readonly StaleFile[]): number {
  let bytes = 0;
  const first = files.findIndex(({ version }, index) => index === READ_SOON_LIMITS.files || (bytes += version.size) > READ_SOON_LIMITS.bytes);
  return first < 0 ? files.length : first;
}

/** Files that the other thread looks at for one answer: a few milliseconds. */
const BATCH_SIZE = 100;

export class FirstRows {
  /** Rows go to `known`, unless there is one. `looks`: as `quickScan`, of many files on another thread. */
  constructor(
    private readonly known: Map<string, KnownFile>,
    private readonly options: Pick<CatalogOptions, 'signal' | 'onRows'>,
    private readonly scanOnThread: (files: readonly StaleFile[]) => Promise<readonly StoredRow[]>,
    /** The folders that all files are below. */
    private readonly roots: readonly string[],
  ) {}

  /** @returns the files that are left for `go`. */
  async scanNewest(files: readonly StaleFile[]): Promise<readonly StaleFile[]> {
    const rooms: Buffer[] = [];
    await forEachConcurrent(files.slice(0, FIRST_ROWS), async (file) => {
      const room = rooms.pop() ?? createQuickScanBuffer();
      this.addRow(file, await quickScan(file, room));
      rooms.push(room);
    }, await maxConcurrentCalls(this.roots));
    return files.slice(FIRST_ROWS);
  }

  /** `isModelInput`: they are being read in full, too, in their order: then the first of them need no look. */
  async scanRemaining(given: readonly StaleFile[], isRead: boolean): Promise<void> {
    const files = isRead ? given.slice(countReadSoon(given)) : given;
    for (let at = 0; at < files.length; at += BATCH_SIZE) {
      this.options.signal?.throwIfAborted();
      const slice = files.slice(at, at + BATCH_SIZE).filter(({ path }) => !this.known.has(path));
      if (slice.length === 0) continue;
      // Where that thread broke down the rows come when the files are read.
      const rows = await this.scanOnThread(slice).catch(() => undefined);
      if (!rows) return;
      slice.forEach((file, index) => this.addRow(file, rows[index]!));
      this.options.onRows?.(slice.map(({ path }) => path));
    }
  }

  private addRow({ path, owner, version }: StaleFile, row: StoredRow): void {
    if (this.known.has(path)) return;
    this.known.set(path, { path, version, row, complete: false, ...(owner === undefined ? {} : { owner }) });
  }
}
