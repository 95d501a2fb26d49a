/** Parses the whole text of a session file at once. For callers that have a short text and no file. */
import { defined } from '../entry/defined';
import { parseEntry } from '../entry/parseEntry';
import type { Dialect } from '../entry/dialect';
import type { Entry, SessionHeader } from '../entry/entry';
import { SessionReader } from './sessionReader';
import { readLine } from '../parse/readLine';

/**
 * Parses the text of a session file, as pi's documents define it. Returns the header, then every entry in file order,
 * with the names, ids and parents of version 3 for text of any version. Unreadable lines are left out, but
 * for the place of a damaged entry; of several entries with one id the last one counts. FORMAT section 3.
 *
 * @throws {SessionError} `not-a-session` if there is no header.
 */
export function parseSessionEntries(content: string, options: { readonly dialect?: Dialect } = {}): [SessionHeader, ...Entry[]] {
  const reader = new SessionReader({ path: '', home: '', ...defined({ rootDialect: options.dialect }) });
  const encoder = new TextEncoder();
  const lines = content.split('\n');
  const starts: number[] = [];
  const lengths: number[] = [];
  let offset = 0;
  lines.forEach((text, index) => {
    const { length } = encoder.encode(text);
    const ended = index < lines.length - 1;
    starts.push(offset);
    lengths.push(length);
    if (ended || text !== '') reader.add(text, { line: index + 1, offset, length, hasLineBreak: ended });
    offset += length + 1;
  });
  const session = reader.session();
  const entries = session.entries.map((head): Entry => {
    const read = readLine(lines[head.line - 1]!, lengths[head.line - 1]);
    const objects = read.kind === 'objects' ? read.objects : [];
    const place = head.offset - starts[head.line - 1]!;
    const before =
      objects.length > 1 ? objects.findIndex(({ start }) => encoder.encode(lines[head.line - 1]!.slice(0, start)).length === place) : 0;
    return parseEntry(objects[before]!.value, head);
  });
  return [session.header, ...entries];
}
