/** Default folders for the sessions of a program and of a project. FORMAT section 1. */
import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dialect } from '../../format/entry/dialect';
import { projectFolderName } from '../../format/write/sessionNames';
import { selectedProfile, xdgFolder } from './ompRoots';
import { currentEnvironment, expandPath, rootOf, type Root, type RootEnvironment } from './roots';

/** Returns the root that a program writes to: one of the roots that `findRoots` finds. */
export function defaultRoot(dialect: Dialect, { env, home }: RootEnvironment = currentEnvironment()): string {
  const shared = env['PI_CODING_AGENT_DIR'];
  const sessions = (agentDir: string): string => join(expandPath(agentDir, home), 'sessions');
  switch (dialect) {
    case 'pi':
      return sessions(shared ?? join(home, '.pi', 'agent'));
    case 'omp': {
      const profile = selectedProfile(env);
      const within = profile === undefined ? '' : join('profiles', profile);
      // The folder of a profile counts only for the default agent folder.
      const xdg = shared === undefined ? xdgFolder(env['XDG_DATA_HOME']) : undefined;
      if (xdg !== undefined && existsSync(join(xdg, within))) return join(xdg, within, 'sessions');
      return sessions((profile === undefined ? shared : undefined) ?? join(home, env['PI_CONFIG_DIR'] ?? '.omp', within, 'agent'));
    }
    case 'jensen':
      return sessions(env['JENSEN_CODING_AGENT_DIR'] ?? shared ?? join(home, '.jensen', 'agent'));
    case 'gsd':
      return sessions(env['GSD_HOME'] ?? join(home, '.gsd'));
    case 'openclaw':
      return join(expandPath(env['OPENCLAW_STATE_DIR'] ?? join(home, '.openclaw'), home), 'agents', 'main', 'sessions');
  }
}

/** Returns the dialect of the program whose folders contain the path; `undefined` for a path elsewhere. */
export function dialectOfPath(path: string, { env, home }: RootEnvironment = currentEnvironment()): Dialect | undefined {
  const folders: readonly (readonly [Dialect, string | undefined])[] = [
    ['pi', env['PI_CODING_AGENT_SESSION_DIR']],
    ['pi', env['PI_CODING_AGENT_DIR']],
    ['pi', '~/.pi'],
    ['omp', join(home, env['PI_CONFIG_DIR'] ?? '.omp')],
    ['omp', xdgFolder(env['XDG_DATA_HOME'])],
    ['jensen', env['JENSEN_CODING_AGENT_DIR']],
    ['jensen', '~/.jensen'],
    ['gsd', env['GSD_HOME']],
    ['gsd', '~/.gsd'],
    ['openclaw', env['OPENCLAW_STATE_DIR'] ?? '~/.openclaw'],
  ];
  const roots = folders.flatMap(([dialect, folder]): Root[] => (folder ? [{ dialect, path: expandPath(folder, home), flat: false }] : []));
  return rootOf(path, roots)?.dialect;
}

/** Returns the default folder for the sessions of a project. */
export function defaultSessionDir(cwd: string, dialect: Dialect): string {
  const root = defaultRoot(dialect);
  return dialect === 'openclaw' ? root : join(root, projectFolderName(cwd, dialect, { home: homedir(), temp: tmpdir() }));
}
