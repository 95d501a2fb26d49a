/** Compares the content of archives with the content of sessions. */
import { equalRange } from '../io/equalRange';
import { openRegularFile } from '../io/regularFile';
import { readAt } from '../io/readAt';
import { fileVersion } from '../read/versions/fileVersion';
import { unpackVersion } from '../read/bytes/unpackedBytes';
import { linkedError } from '../relink/relocate';

/** Bytes that are compared at a time. */
const SLICE = 1024 * 1024;

/** Unpacks an archive. @throws {SessionError} the reason why it can't be */
export async function contentOf(archive: string): Promise<Buffer> {
  const { file, stats } = await openRegularFile(archive, { followLink: false, refusal: linkedError });
  await file.close();
  const pieces: Buffer[] = [];
  for await (const piece of unpackVersion(archive, fileVersion(stats))) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Returns whether a file has these bytes, or begins with them. */
export async function beginsWith(path: string, start: Buffer): Promise<'equal' | 'longer' | 'different'> {
  const { file, stats } = await openRegularFile(path, { followLink: false, refusal: linkedError });
  try {
    const size = Number(stats.size);
    for (let at = 0; at < start.length; at += SLICE) {
      const expected = start.subarray(at, at + SLICE);
      if (!(await readAt(file, at, expected.length)).equals(expected)) return 'different';
    }
    return size === start.length ? 'equal' : 'longer';
  } finally {
    await file.close();
  }
}

/** True if a file begins with all bytes of another file. */
export async function containsFile(path: string, other: string): Promise<boolean> {
  const one = await openRegularFile(path, { followLink: false, refusal: linkedError });
  try {
    const two = await openRegularFile(other, { followLink: false, refusal: linkedError });
    try {
      const size = Number(two.stats.size);
      return Number(one.stats.size) >= size && (await equalRange(one.file, 0, two.file, 0, size));
    } finally {
      await two.file.close();
    }
  } finally {
    await one.file.close();
  }
}
