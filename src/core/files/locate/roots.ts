/**
 * Finds session folders: the programs' default folders, the folders named by their environment and settings, and the
 * folders that the person added. FORMAT section 1.
 */
import { homedir } from 'node:os';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { defined } from '../../format/entry/defined';
import { asString, isObject } from '../../format/entry/jsonValues';
import type { Dialect } from '../../format/entry/dialect';
import { unarchivedPath } from '../../format/session/archivedSession';
import { SessionError } from '../../format/entry/problem';
import { mayContactServer } from '../../format/text/remotePath';
import { errorCode } from '../io/fileErrors';
import { readSmallText } from '../io/smallFile';
import { folderNames, mayExist, realPath, type DiskAccess } from './folderQueries';
import type { PathMap } from './mapPath';
import { findArchives, findOmpRoots } from './ompRoots';

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

const directAccess: DiskAccess = (path, how) => how(path);

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

/** True if {@link expandPath} resolves the path against its base. */
const isRelative = (path: string): boolean => !isAbsolute(path) && !/^~(?:[\\/]|$)/.test(path);

/**
 * Returns the session folders of all programs, existing or not, each once by real path and depth. A folder that is
 * named both as flat and as deep is returned twice. Never rejects. FORMAT section 1.
 *
 * @param onProblem receives settings and folders that can't be read; the other folders are still found.
 * @returns the roots in order of precedence, beginning with `at.added`.
 */
export async function findRoots(at: RootEnvironment, onProblem: (path: string, error: unknown) => void = () => undefined): Promise<Root[]> {
  const { env, home, access = directAccess } = at;
  const roots: Root[] = [];
  const add = (dialect: Dialect, path: string, flat = false): void => {
    roots.push({ path: expandPath(path, home), dialect, flat, mayBeMissing: true });
  };
  for (const { path, dialect, flat, machine, map, readOnly } of at.added ?? [])
    roots.push({ path: expandPath(path, home), dialect, flat, ...defined({ machine, map, readOnly }) });
  const shared = env['PI_CODING_AGENT_DIR'];
  if (env['PI_CODING_AGENT_SESSION_DIR']) add('pi', env['PI_CODING_AGENT_SESSION_DIR'], true);
  const agentDir = expandPath(shared ?? join(home, '.pi', 'agent'), home);
  const projects = at.projects ?? [];
  const ofAll = await sessionDirOf(join(agentDir, 'settings.json'), access, onProblem);
  // pi resolves it from its working directory, which is the project's.
  if (ofAll !== undefined) for (const base of isRelative(ofAll) ? projects : [home]) add('pi', expandPath(ofAll, home, base), true);
  for (const base of projects) {
    const settings = join(base, '.pi', 'settings.json');
    const dir = await sessionDirOf(settings, access, onProblem);
    // A repository can carry such settings, and merely accessing a folder on another computer reveals to that computer
    // who accesses it.
    if (dir !== undefined && [dir, expandPath(dir, home, base)].some((path) => mayContactServer(path, process.platform, [])))
      onProblem(
        settings,
        new SessionError(
          'permission',
          'This project’s settings name a session folder on another computer, so it’s ignored. If you trust it, add it to “sessionTree.roots”: {path}',
          { path: dir },
        ),
      );
    else if (dir !== undefined) add('pi', expandPath(dir, home, base), true);
  }
  add('pi', join(agentDir, 'sessions'));
  if (shared !== undefined) add('pi', join(home, '.pi', 'agent', 'sessions'));

  if (shared !== undefined) for (const path of await findArchives(agentDir, access)) add('omp', path);
  for (const { path, names } of await findOmpRoots(join(home, env['PI_CONFIG_DIR'] ?? '.omp'), env, access, onProblem))
    roots.push({ path, dialect: 'omp', flat: names !== undefined, mayBeMissing: true, ...defined({ names }) });

  if (env['JENSEN_CODING_AGENT_DIR']) add('jensen', join(expandPath(env['JENSEN_CODING_AGENT_DIR'], home), 'sessions'));
  add('jensen', join(home, '.jensen', 'agent', 'sessions'));
  if (env['GSD_HOME']) add('gsd', join(expandPath(env['GSD_HOME'], home), 'sessions'));
  add('gsd', join(home, '.gsd', 'sessions'));
  const claw = expandPath(env['OPENCLAW_STATE_DIR'] ?? join(home, '.openclaw'), home);
  for (const agent of await folderNames(join(claw, 'agents'), access, onProblem)) {
    add('openclaw', join(claw, 'agents', agent, 'sessions'), true);
    const database = join(claw, 'agents', agent, 'agent', 'openclaw-agent.sqlite');
    if (await mayExist(database, access)) add('openclaw', database, true);
  }
  return unique(roots, access);
}

/** Keeps the first of several roots that are the same folder at the same depth. */
async function unique(roots: readonly Root[], access: DiskAccess): Promise<Root[]> {
  const found = new Map<string, Root>();
  const all = await Promise.all(roots.map(async (root) => ({ root, real: await access(root.path, realPath).catch(() => root.path) })));
  for (const { root, real } of all) {
    const key = `${root.names ? 'some' : root.flat ? 'flat' : 'deep'} ${real}`;
    const known = found.get(key);
    if (!known) found.set(key, root);
    else if (known.names && root.names) found.set(key, { ...known, names: [...new Set([...known.names, ...root.names])] });
  }
  return [...found.values()];
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

async function sessionDirOf(
  path: string,
  access: DiskAccess,
  onProblem: (path: string, error: unknown) => void,
): Promise<string | undefined> {
  try {
    const settings: unknown = JSON.parse(await access(path, readSettings));
    return isObject(settings) ? asString(settings['sessionDir']) || undefined : undefined;
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') onProblem(path, error);
    return undefined;
  }
}

const readSettings = (path: string): Promise<string> => readSmallText(path);
