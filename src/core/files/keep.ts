/** What we keep for ourselves (journal, queue, trash) is for the person alone: folders 0700, files 0600. */
import { randomUUID, createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, open, readFile, rename, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isObject } from '../format/entry';
import { fileError } from './errors';
import { clearLeftovers, temporaryName } from './leftovers';
import { syncFolder, type Written } from './newFile';
import { isRunning } from './signs/locks';

/** Makes a folder that nobody else can look into, with what lies above it. */
export async function keepFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await chmod(path, 0o700);
  } catch (error) {
    throw fileError(error, path);
  }
}

/** Writes a file that nobody else can read; it is there whole or not at all, an earlier one until then. */
export async function keepFile(path: string, text: string): Promise<void> {
  await clearLeftovers(dirname(path));
  const temporary = join(dirname(path), temporaryName(basename(path)));
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw fileError(error, path);
  }
  await syncFolder(dirname(path));
}

/**
 * Adds a line to a file that nobody else can read. One write, so that several windows can do it at once;
 * a line that a crash left torn is ended first.
 */
export async function keepLine(path: string, value: unknown): Promise<void> {
  try {
    const file = await open(path, 'a+', 0o600);
    try {
      const { size } = await file.stat();
      const last = Buffer.alloc(1, '\n');
      if (size > 0) await file.read(last, 0, 1, size - 1);
      await file.writeFile(`${last.toString() === '\n' ? '' : '\n'}${JSON.stringify(value)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fileError(error, path);
  }
}

/** The values on a file's lines; what is not whole is left out. A file that is not there has none. */
export async function keptLines(path: string): Promise<unknown[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw fileError(error, path);
  });
  return text.split('\n').flatMap((line) => valueOf(line) ?? []);
}

/** The value of a file, or `undefined` if there is none that is whole. */
export async function keptFile(path: string): Promise<unknown> {
  return valueOf(await readFile(path, 'utf8').catch(() => ''))?.[0];
}

function valueOf(text: string): [unknown] | undefined {
  try {
    return [JSON.parse(text)];
  } catch {
    return undefined;
  }
}

/** Which process does something, so that the next start knows what was left by one that is gone. */
export interface Doer {
  readonly pid: number;
  /** When the process began: numbers come again. */
  readonly began: number;
  readonly machine: string;
  /** When it set to work, in milliseconds since 1970. */
  readonly since: number;
}

export const thisProcess = (): Doer => ({ pid: process.pid, began: performance.timeOrigin, machine: hostname(), since: Date.now() });

/** Nobody needs longer for one file; a machine may also just have got another name. */
const FAR_MS = 60 * 60 * 1000;

/** Whether the process may still be at work; of other machines only time tells. */
export function isAtWork({ pid, began, machine, since }: Doer): boolean {
  if (machine !== hostname()) return Date.now() - since < FAR_MS;
  return pid === process.pid ? began === performance.timeOrigin : isRunning(pid);
}

export function isDoer(value: unknown): value is Doer {
  return isObject(value) && typeof value['pid'] === 'number' && typeof value['began'] === 'number' && typeof value['machine'] === 'string' && typeof value['since'] === 'number';
}

/** An id whose alphabetical order is that of time. */
export const timedId = (now = Date.now()): string => `${now.toString(36).padStart(9, '0')}-${randomUUID().slice(0, 8)}`;

/** What a file holds, read in pieces. */
export async function contentOf(path: string): Promise<Written> {
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const piece of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(piece);
      size += piece.length;
    }
  } catch (error) {
    throw fileError(error, path);
  }
  return { size, sha256: hash.digest('hex') };
}
