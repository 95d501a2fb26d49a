/**
 * Finds session folders: the programs' default folders, those that their environment and settings name, and those that
 * the person added. FORMAT section 1.
 */
import { readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { asString, isObject } from '../../format/entry/entry';
import type { Dialect } from '../../format/entry/dialect';
import { SessionError } from '../../format/entry/problem';
import { mayContactServer } from '../../format/text/remotePath';
import { isMissing } from '../io/fileErrors';
import { readSmallText } from '../io/smallFile';

/** A folder of sessions. FORMAT section 1. */
export interface Root {
  /** Absolute path in normal form. */
  readonly path: string;
  /** The dialect of files that don't reveal their own. */
  readonly dialect: Dialect;
  /** True if the sessions are in the folder itself; false if they're one level down. */
  readonly flat: boolean;
}

/** The environment that session folders are derived from. FORMAT section 1. */
export interface RootEnvironment {
  /** Environment variables, for example `PI_CODING_AGENT_DIR`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Path of the home folder. */
  readonly home: string;
  /** Project folders whose `.pi/settings.json` may name a session folder. */
  readonly projects?: readonly string[];
  /** Roots that the person added; they precede those that are found. */
  readonly added?: readonly Root[];
  /** Performs disk access. By default without a limit of time. If it rejects, the path counts as unreadable. */
  readonly ask?: DiskAccess;
}

/**
 * Performs an operation on a path, for example with a deadline. For one path the operation is always the same, so
 * results can be shared.
 */
export type DiskAccess = <T>(path: string, how: (path: string) => Promise<T>) => Promise<T>;

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

/**
 * Returns the session folders of all programs, existing or not, each once by real path and depth. A folder that is
 * named as flat and as deep is returned for both. Never rejects. FORMAT section 1.
 *
 * @param onProblem receives settings and folders that can't be read; the other folders are still found.
 * @returns the roots in order of precedence, those of `at.added` first.
 */
export async function findRoots(at: RootEnvironment, onProblem: (path: string, error: unknown) => void = () => undefined): Promise<Root[]> {
  const { env, home, ask = directAccess } = at;
  const roots: Root[] = [];
  const add = (dialect: Dialect, path: string, flat = false): void => {
    roots.push({ path: expandPath(path, home), dialect, flat });
  };
  for (const { path, dialect, flat } of at.added ?? []) add(dialect, path, flat);
  const shared = env['PI_CODING_AGENT_DIR'];
  if (env['PI_CODING_AGENT_SESSION_DIR']) add('pi', env['PI_CODING_AGENT_SESSION_DIR'], true);
  const agentDir = expandPath(shared ?? join(home, '.pi', 'agent'), home);
  for (const [settings, base] of [
    [join(agentDir, 'settings.json'), agentDir],
    ...(at.projects ?? []).map((p) => [join(p, '.pi', 'settings.json'), p]),
  ] as [string, string][]) {
    const dir = await sessionDirOf(settings, ask, onProblem);
    // A repository can carry such settings, and merely accessing a folder on another computer reveals to that computer
    // who accesses it.
    if (
      dir !== undefined &&
      base !== agentDir &&
      [dir, expandPath(dir, home, base)].some((path) => mayContactServer(path, process.platform, []))
    )
      onProblem(
        settings,
        new SessionError(
          'permission',
          'The project’s settings name a folder on another computer, so it isn’t looked at. If you trust it, add it to “sessionTree.roots”: {path}',
          { path: dir },
        ),
      );
    else if (dir !== undefined) add('pi', expandPath(dir, home, base), true);
  }
  add('pi', join(agentDir, 'sessions'));
  if (shared !== undefined) add('pi', join(home, '.pi', 'agent', 'sessions'));

  const ompHome = join(home, env['PI_CONFIG_DIR'] ?? '.omp');
  add('omp', join(ompHome, 'agent', 'sessions'));
  for (const profile of await folders(join(ompHome, 'profiles'), ask, onProblem))
    add('omp', join(ompHome, 'profiles', profile, 'agent', 'sessions'));
  if (env['OMP_PROFILE']) add('omp', join(ompHome, 'profiles', env['OMP_PROFILE'], 'agent', 'sessions'));
  const xdg = env['XDG_DATA_HOME'] ? join(env['XDG_DATA_HOME'], 'omp', 'sessions') : undefined;
  if (xdg !== undefined && (await mayExist(xdg, ask))) add('omp', xdg);

  if (env['JENSEN_CODING_AGENT_DIR']) add('jensen', join(expandPath(env['JENSEN_CODING_AGENT_DIR'], home), 'sessions'));
  add('jensen', join(home, '.jensen', 'agent', 'sessions'));
  if (env['GSD_HOME']) add('gsd', join(expandPath(env['GSD_HOME'], home), 'sessions'));
  add('gsd', join(home, '.gsd', 'sessions'));
  const claw = expandPath(env['OPENCLAW_STATE_DIR'] ?? join(home, '.openclaw'), home);
  for (const agent of await folders(join(claw, 'agents'), ask, onProblem)) add('openclaw', join(claw, 'agents', agent, 'sessions'), true);
  return unique(roots, ask);
}

/** Keeps the first of several roots that are the same folder at the same depth. */
async function unique(roots: readonly Root[], ask: DiskAccess): Promise<Root[]> {
  const found = new Map<string, Root>();
  const real = await Promise.all(roots.map(({ path }) => ask(path, realPath).catch(() => path)));
  roots.forEach((root, index) => {
    const key = `${root.flat ? 'flat' : 'deep'} ${real[index]!}`;
    if (!found.has(key)) found.set(key, root);
  });
  return [...found.values()];
}

/**
 * Returns the programs' configuration folders. Watching them reveals roots that are created later. FORMAT section 1.
 */
export function agentHomes({ home, env }: RootEnvironment): string[] {
  const claw = env['OPENCLAW_STATE_DIR'] ? expandPath(env['OPENCLAW_STATE_DIR'], home) : join(home, '.openclaw');
  return [...['.pi', env['PI_CONFIG_DIR'] ?? '.omp', '.jensen', '.gsd'].map((name) => join(home, name)), claw];
}

/**
 * Returns the root that contains a path; the innermost of nested roots. Compares names only; links aren't resolved.
 *
 * @param path an absolute path; the root's own path isn't contained in it.
 * @param roots their paths in normal form, as {@link expandPath} returns them.
 * @returns `undefined` if the path is in none of them.
 */
export function rootOf(path: string, roots: readonly Root[]): Root | undefined {
  const full = comparable(resolve(path));
  let best: Root | undefined;
  for (const root of roots) {
    if (best && root.path.length <= best.path.length) continue;
    const folder = comparable(root.path);
    if (full.length > folder.length && full.startsWith(folder.endsWith(sep) ? folder : folder + sep)) best = root;
  }
  return best;
}

/** Windows ignores case in paths. */
const comparable = (path: string): string => (sep === '\\' ? path.toLowerCase() : path);

const realPath = (path: string): Promise<string> => realpath(path);

/** True unless the path is known to be missing. */
const mayExist = (path: string, ask: DiskAccess): Promise<boolean> =>
  ask(path, realPath).then(
    () => true,
    (error: unknown) => !isMissing(error),
  );

async function sessionDirOf(path: string, ask: DiskAccess, onProblem: (path: string, error: unknown) => void): Promise<string | undefined> {
  try {
    const settings: unknown = JSON.parse(await ask(path, readSettings));
    return isObject(settings) ? asString(settings['sessionDir']) || undefined : undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') onProblem(path, error);
    return undefined;
  }
}

const readSettings = (path: string): Promise<string> => readSmallText(path);

async function folders(path: string, ask: DiskAccess, onProblem: (path: string, error: unknown) => void): Promise<string[]> {
  try {
    return (await ask(path, (at) => readdir(at, { withFileTypes: true })))
      .filter((entry) => entry.isDirectory() || entry.isSymbolicLink())
      .map((entry) => entry.name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') onProblem(path, error);
    return [];
  }
}
