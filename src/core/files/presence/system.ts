/** Access to the system's processes: Linux's process folder, and command-line programs elsewhere. */
import { readdirSync } from 'node:fs';
import { runProgram } from '../programs/runProgram';

export interface System {
  /** Linux's process folder. If it's missing, `lsof` and `ps` are run instead. */
  readonly proc: string;
  /** Runs a program and resolves to its output; empty if it's missing, fails or takes too long. */
  readonly run: (program: string, args: readonly string[]) => Promise<string>;
}

/** Milliseconds that a program may take. */
const PROGRAM_TIMEOUT_MS = 3_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
/** Folders of `lsof` and `ps` that `PATH` may lack: `lsof` is an administrator's program on macOS. */
const SYSTEM_FOLDERS = ':/usr/sbin:/sbin:/usr/bin:/bin';

export const thisSystem: System = {
  proc: '/proc',
  run: async (program, args) => {
    const env = process.platform === 'win32' ? process.env : { ...process.env, PATH: `${process.env['PATH'] ?? ''}${SYSTEM_FOLDERS}` };
    const result = await runProgram(program, args, { env, timeout: PROGRAM_TIMEOUT_MS, maxBytes: MAX_OUTPUT_BYTES });
    // lsof fails if one of several files isn't open anywhere; its output is valid all the same.
    return result?.output.toString('utf8') ?? '';
  },
};

/** Returns the ids of all processes except for this one; `undefined` where the system has no process folder. */
export function processIds(proc: string): string[] | undefined {
  const ids = tryOr(() => readdirSync(proc), []).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return ids.length > 0 ? ids : undefined;
}

/**
 * Handles many small reads from the process folder, which is in memory: synchronous calls are several times faster than
 * asynchronous ones. Yields to the event loop every few milliseconds.
 */
export async function forEachYielding<T>(items: readonly T[], work: (item: T) => void): Promise<void> {
  let since = performance.now();
  for (const item of items) {
    work(item);
    if (performance.now() - since < YIELD_AFTER_MS) continue;
    await new Promise(setImmediate);
    since = performance.now();
  }
}

/** Milliseconds of work between two yields. */
const YIELD_AFTER_MS = 8;

/** Returns `otherwise` if `read` throws: processes come and go, and some belong to other users. */
export function tryOr<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch {
    return otherwise;
  }
}
