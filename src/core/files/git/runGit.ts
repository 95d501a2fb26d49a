/**
 * Runs the `git` program in a repository that anyone may have made: its configuration can name programs, which never
 * run, and files, which aren't opened.
 */
import { dirname } from 'node:path';
import { runProgram } from '../programs/runProgram';
import { safeOptionsFor } from './repositoryCheck';

const TIMEOUT_MS = 3000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
/** Bytes; Git needs a few hundred megabytes for a million commits. */
const MAX_MEMORY = 2 * 1024 * 1024 * 1024;

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
  '-c',
  'log.mailmap=false',
  '-c',
  'i18n.logOutputEncoding=UTF-8',
  // A folder that only looks like Git's own, without `.git`, hasn't been checked.
  '-c',
  'safe.bareRepository=explicit',
];

/** Without variables that lead Git to another repository, or run programs; with variables that keep it in the checked repository. */
const environment = (repository: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.toUpperCase().startsWith('GIT_'))),
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  // Outranks the repository's configuration, also for the lazy fetches of a Git that doesn't know the variable above.
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
  GIT_CEILING_DIRECTORIES: dirname(repository),
  GIT_WORK_TREE: repository,
});

/**
 * Resolves to the output; `undefined` if Git is missing, fails, takes too long, needs too much memory or writes too much.
 *
 * @param repository the folder with `.git`
 * @throws {SessionError} `invalid` as {@link safeOptionsFor}
 * @param options `input`: the program's input; `timeout`: milliseconds
 */
export async function runGit(
  repository: string,
  args: readonly string[],
  {
    input = '',
    timeout = TIMEOUT_MS,
    signal,
  }: { readonly input?: string; readonly timeout?: number; readonly signal?: AbortSignal | undefined } = {},
): Promise<Buffer | undefined> {
  const result = await runProgram('git', [...SAFE_OPTIONS, ...(await safeOptionsFor(repository)), ...args], {
    cwd: repository,
    env: environment(repository),
    input,
    timeout,
    maxBytes: MAX_OUTPUT_BYTES,
    maxMemory: MAX_MEMORY,
    signal,
  });
  return result?.isComplete === true ? result.output : undefined;
}
