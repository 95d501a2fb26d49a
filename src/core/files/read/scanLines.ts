/** Reads the lines of a file from any offset. */
import type { ByteSource } from '../io/byteSource';
import { LineSplitter, type LineSink } from './bytes/lineSplitter';
import { createScanner } from './createScanner';
import { Yielder } from '../concurrency/eventLoop';

/** Bytes of the first read. Most files are no longer. */
const FIRST = 64 * 1024;
const CHUNK = 1024 * 1024;
/** Bytes: in smaller files, creating a scanner takes longer than parsing. */
const WORTH_SCANNING = 1024 * 1024;
/** Bytes of an incomplete line that are carried in front of the next chunk, so that the whole line is scanned. */
const CARRY_BYTES = 1024 * 1024;

/**
 * Reads lines from `start` to the end of the file at the time it's reached. Between chunks of a megabyte the event loop
 * runs. Memory doesn't grow with the file, nor with its longest line if the sink has `addLong`.
 *
 * @throws the signal's reason if aborted, and the file system's errors unchanged.
 */
export async function scanLines(
  file: ByteSource,
  start: { readonly offset: number; readonly line: number },
  sink: LineSink,
  signal?: AbortSignal,
): Promise<void> {
  const lines = new LineSplitter(start, sink);
  const pause = new Yielder(signal);
  const first = Buffer.allocUnsafe(FIRST);
  let { offset } = start;
  let got: number;
  do {
    signal?.throwIfAborted();
    got = (await file.read(first, 0, FIRST, offset)).bytesRead;
    offset += got;
    if (got < FIRST) await pause.run(lines.take(first, 0, got));
  } while (got > 0 && got < FIRST);
  if (got > 0) await scanMore(file, offset, first, lines, { sink, pause }, signal);
  await pause.run(lines.end());
}

/**
 * Continues from `start`, after the bytes in `first`. One chunk is read while the lines of the previous one are
 * processed.
 */
async function scanMore(
  file: ByteSource,
  start: number,
  first: Buffer,
  lines: LineSplitter,
  { sink, pause }: { readonly sink: LineSink; readonly pause: Yielder },
  signal?: AbortSignal,
): Promise<void> {
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
        await pause.run(lines.take(bytes, from, CARRY_BYTES, scanner));
        return;
      }
      offset += bytesRead;
      reading = file.read(next, CARRY_BYTES, CHUNK, offset);
      const read = bytes.subarray(from, CARRY_BYTES + bytesRead);
      left = read.subarray(await pause.run(lines.takeWhole(read, scanner)));
      if (left.length > CARRY_BYTES) {
        await pause.run(lines.take(left, 0, left.length));
        left = left.subarray(left.length);
      }
      [bytes, next] = [next, bytes];
    }
  } finally {
    // The caller may close the file only after the pending read has ended.
    await reading.catch(() => undefined);
  }
}
