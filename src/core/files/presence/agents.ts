/** Finds the running programs of this family, with their working directories and terminals. */
import { readFileSync, readlinkSync } from 'node:fs';
import { uptime } from 'node:os';
import { basename, join } from 'node:path';
import { defined } from '../../format/entry/defined';
import { DIALECT_FACTS, DIALECTS, type Dialect } from '../../format/entry/dialect';
import { forEachYielding, tryOr, processIds, type System } from './system';

export interface Agent {
  readonly pid: number;
  readonly dialect: Dialect;
  /** The working directory, if it's accessible. */
  readonly cwd?: string;
  /** The terminal in the notation of oh-my-pi's breadcrumbs: `/dev/pts/3` is `pts-3`. */
  readonly terminal?: string;
  /** The session that its command line names, by path, name or ID. It may have opened another one since. */
  readonly session?: string;
  /** Start time of the process, in milliseconds since 1970. */
  readonly began?: number;
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
    const words = text.split('\0').filter((word) => word !== '');
    const dialect = dialectOfCommand(words);
    if (!dialect) return;
    const [cwd, input] = ['cwd', 'fd/0'].map((name) => tryOr(() => readlinkSync(join(proc, id, name)), undefined));
    const began = startTime(tryOr(() => readFileSync(join(proc, id, 'stat'), 'utf8'), ''));
    found.push({ pid: Number(id), dialect, ...defined({ cwd, began, session: sessionOfCommand(words) }), ...terminalOf(input) });
  });
  return found;
}

/** Clock ticks per second in Linux's process folder, on all of its platforms. */
const TICKS = 100;

/** Reads the start time from `stat`: its 22nd field, in clock ticks since the machine's start. The second is a name in parentheses. */
function startTime(stat: string): number | undefined {
  const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  return ticks === undefined || !/^\d+$/.test(ticks) ? undefined : Date.now() - uptime() * 1000 + (Number(ticks) * 1000) / TICKS;
}

/** Returns the session that a command line names for opening it. */
function sessionOfCommand(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => /^(?:--(?:session|resume)(?:=|$)|-r$)/.test(word));
  const [option = '', next = ''] = words.slice(at, at + 2);
  const named = option.includes('=') ? option.slice(option.indexOf('=') + 1) : next;
  return at < 0 || named === '' || named.startsWith('-') ? undefined : named;
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
