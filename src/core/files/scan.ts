/**
 * Bytes of a file → its lines, from any offset. Bytes split at `\n` alone.
 */
import type { FileHandle } from 'node:fs/promises';
import { LongLine, type LongLineRead } from '../format/longLine';
import type { LinePlace } from '../format/reader';

const CHUNK = 1024 * 1024;
/** From this length on a line is not held in memory, if its reader can do without. */
export const LONG = 4 * CHUNK;
/** The longest text that V8 can hold is a little over this many characters. */
const LONGEST_LINE = 0x1fffffe8;

export interface LineSink {
  /** `bytes` are the text's, during the call alone. */
  add(text: string, place: LinePlace, bytes: Uint8Array): void;
  /** A line of `LONG` bytes or more. A sink without this method gets its whole text. */
  long?(line: LongLineRead, place: LinePlace): void;
  /** A line that is too long to be a text. */
  skip(place: LinePlace): void;
}

/**
 * Reads lines from `start` to the end of the file as it is when it is reached.
 * Between chunks of about 1 MB others get their turn; memory does not grow with the file,
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
  let buffer = Buffer.allocUnsafe(CHUNK);
  /** Bytes in the buffer that belong to a line whose end has not come yet. */
  let held = 0;
  let offset = start.offset;
  let line = start.line;
  const emit = (from: number, to: number, ended: boolean): void => {
    line++;
    const place: LinePlace = { line, offset, length: to - from, ended };
    if (to - from > LONGEST_LINE) sink.skip(place);
    else sink.add(buffer.toString('utf8', from, to), place, buffer.subarray(from, to));
    offset += to - from + (ended ? 1 : 0);
  };
  let long: LongLine | undefined;
  /** Bytes of the long line that it took. */
  let passed = 0;
  const emitLong = (ended: boolean): void => {
    line++;
    const place: LinePlace = { line, offset, length: passed, ended };
    if (passed > LONGEST_LINE) sink.skip(place);
    else sink.long?.(long!.end(), place);
    offset += passed + (ended ? 1 : 0);
    long = undefined;
    passed = 0;
  };
  for (;;) {
    signal?.throwIfAborted();
    if (held === LONG && sink.long) {
      long = new LongLine();
      long.push(buffer);
      passed = held;
      held = 0;
    } else if (held === buffer.length) {
      const larger = Buffer.allocUnsafe(buffer.length * 2);
      buffer.copy(larger, 0, 0, held);
      buffer = larger;
    }
    const { bytesRead } = await file.read(buffer, held, buffer.length - held, offset + passed + held);
    if (bytesRead === 0) break;
    const end = held + bytesRead;
    const read = buffer.subarray(0, end);
    let from = 0;
    let newline = read.indexOf(10, held);
    if (long) {
      const to = newline < 0 ? end : newline;
      long.push(read.subarray(0, to));
      passed += to;
      from = to;
      if (newline >= 0) {
        emitLong(true);
        from++;
        newline = read.indexOf(10, from);
      }
    }
    for (; newline >= 0; newline = read.indexOf(10, from)) {
      emit(from, newline, true);
      from = newline + 1;
    }
    buffer.copyWithin(0, from, end);
    held = end - from;
  }
  if (long) emitLong(false);
  else if (held > 0) emit(0, held, false);
}
