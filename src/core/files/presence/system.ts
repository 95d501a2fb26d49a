/** What the machine can be asked: Linux' list of processes, and the programs that tell elsewhere. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';

export interface System {
  /** Where Linux lists its processes. Where there is no such folder, the programs `lsof` and `ps` are asked. */
  readonly proc: string;
  /** What a program prints; empty if it isn't there, fails or takes too long. */
  readonly run: (program: string, args: readonly string[]) => Promise<string>;
}

/** Nobody waits longer than this for another program's answer, in milliseconds. */
const PROGRAM_TIMEOUT_MS = 3_000;

export const thisSystem: System = {
  proc: '/proc',
  run: (program, args) =>
    new Promise((done) => {
      // lsof ends with an error when one of several files is open nowhere; what it printed counts all the same.
      execFile(program, [...args], { timeout: PROGRAM_TIMEOUT_MS, maxBuffer: 16 * 1024 * 1024, windowsHide: true }, (_, text) => {
        done(text);
      });
    }),
};

/** The ids of all processes but this one; `undefined` where the system has no such list. */
export function processIds(proc: string): string[] | undefined {
  const ids = tryOr(() => readdirSync(proc), []).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return ids.length > 0 ? ids : undefined;
}

/**
 * Goes through many small things of the system, which are in memory: asking at once is several times faster than
 * waiting for each. Others get their turn after a few milliseconds.
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

/** How long nobody else gets a turn, in milliseconds. */
const YIELD_AFTER_MS = 8;

/** What a question to the system gives, or what there is when it fails: processes come and go, and some are others'. */
export function tryOr<T>(ask: () => T, otherwise: T): T {
  try {
    return ask();
  } catch {
    return otherwise;
  }
}
