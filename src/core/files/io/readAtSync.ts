/**
 * Synchronous reads from an open descriptor, for worker threads and the documented `SessionManager`; see
 * `regularFileSync`.
 */
import { readSync } from 'node:fs';

/**
 * Returns `length` bytes from `offset`, or fewer if the file ends before.
 *
 * @param bytes buffer to fill; by default a new one.
 */
export function readAtSync(fd: number, offset: number, length: number, bytes: Buffer = Buffer.allocUnsafe(length)): Buffer {
  let got = 0;
  for (let count = -1; got < length && count !== 0; got += count) count = readSync(fd, bytes, got, length - got, offset + got);
  return bytes.subarray(0, got);
}
