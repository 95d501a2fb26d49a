// Starts child processes that never outlive this one.
import { spawn, spawnSync } from 'node:child_process';

const windows = process.platform === 'win32';

/** Functions that end the programs that are running. @type {Set<() => void>} */
const running = new Set();
// Comes first, because folders can only be removed when no process writes to them.
process.prependListener('exit', () => running.forEach((kill) => kill()));

/**
 * Starts a program. It and all its children end with this process at the latest.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @param {NodeJS.Signals} [signal] ends it; SIGTERM for programs of ours, which then end their children
 * @returns {{ child: import('node:child_process').ChildProcess, ended: Promise<{ code: number | null, why: string }>,
 *   kill: () => void }}
 */
export function spawnBound(command, args, options, signal = 'SIGKILL') {
  // A process group of its own, so that kill() reaches all descendants.
  const child = spawn(command, args, { ...options, detached: !windows });
  const kill = () => killTree(child.pid, signal);
  running.add(kill);
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, why: error.message }));
    child.once('close', (code, signal) => resolve({ code, why: signal ?? `exit code ${code}` }));
  });
  void ended.then(() => running.delete(kill));
  return { child, ended, kill };
}

/** Turns Ctrl+C and similar signals into a normal exit, with all its handlers. */
export function exitOnSignals() {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ])
    process.once(signal, () => process.exit(code));
}

function killTree(pid, signal) {
  if (pid === undefined) return;
  if (windows) {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
