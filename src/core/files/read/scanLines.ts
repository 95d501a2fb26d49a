/**
 * Bytes of a file → its lines, from any offset.
 */
import type { FileHandle } from 'node:fs/promises';
import { LineSplitter, type LineSink } from './lineSplitter';
import { createScanner } from './createScanner';

/** So much is read first: most files are no longer. */
const FIRST = 64 * 1024;
const CHUNK = 1024 * 1024;
/** In files of fewer bytes it takes longer to make a scanner than to parse. */
const WORTH_SCANNING = 1024 * 1024;
/** So much of what is left of a chunk stands before the next one, so that the line that goes on there is scanned, too. */
const CARRY_BYTES = 1024 * 1024;

/**
 * Reads lines from `start` to the end of the file as it is when it is reached.
 * Between chunks of a megabyte others get their turn; memory does not grow with the file,
 * nor with its longest line if the sink can do without that.
 *
 * @throws the signal's reason when it is aborted, and the file system's errors as they are.
 */
export async function scanLines(
  file: FileHandle,
  start: { readonly offset: number; readonly line: number },
  sink: LineSink,
  signal?: AbortSignal,
): Promise<void> {
  const lines = new LineSplitter(start, sink);
  const first = Buffer.allocUnsafe(FIRST);
  let { offset } = start;
  let got: number;
  do {
    signal?.throwIfAborted();
    got = (await file.read(first, 0, FIRST, offset)).bytesRead;
    offset += got;
    if (got < FIRST) lines.take(first, 0, got);
  } while (got > 0 && got < FIRST);
  if (got > 0) await scanMore(file, offset, first, lines, sink, signal);
  lines.end();
}

/** The same from `start` on, behind what was read `first`. Of two chunks one is read while lines are made of the other. */
async function scanMore(file: FileHandle, start: number, first: Buffer, lines: LineSplitter, sink: LineSink, signal?: AbortSignal): Promise<void> {
  const size = sink.scan ? (await file.stat()).size : 0;
  const scanner = size >= WORTH_SCANNING ? createScanner(CARRY_BYTES + CHUNK, size) : undefined;
  let [bytes, next] = [Buffer.allocUnsafe(CARRY_BYTES + CHUNK), Buffer.allocUnsafe(CARRY_BYTES + CHUNK)];
  let offset = start;
  let left = first;
  signal?.throwIfAborted();
  let reading = file.read(bytes, CARRY_BYTES, CHUNK, offset);
  try {
    for (;;) {
      const from = CARRY_BYTES - left.copy(bytes, CARRY_BYTES - left.length);
      const { bytesRead } = await reading;
      signal?.throwIfAborted();
      if (bytesRead === 0) {
        lines.take(bytes, from, CARRY_BYTES, scanner);
        return;
      }
      offset += bytesRead;
      reading = file.read(next, CARRY_BYTES, CHUNK, offset);
      const read = bytes.subarray(from, CARRY_BYTES + bytesRead);
      left = read.subarray(lines.takeWhole(read, scanner));
      if (left.length > CARRY_BYTES) {
        lines.take(left, 0, left.length);
        left = left.subarray(left.length);
      }
      [bytes, next] = [next, bytes];
    }
  } finally {
    // Whoever closes the file waits for nobody.
    await reading.catch(() => undefined);
  }
}
