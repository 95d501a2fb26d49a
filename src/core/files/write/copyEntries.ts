/** Copies the lines of a session to another file, byte for byte where their content doesn't change. */
import type { FileHandle } from 'node:fs/promises';
import type { JsonObject } from '../../format/entry/entry';
import type { EntryHead } from '../../format/entry/entryHead';
import { migrateLine, type LineIds } from '../../format/parse/migrateLine';
import { SessionError } from '../../format/entry/problem';
import { readLine } from '../../format/parse/readLine';
import type { Session } from '../../format/session/session';
import type { LineWriter } from '../io/atomicFile';
import { readExactly } from '../io/readAt';

/** Reads the entries by their places, one at a time, so that memory doesn't grow with the session. */
export async function copyEntries(
  file: FileHandle,
  session: Session,
  entries: Iterable<{ readonly head: EntryHead; readonly target: LineIds }>,
  to: LineWriter,
): Promise<void> {
  for (const { head, target } of entries) {
    const bytes = await readExactly(file, head.offset, head.length);
    const read = bytes && readLine(bytes.toString('utf8'));
    const value = read?.kind === 'objects' ? read.objects[0]?.value : undefined;
    if (!bytes || read?.kind !== 'objects' || !value || (!session.hasGivenIds && value['id'] !== head.id)) throw changedWhileReadingError(session, head.line);
    const line = migrateLine(value, target);
    const whole = !read.rest && bytes[0] === BRACE && bytes.at(-1) === CLOSING_BRACE;
    await to.line(line === value && whole ? bytes : serializeLine(line, session, head.line));
  }
}

const BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** @throws {SessionError} `invalid` for values nested thousands of levels deep, which can be read but not written. */
export function serializeLine(value: JsonObject, session: Session, line: number): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    throw new SessionError('invalid', 'Line {line} is nested too deeply to be written anew: {path}', { line, path: session.path }, { cause: error });
  }
}

export function changedWhileReadingError(session: Session, line: number): SessionError {
  return new SessionError('changed', 'The file changed while it was being read (line {line}); refresh and try again: {path}', { line, path: session.path });
}
