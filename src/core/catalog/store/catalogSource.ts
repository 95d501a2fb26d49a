/** A catalog as the store uses it. */
import type { Catalog } from '../catalogApi';

/** Its methods never reject: without a catalog the store reads files itself. */
export interface CatalogSource {
  /** Opens the catalog if necessary; `undefined` if none works. Its `onRows` must call the store's `rowsChanged`. */
  catalog(): Promise<Pick<Catalog, 'files'> | undefined>;
  /**
   * Lets the catalog read what differs from the last inspection of the disk, everywhere or at the paths. Returns false if
   * it didn't, because it broke or was stopped.
   */
  update(paths?: readonly string[]): Promise<boolean>;
  /** These files have changed; the catalog reads them some time later. */
  markChanged(paths: readonly string[]): void;
}
