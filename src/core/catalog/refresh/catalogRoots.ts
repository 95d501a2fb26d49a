/** The catalog's roots. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Dialect } from '../../format/entry/dialect';
import { expandPath, type Root } from '../../files/locate/roots';

/** A folder of sessions, by default pi's with a folder for each project. A relative path starts at the process's working directory, `~` is the home folder. */
export type CatalogRoot = string | { readonly path: string; readonly dialect?: Dialect; readonly flat?: boolean };

/** Makes the path absolute and fills in the defaults. */
export function normalizeRoot(given: CatalogRoot): Root {
  const { path, dialect = 'pi', flat = false } = typeof given === 'string' ? { path: given } : given;
  return { path: resolve(expandPath(path, homedir(), process.cwd())), dialect, flat };
}
