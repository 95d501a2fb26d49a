/** What the running processes say about some files. */
import { setTimeout as wait } from 'node:timers/promises';
import { runningAgents, type Agent } from './agents';
import { openers, type Opener } from './openFiles';
import type { System } from './system';

export interface Processes {
  /** Who has which file open, by the file's real path. */
  readonly open: ReadonlyMap<string, Opener>;
  /** `undefined` where processes can't be listed. */
  readonly agents: readonly Agent[] | undefined;
}

export type ProcessesAt = (files: readonly string[], system: System) => Promise<Processes>;

/** A search or a backup has a file open for a moment; who still has it after this time, in milliseconds, works with it. */
const MOMENT_MS = 60;

export const processesAt: ProcessesAt = async (files, system) => {
  const first = await openers(files, system);
  // Where only other programs can list the processes, they are asked before a write, not for all rows again and again.
  const agents = await runningAgents(files.length > 1 ? { ...system, run: () => Promise.resolve('') } : system);
  if (first.size === 0) return { open: first, agents };
  await wait(MOMENT_MS);
  const again = await openers([...first.keys()], system);
  return { open: new Map([...again].filter(([file, { pid }]) => first.get(file)?.pid === pid)), agents };
};

/** Lines that are written one right after the other share a look that found nobody, for this long, in milliseconds. */
const SHARED_MS = 50;

/** The same (by default as `processesAt`) for a writer of many lines. Whoever opens a file later than the look is the one who comes second. */
export function sharedLooks(look: ProcessesAt = processesAt): ProcessesAt {
  let last: { readonly files: string; readonly at: number; readonly found: Processes } | undefined;
  return async (files, system) => {
    const key = files.join('\0');
    if (last?.files === key && performance.now() - last.at < SHARED_MS) return last.found;
    const found = await look(files, system);
    last = found.open.size === 0 ? { files: key, at: performance.now(), found } : undefined;
    return found;
  };
}
