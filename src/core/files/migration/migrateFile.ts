/**
 * Migrates a file of version 1 or 2 to version 3 in place, and keeps the old one as a backup. FORMAT section 6, rule 5.
 */
import type { FileHandle } from 'node:fs/promises';
import { CURRENT_VERSION } from '../../format/entry/entry';
import { lineIds } from '../../format/write/fork';
import type { EntryHead } from '../../format/entry/entryHead';
import { migrateHeader, migrateLine } from '../../format/parse/migrateLine';
import { DIALECT_FACTS } from '../../format/entry/dialect';
import { SessionError } from '../../format/entry/problem';
import { objectLocations, readLineSteps } from '../../format/parse/readLine';
import type { LineLocation } from '../../format/parse/lineLocation';
import { archivedError, isArchivedSession } from '../../format/session/archivedSession';
import type { Session } from '../../format/session/session';
import { endOfLines } from '../../format/session/fileState';
import { Yielder } from '../concurrency/eventLoop';
import { backUp } from './backup';
import { serializeSteps } from '../write/copyEntries';
import { freeBytes, realDisk, type Disk } from '../io/disk';
import { fileError } from '../io/fileErrors';
import { assertPlaced, replaceFile, type LineWriter, type PlacedFile, type FileDigest } from '../io/atomicFile';
import { copyReplacing } from '../io/copyFile';
import { openRegularFile } from '../io/regularFile';
import { changedWhileReadingError } from '../read/bytes/entryBytes';
import { scanLines } from '../read/scanLines';
import { fileVersion, type FileVersion } from '../read/sessionFile';
import { assertUnchanged, sameVersion } from '../read/versions/compareVersions';
import { assertWritable } from '../write/assertWritable';

/** Returns the reason why a session can't be migrated; `undefined` if it can. */
export function migrationRefusal(session: Session): SessionError | undefined {
  const { path, version } = session;
  if (isArchivedSession(path, session.dialect)) return archivedError(path);
  if (version > CURRENT_VERSION)
    return new SessionError(
      'version',
      'This session has format {version}, which is newer than this extension supports, so it can’t be changed: {path}',
      { version, path },
    );
  if (!DIALECT_FACTS[session.dialect].writable) {
    return new SessionError('read-only', '{program} sessions are read-only here. Fork instead: {path}', {
      program: DIALECT_FACTS[session.dialect].label,
      path,
    });
  }
  if (version === CURRENT_VERSION && !session.hasGivenIds)
    return new SessionError('already-current', 'This session is already in format {version}: {path}', {
      version,
      path,
    });
  if (session.problems.some((problem) => problem.code === 'torn-line')) {
    return new SessionError(
      'torn',
      'The file’s last line isn’t complete, so a program may still be writing it. Wait until it’s done, or fork instead: {path}',
      { path },
    );
  }
  const long = session.problems.find((problem) => problem.code === 'long-line');
  if (long) return new SessionError('invalid', 'Line {line} is too long to migrate.', { line: long.line ?? 0 });
  return undefined;
}

/**
 * Writes the backup, then replaces the file with the migrated one if it's still `version`. Every line is kept: an entry
 * gets the id and parent that reading shows, glued objects get a line each, and unreadable lines are copied unchanged.
 *
 * @returns the backup's path, and the digest of the new file.
 * @throws {SessionError} `changed`; `invalid` if there is another backup. The file is then unchanged.
 */
export async function migrateFile(
  session: Session,
  version: FileVersion,
  disk: Disk = realDisk,
): Promise<{ readonly backupPath: string; readonly written: FileDigest }> {
  const { path } = session;
  const backupPath = `${path}.v${session.version}.bak`;
  const { file: source, stats } = await openRegularFile(path).catch((error: unknown) => {
    throw fileError(error, path);
  });
  try {
    const mode = Number(stats.mode) & 0o777;
    assertWritable(path, mode);
    await assertSpace(path, version.size, disk);
    const takeBack = await backUp(source, backupPath, mode, disk);
    let placed: PlacedFile;
    try {
      const check = async (): Promise<void> => {
        const now = await disk.stat(path, { bigint: true });
        assertUnchanged(session, version, fileVersion(now));
        assertWritable(path, Number(now.mode));
      };
      placed = await replaceFile(path, (to) => writeMigrated(source, session, to), mode, check, disk);
    } catch (error) {
      await takeBack();
      throw fileError(error, path);
    }
    await backUpLateWrites(source, session, version, { backupPath, mode, disk });
    await assertPlaced(path, placed, disk);
    return { backupPath, written: { size: placed.size, sha256: placed.sha256 } };
  } finally {
    await source.close();
  }
}

