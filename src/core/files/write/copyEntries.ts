/** Copies the lines of a session to another file, byte for byte where their content doesn't change. */
import type { JsonObject } from '../../format/values/jsonValues';
import type { EntryHead } from '../../format/entry/entryHead';
import { migrateLine, type LineIds } from '../../format/parse/migrateLine';
import { SessionError } from '../../format/entry/problem';
import type { Session } from '../../format/session/session';
import type { Steps } from '../../format/session/steps';
import { writeJson } from '../../format/text/jsonText';
import { Yielder } from '../concurrency/eventLoop';
import type { LineWriter } from '../io/atomicFile';
import type { ByteSource } from '../io/byteSource';
import { readAt } from '../io/readAt';
import { parseEntryBytes } from '../read/bytes/entryBytes';

/**
 * Reads the entries by their places, one at a time, so that memory doesn't grow with the session.
 *
 * @param change a further change of each line; returns the same object if nothing changes
 */
export async function copyEntries(
  file: ByteSource,
  session: Session,
  entries: Iterable<{ readonly head: EntryHead; readonly target: LineIds }>,
  to: LineWriter,
  change: (line: JsonObject) => JsonObject = (line) => line,
): Promise<void> {
  const pause = new Yielder(undefined);
  for (const { head, target } of entries) {
    const bytes = await readAt(file, head.offset, head.length);
    const { value, hasRest } = await pause.run(parseEntryBytes(bytes, head, session));
    const line = change(migrateLine(value, target));
    const whole = !hasRest && bytes[0] === BRACE && bytes.at(-1) === CLOSING_BRACE;
    await to.line(line === value && whole ? bytes : await pause.run(serializeSteps(line, session, head.line)));
  }
}

const BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/** Serializes a line, in steps. @throws {SessionError} `invalid` for values nested thousands of levels deep, which can be read but not written. */
export function* serializeSteps(value: JsonObject, session: Pick<Session, 'path'>, line: number): Steps<string> {
  try {
    return yield* writeJson(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SessionError(
      'invalid',
      'Line {line} is nested too deeply to rewrite: {path}',
      { line, path: session.path },
      { cause: error },
    );
  }
}
