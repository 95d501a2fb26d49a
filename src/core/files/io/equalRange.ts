/** Compares the bytes of two open files. */
import type { ByteSource } from './byteSource';
import { readAt } from './readAt';

/** Bytes that are compared at a time. */
const SLICE = 1024 * 1024;

/** True if both files have the same `length` bytes at these offsets. */
export async function equalRange(a: ByteSource, atA: number, b: ByteSource, atB: number, length: number): Promise<boolean> {
  for (let done = 0; done < length; done += SLICE) {
    const size = Math.min(SLICE, length - done);
    const [one, two] = await Promise.all([readAt(a, atA + done, size), readAt(b, atB + done, size)]);
    if (one.length !== size || !one.equals(two)) return false;
  }
  return true;
}
