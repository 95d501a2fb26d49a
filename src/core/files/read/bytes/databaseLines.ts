/** The lines of a session in a database as bytes: from its rows, or from the archive that OpenClaw has made of them. */
import { stat } from 'node:fs/promises';
import type { Problem } from '../../../format/entry/problem';
import type { OutsideFacts } from '../../../format/session/outsideFacts';
import { archiveKey, MAX_ARCHIVE_BYTES, unpackArchive } from '../../database/lines/coldArchive';
import type { DatabasePath } from '../../database/databaseSession';
import type { OpenedInThread } from '../../database/thread/databaseReader';
import { databases } from '../../database/thread/databaseThread';
import type { LocatedArchive } from '../../database/openedSession';
import type { ByteSource } from '../../io/byteSource';
import { isMissing } from '../../io/fileErrors';
import { readSmallFile } from '../../io/smallFile';
import { fileVersion, type FileVersion } from '../versions/fileVersion';
import { UnpackedBytes } from './unpackedBytes';

/** A session in a database, and its lines. */
interface DatabaseLines {
  readonly file: ByteSource;
  readonly session: LentSession;
}

/** Opens a session without reading or measuring its lines. @throws {SessionError} as `openSessionBytes` */
export async function openDatabaseLines(path: string, { database, id }: DatabasePath): Promise<DatabaseLines> {
  const number = ++lastSession;
  const opened = await databases.request('open', database, number, path, id);
  const session = new LentSession(database, number, opened);
  const { archive } = opened;
  if (!archive) return { file: session, session };
  const unpacked = new UnpackedBytes(
    archiveKey(path, archive, await archiveVersion(archive)),
    () => unpackArchive(path, archive, () => readArchive(database, id, archive)),
    { approximate: archive.unpackedSize, packed: archive.size },
  );
  const file: ByteSource = {
    read: (bytes, at, length, position) => unpacked.read(bytes, at, length, position),
    stat: () => unpacked.stat(),
    close: async () => {
      await session.close();
      await unpacked.close();
    },
  };
  return { file, session };
}

/** Returns the version of an archive's file; `undefined` if it can't be determined; reading the archive then gives the reason. */
const archiveVersion = async ({ path }: LocatedArchive): Promise<FileVersion | undefined> =>
  path === undefined ? undefined : stat(path, { bigint: true }).then(fileVersion, () => undefined);

async function readArchive(database: string, id: string, { path }: LocatedArchive): Promise<Buffer | undefined> {
  if (path === undefined) {
    const bytes = await databases.request('archive', database, id, MAX_ARCHIVE_BYTES);
    return bytes && Buffer.from(bytes.buffer);
  }
  try {
    return await readSmallFile(path, { maxBytes: MAX_ARCHIVE_BYTES, deadline: ARCHIVE_DEADLINE, followLink: false });
  } catch (error) {
    if (!isMissing(error)) throw error;
    return undefined;
  }
}

/** Milliseconds for reading an archive from the disk. */
const ARCHIVE_DEADLINE = 10_000;

/** Bytes that are read at a time. In between, the event loop runs. */
const READ_BYTES = 256 * 1024;

/** The number of the session that was opened last. */
let lastSession = 0;

/** A session that the thread of databases has opened, and its lines. */
class LentSession implements ByteSource {
  readonly facts: OutsideFacts;
  private approximateSize: number;
  private found: readonly Problem[] = [];

  constructor(
    private readonly database: string,
    private readonly number: number,
    { facts, approximateSize }: OpenedInThread,
  ) {
    this.facts = facts;
    this.approximateSize = approximateSize;
  }

  async read(bytes: Buffer, at: number, length: number, position: number): Promise<{ bytesRead: number }> {
    const wanted = Math.min(length, READ_BYTES);
    const lines = await databases.request('lines', this.database, this.number, wanted, position);
    bytes.set(lines.bytes, at);
    this.approximateSize = lines.approximateSize;
    this.found = lines.problems;
    return { bytesRead: lines.bytes.length };
  }

  /** Returns an approximate size unless all lines were measured: it only decides how much is prepared for reading. */
  stat(): Promise<{ size: number }> {
    return Promise.resolve({ size: this.approximateSize });
  }

  /** Returns the version. @param before an earlier version, which is enough if it's still the same */
  version(before: FileVersion | undefined): Promise<FileVersion> {
    return databases.request('version', this.database, this.number, before);
  }

  /** See `DatabaseSession.locateEnd`. */
  locateEnd(length: number): Promise<number> {
    return databases.request('locateEnd', this.database, this.number, length);
  }

  /** Returns the problems of the lines that were read so far and aren't what they were. */
  problems(): readonly Problem[] {
    return this.found;
  }

  close(): Promise<void> {
    databases.close(this.database, this.number);
    return Promise.resolve();
  }
}
