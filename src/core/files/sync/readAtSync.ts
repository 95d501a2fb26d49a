/**
 * Synchronous reads from an open file, for worker threads and the documented `SessionManager`; see `regularFileSync`.
 */
import { readSync } from 'node:fs';

/** The bytes of a session, as worker threads read them. */
export interface ByteSourceSync {
  /** Reads up to `length` bytes from `position` into `bytes` at `at`. Returns their number, which is 0 at the end only. */
  read(bytes: Buffer, at: number, length: number, position: number): number;
  /** Returns the start of a line, which saves searching from the first line on. @param line from 1 */
  expectLine?(line: number, offset: number): void;
  close(): void;
}

/**
 * Returns `length` bytes from `offset`, or fewer if the file ends before.
 *
 * @param file an open descriptor, or another source of bytes.
 * @param bytes buffer to fill; by default a new one.
 */
export function readAtSync(
  file: number | ByteSourceSync,
  offset: number,
  length: number,
  bytes: Buffer = Buffer.allocUnsafe(length),
): Buffer {
  let got = 0;
  for (let count = -1; got < length && count !== 0; got += count)
    count =
      typeof file === 'number' ? readSync(file, bytes, got, length - got, offset + got) : file.read(bytes, got, length - got, offset + got);
  return bytes.subarray(0, got);
}
