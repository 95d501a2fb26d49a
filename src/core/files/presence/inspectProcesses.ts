/** What the running processes say about some files. */
import { setTimeout as wait } from 'node:timers/promises';
import { runningAgents, type Agent } from './agents';
import { findOpeners, type Opener } from './openFiles';
import type { System } from './system';

export interface ProcessSnapshot {
  /** Who has which file open, by the file's real path. */
  readonly open: ReadonlyMap<string, Opener>;
  /** `undefined` where processes can't be listed. */
  readonly agents: readonly Agent[] | undefined;
}

export type ProcessInspector = (files: readonly string[], system: System) => Promise<ProcessSnapshot>;

/** A search or a backup has a file open for a moment; who still has it after this time, in milliseconds, works with it. */
const RECHECK_MS = 60;

export const inspectProcesses: ProcessInspector = async (files, system) => {
  const first = await findOpeners(files, system);
  // Where only other programs can list the processes, they are asked before a write, not for all rows again and again.
  const agents = await runningAgents(files.length > 1 ? { ...system, run: () => Promise.resolve('') } : system);
  if (first.size === 0) return { open: first, agents };
  await wait(RECHECK_MS);
  const again = await findOpeners([...first.keys()], system);
  return { open: new Map([...again].filter(([file, { pid }]) => first.get(file)?.pid === pid)), agents };
};

/** Lines that are written one right after the other share a look that found nobody, for this long, in milliseconds. */
const CACHE_MS = 50;

/** The same (by default as `inspectProcesses`) for a writer of many lines. Whoever opens a file later than the look is the one who comes second. */
export function cacheInspections(look: ProcessInspector = inspectProcesses): ProcessInspector {
  let last: { readonly files: string; readonly at: number; readonly found: ProcessSnapshot } | undefined;
  return async (files, system) => {
    const key = files.join('\0');
    if (last?.files === key && performance.now() - last.at < CACHE_MS) return last.found;
    const found = await look(files, system);
    last = found.open.size === 0 ? { files: key, at: performance.now(), found } : undefined;
    return found;
  };
}
