/**
 * oh-my-pi's breadcrumbs: one file per terminal under `terminal-sessions`, named after the terminal. It holds, one per
 * line, the working directory and the session that was last opened there. Breadcrumbs stay when the program ends, so
 * one is only significant together with a process.
 */
import { opendir } from 'node:fs/promises';
import { homedir, uptime } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import type { UntrustedPaths } from '../io/untrustedPaths';
import { readSmallFileWithStats } from '../io/smallFile';
import { DIALECT_FACTS } from '../../format/entry/dialect';
import { configFolder } from '../locate/programs/programFolders';
import type { Agent } from './agents';

export interface Breadcrumb {
  readonly terminal: string;
  readonly cwd: string;
  /** Real path of the session file. */
  readonly path: string;
  /** Time at which the session was opened, in milliseconds since 1970. */
  readonly since: number;
}

/**
 * Returns the folders that may hold breadcrumbs for the sessions: in the agent's folder that contains them, and at the
 * default location.
 */
export function breadcrumbFolders(paths: readonly string[], home = homedir(), env: NodeJS.ProcessEnv = process.env): string[] {
  const found = new Set<string>();
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    // <agent>/sessions/<project>/<file>; subagents are one level deeper.
    for (let at = folder, level = 0; level < 3; at = dirname(at), level++) {
      if (basename(at) === 'sessions') found.add(join(dirname(at), 'terminal-sessions'));
    }
  }
  found.add(join(configFolder(DIALECT_FACTS.omp.folders, { env, home }), 'agent', 'terminal-sessions'));
  if (env['XDG_STATE_HOME']) found.add(join(env['XDG_STATE_HOME'], 'omp', 'terminal-sessions'));
  return [...found];
}

/** Bytes. A breadcrumb holds two paths. */
const MAX_BYTES = 16 * 1024;
/** There is one breadcrumb per terminal. A folder with more was filled by something else. */
const MAX_BREADCRUMBS = 500;

/**
 * Reads all breadcrumbs in some folders, except for unreadable ones.
 *
 * @param isRelevant tests a session's file name. Links in a breadcrumb's path are only resolved if it returns true.
 */
export async function readBreadcrumbs(
  folders: readonly string[],
  named: UntrustedPaths,
  isRelevant: (name: string) => boolean,
): Promise<Breadcrumb[]> {
  const found: Breadcrumb[] = [];
  for (const folder of folders) {
    for (const terminal of await listNames(folder)) {
      const crumb = await readSmallFileWithStats(join(folder, terminal), { maxBytes: MAX_BYTES }).catch(() => undefined);
      const [cwd, session] = crumb?.bytes.toString('utf8').split('\n') ?? [];
      if (!crumb || !cwd || !session) continue;
      const path = isAbsolute(session) ? session : resolve(cwd, session);
      const real = isRelevant(basename(path)) ? await named.realPath(path) : undefined;
      found.push({ terminal, cwd, path: real ?? path, since: Number(crumb.mtimeNs / 1_000_000n) });
    }
  }
  return found;
}

async function listNames(folder: string): Promise<string[]> {
  const names: string[] = [];
  try {
    for await (const { name } of await opendir(folder)) {
      names.push(name);
      if (names.length === MAX_BREADCRUMBS) break;
    }
  } catch {
    // The folder is missing or can't be listed.
  }
  return names;
}

/**
 * Returns the process that has the session (given by its real path) according to breadcrumbs; `'unknown'` if processes
 * can't be listed and the breadcrumb is younger than the machine's last start.
 */
export function findBreadcrumbOwner(
  path: string,
  crumbs: readonly Breadcrumb[],
  agents: readonly Agent[] | undefined,
  now: number,
): Agent | 'unknown' | undefined {
  const here = crumbs.filter((crumb) => crumb.path === path);
  if (here.length === 0) return undefined;
  if (!agents) return here.some(({ since }) => since > now - uptime() * 1000) ? 'unknown' : undefined;
  const known = new Set(crumbs.map(({ terminal }) => terminal));
  return agents.find(
    ({ dialect, terminal, cwd }) =>
      dialect === 'omp' &&
      here.some((crumb) =>
        terminal !== undefined && known.has(terminal) ? crumb.terminal === terminal : cwd !== undefined && crumb.cwd === cwd,
      ),
  );
}
