/**
 * Appends to a session file in one write, verified before and after. FORMAT section 6, rule 2 and 9: whole lines,
 * `O_APPEND`, line feed last; nothing is ever shortened, and nothing is repaired silently.
 */
import { constants, type FileHandle } from 'node:fs/promises';
import { isTitleSlotLine, titleSlotLine, type TitleSlot } from '../../format/write/sessionNames';
import { SessionError } from '../../format/entry/problem';
import { TITLE_SLOT_BYTES } from '../../format/session/read/objectCollector';
import type { Session } from '../../format/session/session';
import { nextLine } from '../../format/session/fileState';
import { readExactly } from '../io/readAt';
import { freeBytes, realDisk, writeAll, type Disk } from '../io/disk';
import { fileError } from '../io/fileErrors';
import { assertWritable } from './assertWritable';
import { assertInPlace, isSameFile } from '../io/assertInPlace';
import { fileVersion, type FileVersion } from '../read/sessionFile';
import { assertUnchanged } from '../read/versions/compareVersions';

export interface AppendResult {
  /** The version of the file in which the appended bytes were found. */
  readonly version: FileVersion;
  /** True if another program wrote at the same moment. */
  readonly concurrent: boolean;
  /** Another program's lines directly before the appended ones. Others may follow. */
  readonly interveningLines: string;
}

/**
 * Appends `text`, which ends in a line feed, if the file is still what `session` was read from (`version`).
 *
 * @throws {SessionError} `changed`, `torn`, `permission`, `no-space` or `not-found`: nothing was written. `damaged`:
 * the bytes aren't in the file completely, or not in the file that is at this path now, or the disk didn't confirm
 * them; the sentence names their place.
 */
export async function appendText(
  session: Session,
  version: FileVersion,
  text: string,
  slot?: TitleSlot,
  disk: Disk = realDisk,
): Promise<AppendResult> {
  const { path } = session;
  try {
    const bytes = Buffer.from(text);
    const file = await disk.open(path, constants.O_RDWR | constants.O_APPEND);
    try {
      const stats = await file.stat({ bigint: true });
      assertUnchanged(session, version, fileVersion(stats));
      assertWritable(path, Number(stats.mode));
      await assertEndsWithNewline(file, session, version.size);
      if (slot) await assertSlot(file, session);
      const free = await freeBytes(path, disk);
      if (free !== undefined && free < bytes.length) throw fileError(Object.assign(new Error('full'), { code: 'ENOSPC' }), path);
      // Checked by path at the last moment: a file that was moved away or replaced since it was opened gets no line.
      assertUnchanged(session, version, fileVersion(await disk.stat(path, { bigint: true })));
      await writeOnce(file, session, version.size, bytes);
      return await finishAppend(file, session, version, bytes, slot, disk).catch((error: unknown) => {
        // The line is in the file, so no error may claim that nothing was written.
        throw error instanceof SessionError ? error : notSyncedError(session, version.size, error);
      });
    } finally {
      // Everything that an error of closing could lose has been synced before.
      await file.close().catch(() => undefined);
    }
  } catch (error) {
    throw fileError(error, path);
  }
}

/** Syncs the line, finds it in the file, and writes the title to its slot. The last check is by path. */
async function finishAppend(
  file: FileHandle,
  session: Session,
  version: FileVersion,
  bytes: Buffer,
  slot: TitleSlot | undefined,
  disk: Disk,
): Promise<AppendResult> {
  await file.sync();
  const appended = await verifyAppend(file, session, version, bytes, disk);
  if (!slot) return appended;
  await writeSlot(file, session, slot, disk).catch(async (error: unknown) => {
    await assertInPlace(file, session.path, disk);
    throw error instanceof SessionError ? error : titleNotWrittenError(session, error);
  });
  const titled = await assertInPlace(file, session.path, disk);
  if (titled.size < appended.version.size) throw shortened(session);
  return { ...appended, version: titled };
}

/**
 * Writes in one call. If the system wrote only the beginning, the rest follows immediately unless another program wrote
 * in between: an incomplete line would corrupt the next one.
 *
 * @throws {SessionError} `damaged` if a part of the bytes is in the file.
 * @throws {NodeJS.ErrnoException} the disk's error if none are.
 */
async function writeOnce(file: FileHandle, session: Session, size: number, bytes: Buffer): Promise<void> {
  let done = 0;
  try {
    done = (await file.write(bytes, 0, bytes.length)).bytesWritten;
    if (done === bytes.length) return;
    if ((await file.stat()).size === size + done) done += (await file.write(bytes, done, bytes.length - done)).bytesWritten;
  } catch (error) {
    if (done === 0) throw error;
    throw damaged(session, size, error);
  }
  if (done < bytes.length) throw damaged(session, size);
}

