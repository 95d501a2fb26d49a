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

export interface Root {
  readonly path: string;
  /** What files in it are, when they don't tell by themselves. */
  readonly dialect: Dialect;
  /** Sessions lie in the folder itself, not one level down. */
  readonly flat: boolean;
}

export interface RootEnvironment {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Project folders whose `.pi/settings.json` may name a session folder. */
  readonly projects?: readonly string[];
  /** What the person added; it counts before what is found. */
  readonly added?: readonly Root[];
  /** Asks the disk, by default for as long as it takes. Where it rejects, the path counts as one that can't be read. */
  readonly ask?: DiskAccess;
}

/** Of one path always the same is asked. */
export type DiskAccess = <T>(path: string, how: (path: string) => Promise<T>) => Promise<T>;

const directAccess: DiskAccess = (path, how) => how(path);

export function currentEnvironment(projects: readonly string[] = []): RootEnvironment {
  return { env: process.env, home: homedir(), projects };
}

/** A path as people write it in settings: `~` is the home folder, a relative one is taken from `base`. */
export function expandPath(path: string, home: string, base = home): string {
  if (path === '~') return home;
  if (path.startsWith('~/') || path.startsWith('~\\')) return join(home, path.slice(2));
  return resolve(base, path);
}

/**
 * The folders of all programs, whether they exist or not, each once however it is reached. A folder that is
 * named both ways is listed at both depths. Never throws: a settings file that can't be read goes to
 * `onProblem` and the rest is found.
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
  for (const [settings, base] of [[join(agentDir, 'settings.json'), agentDir], ...(at.projects ?? []).map((p) => [join(p, '.pi', 'settings.json'), p])] as [string, string][]) {
    const dir = await sessionDirOf(settings, ask, onProblem);
    // A repository can carry such settings, and merely accessing a folder on another computer reveals to that computer
    // who accesses it.
    if (dir !== undefined && base !== agentDir && [dir, expandPath(dir, home, base)].some((path) => mayContactServer(path, process.platform, []))) onProblem(settings, new SessionError('permission', 'The project’s settings name a folder on another computer, so it isn’t looked at. If you trust it, add it to “sessionTree.roots”: {path}', { path: dir }));
    else if (dir !== undefined) add('pi', expandPath(dir, home, base), true);
  }
  add('pi', join(agentDir, 'sessions'));
  if (shared !== undefined) add('pi', join(home, '.pi', 'agent', 'sessions'));

  const ompHome = join(home, env['PI_CONFIG_DIR'] ?? '.omp');
  add('omp', join(ompHome, 'agent', 'sessions'));
  for (const profile of await folders(join(ompHome, 'profiles'), ask, onProblem)) add('omp', join(ompHome, 'profiles', profile, 'agent', 'sessions'));
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

/** The folders to watch so that a root which appears later is noticed. */
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
    return (await ask(path, (at) => readdir(at, { withFileTypes: true }))).filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map((entry) => entry.name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') onProblem(path, error);
    return [];
  }
}
