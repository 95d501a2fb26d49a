/** The lines of a session in a database as bytes: from its rows, or from the archive that OpenClaw has made of them. */
import { stat } from 'node:fs/promises';
import { archiveKey, MAX_ARCHIVE_BYTES, unpackArchive } from '../database/coldArchive';
import type { DatabasePath } from '../database/databaseSession';
import { readDatabase } from '../database/readDatabase';
import { DatabaseSession, type LocatedArchive } from '../database/openedSession';
import type { ByteSource } from '../io/byteSource';
import { isMissing } from '../io/fileErrors';
import { readSmallFile } from '../io/smallFile';
import { fileVersion, type FileVersion } from './fileVersion';
import { UnpackedBytes } from './unpackedBytes';

/** A session in a database, and its lines. */
export interface DatabaseLines {
  readonly file: ByteSource;
  readonly session: DatabaseSession;
}

/** Opens a session without reading or measuring its lines. @throws {SessionError} as `openSessionBytes` */
export async function openDatabaseLines(path: string, { database, id }: DatabasePath): Promise<DatabaseLines> {
  const [found] = await readDatabase(database, (view) => view.open([id], false));
  const session = new DatabaseSession(path, database, found);
  const { archive } = session;
  const file = archive
    ? new UnpackedBytes(
        archiveKey(path, archive, await archiveVersion(archive)),
        () => unpackArchive(path, archive, () => readArchive(database, id, archive)),
        { approximate: archive.unpackedSize, packed: archive.size },
      )
    : new DatabaseBytes(database, session);
  return { file, session };
}

/** Returns the version of an archive's file; `undefined` if it can't be determined; reading the archive then gives the reason. */
const archiveVersion = async ({ path }: LocatedArchive): Promise<FileVersion | undefined> =>
  path === undefined ? undefined : stat(path, { bigint: true }).then(fileVersion, () => undefined);

async function readArchive(database: string, id: string, { path }: LocatedArchive): Promise<Buffer | undefined> {
  if (path === undefined) return readDatabase(database, (view) => view.archive(id, MAX_ARCHIVE_BYTES));
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

class DatabaseBytes implements ByteSource {
  constructor(
    private readonly database: string,
    private readonly session: DatabaseSession,
  ) {}

  async read(bytes: Buffer, at: number, length: number, position: number): Promise<{ bytesRead: number }> {
    const part = bytes.subarray(at, at + Math.min(length, READ_BYTES));
    return { bytesRead: await readDatabase(this.database, (view) => this.session.read(view, part, position)) };
  }

  /** Returns an approximate size unless all lines were measured: it only decides how much is prepared for reading. */
  stat(): Promise<{ size: number }> {
    return Promise.resolve({ size: this.session.approximateSize });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
