/** Provisional rows for files that the catalog doesn't know yet, from their beginnings and ends: the newest first, the others in batches. */
import { forEachConcurrent } from '../../files/concurrency/forEachConcurrent';
import { maxConcurrentCalls } from '../../files/concurrency/maxConcurrentCalls';
import { defined } from '../../format/values/defined';
import { elementAt } from '../../format/values/lookups';
import type { Root } from '../../files/locate/roots';
import { quickScan, createQuickScanBuffer } from '../rows/quickScan';
import type { KnownFile, StaleFile, StoredRow } from '../rows/catalogRow';
import type { InventoryFile } from '../rows/inventoryFile';
import { findNewestFiles, sessionFolders } from './newestFiles';

/** The number of rows that the first answer waits for. */
const FIRST_ROWS = 20;

/**
 * The number of files, and of bytes, that are read in full within about a third of a second on two processors. The other
 * thread would take a processor from the threads that read.
 */
const READ_SOON_LIMITS = { files: 200, bytes: 512 * 1024 * 1024 };

/** The number of leading files within `READ_SOON_LIMITS`. */
function countReadSoon(files: readonly InventoryFile[]): number {
  let bytes = 0;
  const first = files.findIndex(
    ({ version }, index) => index === READ_SOON_LIMITS.files || (bytes += version.size) > READ_SOON_LIMITS.bytes,
  );
  return first < 0 ? files.length : first;
}

/** The number of files per request to the other thread, which takes a few milliseconds. */
const BATCH_SIZE = 100;

export class FirstRows {
  /**
   * @param roots the roots that contain all the files
   * @param scanOnThread runs `quickScan` over several files on another thread
   */
  constructor(
    private readonly roots: readonly Root[],
    private readonly scanOnThread: (files: readonly StaleFile[]) => Promise<readonly StoredRow[]>,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /** Makes rows for a first answer before the disk is inspected. A small store has none then: it's inspected as fast. */
  async unlisted(): Promise<readonly KnownFile[]> {
    const [atOnce, folders] = await Promise.all([this.atOnce(), sessionFolders(this.roots)]);
    const files = await findNewestFiles(folders, FIRST_ROWS, atOnce);
    return files.length < FIRST_ROWS ? [] : this.scan(files, atOnce);
  }

  /** Makes rows of the first files. */
  async newest(files: readonly InventoryFile[]): Promise<readonly KnownFile[]> {
    return this.scan(files.slice(0, FIRST_ROWS).map(staleFile), await this.atOnce());
  }

  /**
   * Makes rows of the files that `newest` left out.
   *
   * @param isRead true if the files are also being read in full, in this order. The first of them get their row from that soon enough.
   * @param hasRow true for files that need none
   * @param onRows called with the rows of some files
   */
  async remaining(
    others: readonly InventoryFile[],
    isRead: boolean,
    hasRow: (path: string) => boolean,
    onRows: (rows: readonly KnownFile[]) => void,
  ): Promise<void> {
    const remaining = others.slice(FIRST_ROWS);
    const files = isRead ? remaining.slice(countReadSoon(remaining)) : remaining;
    for (let at = 0; at < files.length; at += BATCH_SIZE) {
      this.signal?.throwIfAborted();
      const slice = files
        .slice(at, at + BATCH_SIZE)
        .filter(({ path }) => !hasRow(path))
        .map(staleFile);
      if (slice.length === 0) continue;
      // If that thread broke down, the rows come when the files are read in full.
      const rows = await this.scanOnThread(slice).catch(() => undefined);
      if (!rows) return;
      onRows(slice.map((file, index) => firstRow(file, elementAt(rows, index))));
    }
  }

  private async scan(files: readonly StaleFile[], atOnce: number): Promise<readonly KnownFile[]> {
    const buffers: Buffer[] = [];
    const rows: KnownFile[] = [];
    await forEachConcurrent(
      files,
      async (file) => {
        const buffer = buffers.pop() ?? createQuickScanBuffer();
        rows.push(firstRow(file, await quickScan(file, buffer)));
        buffers.push(buffer);
      },
      atOnce,
    );
    return rows;
  }

  private atOnce(): Promise<number> {
    return maxConcurrentCalls(this.roots.map(({ path }) => path));
  }
}

const staleFile = ({ path, owner, version, root }: InventoryFile): StaleFile => ({
  path,
  version,
  dialect: root.dialect,
  ...defined({ owner }),
});

const firstRow = ({ path, owner, version }: StaleFile, row: StoredRow): KnownFile => ({
  path,
  version,
  row,
  complete: false,
  ...defined({ owner }),
});
