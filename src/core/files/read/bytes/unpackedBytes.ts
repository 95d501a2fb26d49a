/** The bytes of sessions that are kept compressed, unpacked while they're read. */
import type { ByteSource } from '../../io/byteSource';
import { readAt } from '../../io/readAt';
import { openRegularFile } from '../../io/regularFile';
import { fileVersion, type FileVersion } from '../versions/fileVersion';
import { approximateSize, assertCompressedSize, assertNotReplaced, reopeningError, unpackedKey, unpackPieces } from './compressedSession';
import { recentStreams } from './recentStreams';
import { UnpackedStream, type KeptBytes } from './unpackedStream';

const MB = 1024 * 1024;

/** The bytes that are kept for a view. It shows the end of a session, and goes back a little. If it goes further, it will read everything. */
const KEPT_FOR_VIEWS: KeptBytes = { first: 16 * MB, later: 128 * MB };

/** The bytes of an archive. */
export class UnpackedBytes implements ByteSource {
  private readonly stream: UnpackedStream;

  /**
   * Opens an archive without reading it.
   *
   * @param key identifies the unpacked bytes.
   * @param unpack unpacks them. `read` and `size` throw its errors.
   * @param sizes the approximate number of unpacked bytes, and the number of bytes in the archive.
   */
  constructor(
    private readonly key: string,
    unpack: () => AsyncIterable<Buffer>,
    private readonly sizes: { readonly approximate: number; readonly packed: number },
  ) {
    this.stream = recentStreams.open(key, () => new UnpackedStream(unpack, KEPT_FOR_VIEWS, sizes.packed));
  }

  async read(bytes: Buffer, at: number, length: number, position: number): Promise<{ bytesRead: number }> {
    return { bytesRead: await this.stream.read(bytes, at, length, position) };
  }

  /** Unpacks everything to count it. */
  size(): Promise<number> {
    return this.stream.size();
  }

  /** The size decides only how much is prepared for reading. */
  stat(): Promise<{ size: number }> {
    return Promise.resolve({ size: this.sizes.approximate });
  }

  close(): Promise<void> {
    return recentStreams.close(this.key, this.stream);
  }
}

/** An archived session that was opened. */
interface OpenedArchive {
  readonly file: UnpackedBytes;
  readonly version: FileVersion;
  /** Permission bits of the file. */
  readonly mode: number;
}

/**
 * Opens an archived session without unpacking it.
 *
 * @throws {SessionError} `not-a-session`. Reading throws that, too, and `invalid` if it's too large, `changed`.
 * @throws {NodeJS.ErrnoException} the system's errors.
 */
export async function openCompressedSession(path: string): Promise<OpenedArchive> {
  const { file, stats } = await openRegularFile(path);
  await file.close();
  const version = fileVersion(stats);
  const unpack = (): AsyncIterable<Buffer> => unpackVersion(path, version);
  return {
    file: new UnpackedBytes(unpackedKey(path, version), unpack, { approximate: approximateSize(version), packed: version.size }),
    version,
    mode: Number(stats.mode) & 0o777,
  };
}

/** Unpacks a version of an archive piece by piece. @throws as {@link openCompressedSession} and reading its file */
export async function* unpackVersion(path: string, version: FileVersion): AsyncGenerator<Buffer, void> {
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
  yield* unpackPieces(path, packed);
}
