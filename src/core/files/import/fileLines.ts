/** Reads the lines of any file, with bounds, for programs whose lines aren't entries. */
import type { ByteSource } from '../io/byteSource';

/** Bytes: longer lines aren't read. Images of messages are far smaller. */
const MAX_LINE_BYTES = 32 * 1024 * 1024;
/** Bytes of a group at most. */
export const CHUNK = 1024 * 1024;
const NEWLINE = 10;

export interface FileLine {
  /** From 1. */
  readonly line: number;
  /** `undefined` for a line that is too long. */
  readonly text: string | undefined;
}

/** Reads the lines in groups. Memory grows with the longest line that is read, not with the file. */
export async function* fileLines(file: ByteSource, signal?: AbortSignal, maxLine = MAX_LINE_BYTES): AsyncGenerator<readonly FileLine[]> {
  let held: Buffer[] = [];
  let size = 0;
  let line = 1;
  const hold = (bytes: Buffer): void => {
    size += bytes.length;
    if (size > maxLine) held = [];
    else held.push(Buffer.from(bytes));
  };
  const take = (): FileLine => {
    const found = { line, text: size > maxLine ? undefined : Buffer.concat(held).toString('utf8') };
    line++;
    held = [];
    size = 0;
    return found;
  };
  const chunk = Buffer.allocUnsafe(CHUNK);
  for (let offset = 0; ;) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(chunk, 0, CHUNK, offset);
    if (bytesRead === 0) break;
    offset += bytesRead;
    const found: FileLine[] = [];
    const bytes = chunk.subarray(0, bytesRead);
    let from = 0;
    for (let at = bytes.indexOf(NEWLINE); at >= 0; at = bytes.indexOf(NEWLINE, from)) {
      hold(bytes.subarray(from, at));
      found.push(take());
      from = at + 1;
    }
    if (from < bytes.length) hold(bytes.subarray(from));
    yield found;
  }
  if (size > 0) yield [take()];
}
