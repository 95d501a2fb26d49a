/**
 * Determines whether a program is using a session file, from signs: a process that holds it open, a program's lock,
 * oh-my-pi's lease, a program at work in the session's project, oh-my-pi's breadcrumbs, and recent writes. FORMAT
 * section 6, rule 1.
 */
import { valueOf } from '../../format/values/lookups';
import { basename, dirname } from 'node:path';
import { isArchivedSession } from '../../format/session/archivedSession';
import { forEachConcurrent } from '../concurrency/forEachConcurrent';
import { UntrustedPaths } from '../io/untrustedPaths';
import type { Agent } from './agents';
import { breadcrumbFolders, readBreadcrumbs, findBreadcrumbOwner, type Breadcrumb } from './breadcrumbs';
import { hasRecentForeignWrite, type FutureMtimeCheck, type LastWriteOwner } from './recentWrites';
import { processName } from './openFiles';
import { findLockHolder } from './programLocks';
import { inspectProcesses, type ProcessInspector } from './inspectProcesses';
import { listFolders, realPaths } from './realPaths';
import { findLeases, leaseFolders } from './sessionLeases';
import { readSessionOrigin, type SessionOrigin } from './sessionOrigin';
import { thisSystem, type System } from './system';

/**
 * A sign of another program: `open`, a process has the file open; `lease`, oh-my-pi has claimed the session; `lock`, a
 * lock file or folder; `process`, a program works in the session's project; `breadcrumb`, the program's terminal last had the session; `growth`, bytes were
 * written within the last ten seconds. FORMAT section 6, rule 1.
 */
export interface Sign {
  readonly how: 'open' | 'lease' | 'lock' | 'process' | 'breadcrumb' | 'growth';
  readonly pid?: number;
  /** The process's name as the system shows it, or the dialect of the program. */
  readonly program?: string;
}

/** Presence of another program in a session file. FORMAT section 6, rule 1. */
export type Presence =
  | { readonly state: 'free' }
  /** Another program has it: open, claimed, locked, in its terminal; or it runs there while the file grows. */
  | { readonly state: 'live'; readonly signs: readonly [Sign, ...Sign[]] }
  /** One sign that alone says little: `growth`, `process`, or a `breadcrumb` where processes can't be listed. */
  | { readonly state: 'unsure'; readonly signs: readonly [Sign, ...Sign[]] };

/** Options of {@link presence}. */
export interface PresenceOptions {
  /** Identifies the writer of a file's last bytes. Without it, all growth counts as growth by other programs. */
  readonly lastBytes?: LastWriteOwner;
  /** Judges files with a modification time in the future. Without it they count as growing. */
  readonly futures?: FutureMtimeCheck;
  /**
   * Returns a session's ID, working directory and dialect. By default from the file's beginning, but only while a program
   * of the family runs, or where oh-my-pi has a folder of leases.
   */
  readonly about?: (path: string) => Promise<SessionOrigin>;
  /** Returns further folders of a session, where a program at work counts as in its working directory. */
  readonly folders?: (path: string) => readonly string[];
  /** The current time in milliseconds since 1970. */
  readonly now?: number;
  readonly system?: System;
  /** Inspects the processes. A writer of many lines caches the result. */
  readonly processes?: ProcessInspector;
  /**
   * Access to paths that sessions and breadcrumbs name. Share one between all calls, so that a path that hangs is
   * remembered.
   */
  readonly named?: UntrustedPaths;
  /** Folders of oh-my-pi's breadcrumbs; by default from `breadcrumbFolders`. */
  readonly crumbs?: readonly string[];
  /** Folders of oh-my-pi's leases; by default from `leaseFolders`. */
  readonly leases?: readonly string[];
}

/**
 * Determines for each path if another program uses the file. Passes once over the processes, and once over each folder,
 * for all paths. Never rejects. FORMAT section 6, rule 1.
 *
 * @returns the presence by path; a missing file is `free`, and so is an archived one.
 */
