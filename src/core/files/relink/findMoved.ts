/** Guesses where a project is whose folder is gone. */
import { opendir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { forEachConcurrent } from '../concurrency/forEachConcurrent';
import { readSmallText } from '../io/smallFile';
import type { UntrustedPaths } from '../io/untrustedPaths';
import { placeKey } from './movedPaths';

/** Folders of a folder that are looked at. Other folders may be anywhere, and of any size. */
const MAX_FOLDERS = 200;
/** Levels above the missing folder at which its siblings are looked at. */
const MAX_LEVELS = 3;
const MAX_FOUND = 8;
/** Bytes of a repository's configuration. */
const MAX_CONFIG_BYTES = 64 * 1024;
/** Milliseconds after which no further configuration is read. */
const MAX_MS = 2000;

/**
 * Looks for folders with the name of a missing one: among known folders, and among the siblings of it and of the folders
 * above it; then for folders there whose Git remote has that name, as of a project that was renamed. No program runs, and
 * repositories are recognized by their configuration alone. Never looks at paths that may lead to another computer.
 *
 * @param known folders of the workspace and of other projects, the likeliest first.
 * @returns existing folders, the likeliest first.
 */
export async function findMovedProject(from: string, known: readonly string[], named: UntrustedPaths): Promise<string[]> {
  const name = basename(from);
  // The last part of an odd path, such as `/work/..`, names no folder.
  if (['', '.', '..'].includes(name) || (await named.isRefused(from))) return [];
  const found = new Map<string, string>();
  const clones: string[] = [];
  const end = Date.now() + MAX_MS;
  const add = async (folder: string): Promise<void> => {
    if (found.size < MAX_FOUND && placeKey(folder) !== placeKey(from) && (await named.realPath(folder)) !== undefined)
      found.set(placeKey(folder), folder);
  };
  for (const folder of known) if (basename(folder) === name) await add(folder);
  for (let level = 0, folder = dirname(from); level < MAX_LEVELS && dirname(folder) !== folder; level++, folder = dirname(folder)) {
    await add(join(folder, name));
    const siblings = (await foldersIn(folder, named)).map((sibling) => join(folder, sibling));
    for (const sibling of siblings) await add(join(sibling, name));
    await forEachConcurrent(siblings, async (sibling) => {
      if (Date.now() < end && (await remoteNames(sibling, named)).has(name)) clones.push(sibling);
    });
  }
  for (const clone of clones.sort()) await add(clone);
  return [...found.values()];
}

/** Returns the names of a repository's Git remotes; none if there is no repository, or its configuration can't be read. */
async function remoteNames(folder: string, named: UntrustedPaths): Promise<ReadonlySet<string>> {
  const config = join(folder, '.git', 'config');
  if ((await named.realPath(config)) === undefined) return new Set();
  const text = await readSmallText(config, { maxBytes: MAX_CONFIG_BYTES, followLink: false }).catch(() => '');
  const urls = Array.from(text.matchAll(/^[ \t]*url[ \t]*=[ \t]*(\S+)[ \t]*$/gm), ([, url = '']) => url);
  return new Set(
    urls.map((url) =>
      url
        .replace(/\/+$/, '')
        .replace(/\.git$/, '')
        .replace(/^.*[/:\\]/, ''),
    ),
  );
}

/** Returns the names of some folders in a folder; none if it can't be listed. */
async function foldersIn(folder: string, named: UntrustedPaths): Promise<string[]> {
  const names: string[] = [];
  if ((await named.realPath(folder)) === undefined) return names;
  try {
    let left = 10 * MAX_FOLDERS;
    for await (const entry of await opendir(folder)) {
      if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules') names.push(entry.name);
      if (names.length >= MAX_FOLDERS || --left <= 0) break;
    }
  } catch {
    // A guess less: the person can choose any folder.
  }
  return names;
}
