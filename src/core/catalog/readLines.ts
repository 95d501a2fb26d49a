/** A file's bytes → its lines, one after the other and without waiting: for workers, which nobody waits for. */
import { readSync } from 'node:fs';
import { LONG } from '../files/lines';
import { LongLine, type LongLineRead } from '../format/longLine';
import type { LinePlace } from '../format/reader';

export const CHUNK = 1024 * 1024;

export interface ByteSink {
  /** `bytes[from..to)`: the line without its break. The bytes are overwritten after the call. */
  line(bytes: Buffer, from: number, to: number, place: LinePlace): void;
  /** A line of `LONG` bytes or more. */
  long(line: LongLineRead, place: LinePlace): void;
}

/** Reads from `start` to the end of the file as it is when it is reached. `check` is called between chunks, and may throw; `room` is where they are read to. */
export function readLines(fd: number, start: { readonly offset: number; readonly line: number }, sink: ByteSink, check: () => void, room: Buffer): void {
  let buffer = room;
  /** Bytes in the buffer of a line whose end has not come yet. */
  let held = 0;
  let { offset, line } = start;
  let long: LongLine | undefined;
  /** Bytes of the long line that it took. */
  let passed = 0;
  const place = (length: number, ended: boolean): LinePlace => {
    const at = { line: ++line, offset, length, ended };
    offset += length + (ended ? 1 : 0);
    return at;
  };
  for (;;) {
    check();
    if (held >= LONG) {
      long = new LongLine();
      long.push(buffer.subarray(0, held));
      passed = held;
      held = 0;
    } else if (held === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2);
    const count = readSync(fd, buffer, held, buffer.length - held, offset + passed + held);
    if (count === 0) break;
    const end = held + count;
    let from = 0;
    let newline = buffer.subarray(0, end).indexOf(10, held);
    if (long) {
      const to = newline < 0 ? end : newline;
      long.push(buffer.subarray(0, to));
      passed += to;
      from = to;
      if (newline >= 0) {
        sink.long(long.end(), place(passed, true));
        long = undefined;
        passed = 0;
        from = newline + 1;
        newline = buffer.subarray(0, end).indexOf(10, from);
      }
    }
    for (const read = buffer.subarray(0, end); newline >= 0; newline = read.indexOf(10, from)) {
      sink.line(buffer, from, newline, place(newline - from, true));
      from = newline + 1;
    }
    buffer.copyWithin(0, from, end);
    held = end - from;
  }
  if (long) sink.long(long.end(), place(passed, false));
  else if (held > 0) sink.line(buffer, 0, held, place(held, false));
}
