/** The index of all sessions as the store uses it: it has rows from earlier, and reads files into rows that can be searched. */
import type { InventoryFile } from '../rows/inventoryFile';
import type { KnownFile } from '../rows/catalogRow';
import type { FirstRows } from '../refresh/firstRows';
import type { IndexWork } from '../worker/protocol/workerProtocol';

export interface RowIndex {
  /** Makes rows of files that aren't read yet. */
  readonly firstRows: FirstRows;
  /** The stored rows, in slices. If the database is damaged, there are none, and the next request rebuilds it. */
  storedRows(): AsyncIterable<readonly KnownFile[]>;
  /** See `CatalogSource.isReady`. */
  isReady(): boolean;
  /** See `CatalogSource.read`. @throws the errors of the database */
  read(work: IndexWork, onRead: (files: readonly ReadFile[]) => void, signal?: AbortSignal): Promise<'done' | 'rebuilt'>;
}

/** A file that was read, with its record; `undefined` if it was gone. */
export type ReadFile = readonly [file: InventoryFile, record: KnownFile | undefined];

export interface CatalogSource {
  /** Opens the index if necessary; `undefined` if none works. Never rejects. */
  index(): Promise<RowIndex | undefined>;
  /** True if the index would read a few files at once. False while it starts, and during long work. */
  isReady(): boolean;
  /**
   * Reads files into the index, and removes others from it.
   *
   * @param onRead called with some files as soon as they were read
   * @returns `failed` if it didn't, because it broke or was stopped; `rebuilt` if the index lost everything else that it had
   * @throws the signal's reason when it is aborted, and the errors of sources that have no other way to report them
   */
  read(work: IndexWork, onRead: (files: readonly ReadFile[]) => void, signal?: AbortSignal): Promise<'done' | 'failed' | 'rebuilt'>;
}
