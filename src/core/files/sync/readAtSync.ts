/**
 * Synchronous reads from an open file, for worker threads and the documented `SessionManager`; see `regularFileSync`.
 */
import { readSync } from 'node:fs';
import type { ByteSourceSync } from './byteSourceSync';

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
