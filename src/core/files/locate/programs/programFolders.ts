/** The folders of each program, and the default folders for its sessions. FORMAT section 1. */
import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { DIALECT_FACTS, DIALECTS, foldersOf, foldersOfFork, type Dialect, type ProgramFolders } from '../../../format/entry/dialect';
import { projectFolderName } from '../../../format/write/sessionNames';
import { selectedProfile, xdgFolder } from './ompRoots';
import { currentEnvironment, expandPath, rootOf, type RootEnvironment } from '../roots';

/** The name of OpenClaw's folder in early 2026. */
export const EARLIER_OPENCLAW = '.clawdbot';

type Environment = Pick<RootEnvironment, 'env' | 'home'>;

/** Returns the folder of a program's configuration. */
export function configFolder({ config, configVariable }: ProgramFolders, { env, home }: Environment): string {
  return join(home, (configVariable && env[configVariable]) || config);
}

/** Returns the agent folders that the environment names. */
export function namedAgentFolders({ agentVariables }: ProgramFolders, { env, home }: Environment): string[] {
  return agentVariables.flatMap((name) => (env[name] ? [expandPath(env[name], home)] : []));
}

/** Returns the agent folders that a program may use: the first one has its new sessions, the last one is its own. */
export function agentFolders(folders: ProgramFolders, at: Environment): string[] {
  return [...namedAgentFolders(folders, at), join(configFolder(folders, at), folders.agent)];
}

/** Returns the root that a program writes to: one of the roots that `findRoots` finds. */
export function defaultRoot(dialect: Dialect, at: Environment = currentEnvironment()): string {
  const { folders } = DIALECT_FACTS[dialect];
  const [agent = at.home] = agentFolders(folders, at);
  switch (folders.layout) {
    case 'projects':
      return join(agent, 'sessions');
    case 'profiles':
      return join(profileFolder(folders, at), 'sessions');
    case 'agents':
      return join(agent, 'agents', 'main', 'sessions');
  }
}

/** Returns the folder with the sessions of the profile that the environment selects. */
function profileFolder(folders: ProgramFolders, at: Environment): string {
  // The folder of a profile counts only for the default agent folder.
  const xdg = namedAgentFolders(folders, at).length === 0 ? xdgFolder(at.env['XDG_DATA_HOME']) : undefined;
  const profile = selectedProfile(at.env);
  const data = xdg !== undefined && join(xdg, profile === undefined ? '' : join('profiles', profile));
  return data !== false && existsSync(data) ? data : settingsFolderOf(folders, at);
}

/** Returns the folder that a program reads a person's settings from. */
export const settingsFolder = (dialect: Dialect, at: Environment): string => settingsFolderOf(DIALECT_FACTS[dialect].folders, at);

function settingsFolderOf(folders: ProgramFolders, at: Environment): string {
  const profile = folders.layout === 'profiles' ? selectedProfile(at.env) : undefined;
  if (profile !== undefined) return join(configFolder(folders, at), 'profiles', profile, folders.agent);
  const [agent = at.home] = agentFolders(folders, at);
  return agent;
}

/** Returns the dialect of the program whose folders contain the path; `undefined` for a path elsewhere. */
export function dialectOfPath(path: string, at: Environment = currentEnvironment()): Dialect | undefined {
  const roots = DIALECTS.flatMap((dialect) =>
    foldersOf(dialect).flatMap((folders) => placesOf(folders, path, at).map((place) => ({ dialect, path: place, flat: false }))),
  );
  return rootOf(path, roots)?.dialect;
}

/** Returns the command of the fork of pi whose folders contain the path; `undefined` for a path elsewhere. */
export function forkOfPath(path: string, at: Environment = currentEnvironment()): string | undefined {
  const dialect: Dialect = 'pi';
  const forks = DIALECT_FACTS[dialect].forks ?? [];
  const contains = (place: string): boolean => rootOf(path, [{ dialect, path: place, flat: false }]) !== undefined;
  return forks.find((fork) => placesOf(foldersOfFork(fork), path, at).some(contains))?.name;
}

/** Returns the folders that only one program uses. @param path for OpenClaw, whose profiles have folders of any name */
function placesOf(folders: ProgramFolders, path: string, at: Environment): string[] {
  const { layout, sessionsVariable } = folders;
  const named = sessionsVariable && at.env[sessionsVariable];
  const data = layout === 'profiles' ? xdgFolder(at.env['XDG_DATA_HOME']) : undefined;
  const config = configFolder(folders, at);
  const others = layout === 'agents' ? [...profileOf(path, config), join(at.home, EARLIER_OPENCLAW)] : [];
  const places = [named && expandPath(named, at.home), ...namedAgentFolders(folders, at), config, data, ...others];
  return places.filter((place): place is string => place !== undefined && place !== '');
}

/** Returns the folder of OpenClaw's profile that contains a path: its name begins with that of the usual folder. */
const profileOf = (path: string, config: string): string[] =>
  path.startsWith(`${config}-`) ? [config + (path.slice(config.length).split(sep)[0] ?? '')] : [];

/** Returns the default folder for the sessions of a project. */
export function defaultSessionDir(cwd: string, dialect: Dialect): string {
  const root = defaultRoot(dialect);
  const isShared = DIALECT_FACTS[dialect].folders.layout === 'agents';
  return isShared ? root : join(root, projectFolderName(cwd, dialect, { home: homedir(), temp: tmpdir() }));
}
