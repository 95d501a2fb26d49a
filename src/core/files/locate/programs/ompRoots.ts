/** Finds the folders in which oh-my-pi keeps sessions and archives them, and single sessions that it keeps elsewhere on request. FORMAT section 1. */
import { basename, dirname, isAbsolute, join, normalize } from 'node:path';
import { mayContactServer } from '../../../format/text/remotePath';
import { readSmallText } from '../../io/smallFile';
import { archiveFolderOf } from './archiveFolders';
import { fileNames, folderNames, mayExist, type DiskAccess } from '../folderQueries';

/** A folder of sessions. */
interface OmpRoot {
  readonly path: string;
  /** Names of single sessions in the folder. Without them, the sessions are one level down. */
  readonly names?: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A name that oh-my-pi accepts for a profile, except `default`, which names none. */
const PROFILE_NAME = /^(?!default$)[a-z0-9][a-z0-9._-]{0,63}$/;

/**
 * Returns the profile that the environment selects; `undefined` for the default one, which an empty `OMP_PROFILE` selects, too.
 */
export function selectedProfile(env: Environment): string | undefined {
  const name = env['OMP_PROFILE'] ?? env['PI_PROFILE'] ?? '';
  return PROFILE_NAME.test(name) ? name : undefined;
}

/** Returns oh-my-pi's folder in a folder that `XDG_DATA_HOME` or `XDG_STATE_HOME` names. Relative paths are invalid in both. */
export const xdgFolder = (home: string | undefined): string | undefined =>
  home !== undefined && isAbsolute(home) ? join(home, 'omp') : undefined;

/**
 * Returns the roots of all profiles, existing or not, their archives, and the roots of registered sessions. Never
 * rejects.
 *
 * @param config oh-my-pi's configuration folder, by default `~/.omp`.
 * @param onProblem receives folders and records that can't be read.
 */
export async function findOmpRoots(
  config: string,
  env: Environment,
  access: DiskAccess,
  onProblem: (path: string, error: unknown) => void,
): Promise<OmpRoot[]> {
  const profile = selectedProfile(env);
  const profiles = new Set([
    ...(await folderNames(join(config, 'profiles'), access, onProblem)),
    ...(profile === undefined ? [] : [profile]),
  ]);
  const agents = [join(config, 'agent'), ...[...profiles].map((name) => join(config, 'profiles', name, 'agent'))];
  const data = await xdgAgents(xdgFolder(env['XDG_DATA_HOME']), access, onProblem);
  const state = await xdgAgents(xdgFolder(env['XDG_STATE_HOME']), access, onProblem);
  const registered = await Promise.all([...agents, ...state].map((agent) => registeredSessions(agent, access, onProblem)));
  const archives = await Promise.all([...agents, ...data].map((agent) => findArchives(agent, access)));
  const folders = [...agents, ...data].map((agent) => join(agent, 'sessions'));
  return [...[...folders, ...archives.flat()].map((path) => ({ path })), ...byFolder(registered.flat())];
}

/** Returns the folder of an agent folder's archived sessions, if it exists: few people archive any. */
export async function findArchives(agent: string, access: DiskAccess): Promise<string[]> {
  const folder = archiveFolderOf(agent);
  return (await mayExist(folder, access)) ? [folder] : [];
}

/** Returns the folders of the default profile and of named ones, if they exist: they replace the folders at home. */
async function xdgAgents(
  folder: string | undefined,
  access: DiskAccess,
  onProblem: (path: string, error: unknown) => void,
): Promise<string[]> {
  if (folder === undefined || !(await mayExist(folder, access))) return [];
  const profiles = join(folder, 'profiles');
  return [folder, ...(await folderNames(profiles, access, onProblem)).map((name) => join(profiles, name))];
}

/** Bytes. A record holds a path. */
const MAX_RECORD_BYTES = 16 * 1024;
/** There is one record per session that was opened by its path. A folder with more was filled by something else. */
const MAX_RECORDS = 2000;
/** Records that are read at the same time. */
const AT_ONCE = 16;

/**
 * Returns the sessions outside of the sessions folder that oh-my-pi has opened. It keeps a record of each, whose content
 * is the absolute path.
 */
async function registeredSessions(agent: string, access: DiskAccess, onProblem: (path: string, error: unknown) => void): Promise<string[]> {
  const folder = join(agent, 'custom-session-files');
  const records = (await fileNames(folder, access, onProblem)).slice(0, MAX_RECORDS).values();
  const found: string[] = [];
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const name of records) {
        const record = join(folder, name);
        const path = await access(record, readRecord).catch((error: unknown) => {
          onProblem(record, error);
          return undefined;
        });
        if (path !== undefined && isAbsolute(path) && path.endsWith('.jsonl') && !mayContactServer(path, process.platform, []))
          found.push(normalize(path));
      }
    }),
  );
  return found.sort();
}

const readRecord = async (path: string): Promise<string> => (await readSmallText(path, { maxBytes: MAX_RECORD_BYTES })).trim();

function byFolder(paths: readonly string[]): OmpRoot[] {
  const folders = new Map<string, string[]>();
  for (const path of paths) {
    const names = folders.get(dirname(path));
    if (names) names.push(basename(path));
    else folders.set(dirname(path), [basename(path)]);
  }
  return [...folders].map(([path, names]) => ({ path, names }));
}
