/** Errors that end the reading of a file. */
import { isObject, type JsonObject } from '../values/jsonValues';
import { SessionError } from '../entry/problem';

/** The appended lines change how earlier ones are read: the file must be read from its start. */
export class FullReadRequired extends Error {
  override readonly name = 'FullReadRequired';
}

/**
 * Returns the error for a file without a header.
 *
 * @param first the first object in the file
 */
export function notASession(path: string, size: number, first: JsonObject | undefined): SessionError {
  if (first === undefined && size === 0) return new SessionError('not-a-session', 'The file is empty: {path}', { path });
  if (first && (first['kind'] === 'header' || isObject(first['payload']))) {
    return new SessionError('not-a-session', 'This file’s format isn’t supported: {path}', { path });
  }
  return new SessionError('not-a-session', NO_HEADER, { path });
}

const NO_HEADER = 'The file has no session header: {path}';

/** Returns true for the error of a file that has lines, but no header. */
export const isWithoutHeader = (error: unknown): boolean => error instanceof SessionError && error.template === NO_HEADER;
