/** Compares the bytes of two open files. */
import type { ByteSource } from './byteSource';
import { readAt } from './readAt';

/** Bytes that are compared at a time. */
const SLICE = 1024 * 1024;

/** True if `length` bytes of one file are those of another one. */
export async function equalRange(a: ByteSource, atA: number, b: ByteSource, atB: number, length: number): Promise<boolean> {
  for (let done = 0; done < length; done += SLICE) {
    const size = Math.min(SLICE, length - done);
    if (!(await readAt(a, atA + done, size)).equals(await readAt(b, atB + done, size))) return false;
  }
  return true;
}
