/**
 * Finds session folders: the programs' default folders, the folders named by their environment and settings, and the
 * folders that the person added. FORMAT section 1.
 */
import { isAbsolute, join } from 'node:path';
import { defined } from '../../format/values/defined';
import { DIALECT_FACTS, DIALECTS, foldersOf, type Dialect, type ProgramFolders } from '../../format/entry/dialect';
import { asString, isObject } from '../../format/values/jsonValues';
import { SessionError } from '../../format/entry/problem';
import { mayContactServer } from '../../format/text/remotePath';
import { errorCode } from '../io/fileErrors';
import { readSmallText } from '../io/smallFile';
import { realPath, type DiskAccess } from './folderQueries';
import { findArchives, findOmpRoots } from './programs/ompRoots';
import { findOpenclawRoots } from './programs/openclawRoots';
import { agentFolders, configFolder, namedAgentFolders } from './programs/programFolders';
import { expandPath, type Root, type RootEnvironment } from './roots';

const directAccess: DiskAccess = (path, how) => how(path);

/** The environment of a search, and what it needs of the disk. */
interface Search extends RootEnvironment {
  readonly access: DiskAccess;
  readonly onProblem: (path: string, error: unknown) => void;
}

/** A root without its dialect. */
type Found = Pick<Root, 'path' | 'names' | 'ofSubagents'> & Partial<Pick<Root, 'flat'>>;

/** Folders beside `sessions` in which extensions keep the sessions of subagents. FORMAT section 1. */
const SUBAGENT_FOLDERS = ['subagent-sessions', 'sessions-subagents'];

const FINDERS = { projects: findProjectRoots, profiles: findProfileRoots, agents: findAgentRoots };

/**
 * Returns the session folders of all programs, existing or not, each once by real path and depth. A folder that is
 * named both as flat and as deep is returned twice. Never rejects. FORMAT section 1.
 *
 * @param onProblem receives settings and folders that can't be read; the other folders are still found.
 * @returns the roots in order of precedence, beginning with `at.added`.
 */
export async function findRoots(at: RootEnvironment, onProblem: (path: string, error: unknown) => void = () => undefined): Promise<Root[]> {
  const search = { access: directAccess, ...at, onProblem };
  const roots = (at.added ?? []).map(({ path, dialect, flat, machine, map, readOnly }): Root => ({
    path: expandPath(path, at.home),
    dialect,
    flat,
    ...defined({ machine, map, readOnly }),
  }));
  for (const dialect of DIALECTS) {
    for (const { flat = false, ...found } of await FINDERS[DIALECT_FACTS[dialect].folders.layout](dialect, search))
      roots.push({ ...found, dialect, flat, mayBeMissing: true });
  }
  return unique(roots, search.access);
}

/** Returns the folder of all sessions, after the folders that the environment and the settings name for some of them. */
async function findProjectRoots(dialect: Dialect, search: Search): Promise<Found[]> {
  const found = foldersOf(dialect).map(async (folders): Promise<Found[]> => {
    const agents = agentFolders(folders, search);
    return [
      ...(await findNamedFolders(folders, search)),
      ...agents.map((agent) => ({ path: join(agent, 'sessions') })),
      ...agents.flatMap((agent) => SUBAGENT_FOLDERS.map((name) => ({ path: join(agent, name), flat: true, ofSubagents: true as const }))),
    ];
  });
  return (await Promise.all(found)).flat();
}

async function findNamedFolders(program: ProgramFolders, search: Search): Promise<Found[]> {
  const { env, home, projects = [], access, onProblem } = search;
  const { sessionsVariable, config } = program;
  if (sessionsVariable === undefined) return [];
  const folders: string[] = [];
  const named = env[sessionsVariable];
  if (named) folders.push(expandPath(named, home));
  const [agentDir = home] = agentFolders(program, search);
  const ofAll = await sessionDirOf(join(agentDir, 'settings.json'), access, onProblem);
  // pi resolves it from its working directory, which is the project's.
  if (ofAll !== undefined) for (const base of isRelative(ofAll) ? projects : [home]) folders.push(expandPath(ofAll, home, base));
  for (const base of projects) {
    const settings = join(base, config, 'settings.json');
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
    else if (dir !== undefined) folders.push(expandPath(dir, home, base));
  }
  return folders.map((path) => ({ path, flat: true }));
}

/** Returns the folders of all profiles, with the archive of an agent folder that the environment names. */
async function findProfileRoots(dialect: Dialect, search: Search): Promise<Found[]> {
  const { env, access, onProblem } = search;
  const { folders } = DIALECT_FACTS[dialect];
  const archives = await Promise.all(namedAgentFolders(folders, search).map((agent) => findArchives(agent, access)));
  const roots = await findOmpRoots(configFolder(folders, search), env, access, onProblem);
  return [...archives.flat().map((path) => ({ path })), ...roots.map((root) => ({ ...root, flat: root.names !== undefined }))];
}

/** Returns the folder of each agent, and the databases. */
async function findAgentRoots(dialect: Dialect, search: Search): Promise<Found[]> {
  return (await findOpenclawRoots(dialect, search)).map((path) => ({ path, flat: true }));
}

/** True if {@link expandPath} resolves the path against its base. */
const isRelative = (path: string): boolean => !isAbsolute(path) && !/^~(?:[\\/]|$)/.test(path);

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
