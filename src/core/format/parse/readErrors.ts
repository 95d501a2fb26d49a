/** Why a file is not read, or not further. */
import { isObject, type JsonObject } from '../entry/entry';
import { SessionError } from '../entry/problem';

/** What was appended changes what was there: the file is to be read from its start. */
export class FullReadRequired extends Error {
  override readonly name = 'NeedsWholeFile';
}

/** Of a file without a header: `first` is the first object in it. */
export function notASession(path: string, size: number, first: JsonObject | undefined): SessionError {
  if (first === undefined && size === 0) return new SessionError('not-a-session', 'The file is empty: {path}', { path });
  if (first && (first['kind'] === 'header' || isObject(first['payload']))) {
    return new SessionError('not-a-session', 'The file is in another format, which this extension does not read: {path}', { path });
  }
  return new SessionError('not-a-session', 'The file has no session header: {path}', { path });
}
