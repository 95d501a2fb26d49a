/** Positioned reads from an open file. */
import type { ByteSource } from './byteSource';

/**
 * Returns `length` bytes from `offset`, or fewer if the file ends before.
 *
 * @param bytes buffer to fill; by default a new one.
 */
export async function readAt(
  file: ByteSource,
  offset: number,
  length: number,
  bytes: Buffer = Buffer.allocUnsafe(length),
): Promise<Buffer> {
  let got = 0;
  for (let count = -1; got < length && count !== 0; got += count)
    count = (await file.read(bytes, got, length - got, offset + got)).bytesRead;
  return bytes.subarray(0, got);
}

/** Returns exactly `length` bytes, or `undefined` if the file ends before. */
export async function readExactly(file: ByteSource, offset: number, length: number): Promise<Buffer | undefined> {
  const bytes = await readAt(file, offset, length);
  return bytes.length === length ? bytes : undefined;
}
