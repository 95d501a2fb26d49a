/** A whole file's text → its header and entries at once, for whoever has no file and little text. */
import { parseEntry } from '../entry/parseEntry';
import type { Dialect } from '../entry/dialect';
import type { Entry, SessionHeader } from '../entry/entry';
import { SessionReader } from './sessionReader';
import { readLine } from '../parse/readLine';

/**
 * The documents' parser: the header first, then every entry in file order, with the names, ids and parents of
 * version 3 whatever version the text has. Lines that are none are left out; of several with one id the last counts.
 *
 * @throws {SessionError} `not-a-session` if there is no header.
 */
export function parseSessionEntries(content: string, options: { readonly dialect?: Dialect } = {}): [SessionHeader, ...Entry[]] {
  const reader = new SessionReader({ path: '', home: '', ...(options.dialect ? { rootDialect: options.dialect } : {}) });
  const encoder = new TextEncoder();
  const lines = content.split('\n');
  const starts: number[] = [];
  let offset = 0;
  lines.forEach((text, index) => {
    const { length } = encoder.encode(text);
    const ended = index < lines.length - 1;
    starts.push(offset);
    if (ended || text !== '') reader.add(text, { line: index + 1, offset, length, hasLineBreak: ended });
    offset += length + 1;
  });
  const session = reader.session();
  const entries = session.entries.map((head): Entry => {
    const read = readLine(lines[head.line - 1]!);
    const objects = read.kind === 'objects' ? read.objects : [];
    const place = head.offset - starts[head.line - 1]!;
    const before = objects.length > 1 ? objects.findIndex(({ start }) => encoder.encode(lines[head.line - 1]!.slice(0, start)).length === place) : 0;
    return parseEntry(objects[before]!.value, head);
  });
  return [session.header, ...entries];
}
