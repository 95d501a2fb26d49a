/** The catalog for a command that needs everything that is being read. */
import type { Catalog } from '../../core/index';
import type { SharedCatalog } from './commandDeps';

/** Milliseconds that a command waits for the current reading. */
const CATALOG_TIMEOUT = 10_000;

/**
 * Waits for the current reading, but no longer than ten seconds, and returns the catalog that is open then. It may have
 * replaced the previously open catalog, because a session folder answered late or the setting changed.
 *
 * @throws {SessionError} if no catalog can be opened.
 */
export async function settledCatalog({ open, settled }: Pick<SharedCatalog, 'open' | 'settled'>): Promise<Catalog> {
  await open();
  await settled(CATALOG_TIMEOUT);
  return open();
}
