/**
 * Several windows of this extension over one file: whose turn it is, and what the last of them wrote.
 * Both lie in a folder that all windows share; a file is known there by a hash of its real path.
 */
import { mkdir, readdir, readFile, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../format/entry';
import type { FileVersion } from './sessionFile';
import { clear, hash, holderOf, isAlive, look, takeTurn } from './turns';

/** What one of our windows left in a file. */
export interface OwnWrite {
  readonly version: FileVersion;
  /** When others last wrote beside us, in milliseconds since 1970. */
  readonly foreignMs: number;
}

export interface Windows {
  /** Does something to a file while no other window does. @throws {SessionError} `live` after ten seconds of waiting. */
  inTurn<T>(path: string, work: () => Promise<T>): Promise<T>;
  /** What a window last wrote, as far as it was kept. */
  lastWrite(path: string): Promise<OwnWrite | undefined>;
  keep(path: string, write: OwnWrite): Promise<void>;
  /** Ends the turns of processes that are gone, and does `work` for each of their files in a turn of its own. To be called at the start. */
  endTurns(work: (path: string) => Promise<void>): Promise<void>;
  /** Forgets what was kept longer ago. */
  prune(maxAgeMs: number): Promise<void>;
}

/** A process alone: it keeps its own order, and nobody else is told. */
export const aloneHere: Windows = {
  inTurn: (_, work) => work(),
  lastWrite: () => Promise.resolve(undefined),
  keep: () => Promise.resolve(),
  endTurns: () => Promise.resolve(),
  prune: () => Promise.resolve(),
};

/** `folder` is the extension's own; it is made when it is needed, for this person alone. */
export function sharedBetweenWindows(folder: string): Windows {
  const place = (path: string, kind: 'locks' | 'writes', end: string): string => join(folder, kind, `${hash(path)}${end}`);
  const made = new Set<string>();
  const make = async (kind: string): Promise<void> => {
    if (made.has(kind)) return;
    await mkdir(join(folder, kind), { recursive: true, mode: 0o700 });
    made.add(kind);
  };

  const inTurn = async <T>(path: string, work: () => Promise<T>): Promise<T> => {
    await make('locks');
    const release = await takeTurn(place(path, 'locks', '.lock'), path);
    try {
      return await work();
    } finally {
      await release();
    }
  };

  const endTurn = async (lock: string, work: (path: string) => Promise<void>): Promise<void> => {
    const found = await look(lock);
    if (!found || (await isAlive(found))) return;
    const path = holderOf(found.text)?.path;
    // The next turn takes away what was left of the last one. Who goes on with the file meanwhile needs no help.
    if (path !== undefined && lock === place(path, 'locks', '.lock')) await inTurn(path, () => work(path));
    else await clear(lock);
  };

  return {
    inTurn,
    lastWrite: async (path) => parseWrite(await readFile(place(path, 'writes', '.json'), 'utf8').catch(() => '')),
    // What can't be kept makes the next window unsure, no more.
    keep: async (path, write) => {
      await make('writes').then(() => writeFile(place(path, 'writes', '.json'), JSON.stringify(write), { mode: 0o600 })).catch(() => undefined);
    },
    endTurns: async (work) => {
      for (const name of await readdir(join(folder, 'locks')).catch(() => [])) {
        // One that can't be ended keeps nobody from ending the others.
        await endTurn(join(folder, 'locks', name), work).catch(() => undefined);
      }
    },
    prune: async (maxAgeMs) => {
      for (const name of await readdir(join(folder, 'writes')).catch(() => [])) {
        const write = join(folder, 'writes', name);
        const { mtimeMs } = await stat(write).catch(() => ({ mtimeMs: Infinity }));
        if (mtimeMs < Date.now() - maxAgeMs) await unlink(write).catch(() => undefined);
      }
    },
  };
}

function parseWrite(text: string): OwnWrite | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || !isObject(value['version'])) return undefined;
    const { size, mtimeMs, ino } = value['version'] as Record<string, unknown>;
    const foreignMs = value['foreignMs'];
    if (typeof size !== 'number' || typeof mtimeMs !== 'number' || typeof ino !== 'string' || typeof foreignMs !== 'number') return undefined;
    return { version: { size, mtimeMs, ino }, foreignMs };
  } catch {
    return undefined;
  }
}