export async function presence(paths: readonly string[], options: PresenceOptions = {}): Promise<Map<string, Presence>> {
  const { now = Date.now(), system = thisSystem, about = readSessionOrigin, lastBytes, futures, named = new UntrustedPaths() } = options;
  // No program opens an archived session, and its file was written when it was put aside.
  const live = paths.filter((path) => !isArchivedSession(path));
  const folders = await listFolders(live);
  const real = await realPaths(live, folders);
  const leases = await leasesOf(real, options.leases ?? leaseFolders([...real.values()]), about);
  const { open, agents } = await (options.processes ?? inspectProcesses)([...new Set(real.values())], system, [
    ...new Set([...leases.values()].flat()),
  ]);
  const names = new Set([...real.values()].map((path) => basename(path)));
  const crumbs =
    agents?.some(({ dialect }) => dialect === 'omp') === false
      ? []
      : await readBreadcrumbs(options.crumbs ?? breadcrumbFolders([...real.values()]), named, (name) => names.has(name));
  const at = { crumbs, agents, now };
  const found = new Map<string, Presence>();
  await forEachConcurrent(new Set(paths), async (path) => {
    const name = real.get(path);
    const opener = name === undefined ? undefined : open.get(name);
    const lease = (leases.get(path) ?? []).find((file) => open.has(file));
    if (name === undefined) found.set(path, { state: 'free' });
    else if (opener) found.set(path, { state: 'live', signs: [{ how: 'open', ...opener }] });
    else if (lease !== undefined) found.set(path, { state: 'live', signs: [{ how: 'lease', ...valueOf(open, lease), program: 'omp' }] });
    else {
      const lock = await lockSign(path, name, valueOf(folders, dirname(path)).names, system, now);
      if (lock) found.set(path, { state: 'live', signs: [lock] });
      else {
        const growth = (await hasRecentForeignWrite(path, now, lastBytes, futures))
          ? (await isGrowthConclusive(path, about))
            ? 'alone'
            : 'beside'
          : 'none';
        found.set(
          path,
          combineSigns(breadcrumbSign(name, at), await agentSign(path, agents ?? [], about, named, options.folders?.(path)), growth),
        );
      }
    }
  });
  return found;
}

/** Returns the leases of sessions by their paths, held or not. */
async function leasesOf(
  paths: ReadonlyMap<string, unknown>,
  folders: readonly string[],
  about: (path: string) => Promise<SessionOrigin>,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  const finder = await findLeases(folders);
  if (!finder) return found;
  await forEachConcurrent(paths.keys(), async (path) => {
    const { id } = await about(path);
    const leases = id === undefined ? [] : await finder.leasesOf(id);
    if (leases.length > 0) found.set(path, leases);
  });
  return found;
}

/** Finds a lock in the folder of the file, or of the target if the path is a link. */
async function lockSign(
  path: string,
  real: string,
  names: ReadonlyMap<string, unknown>,
  { proc }: System,
  now: number,
): Promise<Sign | undefined> {
  const lock =
    (await findLockHolder(path, names, now)) ??
    (basename(real) === basename(path) ? undefined : await findLockHolder(real, new Map(), now));
  return lock && { how: 'lock', ...lock, ...(lock.pid === undefined ? {} : await processName(lock.pid, proc)) };
}

/**
 * True if growth alone proves that a program is at work. From 18.2 on, oh-my-pi refuses its next rewrite when another
 * program has changed the file, and then saves nothing more. FORMAT section 6.
 */
const isGrowthConclusive = async (path: string, about: (path: string) => Promise<SessionOrigin>): Promise<boolean> =>
  (await about(path)).dialect === 'omp';

/** Recent growth by another program: conclusive by itself (`alone`), or only together with another sign (`beside`). */
type Growth = 'none' | 'beside' | 'alone';

/**
 * Combines signs. A breadcrumb with its process, or two signs that agree, mean `live`. A single sign means `unsure`,
 * except for growth in oh-my-pi's sessions.
 */
function combineSigns(crumb: Sign | undefined, worker: Sign | undefined, growth: Growth): Presence {
  if (crumb?.pid !== undefined) return { state: 'live', signs: [crumb] };
  if (worker && growth !== 'none') return { state: 'live', signs: [worker, { how: 'growth' }] };
  if (growth === 'alone') return { state: 'live', signs: [{ how: 'growth' }] };
  const [sign, ...more] = [
    ...(growth === 'beside' ? [{ how: 'growth' } as const] : []),
    ...(worker ? [worker] : []),
    ...(crumb ? [crumb] : []),
  ];
  return sign ? { state: 'unsure', signs: [sign, ...more] } : { state: 'free' };
}

function breadcrumbSign(
  path: string,
  { crumbs, agents, now }: { crumbs: readonly Breadcrumb[]; agents: readonly Agent[] | undefined; now: number },
): Sign | undefined {
  const found = findBreadcrumbOwner(path, crumbs, agents, now);
  if (found === undefined) return undefined;
  return found === 'unknown' ? { how: 'breadcrumb' } : { how: 'breadcrumb', pid: found.pid, program: found.dialect };
}

/** Finds a program that works in the session's project and whose dialect matches. */
async function agentSign(
  path: string,
  agents: readonly Agent[],
  about: (path: string) => Promise<SessionOrigin>,
  named: UntrustedPaths,
  folders: readonly string[] = [],
): Promise<Sign | undefined> {
  if (agents.length === 0) return undefined;
  const { cwd, dialect } = await about(path);
  const able = agents.filter((one) => one.cwd !== undefined && (dialect === undefined || dialect === one.dialect));
  if (able.length === 0) return undefined;
  for (const folder of [cwd, ...folders]) {
    if (!folder) continue;
    let agent = able.find((one) => one.cwd === folder);
    const real = agent ? undefined : await named.realPath(folder);
    if (real !== undefined) agent = able.find((one) => one.cwd === real);
    if (agent) return { how: 'process', pid: agent.pid, program: agent.dialect };
  }
  return undefined;
}
