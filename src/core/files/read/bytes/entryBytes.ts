/** Parses the bytes of an entry that was found earlier, and detects that the file has changed since. */
import type { JsonObject } from '../../../format/values/jsonValues';
import type { EntryHead } from '../../../format/entry/entryHead';
import { SessionError } from '../../../format/entry/problem';
import { readLineSteps } from '../../../format/parse/readLine';
import type { Steps } from '../../../format/session/steps';
import { decodeSteps } from '../../../format/text/decodeText';
import type { Session } from '../../../format/session/session';

/**
 * Parses an entry, in steps.
 *
 * @param bytes the bytes at the head's place; fewer if the file has become shorter.
 * @returns the line's object. `hasRest`: the bytes contain more than that object.
 * @throws {SessionError} `changed` if they aren't that entry.
 */
export function* parseEntryBytes(
  bytes: Buffer,
  head: Pick<EntryHead, 'id' | 'line' | 'length'>,
  session: Pick<Session, 'path' | 'hasGivenIds'>,
): Steps<{ readonly value: JsonObject; readonly hasRest: boolean }> {
  if (bytes.length !== head.length) throw changedWhileReadingError(session, head.line);
  const text = yield* decodeSteps(bytes);
  const read = yield* readLineSteps(text);
  const value = read.kind === 'objects' ? read.objects[0]?.value : undefined;
  if (read.kind !== 'objects' || !value || (!session.hasGivenIds && value['id'] !== head.id))
    throw changedWhileReadingError(session, head.line);
  return { value, hasRest: read.rest };
}

export function changedWhileReadingError({ path }: Pick<Session, 'path'>, line: number): SessionError {
  return new SessionError('changed', 'The file changed while it was being read (line {line}). Refresh and try again: {path}', {
    line,
    path,
  });
}