/**
 * Detects bytes that another program wrote to the old file after the last check, and which would be lost with that
 * file. Copies the whole file once more, so that the backup contains them.
 *
 * @throws {SessionError} `damaged`
 */
async function backUpLateWrites(
  source: FileHandle,
  { path }: Session,
  version: FileVersion,
  { backupPath, mode, disk }: { readonly backupPath: string; readonly mode: number; readonly disk: Disk },
): Promise<void> {
  if (sameVersion(version, fileVersion(await source.stat({ bigint: true })))) return;
  await copyReplacing(source, backupPath, mode, disk);
  throw new SessionError(
    'damaged',
    'Another program wrote to this session during the migration. What it wrote is only in the backup, {backup}: {path}',
    { backup: backupPath, path },
  );
}

/** Checks the free space for the backup and the new file, which is slightly larger than the old one. */
async function assertSpace(path: string, size: number, disk: Disk): Promise<void> {
  const free = await freeBytes(path, disk);
  if (free !== undefined && free < 2 * size) throw fileError(Object.assign(new Error('full'), { code: 'ENOSPC' }), path);
}

async function writeMigrated(source: FileHandle, session: Session, to: LineWriter): Promise<void> {
  const heads = new Map(session.entries.map((entry) => [entry.offset, session.byId.get(entry.id) ?? entry]));
  const lines: Line[] = [];
  const done = { header: false, entries: 0 };
  const pause = new Yielder(undefined);
  const flush = async (): Promise<void> => {
    for (const { text, place } of lines.splice(0)) {
      const read = await pause.run(readLineSteps(text, place.length));
      if (read.kind === 'bad') await to.line(text);
      if (read.kind !== 'objects') continue;
      const places = await pause.run(objectLocations(read.objects, text, place));
      for (const [index, { value, start, end, isDamaged }] of read.objects.entries()) {
        const at = places[index];
        const head = at && heads.get(at.offset);
        if (head) done.entries++;
        if (head && !isDamaged) {
          await to.line(await pause.run(serializeSteps(migrateLine(value, targetOf(session, head)), session, place.line)));
        } else if (!done.header && value['type'] === 'session' && value['id'] === session.header.id) {
          done.header = true;
          const header = migrateHeader({ ...session.header, ...value, type: 'session', id: session.header.id });
          await to.line(await pause.run(serializeSteps(header, session, place.line)));
        } else await to.line(text.slice(start, end));
      }
    }
  };
  await scanSlices(source, session, lines, flush);
  if (!done.header || done.entries !== heads.size) throw changedWhileReadingError(session, endOfLines(session).line);
}

interface Line {
  readonly text: string;
  readonly place: LineLocation;
}

/**
 * Reads lines in slices. The scanner passes lines on synchronously, so it's stopped after each slice until its lines
 * are written.
 */
async function scanSlices(source: FileHandle, session: Session, lines: Line[], flush: () => Promise<void>): Promise<void> {
  let held = 0;
  let from = { offset: 0, line: 0 };
  for (;;) {
    const stop = new AbortController();
    const start = from;
    try {
      await scanLines(
        source,
        start,
        {
          add: (text, place) => {
            lines.push({ text, place });
            held += place.length;
            from = { offset: place.offset + place.length + 1, line: place.line };
            if (held > SLICE) stop.abort(ENOUGH);
          },
          skip: (place) => {
            throw changedWhileReadingError(session, place.line);
          },
        },
        stop.signal,
      );
    } catch (error) {
      if (error !== ENOUGH) throw error;
    }
    await flush();
    held = 0;
    if (!stop.signal.aborted) return;
  }
}

const SLICE = 16 * 1024 * 1024;
const ENOUGH = new Error('a slice is full');

function targetOf(session: Session, head: EntryHead): ReturnType<typeof lineIds> {
  return lineIds(session, head, head.parentId, head.firstKeptEntryId);
}
