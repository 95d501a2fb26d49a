/** Runs the `git` program in a repository that anyone may have made: its configuration can name programs, which never run. */
import { execFile } from 'node:child_process';
import { defined } from '../../format/entry/defined';

const TIMEOUT_MS = 3000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** No hook, file monitor or transport runs, even if the repository's configuration has one. */
const SAFE_OPTIONS = [
  '--no-pager',
  '--no-optional-locks',
  '--literal-pathspecs',
  '-c',
  'core.fsmonitor=false',
  '-c',
  'core.hooksPath=/dev/null',
  '-c',
  'protocol.allow=never',
  '-c',
  'log.showSignature=false',
];

/** Variables that lead Git to another repository, or run programs. */
const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.toUpperCase().startsWith('GIT_'))),
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  // Outranks the repository's configuration, also for the lazy fetches of a Git that doesn't know the variable above.
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
});

/**
 * Resolves to the output; `undefined` if Git is missing, fails, takes too long or writes too much.
 *
 * @param options `input`: what the program reads; `timeout`: milliseconds
 */
export function runGit(
  folder: string,
  args: readonly string[],
  {
    input = '',
    timeout = TIMEOUT_MS,
    signal,
  }: { readonly input?: string; readonly timeout?: number; readonly signal?: AbortSignal | undefined } = {},
): Promise<Buffer | undefined> {
  return new Promise((done) => {
    const child = execFile(
      'git',
      [...SAFE_OPTIONS, ...args],
      {
        cwd: folder,
        env: environment(),
        timeout,
        maxBuffer: MAX_OUTPUT_BYTES,
        encoding: 'buffer',
        windowsHide: true,
        ...defined({ signal }),
      },
      (error, output) => done(error ? undefined : output),
    );
    // A program that ended early reads no input.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}
