/** Sessions of a catalog, from their stored heads as far as these still hold, else from their files. */
import { resolve } from 'node:path';
import { isArchivedSession } from '../format/session/archivedSession';
import { defined } from '../format/entry/defined';
import type { Session } from '../format/session/session';
import { rootOf, type Root } from '../files/locate/roots';
import { sameVersion } from '../files/read/compareVersions';
import { findFileVersion, followSession, readSession } from '../files/read/sessionFile';
import type { CatalogReader } from './database/catalogReader';
import type { DatabaseRecovery } from './database/databaseRecovery';
import type { KnownFile } from './rows/catalogRow';

/** The parts of an open catalog that reading a session takes. */
interface CatalogParts {
  readonly known: ReadonlyMap<string, KnownFile>;
  readonly roots: readonly Root[];
  readonly stored: CatalogReader;
  readonly recovery: DatabaseRecovery;
}

/**
 * Returns the session as it is now.
 *
 * @throws {SessionError} as `readSession`; the signal's reason if aborted.
 */
export async function indexedSession(
  path: string,
  { known: files, roots, stored: database, recovery }: CatalogParts,
  signal: AbortSignal | undefined,
): Promise<Session> {
  const at = resolve(path);
  const dialect = rootOf(at, roots)?.dialect;
  const options = defined({ dialect, signal });
  // If this fails, reading the file gives the reason.
  const known = files.get(at);
  const version = await findFileVersion(at, known?.version).catch(() => undefined);
  const stored =
    version && known?.version.ino === version.ino
      ? recovery.readOrRecover(() => database.withLocatedDamage(() => database.session(at)))
      : undefined;
  // A file that was rewritten in place is read again completely. `followSession` checks that a larger one only grew.
  const isSame = version !== undefined && known?.complete === true && sameVersion(known.version, version);
  // An archive would be unpacked to compare it, and nothing is appended to it. The version of a session in a database has
  // all that a comparison would find.
  const isWhole = isArchivedSession(at) || (version?.facts !== undefined && version.size === stored?.size);
  if (stored && isSame && isWhole) return stored;
  const isGood = stored && version && known && (stored.size < version.size || isSame);
  return isGood ? followSession(stored, options, version) : readSession(at, options);
}
