/**
 * Bytes of a file → its lines, from any offset.
 */
import type { FileHandle } from 'node:fs/promises';
import { Lines, type LineSink } from './lines';
import { scannerOf } from './scannerOf';

/** So much is read first: most files are no longer. */
const FIRST = 64 * 1024;
const CHUNK = 1024 * 1024;
/** In files of fewer bytes it takes longer to make a scanner than to parse. */
const WORTH_SCANNING = 1024 * 1024;

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
  const lines = new Lines(start, sink);
  const first = Buffer.allocUnsafe(FIRST);
  let { offset } = start;
  let got: number;
  do {
    signal?.throwIfAborted();
    got = (await file.read(first, 0, FIRST, offset)).bytesRead;
    lines.take(first, 0, got);
    offset += got;
  } while (got > 0 && got < FIRST);
  if (got > 0) await scanMore(file, offset, lines, sink, signal);
  lines.end();
}

/** Of two chunks one is read while lines are made of the other. */
async function scanMore(file: FileHandle, start: number, lines: Lines, sink: LineSink, signal?: AbortSignal): Promise<void> {
  const size = sink.scan ? (await file.stat()).size : 0;
  const scanner = size >= WORTH_SCANNING ? scannerOf(CHUNK, size) : undefined;
  const bytes = Buffer.allocUnsafe(2 * CHUNK);
  let offset = start;
  let at = 0;
  signal?.throwIfAborted();
  let reading = file.read(bytes, at, CHUNK, offset);
  try {
    for (;;) {
      const { bytesRead } = await reading;
      signal?.throwIfAborted();
      if (bytesRead === 0) return;
      const from = at;
      at = CHUNK - at;
      offset += bytesRead;
      reading = file.read(bytes, at, CHUNK, offset);
      lines.take(bytes, from, from + bytesRead, scanner);
    }
  } finally {
    // Whoever closes the file waits for nobody.
    await reading.catch(() => undefined);
  }
}
