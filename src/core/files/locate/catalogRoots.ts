/** The catalog's roots. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { defined } from '../../format/values/defined';
import { expandPath, type Root } from './roots';

/**
 * A folder of sessions, by default pi's with a folder for each project. A relative path starts at the process's working
 * directory, `~` is the home folder. A folder that doesn't exist is reported, unless it may be missing.
 */
export type CatalogRoot = string | (Pick<Root, 'path'> & Partial<Omit<Root, 'path'>>);

/** Makes the path absolute and fills in the defaults. */
export function normalizeRoot(given: CatalogRoot): Root {
  const {
    path,
    dialect = 'pi',
    flat = false,
    mayBeMissing,
    names,
    machine,
    map,
    readOnly,
    ofSubagents,
  }: Exclude<CatalogRoot, string> = typeof given === 'string' ? { path: given } : given;
  const root = { path: resolve(expandPath(path, homedir(), process.cwd())), dialect, flat };
  return {
    ...root,
    ...defined({ mayBeMissing: mayBeMissing || undefined, readOnly: readOnly || undefined, ofSubagents, names, machine, map }),
  };
}
