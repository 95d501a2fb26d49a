/**
 * One write at the end of a file, with a look before and a look after. FORMAT: writing, points 2 and 9:
 * whole lines, `O_APPEND`, newline last; nothing is ever shortened or mended behind anyone's back.
 */
import { constants, open, stat, type FileHandle } from 'node:fs/promises';
import { isSlotLine, slotLine, type Slot } from '../format/names';
import { SessionError } from '../format/problem';
import { SLOT_BYTES } from '../format/reader';
import type { Session } from '../format/session';
import { readAt } from './copyEntries';
import { fileError } from './errors';
import { assertUnchanged } from './migrateFile';
import { fileVersion, type FileVersion } from './sessionFile';

export interface Appended {
  /** The file as it was when our bytes were found in it. */
  readonly version: FileVersion;
  /** Somebody else's bytes came in at the same moment. */
  readonly concurrent: boolean;
}

/**
 * Appends `text`, which ends in a newline, if the file is still what `session` was read from (`version`).
 *
 * @throws {SessionError} `changed`, `torn`, `permission`, `no-space`: nothing was written. `damaged`: the
 * bytes did not arrive whole; the sentence says where.
 */
export async function appendText(session: Session, version: FileVersion, text: string, slot?: Slot): Promise<Appended> {
  const { path } = session;
  try {
    const file = await open(path, constants.O_RDWR | constants.O_APPEND);
    try {
      assertUnchanged(session, version, fileVersion(await file.stat({ bigint: true })));
      await assertEndsWithNewline(file, session, version.size);
      if (slot) await assertSlot(file, session);
      const bytes = Buffer.from(text);
      const { bytesWritten } = await file.write(bytes, 0, bytes.length);
      await file.sync();
      if (bytesWritten !== bytes.length) throw damaged(session, version.size);
      const concurrent = await lookAgain(file, session, version, bytes);
      if (slot) await writeSlot(path, slot);
      return { version: fileVersion(await stat(path, { bigint: true })), concurrent };
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fileError(error, path);
  }
}

async function assertEndsWithNewline(file: FileHandle, session: Session, size: number): Promise<void> {
  const last = size === 0 ? undefined : await readAt(file, size - 1, 1);
  if (last?.[0] === 10 && session.size === size) return;
  throw new SessionError('torn', 'The file does not end with a whole line, so nothing is written after it. Let its program go on with it, or fork the session: {path}', { path: session.path });
}

async function assertSlot(file: FileHandle, session: Session): Promise<void> {
  const line = await readAt(file, 0, SLOT_BYTES);
  if (line && isSlotLine(line.toString('utf8'))) return;
  throw new SessionError('invalid', 'This session has no title slot that can be rewritten in place, so it can be renamed in its own program only, or forked: {path}', { path: session.path });
}

/** In its place, by a second descriptor: one that appends would write at the end. */
async function writeSlot(path: string, slot: Slot): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.write(Buffer.from(slotLine(slot)), 0, SLOT_BYTES, 0);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** @returns whether others' bytes came in too. @throws `damaged` if ours are not there whole, as lines of their own. */
async function lookAgain(file: FileHandle, session: Session, before: FileVersion, bytes: Buffer): Promise<boolean> {
  const now = fileVersion(await stat(session.path, { bigint: true }).catch(() => file.stat({ bigint: true })));
  if (now.ino !== before.ino || now.size < before.size + bytes.length) throw damaged(session, before.size);
  const tail = await readAt(file, before.size, now.size - before.size);
  const arrived = tail ? arrival(tail, bytes) : 'damaged';
  if (arrived === 'damaged') throw damaged(session, before.size);
  return arrived === 'beside';
}

/** How our bytes arrived among those that are now behind the file's old end: `alone`, `beside` others' lines, or not as whole lines. */
export function arrival(tail: Buffer, bytes: Buffer): 'alone' | 'beside' | 'damaged' {
  // With the line break before it: a line of ours that was glued to another's torn one is no match.
  const at = Buffer.concat([NEWLINE, tail]).indexOf(Buffer.concat([NEWLINE, bytes]));
  if (at < 0) return 'damaged';
  return tail.length === bytes.length ? 'alone' : 'beside';
}

const NEWLINE = Buffer.from('\n');

function damaged(session: Session, offset: number): SessionError {
  return new SessionError('damaged', 'What was written did not arrive whole: look at the file from byte {offset} (line {line}) on. Nothing was repaired: {path}', {
    offset,
    line: session.reading.line + 1,
    path: session.path,
  });
}
