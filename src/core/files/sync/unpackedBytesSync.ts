/** The synchronous form of `unpackedBytes`, for worker threads; see `regularFileSync`. */
import { closeSync } from 'node:fs';
import { readAtSync, type ByteSourceSync } from './readAtSync';
import { openRegularFileSync } from './regularFileSync';
import { fileVersion, type FileVersion } from '../read/versions/fileVersion';
import { assertCompressedSize, assertNotReplaced, reopeningError, unpackedKey, unpackSessionSync } from '../read/bytes/compressedSession';

/** Keeps the content that was unpacked last, which isn't unpacked again for each part that is read of it. One at a time: an archive may unpack to hundreds of megabytes. */
export class LastUnpacked {
  private kept: { readonly key: string; readonly value: Buffer } | undefined;

  /**
   * Returns the kept value, or unpacks a new value and keeps it instead. A failure isn't kept.
   *
   * @param key identifies the unpacked bytes.
   */
  get(key: string, unpack: () => Buffer): Buffer {
    if (this.kept?.key === key) return this.kept.value;
    // The previous value can be freed while the next one is unpacked.
    this.kept = undefined;
    this.kept = { key, value: unpack() };
    return this.kept.value;
  }
}

/** The session that was unpacked last. Shared by all of this thread. */
const last = new LastUnpacked();

interface UnpackedBytesSync extends ByteSourceSync {
  readonly size: number;
}

/** Unpacks an archive. @throws what `unpack` throws; so does `read`. */
export function openUnpackedSync(key: string, unpack: () => Buffer): UnpackedBytesSync {
  const lines = (): Buffer => last.get(key, unpack);
  return {
    size: lines().length,
    read: (bytes, at, length, position) => lines().copy(bytes, at, position, position + length),
    close: () => undefined,
  };
}

/** Opens an archived session. @throws as `openCompressedSession`. */
export function openCompressedSessionSync(path: string): { file: UnpackedBytesSync; version: FileVersion } {
  const { fd, stats } = openRegularFileSync(path);
  closeSync(fd);
  const version = fileVersion(stats);
  return { file: openUnpackedSync(unpackedKey(path, version), () => unpackVersion(path, version)), version };
}

function unpackVersion(path: string, version: FileVersion): Buffer {
  assertCompressedSize(path, version);
  const { fd, stats } = reopen(path);
  let packed: Buffer;
  try {
    assertNotReplaced(path, version, fileVersion(stats));
    packed = readAtSync(fd, 0, version.size);
  } finally {
    closeSync(fd);
  }
  return unpackSessionSync(path, packed);
}

function reopen(path: string): ReturnType<typeof openRegularFileSync> {
  try {
    return openRegularFileSync(path);
  } catch (error) {
    throw reopeningError(error, path);
  }
}
