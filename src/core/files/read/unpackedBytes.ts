/** The bytes of sessions that are kept compressed, unpacked while they're read. */
import type { ByteSource } from '../io/byteSource';
import { readAt } from '../io/readAt';
import { openRegularFile } from '../io/regularFile';
import { fileVersion, type FileVersion } from './fileVersion';
import { approximateSize, assertCompressedSize, assertNotReplaced, reopeningError, unpackedKey, unpackPieces } from './compressedSession';
import { UnpackedStream } from './unpackedStream';

interface KeyedStream {
  readonly key: string;
  readonly stream: UnpackedStream;
}

/**
 * The stream that was closed last, with the bytes that it keeps: a view opens its session again for each part that it shows.
 * Shared by all of this thread. Each stream has one reader at a time, as two would make each other unpack from the beginning.
 */
let idle: KeyedStream | undefined;

/** The bytes of an archive. */
export class UnpackedBytes implements ByteSource {
  private constructor(
    private readonly used: KeyedStream,
    private readonly approximate: number,
  ) {}

  /**
   * Opens an archive without reading it.
   *
   * @param key identifies the unpacked bytes.
   * @param unpack unpacks them. `read` and `size` throw what it throws.
   * @param approximateSize the number of bytes, as far as it's known.
   */
  static open(key: string, unpack: () => AsyncIterable<Buffer>, approximateSize: number): UnpackedBytes {
    const found = idle?.key === key ? idle : undefined;
    if (found) idle = undefined;
    return new UnpackedBytes(found ?? { key, stream: new UnpackedStream(unpack) }, approximateSize);
  }

  async read(bytes: Buffer, at: number, length: number, position: number): Promise<{ bytesRead: number }> {
    return { bytesRead: await this.used.stream.read(bytes, at, length, position) };
  }

  /** Unpacks everything to count it. */
  size(): Promise<number> {
    return this.used.stream.size();
  }

  /** The size decides only how much is prepared for reading. */
  stat(): Promise<{ size: number }> {
    return Promise.resolve({ size: this.approximate });
  }

  async close(): Promise<void> {
    const before = idle;
    idle = this.used;
    await before?.stream.close();
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
    file: UnpackedBytes.open(unpackedKey(path, version), unpack, approximateSize(version)),
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
