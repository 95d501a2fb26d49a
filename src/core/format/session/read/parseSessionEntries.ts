/** Parses the whole text of a session file in one call. For callers that have a short text and no file. */
import { defined } from '../../values/defined';
import type { Dialect } from '../../entry/dialect';
import type { Entry, SessionHeader } from '../../entry/entry';
import { openLines } from './textSession';

/**
 * Parses the text of a session file, as pi's documents define it. Returns the header, then every entry in file order,
 * with the names, ids and parents of version 3 for text of any version. Unreadable lines are left out, but
 * for the place of a damaged entry; of several entries with one id the last one counts. FORMAT section 3.
 *
 * @throws {SessionError} `not-a-session` if there is no header.
 */
export function parseSessionEntries(content: string, options: { readonly dialect?: Dialect } = {}): [SessionHeader, ...Entry[]] {
  const { session, body } = openLines(content.split('\n'), { path: '', home: '', ...defined({ rootDialect: options.dialect }) });
  return [session.header, ...session.entries.map(({ id }) => body(id))];
}
