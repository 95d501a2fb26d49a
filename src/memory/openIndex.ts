/** Loads the index, which questions about one file don't need. */
import { copyDatabase, openCatalog, type Catalog, type CatalogOptions } from '../core/index';

/**
 * Opens the index. A new one begins as a copy of the first of some others that can be copied.
 *
 * @param others folders of indexes
 * @throws as `openCatalog`
 */
export async function openIndex(options: CatalogOptions, others: readonly string[]): Promise<Catalog> {
  for (const cacheDir of others) {
    // An index that can't be copied is no loss: everything is read then, and what can't be written is reported.
    if (await copyDatabase({ cacheDir }, options).catch(() => false)) break;
  }
  return openCatalog(options);
}
