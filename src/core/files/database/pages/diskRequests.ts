/**
 * Reading a database is written once, as generators that request bytes and receive them. An asynchronous driver runs them in
 * the extension host, a synchronous one in worker threads.
 */

import type { BigIntStats } from 'node:fs';

/** Identifies the state of a file without reading it. */
export interface FileStamp {
  /** Bytes. */
  readonly size: number;
  readonly mtimeNs: bigint;
  /** Device and inode, as `<dev>:<ino>`. */
  readonly ino: string;
}

/** The stamps of a database's files, by path. `wal`: `undefined` if there is no write-ahead log. */
export interface DatabaseStamps {
  readonly main: FileStamp;
  readonly wal: FileStamp | undefined;
}

/** Stamps, and when they were taken. */
export interface TimedStamps extends DatabaseStamps {
  /** Milliseconds since 1970; the files were looked at later. */
  readonly takenAt: number;
}

/** Milliseconds: two writes within this time may leave a file with the same modification time. */
export const CLOCK_TICK = 20;

export interface BytesRequest {
  readonly file: 'main' | 'wal';
  readonly offset: number;
  readonly length: number;
  /** Memory to read into; by default new memory. */
  readonly room?: Buffer;
}

/**
 * Work that needs bytes of the database or of its write-ahead log, their stamps, or {@link CLOCK_TICK} to pass.
 * The answer to a request has the request's type, which the generator's type can't say.
 */
export type Reading<T> = Generator<BytesRequest | 'stamps' | 'tick', T, Buffer | DatabaseStamps | undefined>;

/** Returns the requested bytes, or fewer if the file ends before. */
export function* readBytes(request: BytesRequest): Reading<Buffer> {
  // See `Reading`.
  return (yield request) as Buffer;
}

/** Returns the present stamps of the files. */
export function* readStamps(): Reading<TimedStamps> {
  const takenAt = Date.now();
  // See `Reading`.
  return { ...((yield 'stamps') as DatabaseStamps), takenAt };
}

export const stampOf = ({ size, mtimeNs, dev, ino }: BigIntStats): FileStamp => ({ size: Number(size), mtimeNs, ino: `${dev}:${ino}` });
