/** Who has a session file now: another process that holds it open, a program's lock, or bytes that came a moment ago. */
import { readdir, readFile, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export type Presence =
  | { readonly state: 'free' }
  /** Another program has it: `open` a descriptor, `lock` a lock file or folder. */
  | { readonly state: 'live'; readonly how: 'open' | 'lock'; readonly pid?: number; readonly program?: string }
  /** It was written to within the last seconds, and not by us. */
  | { readonly state: 'unsure'; readonly how: 'growth' };

export interface PresenceOptions {
  /** Whose the last bytes of a file are, where that is known: of a file we never wrote to nothing is. */
  readonly lastBytes?: (path: string, file: { readonly size: number; readonly mtimeMs: number }) => 'ours' | 'theirs' | undefined;
  /** Milliseconds since 1970. */
  readonly now?: number;
  /** Where Linux lists its processes; other systems have no such folder, and then only locks and growth tell. */
  readonly proc?: string;
}

/** Bytes that came within this time may be followed by more, in milliseconds. */
const GROWTH_MS = 10_000;
/** What was last written this soon after the file was made is part of its making, in milliseconds. */
const MADE_WITHIN_MS = 500;
/** gsd's lock is a folder that its holder touches; one that was not touched for this long was left behind. */
const STALE_FOLDER_MS = 30_000;

/** One pass over the processes, and one over each folder, for all paths. A file that does not exist is free. Never throws. */
export async function presence(paths: readonly string[], options: PresenceOptions = {}): Promise<Map<string, Presence>> {
  const proc = options.proc ?? '/proc';
  const folders = await foldersOf(paths);
  const holders = await openBy(await realPaths(paths, folders), proc);
  const found = new Map<string, Presence>();
  for (const path of new Set(paths)) {
    const names = folders.get(dirname(path))!.names;
    found.set(path, holders.get(path) ?? (await lockOn(path, names, proc, options.now)) ?? (await growth(path, options)));
  }
  return found;
}

interface Folder {
  readonly real: string;
  /** What is in it; `true` for links. */
  readonly names: ReadonlyMap<string, boolean>;
}

/** The folders that paths lie in: thousands of sessions have few of them. */
async function foldersOf(paths: readonly string[]): Promise<Map<string, Folder>> {
  const found = new Map<string, Folder>();
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const real = await realpath(folder).catch(() => folder);
    found.set(folder, { real, names: new Map(entries.map((entry) => [entry.name, entry.isSymbolicLink()])) });
  }
  return found;
}

/** The paths by what the system calls them. */
async function realPaths(paths: readonly string[], folders: ReadonlyMap<string, Folder>): Promise<Map<string, string[]>> {
  const real = new Map<string, string[]>();
  for (const path of paths) {
    const folder = folders.get(dirname(path))!;
    // What is no plain file of a folder that can be listed is asked for by itself.
    const isPlain = folder.names.get(basename(path)) === false;
    const name = isPlain ? join(folder.real, basename(path)) : await realpath(path).catch(() => undefined);
    if (name !== undefined) real.set(name, [...(real.get(name) ?? []), path]);
  }
  return real;
}

async function openBy(files: ReadonlyMap<string, readonly string[]>, proc: string): Promise<Map<string, Presence>> {
  const found = new Map<string, Presence>();
  if (files.size === 0) return found;
  const processes = (await names(proc)).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const look = async (pid: string): Promise<void> => {
    const folder = join(proc, pid, 'fd');
    const targets = await Promise.all((await names(folder)).map((fd) => readlink(join(folder, fd)).catch(() => '')));
    for (const target of targets) {
      for (const path of files.get(target) ?? []) {
        if (!found.has(path)) found.set(path, { state: 'live', how: 'open', ...(await program(Number(pid), proc)) });
      }
    }
  };
  // A few at a time: thousands of descriptors at once would keep everybody else's files waiting.
  const queue = processes.values();
  await Promise.all(Array.from({ length: 8 }, async () => {
    for (const pid of queue) await look(pid);
  }));
  return found;
}

async function program(pid: number, proc: string): Promise<{ pid: number; program?: string }> {
  const name = await readFile(join(proc, String(pid), 'comm'), 'utf8').then((text) => text.trim()).catch(() => '');
  return { pid, ...(name === '' ? {} : { program: name }) };
}

/** The locks that the programs use: oh-my-pi's file `<pid>:<ms>`, gsd's folder. */
export function lockNames(path: string): { readonly files: readonly [string, string]; readonly folder: string } {
  const name = basename(path);
  const short = name.replace(/\.jsonl$/, '');
  return { files: [join(dirname(path), `.${name}.lock`), join(dirname(path), `.${short}.lock`)], folder: `${path}.lock` };
}

/** The process that a lock file names, if it names one. */
export function lockHolder(text: string): number | undefined {
  const pid = /^(\d+):\d+\s*$/.exec(text)?.[1];
  return pid === undefined ? undefined : Number(pid);
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function lockOn(path: string, there: ReadonlyMap<string, unknown>, proc: string, now = Date.now()): Promise<Presence | undefined> {
  const { files, folder } = lockNames(path);
  for (const file of files) {
    if (isMissing(file, there)) continue;
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text === undefined) continue;
    const pid = lockHolder(text);
    // A lock without a process in it was just made, or was left by a crash right then.
    if (pid === undefined ? await touchedWithin(file, GROWTH_MS, now) : pid !== process.pid && isRunning(pid)) {
      return { state: 'live', how: 'lock', ...(pid === undefined ? {} : await program(pid, proc)) };
    }
  }
  return !isMissing(folder, there) && (await touchedWithin(folder, STALE_FOLDER_MS, now)) ? { state: 'live', how: 'lock' } : undefined;
}

/** Whether a folder was listed and this was not in it. */
const isMissing = (path: string, there: ReadonlyMap<string, unknown>): boolean => there.size > 0 && !there.has(basename(path));

async function touchedWithin(path: string, time: number, now: number): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats !== undefined && Math.abs(now - stats.mtimeMs) < time;
}

export const isStaleFolder = async (path: string): Promise<boolean> => !(await touchedWithin(path, STALE_FOLDER_MS, Date.now()));

async function growth(path: string, { lastBytes, now = Date.now() }: PresenceOptions): Promise<Presence> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats || Math.abs(now - stats.mtimeMs) >= GROWTH_MS) return { state: 'free' };
  // A file that was made in one go did not grow. Where the system knows no birth it is 0, and we are in doubt.
  const isNew = Math.abs(stats.mtimeMs - stats.birthtimeMs) < MADE_WITHIN_MS;
  const whose = lastBytes?.(path, stats) ?? (isNew ? 'ours' : 'theirs');
  return whose === 'ours' ? { state: 'free' } : { state: 'unsure', how: 'growth' };
}

const names = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