async function assertEndsWithNewline(file: FileHandle, session: Session, size: number): Promise<void> {
  const last = size === 0 ? undefined : await readExactly(file, size - 1, 1);
  if (last?.[0] === 10 && session.size === size) return;
  throw new SessionError(
    'torn',
    'The file’s last line isn’t complete, so nothing can be added to it. Continue the session in its program, or fork instead: {path}',
    { path: session.path },
  );
}

async function assertSlot(file: FileHandle, session: Session): Promise<void> {
  const line = await readExactly(file, 0, TITLE_SLOT_BYTES);
  if (line && isTitleSlotLine(line.toString('utf8'))) return;
  throw new SessionError(
    'invalid',
    'This session can’t be renamed here because its first line has no room for a title. Rename it in its program, or fork instead: {path}',
    { path: session.path },
  );
}

/**
 * Overwrites the title slot through a second descriptor, because one in append mode writes at the end.
 *
 * @throws {SessionError} `damaged` if the slot then holds neither the old nor the new title.
 */
async function writeSlot(appended: FileHandle, session: Session, slot: TitleSlot, disk: Disk): Promise<void> {
  const { path } = session;
  const file = await disk.open(path, 'r+');
  try {
    // The path may lead to another file by the time it's opened.
    if (!isSameFile(await file.stat({ bigint: true }), await appended.stat({ bigint: true }))) throw new Error('another file');
    await assertSlot(file, session);
    const before = await readExactly(file, 0, TITLE_SLOT_BYTES);
    const after = Buffer.from(titleSlotLine(slot));
    try {
      await writeAll(file, after, 0);
      await file.sync();
    } catch (error) {
      const now = await readExactly(file, 0, TITLE_SLOT_BYTES);
      // Half a title would leave the file without a valid first line.
      if (before && !now?.equals(before) && !now?.equals(after)) {
        await writeAll(file, before, 0).catch(() => {
          throw new SessionError(
            'damaged',
            'The new name was only partly written to the first line. Nothing was repaired: {path}',
            { path },
            { cause: error },
          );
        });
      }
      throw error;
    }
  } finally {
    await file.close().catch(() => undefined);
  }
}

/**
 * Finds the appended bytes in the file, and the file at its path.
 *
 * @throws {SessionError} `damaged` if the file doesn't have all of them, as separate lines.
 */
async function verifyAppend(file: FileHandle, session: Session, before: FileVersion, bytes: Buffer, disk: Disk): Promise<AppendResult> {
  const { size } = await file.stat();
  const tail = size < before.size + bytes.length ? undefined : await readExactly(file, before.size, size - before.size);
  const at = tail ? findAppended(tail, bytes) : -1;
  if (tail && at < 0) throw damaged(session, before.size);
  const version = await assertInPlace(file, session.path, disk);
  if (!tail || version.size < size) throw shortened(session);
  return { version, concurrent: version.size > before.size + bytes.length, interveningLines: tail.toString('utf8', 0, at) };
}

/**
 * Returns the offset of the appended bytes in the bytes after the file's old end; -1 if they aren't there as whole
 * lines.
 */
export function findAppended(tail: Buffer, bytes: Buffer): number {
  // Includes the line break before: a line that was glued to another program's torn line is no match.
  return Buffer.concat([NEWLINE, tail]).indexOf(Buffer.concat([NEWLINE, bytes]));
}

const NEWLINE = Buffer.from('\n');

function damaged(session: Session, offset: number, cause?: unknown): SessionError {
  return new SessionError(
    'damaged',
    'The change was only partly written. Check the file from byte {offset} (line {line}) on; nothing was repaired: {path}',
    { offset, line: nextLine(session), path: session.path },
    { cause },
  );
}

function shortened({ path }: Session): SessionError {
  return new SessionError(
    'damaged',
    'Another program shortened this session’s file during the change, so the change may be lost. Check the session: {path}',
    { path },
  );
}

function titleNotWrittenError({ path }: Session, cause: unknown): SessionError {
  return new SessionError(
    'damaged',
    'Couldn’t rename the session completely: its first line still has the old name. Try again: {path}',
    { path },
    { cause },
  );
}

function notSyncedError(session: Session, offset: number, cause: unknown): SessionError {
  return new SessionError(
    'damaged',
    'The disk couldn’t confirm that the change was saved. Check the file from byte {offset} (line {line}) on: {path}',
    { offset, line: nextLine(session), path: session.path },
    { cause },
  );
}
