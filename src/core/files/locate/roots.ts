/** Session folders: their properties, their environment, and the one that contains a path. FORMAT section 1. */
import { homedir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import type { Dialect } from '../../format/entry/dialect';
import { unarchivedPath } from '../../format/session/archivedSession';
import type { DiskAccess } from './folderQueries';
import type { PathMap } from './paths/mapPath';

/** A folder of sessions, or a database of OpenClaw, which is flat. FORMAT section 1, FORMAT section 7. */
export interface Root {
  /** Absolute path in normal form. */
  readonly path: string;
  /** The dialect of files that don't reveal their own. */
  readonly dialect: Dialect;
  /** True if the sessions are in the folder itself; false if they're one level down. */
  readonly flat: boolean;
  /** For a flat root in which only these files are sessions: their names. */
  readonly names?: readonly string[];
  /** Set for a flat root that has only sessions of subagents, in the folder itself and in the folders in it. */
  readonly ofSubagents?: true;
  /** True for a place where a program may have sessions: it needn't exist. Any other root is a problem if it's missing. */
  readonly mayBeMissing?: true;
  /** The name of the machine that the sessions come from, on one line; absent for sessions of this machine. */
  readonly machine?: string;
  /** Folders of that machine, and where they are here; see `mapPath`. */
  readonly map?: PathMap;
  /** True if nothing below the root is ever changed. */
  readonly readOnly?: boolean;
}

/** The environment that session folders are derived from. FORMAT section 1. */
export interface RootEnvironment {
  /** Environment variables, for example `PI_CODING_AGENT_DIR`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Path of the home folder. */
  readonly home: string;
  /** Project folders whose `.pi/settings.json` may name a session folder. */
  readonly projects?: readonly string[];
  /** Roots that the person added; they precede the roots that are found. */
  readonly added?: readonly Root[];
  /** Performs disk access. By default without a limit of time. If it rejects, the path counts as unreadable. */
  readonly access?: DiskAccess;
}

/**
 * Returns this process's environment variables and home folder.
 *
 * @param projects see {@link RootEnvironment.projects}.
 */
export function currentEnvironment(projects: readonly string[] = []): RootEnvironment {
  return { env: process.env, home: homedir(), projects };
}

/**
 * Expands a path as written in settings: `~` is the home folder, and a relative path is resolved against `base`.
 *
 * @param base an absolute path; the home folder by default.
 * @returns an absolute path.
 */
export function expandPath(path: string, home: string, base = home): string {
  if (path === '~') return home;
  if (path.startsWith('~/') || path.startsWith('~\\')) return join(home, path.slice(2));
  return resolve(base, path);
}

/**
 * Returns the root that contains a path; the innermost of nested roots. Compares names only; links aren't resolved.
 *
 * @param path an absolute path; the root's own path isn't contained in it.
 * @param roots their paths in normal form, as {@link expandPath} returns them.
 * @returns `undefined` if the path is in none of them.
 */
export function rootOf(path: string, roots: readonly Root[]): Root | undefined {
  const full = comparable(isNormal(path) ? path : resolve(path));
  let best: Root | undefined;
  for (const root of roots) {
    if (best && root.path.length <= best.path.length) continue;
    const folder = comparable(root.path);
    if (full.length <= folder.length || !full.startsWith(folder)) continue;
    if (full[folder.length] !== sep && !folder.endsWith(sep)) continue;
    if (!root.names || root.names.some((name) => isOrBelongsTo(full, comparable(join(root.path, name))))) best = root;
  }
  return best;
}

/** True if two roots have the same settings. */
export const isSameRoot = (a: Root, b: Root): boolean =>
  a === b ||
  (a.path === b.path &&
    a.dialect === b.dialect &&
    a.flat === b.flat &&
    a.machine === b.machine &&
    a.readOnly === b.readOnly &&
    a.ofSubagents === b.ofSubagents &&
    (a.map === b.map || JSON.stringify(a.map) === JSON.stringify(b.map)));

/** True for a session's file or archive, and for everything in the folder with the session's name. */
const isOrBelongsTo = (path: string, session: string): boolean =>
  unarchivedPath(path) === session || path.startsWith(session.slice(0, -'.jsonl'.length) + sep);

/** Empty names, `.` and `..` in a path. */
const SURPLUS_NAME = /\/\.{0,2}(?:\/|$)/;

/** True for a path that `resolve` returns as it is. That takes it ten times as long to find out, and lists access for each file. */
const isNormal = (path: string): boolean => sep === '/' && path.startsWith('/') && !SURPLUS_NAME.test(path);

/** Windows ignores case in paths. */
const comparable = (path: string): string => (sep === '\\' ? path.toLowerCase() : path);
