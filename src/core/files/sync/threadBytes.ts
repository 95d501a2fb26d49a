/**
 * The bytes of a session as worker threads read them: files and databases synchronously, as nothing else waits for the
 * thread. Node has no synchronous streams, so archives are read asynchronously.
 */
import { closeSync } from 'node:fs';
import { isArchivedSession } from '../../format/session/archivedSession';
import { unpackArchive } from '../database/lines/coldArchive';
import { unpackedKey } from '../read/bytes/compressedSession';
import { fileVersion } from '../read/versions/fileVersion';
import { recentStreams } from '../read/bytes/recentStreams';
import { NO_PROBLEMS, type OpenedBytes } from '../read/bytes/sessionBytes';
import { unpackVersion } from '../read/bytes/unpackedBytes';
import { UnpackedStream } from '../read/bytes/unpackedStream';
import type { ByteSourceSync } from './readAtSync';
import { openRegularFileSync } from './regularFileSync';
import { openStoredBytesSync } from './sessionBytesSync';

/** Bytes with the methods of {@link ByteSourceSync}, except that reading may have to be awaited. */
export interface ThreadBytes extends Pick<ByteSourceSync, 'expectLine'> {
  read(bytes: Buffer, at: number, length: number, position: number): number | Promise<number>;
  close(): void | Promise<void>;
}

/** The size is the version's size, except for a compressed file. */
export interface OpenedThreadBytes extends Pick<OpenedBytes, 'version' | 'facts' | 'problems'> {
  readonly file: ThreadBytes;
}

/** Opens an archive. The key identifies its unpacked bytes; `packedSize` is the size of the archive itself. */
type OpenUnpacked = (key: () => string, unpack: () => AsyncIterable<Buffer>, packedSize: number) => ThreadBytes;

/** Opens an archive that is read once, from the first byte on, except for a few bytes at its end. */
const openForScan: OpenUnpacked = (_key, unpack) => new UnpackedStream(unpack, { first: SCAN_BYTES, later: SCAN_BYTES });
const SCAN_BYTES = 64 * 1024;

/** An archive whose lines are read in any order, by this search and the next. */
export class SearchedArchive implements ThreadBytes {
  private readonly stream: UnpackedStream;

  constructor(
    private readonly key: string,
    open: () => UnpackedStream,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.stream = recentStreams.open(key, open);
  }

  read(bytes: Buffer, at: number, length: number, position: number): Promise<number> {
    return this.stream.read(bytes, at, length, position, this.signal);
  }

  close(): Promise<void> {
    return recentStreams.close(this.key, this.stream);
  }
}

/**
 * Opens a session to read all of its lines. The caller closes its file.
 *
 * @throws as `openSessionBytes`; for an archive that can't be unpacked when it's read.
 */
export const openForScanning = (path: string): OpenedThreadBytes => openThreadBytes(path, openForScan);

/** Opens a session to read some of its lines; see {@link openForScanning}. Reading an archive throws the signal's reason if aborted. */
export const openForSearching = (path: string, signal: AbortSignal | undefined): OpenedThreadBytes =>
  openThreadBytes(path, (key, unpack, packedSize) => {
    // Each line that is found might unpack all lines before it again otherwise.
    const keepAll = { first: Infinity, later: Infinity };
    return new SearchedArchive(key(), () => new UnpackedStream(unpack, keepAll, packedSize), signal);
  });

function openThreadBytes(path: string, openUnpacked: OpenUnpacked): OpenedThreadBytes {
  if (!isArchivedSession(path))
    return openStoredBytesSync(path, ({ archive, key, read }) =>
      openUnpacked(key, () => unpackArchive(path, archive, () => Promise.resolve(read())), archive.size),
    );
  const { fd, stats } = openRegularFileSync(path);
  closeSync(fd);
  const version = fileVersion(stats);
  const file = openUnpacked(
    () => unpackedKey(path, version),
    () => unpackVersion(path, version),
    version.size,
  );
  return { file, version, problems: NO_PROBLEMS };
}

/** Returns `length` bytes from `offset`, or fewer if the file ends before. */
export async function readThreadBytes(file: ThreadBytes, offset: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let got = 0;
  for (let count = -1; got < length && count !== 0; got += count) count = await file.read(bytes, got, length - got, offset + got);
  return bytes.subarray(0, got);
}
