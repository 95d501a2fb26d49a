/** Finds the running programs of this family, with their working directories and terminals. */
import { readFileSync, readlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defined } from '../../format/values/defined';
import { DIALECT_FACTS, DIALECTS, type Dialect } from '../../format/entry/dialect';
import { forEachYielding, tryOr, processIds, type System } from './system';

export interface Agent {
  readonly pid: number;
  readonly dialect: Dialect;
  /** The working directory, if it's accessible. */
  readonly cwd?: string;
  /** The terminal in the notation of oh-my-pi's breadcrumbs: `/dev/pts/3` is `pts-3`. */
  readonly terminal?: string;
}

/** Returns the running programs except for this process; `undefined` where processes can't be listed. */
export async function runningAgents(system: System): Promise<Agent[] | undefined> {
  const ids = processIds(system.proc);
  return ids ? fromProc(ids, system.proc) : fromPs(system);
}

async function fromProc(ids: readonly string[], proc: string): Promise<Agent[]> {
  const found: Agent[] = [];
  await forEachYielding(ids, (id) => {
    const text = tryOr(() => readFileSync(join(proc, id, 'cmdline'), 'utf8'), '');
    const dialect = dialectOfCommand(text.split('\0').filter((word) => word !== ''));
    if (!dialect) return;
    const [cwd, input] = ['cwd', 'fd/0'].map((name) => tryOr(() => readlinkSync(join(proc, id, name)), undefined));
    found.push({ pid: Number(id), dialect, ...defined({ cwd }), ...terminalOf(input) });
  });
  return found;
}

function terminalOf(device: string | undefined): { terminal?: string } {
  const name = device === undefined ? undefined : /^\/dev\/(pts\/\d+|tty\w+)$/.exec(device)?.[1];
  return name === undefined ? {} : { terminal: name.replaceAll('/', '-') };
}

async function fromPs({ run }: System): Promise<Agent[] | undefined> {
  const lines = (await run('ps', ['-axo', 'pid=,tty=,command='])).split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) return undefined;
  const agents = lines.flatMap((line): Agent[] => {
    const [, pid, tty, command] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    const dialect = dialectOfCommand((command ?? '').split(/\s+/));
    return dialect && Number(pid) !== process.pid ? [{ pid: Number(pid), dialect, ...terminalOf(`/dev/${tty ?? ''}`) }] : [];
  });
  if (agents.length === 0) return [];
  const folders = parseCwds(
    await run('lsof', ['-n', '-P', '-w', '-a', '-d', 'cwd', '-F', 'pn', '-p', agents.map(({ pid }) => pid).join(',')]),
  );
  return agents.map((agent) => {
    const cwd = folders.get(agent.pid);
    return cwd === undefined ? agent : { ...agent, cwd };
  });
}

function parseCwds(text: string): Map<number, string> {
  const found = new Map<number, string>();
  let pid = 0;
  for (const line of text.split('\n')) {
    if (line.startsWith('p')) pid = Number(line.slice(1));
    else if (line.startsWith('n')) found.set(pid, line.slice(1));
  }
  return found;
}

const INTERPRETERS = new Set(['node', 'nodejs', 'bun', 'deno', 'tsx']);

/**
 * Returns the program that a command line runs.
 *
 * @param words the command line as the system splits it.
 */
export function dialectOfCommand(words: readonly string[]): Dialect | undefined {
  const [first = '', ...rest] = words;
  const program = programName(first);
  const known = dialectOfName(program);
  if (known || !INTERPRETERS.has(program)) return known;
  const script = rest.find((word) => !word.startsWith('-') && word !== 'run') ?? '';
  return dialectOfName(programName(script)) ?? dialectOfScript(script.replaceAll('\\', '/'));
}

const dialectOfName = (name: string): Dialect | undefined =>
  DIALECTS.find((dialect) => {
    const { processes, forks = [] } = DIALECT_FACTS[dialect];
    return processes.names.includes(name) || forks.some((fork) => fork.name === name);
  });

/** The last program counts, because the others contain pi's package under its own name. */
const dialectOfScript = (path: string): Dialect | undefined =>
  DIALECTS.findLast((dialect) => DIALECT_FACTS[dialect].processes.scripts.some((part) => path.includes(part)));

const programName = (path: string): string => basename(path.replaceAll('\\', '/')).replace(/\.(exe|cmd|[cm]?[jt]s)$/i, '');
