/**
 * Bytes of a file → its lines, from any offset. Bytes split at `\n` alone.
 */
import type { FileHandle } from 'node:fs/promises';
import type { LinePlace } from '../format/reader';

const CHUNK = 1024 * 1024;
/** The longest text that V8 can hold is a little over this many characters. */
const LONGEST_LINE = 0x1fffffe8;

export interface LineSink {
  add(text: string, place: LinePlace): void;
  /** A line that is too long to be a text. */
  skip(place: LinePlace): void;
}

/**
 * Reads lines from `start` to the end of the file as it is when it is reached.
 * Between chunks of about 1 MB others get their turn; memory grows with the longest line, not with the file.
 *
 * @throws the signal's reason when it is aborted, and the file system's errors as they are.
 */
export async function scanLines(
  file: FileHandle,
  start: { readonly offset: number; readonly line: number },
  sink: LineSink,
  signal?: AbortSignal,
): Promise<void> {
  let buffer = Buffer.allocUnsafe(CHUNK);
  /** Bytes in the buffer that belong to a line whose end has not come yet. */
  let held = 0;
  let offset = start.offset;
  let line = start.line;
  const emit = (from: number, to: number, ended: boolean): void => {
    line++;
    const place: LinePlace = { line, offset, length: to - from, ended };
    if (to - from > LONGEST_LINE) sink.skip(place);
    else sink.add(buffer.toString('utf8', from, to), place);
    offset += to - from + (ended ? 1 : 0);
  };
  for (;;) {
    signal?.throwIfAborted();
    if (held === buffer.length) {
      const larger = Buffer.allocUnsafe(buffer.length * 2);
      buffer.copy(larger, 0, 0, held);
      buffer = larger;
    }
    const { bytesRead } = await file.read(buffer, held, buffer.length - held, offset + held);
    if (bytesRead === 0) break;
    const end = held + bytesRead;
    let from = 0;
    for (let newline = buffer.indexOf(10, held); newline >= 0 && newline < end; newline = buffer.indexOf(10, from)) {
      emit(from, newline, true);
      from = newline + 1;
    }
    buffer.copyWithin(0, from, end);
    held = end - from;
  }
  if (held > 0) emit(0, held, false);
}
