/** A file's bytes → its lines, one after the other and without waiting: for workers, which nobody waits for. */
import { readSync } from 'node:fs';
import { LineSplitter, type LineSink } from '../../files/read/lineSplitter';
import { createScanner } from '../../files/read/createScanner';
import type { Scanner } from '../../format/columns/scanner';

/** What is read at once stays in the caches of a processor. */
const CHUNK_BYTES = 512 * 1024;
/** So much of what is left of a chunk stands before the next one, so that the line that goes on there is scanned, too. */
const MAX_CARRIED_BYTES = 1024 * 1024;

/** Memory for one file after the other. */
export interface ReadBuffers {
  readonly bytes: Buffer;
  readonly scanner: Scanner | undefined;
}

export const createReadBuffers = (): ReadBuffers => ({ bytes: Buffer.allocUnsafe(MAX_CARRIED_BYTES + CHUNK_BYTES), scanner: createScanner(MAX_CARRIED_BYTES + CHUNK_BYTES, 0) });

/** Reads from `start` to the end of the file as it is when it is reached. `check` is called between chunks, and may throw. */
export function readLinesSync(fd: number, start: { readonly offset: number; readonly line: number }, sink: LineSink, check: () => void, { bytes, scanner }: ReadBuffers): void {
  const lines = new LineSplitter(start, sink);
  let { offset } = start;
  let left = 0;
  for (let count = -1; count !== 0; ) {
    check();
    count = readSync(fd, bytes, left, CHUNK_BYTES, offset);
    offset += count;
    const read = bytes.subarray(0, left + count);
    if (count < CHUNK_BYTES) {
      lines.take(read, 0, read.length, scanner);
      left = 0;
      continue;
    }
    const taken = lines.takeWhole(read, scanner);
    left = read.length - taken;
    if (left <= MAX_CARRIED_BYTES) bytes.copyWithin(0, taken, read.length);
    else {
      lines.take(read, taken, read.length);
      left = 0;
    }
  }
  lines.end();
}
