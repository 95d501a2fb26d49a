/** Resolves the links in many paths, with few calls of the disk. */
import { opendir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { valueOf } from '../../format/values/lookups';

interface Folder {
  readonly real: string;
  /** Names in the folder, mapped to true for links. Empty if the folder isn't listed. */
  readonly names: ReadonlyMap<string, boolean>;
}

/** Lists the folders of the paths: thousands of sessions are in few folders. */
export async function listFolders(paths: readonly string[]): Promise<Map<string, Folder>> {
  const found = new Map<string, Folder>();
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    const real = await realpath(folder).catch(() => folder);
    found.set(folder, { real, names: await listNames(folder).catch(() => new Map<string, boolean>()) });
  }
  return found;
}

/** Largest number of names that are listed. In a larger folder each file is checked by itself. */
const MAX_NAMES = 5000;

async function listNames(folder: string): Promise<Map<string, boolean>> {
  const names = new Map<string, boolean>();
  for await (const entry of await opendir(folder, { bufferSize: 1000 })) {
    if (names.size === MAX_NAMES) return new Map();
    names.set(entry.name, entry.isSymbolicLink());
  }
  return names;
}

/** Returns the real paths of the files that exist. */
export async function realPaths(paths: readonly string[], folders: ReadonlyMap<string, Folder>): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const path of paths) {
    const folder = valueOf(folders, dirname(path));
    // Anything but a plain file in a listed folder is resolved by itself.
    const isPlain = folder.names.get(basename(path)) === false;
    const name = isPlain ? join(folder.real, basename(path)) : await realpath(path).catch(() => undefined);
    if (name !== undefined) found.set(path, name);
  }
  return found;
}
