/** Bytes of a file from a place on: as many as asked for, or fewer where the file ends before. */
import type { FileHandle } from 'node:fs/promises';

/** `bytes`: room for them, if there is some. */
export async function readAt(file: FileHandle, offset: number, length: number, bytes: Buffer = Buffer.allocUnsafe(length)): Promise<Buffer> {
  let got = 0;
  for (let count = -1; got < length && count !== 0; got += count) count = (await file.read(bytes, got, length - got, offset + got)).bytesRead;
  return bytes.subarray(0, got);
}

/** Exactly as many, or `undefined` if the file ends before. */
export async function readExactly(file: FileHandle, offset: number, length: number): Promise<Buffer | undefined> {
  const bytes = await readAt(file, offset, length);
  return bytes.length === length ? bytes : undefined;
}
