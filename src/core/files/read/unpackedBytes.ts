/** The bytes of sessions that are kept compressed: unpacked as a whole, and only those of the last one are kept. */
import type { ByteSource } from '../io/byteSource';
import { LastUnpacked } from '../io/lastUnpacked';
import { readAt } from '../io/readAt';
import { openRegularFile } from '../io/regularFile';
import { fileVersion, type FileVersion } from './fileVersion';
import { assertCompressedSize, assertNotReplaced, reopeningError, unpackedKey, unpackSession } from './compressedSession';

/** The session that was unpacked last. Shared by all of this thread. */
const last = new LastUnpacked<Promise<Buffer>>();

/** The bytes of an archive, which is unpacked again if another one was since. */
export class UnpackedBytes implements ByteSource {
  private constructor(
    private readonly lines: () => Promise<Buffer>,
    readonly size: number,
  ) {}

  /**
   * Unpacks an archive.
   *
   * @param key identifies the unpacked bytes.
   * @throws what `unpack` throws; so does `read`.
   */
  static async open(key: string, unpack: () => Promise<Buffer>): Promise<UnpackedBytes> {
    const lines = (): Promise<Buffer> => last.get(key, unpack);
    return new UnpackedBytes(lines, (await lines()).length);
  }

  async read(bytes: Buffer, at: number, length: number, position: number): Promise<{ bytesRead: number }> {
    return { bytesRead: (await this.lines()).copy(bytes, at, position, position + length) };
  }

  stat(): Promise<{ size: number }> {
    return Promise.resolve({ size: this.size });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

/**
 * Opens an archived session.
 *
 * @returns its bytes, and the version and permission bits of the file.
 * @throws {SessionError} `not-a-session`, `invalid` if it's too large, `changed`.
 * @throws {NodeJS.ErrnoException} the system's errors.
 */
export async function openCompressedSession(path: string): Promise<{ file: UnpackedBytes; version: FileVersion; mode: number }> {
  const { file, stats } = await openRegularFile(path);
  await file.close();
  const version = fileVersion(stats);
  const unpack = (): Promise<Buffer> => unpackVersion(path, version);
  return { file: await UnpackedBytes.open(unpackedKey(path, version), unpack), version, mode: Number(stats.mode) & 0o777 };
}

/** Unpacks a version of an archive. @throws as {@link openCompressedSession} */
export async function unpackVersion(path: string, version: FileVersion): Promise<Buffer> {
  assertCompressedSize(path, version);
  const { file, stats } = await openRegularFile(path).catch((error: unknown) => {
    throw reopeningError(error, path);
  });
  let packed: Buffer;
  try {
    assertNotReplaced(path, version, fileVersion(stats));
    packed = await readAt(file, 0, version.size);
  } finally {
    await file.close();
  }
  return unpackSession(path, packed);
}
