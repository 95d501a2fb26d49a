/** Synchronous reading from an open descriptor, for worker threads and the documented `SessionManager`; see `regularFileNow`. */
import { readSync } from 'node:fs';

/** @returns `length` bytes from `offset` on, or fewer where the file ends before. `bytes`: room for them, if there is some */
export function readAtSync(fd: number, offset: number, length: number, bytes: Buffer = Buffer.allocUnsafe(length)): Buffer {
  let got = 0;
  for (let count = -1; got < length && count !== 0; got += count) count = readSync(fd, bytes, got, length - got, offset + got);
  return bytes.subarray(0, got);
}
