/** Splits a session's bytes into lines, for worker threads. */
import { LineSplitter, type LineSink } from '../../files/read/bytes/lineSplitter';
import { createScanner } from '../../files/read/createScanner';
import type { ThreadBytes } from '../../files/sync/threadBytes';
import { foldCharacter } from './words/foldCharacter';
import type { Scanner } from '../../format/scanner/scanner';
import { finishSteps } from '../../format/session/steps';

/** Small enough to stay in a processor's cache. */
const CHUNK_BYTES = 512 * 1024;
/** The incomplete line at a chunk's end is moved before the next chunk up to this length, so that it can be scanned as a whole. */
const MAX_CARRIED_BYTES = 1024 * 1024;

/** Memory that is reused from file to file. */
export interface ReadBuffers {
  readonly bytes: Buffer;
  readonly scanner: Scanner | undefined;
}

export const createReadBuffers = (): ReadBuffers => ({
  bytes: Buffer.allocUnsafe(MAX_CARRIED_BYTES + CHUNK_BYTES),
  scanner: createScanner(MAX_CARRIED_BYTES + CHUNK_BYTES, 0, foldCharacter),
});

/** Reads from `start` to the end of the file as it is when the end is reached. `check` is called between chunks and may throw. */
export async function readLines(
  file: ThreadBytes,
  start: { readonly offset: number; readonly line: number },
  sink: LineSink,
  check: () => void,
  { bytes, scanner }: ReadBuffers,
): Promise<void> {
  const lines = new LineSplitter(start, sink);
  let { offset } = start;
  let left = 0;
  for (let count = -1; count !== 0;) {
    check();
    count = await file.read(bytes, left, CHUNK_BYTES, offset);
    offset += count;
    const read = bytes.subarray(0, left + count);
    if (count < CHUNK_BYTES) {
      finishSteps(lines.take(read, 0, read.length, scanner));
      left = 0;
      continue;
    }
    const taken = finishSteps(lines.takeWhole(read, scanner));
    left = read.length - taken;
    if (left <= MAX_CARRIED_BYTES) bytes.copyWithin(0, taken, read.length);
    else {
      finishSteps(lines.take(read, taken, read.length));
      left = 0;
    }
  }
  finishSteps(lines.end());
}
