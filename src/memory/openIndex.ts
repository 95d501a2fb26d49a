/** Loads the index, which questions about one file don't need. */
import { openCatalog, type Catalog, type CatalogOptions } from '../core/index';

export const openIndex = (options: CatalogOptions): Promise<Catalog> => openCatalog(options);
