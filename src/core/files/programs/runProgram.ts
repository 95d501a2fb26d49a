/** Runs programs: the only module that does. A name is looked for in the absolute folders of `PATH` alone. */
import { execFile } from 'node:child_process';
import { homedir } from 'node:os';
import { defined } from '../../format/values/defined';
import { findProgram } from './findProgram';

interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Text that the program reads; empty by default. */
  readonly input?: string;
  /** Milliseconds after which the program is ended. */
  readonly timeout: number;
  /** Bytes of output after which the program is ended. */
  readonly maxBytes: number;
  /** Bytes of memory that the program may allocate. Has an effect on Linux alone. */
  readonly maxMemory?: number;
  readonly signal?: AbortSignal | undefined;
}

interface ProgramResult {
  readonly output: Buffer;
  /** False if the program failed or was ended. */
  readonly isComplete: boolean;
}

/** Limits the memory of the program that follows. What is mapped from files, such as Git's packs, doesn't count. */
const LIMITED = 'ulimit -d "$0" 2>/dev/null; exec "$@"';

/** Signal that no program can ignore. */
const END = 'SIGKILL';

/** Runs a program without a shell. `undefined` if there is no such program. */
export async function runProgram(
  name: string,
  args: readonly string[],
  { cwd, env = process.env, input = '', timeout, maxBytes, maxMemory, signal }: ProgramOptions,
): Promise<ProgramResult | undefined> {
  const { platform } = process;
  // Windows runs scripts (`.cmd`) only through a shell.
  const host = { platform, env: platform === 'win32' ? { ...env, PATHEXT: '.COM;.EXE' } : env, home: homedir() };
  const program = await findProgram(name, host);
  if (program === undefined) return undefined;
  const [file, words] =
    maxMemory !== undefined && platform === 'linux'
      ? ['/bin/sh', ['-c', LIMITED, String(Math.floor(maxMemory / 1024)), program, ...args]]
      : [program, [...args]];
  const late = AbortSignal.timeout(timeout);
  const stop = signal ? AbortSignal.any([signal, late]) : late;
  if (stop.aborted) return { output: Buffer.of(), isComplete: false };
  return new Promise((done) => {
    const child = execFile(
      file,
      words,
      {
        env,
        maxBuffer: maxBytes,
        encoding: 'buffer',
        windowsHide: true,
        killSignal: END,
        ...defined({ cwd }),
      },
      (error, output) => {
        stop.removeEventListener('abort', end);
        done({ output, isComplete: !error });
      },
    );
    // Neither the option `timeout` nor `signal` would do: one waits until the program has ended, the other asks it to.
    const end = (): void => {
      child.kill(END);
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.unref();
      done({ output: Buffer.of(), isComplete: false });
    };
    stop.addEventListener('abort', end, { once: true });
    // A program that ended early reads no input.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}
