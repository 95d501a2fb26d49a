/** Inspects the running processes for signs that some files are in use. */
import { setTimeout as wait } from 'node:timers/promises';
import { runningAgents, type Agent } from './agents';
import { findOpeners, type Opener } from './openFiles';
import type { System } from './system';

export interface ProcessSnapshot {
  /** The process that has a file open, or holds the lock of a lease, by the file's real path. */
  readonly open: ReadonlyMap<string, Opener>;
  /** `undefined` where processes can't be listed. */
  readonly agents: readonly Agent[] | undefined;
}

/** @param leases files that count if a process holds their lock */
export type ProcessInspector = (files: readonly string[], system: System, leases?: readonly string[]) => Promise<ProcessSnapshot>;

/**
 * Milliseconds. A search or a backup has a file open only briefly; a process that still has it open after this time
 * works with it.
 */
const RECHECK_MS = 60;

export const inspectProcesses: ProcessInspector = async (files, system, leases = []) => {
  const first = await findOpeners(files, system, leases);
  // On systems where `ps` and `lsof` have to list the processes, they only run before a write, not for every refresh of
  // all rows.
  const agents = await runningAgents(files.length > 1 ? { ...system, run: () => Promise.resolve('') } : system);
  if (first.size === 0) return { open: first, agents };
  await wait(RECHECK_MS);
  const isOpen = (file: string): boolean => first.has(file);
  const again = await findOpeners(files.filter(isOpen), system, leases.filter(isOpen));
  return { open: new Map([...again].filter(([file, { pid }]) => first.get(file)?.pid === pid)), agents };
};

/** Milliseconds for which a result without open files is reused, for lines that are written right after each other. */
const CACHE_MS = 50;

/**
 * Returns an inspector with a cache, for a writer of many lines. A process that opens a file after the inspection is
 * the second writer, and has to check for the first.
 */
export function cacheInspections(look: ProcessInspector = inspectProcesses): ProcessInspector {
  let last: { readonly files: string; readonly at: number; readonly found: ProcessSnapshot } | undefined;
  return async (files, system, leases = []) => {
    const key = [...files, '', ...leases].join('\0');
    if (last?.files === key && performance.now() - last.at < CACHE_MS) return last.found;
    const found = await look(files, system, leases);
    last = found.open.size === 0 ? { files: key, at: performance.now(), found } : undefined;
    return found;
  };
}
