/**
 * Finds the processes that have files open. oh-my-pi keeps its session open; the other programs open it for each line.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findLockHolders } from './heldLocks';
import { forEachYielding, tryOr, processIds, type System } from './system';

export interface Opener {
  readonly pid: number;
  /** The name that the system shows for the process. */
  readonly program?: string;
}

/**
 * Returns the openers of files by real path, without this process. Never throws.
 *
 * @param leases files that only count if the process holds an exclusive lock on them. Where processes don't show their
 * locks, which is everywhere but on Linux, every process counts that has such a file open.
 */
export async function findOpeners(files: readonly string[], system: System, leases: readonly string[] = []): Promise<Map<string, Opener>> {
  if (files.length === 0 && leases.length === 0) return new Map();
  const ids = processIds(system.proc);
  return ids ? fromProc(new Set(files), new Set(leases), ids, system.proc) : fromLsof(files, leases, system);
}

async function fromProc(
  files: ReadonlySet<string>,
  leases: ReadonlySet<string>,
  ids: readonly string[],
  proc: string,
): Promise<Map<string, Opener>> {
  const pids = new Map<string, number>();
  await forEachYielding(ids, (id) => {
    const folder = join(proc, id, 'fd');
    for (const fd of tryOr(() => readdirSync(folder), [])) {
      const target = tryOr(() => readlinkSync(join(folder, fd)), '');
      const counts = files.has(target) || (leases.has(target) && holdsLock(join(proc, id, 'fdinfo', fd)));
      if (counts && !pids.has(target)) pids.set(target, Number(id));
    }
  });
  // The list names the process that took a lock, which may have ended; a descriptor belongs to a process that holds the
  // lock now.
  const holders = new Map([...(await findLockHolders([...leases], proc)), ...pids]);
  const found = new Map<string, Opener>();
  for (const [file, pid] of holders) found.set(file, { pid, ...(await processName(pid, proc)) });
  return found;
}

/**
 * True if a descriptor has an exclusive `flock`, by its own information. The list of all locks lacks some: on Btrfs and
 * overlays, its device numbers differ from the ones that `stat` returns.
 */
const holdsLock = (info: string): boolean => /^lock:.*\bFLOCK\b.*\bWRITE\b/m.test(tryOr(() => readFileSync(info, 'latin1'), ''));

/** The system's name of a process. */
export async function processName(pid: number, proc: string): Promise<{ program?: string }> {
  const name = await readFile(join(proc, String(pid), 'comm'), 'utf8').catch(() => '');
  return name === '' ? {} : { program: name.trim() };
}

/** `lsof` runs for a single session only, before a write. For all rows it would cost too much. */
const MOST_FILES = 1;

async function fromLsof(files: readonly string[], leases: readonly string[], { run }: System): Promise<Map<string, Opener>> {
  if (files.length > MOST_FILES) return new Map();
  const all = [...files, ...leases];
  return parseLsof(await run('lsof', ['-n', '-P', '-w', '-F', 'pcn', '--', ...all]), all);
}

/**
 * Parses the output of `lsof -F pcn`, where lines begin with `p` (process id), `c` (its name) or `n` (a file it has
 * open).
 */
export function parseLsof(text: string, files: readonly string[]): Map<string, Opener> {
  const found = new Map<string, Opener>();
  let opener: Opener | undefined;
  for (const line of text.split('\n')) {
    const value = line.slice(1);
    if (line.startsWith('p')) opener = Number(value) === process.pid ? undefined : { pid: Number(value) };
    else if (line.startsWith('c') && opener) opener = { ...opener, program: value };
    else if (line.startsWith('n') && opener && files.includes(value) && !found.has(value)) found.set(value, opener);
  }
  return found;
}
