/** Finds the folders and databases in which OpenClaw keeps sessions. FORMAT section 7. */
import { basename, dirname, join } from 'node:path';
import { DIALECT_FACTS, type Dialect } from '../../../format/entry/dialect';
import { asString, isObject } from '../../../format/values/jsonValues';
import { SessionError } from '../../../format/entry/problem';
import { mayContactServer } from '../../../format/text/remotePath';
import { isMissing } from '../../io/fileErrors';
import { readSmallText } from '../../io/smallFile';
import { filesFrom, folderNames, mayExist, pathsFrom, type DiskAccess } from '../folderQueries';
import { parseLooseJson } from '../looseJson';
import { registeredDatabases } from './openclawRegistry';
import { configFolder, EARLIER_OPENCLAW, namedAgentFolders } from './programFolders';
import { expandPath, type RootEnvironment } from '../roots';

/** The environment of the search, and what it needs of the disk. */
interface Search extends RootEnvironment {
  readonly access: DiskAccess;
  readonly onProblem: (path: string, error: unknown) => void;
}

/** The name of an agent's database, without its suffix. */
const DATABASE = 'openclaw-agent';
/** A name that OpenClaw keeps for a database in memory, and its databases of memories, which have no sessions. */
const NO_STORE = /^(?:incognito-openclaw-agent|shared-[\da-f]{16})\.sqlite$/;
/** Bytes of OpenClaw's settings, which are read on the main thread. */
const MAX_SETTINGS = 256 * 1024;

/** Returns the folders of all agents, and the databases that exist. */
export async function findOpenclawRoots(dialect: Dialect, search: Search): Promise<string[]> {
  const { access, onProblem } = search;
  const found: string[] = [];
  for (const state of await stateFolders(dialect, search)) {
    const agents = await folderNames(join(state, 'agents'), access, onProblem);
    for (const agent of agents) {
      const folder = join(state, 'agents', agent);
      found.push(join(folder, 'sessions'), ...(await databasesOf(join(folder, 'agent', DATABASE), search)));
    }
    for (const store of await storesOf(state, agents, search)) found.push(...(await rootsOfStore(store, search)));
    const registered = await registeredDatabases(state, access, onProblem);
    for (const base of new Set(registered.map(baseOf))) found.push(...(await databasesOf(base, search, filesFrom)));
  }
  return found;
}

/** Returns the folders that OpenClaw may keep its state in: the one of the environment, its own, and one for each profile. */
async function stateFolders(dialect: Dialect, search: Search): Promise<string[]> {
  const { folders } = DIALECT_FACTS[dialect];
  const config = configFolder(folders, search);
  const profiles = await siblings(`${config}-`, search);
  return [...namedAgentFolders(folders, search), config, ...profiles, join(search.home, EARLIER_OPENCLAW)];
}

/** Returns the stores that the settings in a state folder name. */
async function storesOf(state: string, agents: readonly string[], { access, home, onProblem }: Search): Promise<string[]> {
  const path = join(state, 'openclaw.json');
  try {
    const settings = parseLooseJson(await access(path, readSettings));
    const session = isObject(settings) ? settings['session'] : undefined;
    const store = isObject(session) ? asString(session['store']) : undefined;
    if (!store) return [];
    if ([store, expandPath(store, home)].some((one) => mayContactServer(one, process.platform, [])))
      throw new SessionError(
        'permission',
        'OpenClaw’s settings name a session store on another computer, so it’s ignored. If you trust it, add it to “sessionTree.roots”: {path}',
        { path: store },
      );
    const names = store.includes(AGENT) ? agents.map((agent) => store.replaceAll(AGENT, () => agent)) : [store];
    return names.map((name) => expandPath(name, home));
  } catch (error) {
    if (error instanceof SyntaxError)
      onProblem(path, new SessionError('invalid', 'OpenClaw’s settings aren’t valid JSON5: {path}', { path }, { cause: error }));
    else if (!isMissing(error)) onProblem(path, error);
    return [];
  }
}

/** The place of the agent's name in the name of a store. */
const AGENT = '{agentId}';

const readSettings = (path: string): Promise<string> => readSmallText(path, { maxBytes: MAX_SETTINGS });

/** Returns the beginning of the names of all databases beside a database. */
function baseOf(database: string): string {
  const name = basename(database, '.sqlite');
  return join(dirname(database), name.startsWith(`${DATABASE}.`) ? DATABASE : name);
}

/** Returns the databases of a store, and the folder of the files that OpenClaw wrote earlier. */
async function rootsOfStore(store: string, search: Search): Promise<string[]> {
  const name = basename(store);
  if (name.endsWith('.sqlite')) return !NO_STORE.test(name) && (await mayExist(store, search.access)) ? [store] : [];
  const base = name === 'sessions.json' ? DATABASE : name.replace(/\.json$/, '');
  return [dirname(store), ...(await databasesOf(join(dirname(store), base), search))];
}

/** Returns `<base>.sqlite` and `<base>.<anything>.sqlite`: other agents that share the folder have such names. */
async function databasesOf(base: string, search: Search, list = pathsFrom): Promise<string[]> {
  const paths = await siblings(`${base}.`, search, list);
  return paths.filter((path) => path.endsWith('.sqlite') && !NO_STORE.test(basename(path)));
}

/** Returns the paths that begin with a path, whose folder may be missing. */
async function siblings(start: string, { access, onProblem }: Search, list = pathsFrom): Promise<string[]> {
  try {
    return await access(start, list);
  } catch (error) {
    if (!isMissing(error)) onProblem(dirname(start), error);
    return [];
  }
}
