/** The program `session-tree`. Exit statuses: 0 answered, 1 nothing found or refused, 2 wrong usage, 130 interrupted. */
import { statSync } from 'node:fs';
import { CommanderError } from 'commander';
import type { MemoryOptions } from '../memory/memory';
import { RequestError } from '../memory/requestError';
import { readMemorySettings } from '../memory/settings';
import type { Answer, Options } from './command';
import { line, painter, safeJson, terminalOf, write } from './output';
import { createProgram, type Start } from './program';
import { Progress } from './progress';
import { rootsOfOption } from './rootOption';
import { environmentOfWindow } from './windowOption';

declare const SESSION_TREE_VERSION: string;

const [ANSWERED, NOT_FOUND, WRONG_USAGE, INTERRUPTED] = [0, 1, 2, 130];

const stop = new AbortController();
const progress = new Progress(process.stderr);

/** @throws {RequestError} */
function memoryOptions(options: Options): MemoryOptions {
  const { root, cache, settings, window } = options;
  if (typeof cache === 'string' && statSync(cache, { throwIfNoEntry: false })?.isDirectory() === false)
    throw new RequestError(`“--cache” names a file instead of a folder: ${cache}`);
  return {
    ...(Array.isArray(root) ? { roots: root.flatMap((one) => rootsOfOption(String(one))) } : {}),
    ...(typeof cache === 'string' ? { cache } : {}),
    ...(typeof settings === 'string' ? { settings: () => readMemorySettings(settings) } : {}),
    ...(typeof window === 'string' ? { environment: environmentOfWindow(window) } : {}),
    signal: stop.signal,
    onProgress: progress.update,
  };
}

const answer: Start = async (name, load, args, options) => {
  const [{ Memory }, run] = await Promise.all([import('../memory/memory'), load()]);
  const memory = new Memory({ ...memoryOptions(options), canBlock: true, version: SESSION_TREE_VERSION });
  const terminal = terminalOf(process.stdout, process.env);
  const call = {
    memory,
    signal: stop.signal,
    paint: painter(options['json'] === true ? { ...terminal, hasColors: false } : terminal),
    isTerminal: terminal.isTerminal,
    version: SESSION_TREE_VERSION,
  };
  await memory.checkSettings();
  const given = await run(call, args, options);
  progress.clear();
  const isRead = await writeAnswer(given, options);
  await memory.record({ client: 'session-tree', tool: name, input: args, isRefused: false });
  if (isRead && given.note !== undefined && options['json'] !== true) complain(given.note);
  // The answer is there by now. An index that isn't closed takes the next command longer to open.
  await memory.close();
  await finish(isRead && !given.found ? NOT_FOUND : ANSWERED);
};

/** Writes the answer. @returns false if nobody reads it */
async function writeAnswer({ json, lines, parts, end }: Answer, options: Options): Promise<boolean> {
  try {
    if (options['json'] === true) return await write(`${safeJson({ version: 1, ...json })}\n`);
    if (!parts) return lines.length === 0 || (await write(`${lines.join('\n')}\n`));
    for await (const part of parts) if (!(await write(part))) return false;
    return true;
  } finally {
    await end?.();
  }
}

/** Threads that still run have nothing left to do for this answer. */
async function finish(status: number): Promise<void> {
  await new Promise<void>((resolve) => process.stderr.write('', () => resolve()));
  process.exit(status);
}

const complain = (message: string): void => void process.stderr.write(`session-tree: ${line(message)}\n`);

async function fail(error: unknown): Promise<void> {
  progress.clear();
  if (stop.signal.aborted) return finish(INTERRUPTED);
  if (error instanceof CommanderError) return finish(error.exitCode === 0 ? ANSWERED : WRONG_USAGE);
  complain(error instanceof Error ? error.message : String(error));
  return finish(error instanceof RequestError ? WRONG_USAGE : NOT_FOUND);
}

const program = createProgram(SESSION_TREE_VERSION, {
  answer,
  mcp: async (options) => {
    const { serve } = await import('../mcp/server');
    await serve(SESSION_TREE_VERSION, memoryOptions(options));
  },
  completion: async (all, shell) => {
    const { completionOf } = await import('./completion');
    await write(completionOf(all, shell));
    await finish(ANSWERED);
  },
});

program.exitOverride().configureOutput({
  writeOut: (text) => void process.stdout.write(text),
  outputError: (text, writeError) => writeError(`session-tree: ${line(text.replace(/^error: /, ''))}\n`),
});
for (const command of program.commands) command.copyInheritedSettings(program);

// SQLite is marked as experimental in some supported versions of Node, which is nothing to tell a person each time.
process.removeAllListeners('warning');
process.env['NODE_NO_WARNINGS'] = '1';
process.once('SIGINT', () => {
  stop.abort(new Error('Interrupted.'));
  // Whatever doesn't follow the signal soon ends, too.
  setTimeout(() => void finish(INTERRUPTED), 500).unref();
});
process.on('uncaughtException', (error) => void fail(error));
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

program.parseAsync().catch(fail);
