/** A file's bytes → its lines, one after the other and without waiting: for workers, which nobody waits for. */
import { readSync } from 'node:fs';
import { Lines, type LineSink } from '../files/lines';
import type { Scanner } from '../format/scanner';

/** Memory for one file after the other. */
export interface ReadRoom {
  readonly bytes: Buffer;
  /** Of as many bytes. */
  readonly scanner: Scanner | undefined;
}

/** Reads from `start` to the end of the file as it is when it is reached. `check` is called between chunks, and may throw. */
export function readLines(fd: number, start: { readonly offset: number; readonly line: number }, sink: LineSink, check: () => void, { bytes, scanner }: ReadRoom): void {
  const lines = new Lines(start, sink);
  let { offset } = start;
  for (let count = -1; count !== 0; ) {
    check();
    count = readSync(fd, bytes, 0, bytes.length, offset);
    if (count === bytes.length) offset += lines.takeWhole(bytes, scanner);
    else {
      lines.take(bytes, 0, count, scanner);
      offset += count;
    }
  }
  lines.end();
}
