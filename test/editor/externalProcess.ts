// Changes files in another process, like other programs do.
import { spawn } from 'node:child_process';

const FILES =
  'const { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } = require("node:fs"); const { dirname } = require("node:path");';

/** Runs JavaScript with `args` and the functions of `FILES` in another process. */
async function run(script: string, ...args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, ['-e', `${FILES} const args = process.argv.slice(1); ${script}`, ...args], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`the other process ended with ${code ?? 'a signal'}`))));
  });
}

export const another = {
  append: (path: string, text: string) => run('appendFileSync(args[0], args[1])', path, text),
  /** Creates the file and its folders. */
  write: (path: string, text: string) =>
    run('mkdirSync(dirname(args[0]), { recursive: true }); writeFileSync(args[0], args[1])', path, text),
  rename: (from: string, to: string) => run('renameSync(args[0], args[1])', from, to),
  remove: (path: string) => run('rmSync(args[0], { recursive: true, force: true })', path),
};
