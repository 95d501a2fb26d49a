/**
 * oh-my-pi's leases: since 18.5 it claims a session before the first write, by an exclusive lock on an empty file that
 * is named after the session's ID. The file stays when the program ends; only the lock counts. Whoever takes that lock,
 * even for a moment, makes an oh-my-pi that starts then move to another file, so it's only looked for in the list of
 * locks and among the files that processes have open. FORMAT section 6, locks.
 */
import { lstat, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { DIALECT_FACTS } from '../../format/entry/dialect';
import { configFolder } from '../locate/programs/programFolders';
import { xdgFolder } from '../locate/programs/ompRoots';
import { wyhash } from './wyhash';

/** IDs that are names of leases. oh-my-pi hashes the others. */
const NAMED_BY_ID = /^[\w-]{1,128}$/;
/** Bytes. A lease is empty, so a file of more isn't one. */
const MAX_BYTES = 4096;

/**
 * Returns the folders that may hold the sessions' leases: next to the agent's folder that contains the sessions, and at
 * the default location.
 */
export function leaseFolders(paths: readonly string[], home = homedir(), env: NodeJS.ProcessEnv = process.env): string[] {
  const configs = new Set<string>();
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    // <config>/agent/sessions/<project>/<file>, or <config>/profiles/<name>/agent/…; subagents are one level deeper.
    for (let at = folder, level = 0; level < 4; at = dirname(at), level++) {
      if (basename(at) !== 'agent') continue;
      const config = dirname(at);
      configs.add(basename(dirname(config)) === 'profiles' ? dirname(dirname(config)) : config);
    }
  }
  configs.add(configFolder(DIALECT_FACTS.omp.folders, { env, home }));
  const state = xdgFolder(env['XDG_STATE_HOME']);
  if (state !== undefined) configs.add(state);
  return [...configs].map((config) => join(config, 'run', 'session-owners'));
}

/** Returns the file name of a session's lease. */
export const leaseName = (id: string): string => `${NAMED_BY_ID.test(id) ? id : `h-${wyhash(id).toString(16).padStart(16, '0')}`}.lock`;

/** Finds the leases of sessions in some folders. */
interface LeaseFinder {
  /** Returns the real paths of a session's leases, held or not. */
  readonly leasesOf: (id: string) => Promise<string[]>;
}

/** Returns `undefined` if none of the folders exists. */
export async function findLeases(folders: readonly string[]): Promise<LeaseFinder | undefined> {
  const found = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)));
  const real = [...new Set(found.filter((folder) => folder !== undefined))];
  if (real.length === 0) return undefined;
  return {
    leasesOf: async (id) => {
      const files = real.map((folder) => join(folder, leaseName(id)));
      const stats = await Promise.all(files.map((file) => lstat(file).catch(() => undefined)));
      return files.filter((_, at) => {
        const one = stats[at];
        return one?.isFile() === true && one.size <= MAX_BYTES;
      });
    },
  };
}
