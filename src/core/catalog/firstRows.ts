/** Rows of files that nothing is known of yet, from their beginnings and ends: the newest at once, the others behind. */
import { eachOf } from '../files/atOnce';
import { callsAtOnce } from '../files/localDisk';
import type { CatalogOptions } from './catalogApi';
import { firstLook, roomToLook } from './firstLook';
import type { StaleFile } from './protocol';
import type { KnownFile, StoredRow } from './row';

/** Rows that the first answer waits for. */
const FIRST_ROWS = 20;

/** What is read in a quarter of a second, in files and in bytes. */
const SOON = { files: 200, bytes: 256 * 1024 * 1024 };

/** How many files are read soon. */
function soon(files: readonly StaleFile[]): number {
  let bytes = 0;
  const first = files.findIndex(({ version }, index) => index === SOON.files || (bytes += version.size) > SOON.bytes);
  return first < 0 ? files.length : first;
}

/** Files that the other thread looks at for one answer: a few milliseconds. */
const SLICE = 100;

export class FirstRows {
  /** Rows go to `known`, unless there is one. `looks`: as `firstLook`, of many files on another thread. */
  constructor(
    private readonly known: Map<string, KnownFile>,
    private readonly options: Pick<CatalogOptions, 'signal' | 'onRows'>,
    private readonly looks: (files: readonly StaleFile[]) => Promise<readonly StoredRow[]>,
    /** The folders that all files are below. */
    private readonly roots: readonly string[],
  ) {}

  /** @returns the files that are left for `go`. */
  async begin(files: readonly StaleFile[]): Promise<readonly StaleFile[]> {
    const rooms: Buffer[] = [];
    await eachOf(files.slice(0, FIRST_ROWS), async (file) => {
      const room = rooms.pop() ?? roomToLook();
      this.take(file, await firstLook(file, room));
      rooms.push(room);
    }, await callsAtOnce(this.roots));
    return files.slice(FIRST_ROWS);
  }

  /** `isRead`: they are being read in full, too, in their order: then the first of them need no look. */
  async go(given: readonly StaleFile[], isRead: boolean): Promise<void> {
    const files = isRead ? given.slice(soon(given)) : given;
    for (let at = 0; at < files.length; at += SLICE) {
      this.options.signal?.throwIfAborted();
      const slice = files.slice(at, at + SLICE).filter(({ path }) => !this.known.has(path));
      if (slice.length === 0) continue;
      // Where that thread broke down the rows come when the files are read.
      const rows = await this.looks(slice).catch(() => undefined);
      if (!rows) return;
      slice.forEach((file, index) => this.take(file, rows[index]!));
      this.options.onRows?.(slice.map(({ path }) => path));
    }
  }

  private take({ path, owner, version }: StaleFile, row: StoredRow): void {
    if (this.known.has(path)) return;
    this.known.set(path, { path, version, row, complete: false, ...(owner === undefined ? {} : { owner }) });
  }
}
