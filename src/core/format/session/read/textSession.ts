/** A session whose lines are in memory: a short text, or the lines in an export. */
import type { Entry } from '../../entry/entry';
import { parseEntry } from '../../entry/parseEntry';
import { readLine } from '../../parse/readLine';
import type { ReaderOptions } from './objectCollector';
import { requireEntry } from '../requireEntry';
import type { Session } from '../session';
import { SessionReader } from './sessionReader';
import { finishSteps } from '../steps';

export interface TextSession {
  readonly session: Session;
  /**
   * Returns a whole entry, with the names, ids and parents of version 3.
   * @throws {SessionError} `unknown-entry`.
   */
  readonly body: (id: string) => Entry;
}

/**
 * Reads a session from its lines. FORMAT section 3.
 *
 * @param lines the pieces of the text between its line breaks. The last piece comes after the last line break.
 * @throws {SessionError} `not-a-session` if there is no header.
 */
export function openLines(lines: readonly string[], options: ReaderOptions): TextSession {
  const reader = new SessionReader(options);
  const encoder = new TextEncoder();
  const starts: number[] = [];
  let offset = 0;
  lines.forEach((text, index) => {
    const { length } = encoder.encode(text);
    const hasLineBreak = index < lines.length - 1;
    starts.push(offset);
    if (hasLineBreak || text !== '') finishSteps(reader.add(text, { line: index + 1, offset, length, hasLineBreak }));
    offset += length + 1;
  });
  const session = reader.session();
  const body = (id: string): Entry => {
    const head = requireEntry(session, id);
    const text = lines[head.line - 1] ?? '';
    const read = readLine(text, encoder.encode(text).length);
    const objects = read.kind === 'objects' ? read.objects : [];
    const place = head.offset - (starts[head.line - 1] ?? 0);
    const found = objects.length > 1 ? objects.find(({ start }) => encoder.encode(text.slice(0, start)).length === place) : objects[0];
    return parseEntry(found?.value ?? {}, head);
  };
  return { session, body };
}
