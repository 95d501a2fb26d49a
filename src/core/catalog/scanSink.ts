/** A file's lines → heads, and what the catalog keeps of them: searchable texts, touched files, called tools. */
import { homedir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { DIALECT_FACTS } from '../format/dialect';
import { isObject, textOf, type JsonObject } from '../format/entry';
import { excerpt } from '../format/excerpt';
import type { LongLineRead } from '../format/longLine';
import { placesOf, readLine } from '../format/readLine';
import type { LinePlace, SessionReader } from '../format/reader';
import type { Session } from '../format/session';
import { touchesOfLine, type Touch } from '../format/touches';
import type { LineSink } from '../files/lines';
import { expandPath } from '../files/roots';
import type { TableLine } from './lineTable';
import { WordBytes, type LineWords, type WordPlace } from './lineWords';
import { NO_MESSAGES } from './row';
import { textOfLine, toolsOfLine } from './texts';
import type { TouchOfEntry } from './touchTable';

/** First messages are whole up to this many characters: lists hold thousands of them. */
const LONGEST_MESSAGE = 16 * 1024;

/** What stands on a line, and the place of its object. */
interface Found {
  readonly offset: number;
  readonly role: string;
  readonly words?: WordPlace;
  readonly touches: readonly Touch[];
  readonly tools: readonly string[];
}

/** Takes a file's lines: heads go to the reader, the rest stays here until the session tells which entries there are. */
export class ScanSink implements LineSink {
  private readonly found: Found[] = [];
  private readonly words: WordBytes;
  firstMessage: string | undefined;

  constructor(
    private readonly reader: SessionReader,
    room: Buffer,
    firstMessage: string | undefined,
  ) {
    this.words = new WordBytes(room);
    if (firstMessage !== NO_MESSAGES) this.firstMessage = firstMessage;
  }

  message(value: JsonObject, place: LinePlace): void {
    this.note(value, place.offset);
    this.reader.message(value, place);
  }

  add(text: string, place: LinePlace, bytes: Uint8Array): void {
    const read = readLine(text);
    // The first line is remembered, and one without a break is looked at twice: those are the reader's own matter.
    const isReaders = read.kind !== 'objects' || place.line === 1 || !place.ended;
    const objects = read.kind === 'objects' ? placesOf(read.objects, text, place, bytes).map(({ offset, length }, index) => ({ value: read.objects[index]!.value, start: offset - place.offset, end: offset - place.offset + length })) : [];
    for (const { value, start } of objects) this.note(value, place.offset + start);
    if (isReaders) this.reader.add(text, place, bytes);
    else this.reader.long({ objects, rest: read.rest }, place);
  }

  skip(place: LinePlace): void {
    this.reader.skip(place);
  }

  long(line: LongLineRead, place: LinePlace): void {
    for (const { value, start } of line.objects) this.note(value, line.objects.length === 1 ? place.offset : place.offset + start);
    this.reader.long(line, place);
  }

  private note(value: JsonObject, offset: number): void {
    const { role, text } = textOfLine(value);
    const touches = touchesOfLine(value);
    const tools = toolsOfLine(value);
    if (text !== '') this.found.push({ offset, role, words: this.words.add(text), touches, tools });
    else if (touches.length + tools.length > 0) this.found.push({ offset, role, touches, tools });
    if (this.firstMessage !== undefined || value['type'] !== 'message') return;
    const message = value['message'];
    if (isObject(message) && message['role'] === 'user') this.firstMessage = excerpt(textOf(message['content'], ' '), LONGEST_MESSAGE) || undefined;
  }

  /** Gives what was found on lines to the entries that the lines became. `table`: the lines before `start`, if the file grew. */
  place(session: Session, start: number, table: TableLine[]): { words: LineWords; touches: TouchOfEntry[] } {
    const active = activeIds(session);
    const places: number[] = [];
    const touches: TouchOfEntry[] = [];
    for (const [index, line] of table.entries()) if (active.has(line.entryId) !== line.active) table[index] = { ...line, active: !line.active };
    if (start === 0 && DIALECT_FACTS[session.dialect].name === 'title' && session.name !== undefined) {
      const { from, to } = this.words.add(session.name);
      places.push(0, from, to);
      table.push({ line: 0, offset: 0, length: 0, entryId: session.leafId ?? '', role: 'title', time: Date.parse(session.header.timestamp) || 0, active: true, hasText: true, tools: [] });
    }
    const absolute = resolver(session.header.cwd);
    let index = firstAt(session, start);
    // Both stand in the order of the file; an entry that came again is not among the session's.
    for (const at of this.found) {
      while (index < session.entries.length && session.entries[index]!.offset < at.offset) index++;
      const head = session.entries[index];
      if (head?.offset !== at.offset) continue;
      for (const { file, kind } of at.touches) touches.push({ file: absolute(file), entryId: head.id, kind });
      if (at.words) {
        // Of two on one line both answer; what might stand between them is found not to be there when the line is looked at.
        if (places.at(-3) === head.line) places[places.length - 1] = at.words.to;
        else places.push(head.line, at.words.from, at.words.to);
      }
      const entryId = head.type === 'label' && typeof head.targetId === 'string' && session.byId.has(head.targetId) ? head.targetId : head.id;
      table.push({ line: head.line, offset: head.offset, length: head.length, entryId, role: at.role, time: Math.round(head.messageTime ?? head.time), active: active.has(entryId), hasText: at.words !== undefined, tools: at.tools });
    }
    return { words: this.words.end(places), touches };
  }
}

/** Relative, and with nothing in it that would have to be resolved. */
const PLAIN = /^[\w@+-][\w@+.-]*(?:\/[\w@+-][\w@+.-]*)*$/;

/** Paths as tools were given them → absolute ones, by the session's folder. */
function resolver(cwd: string): (file: string) => string {
  const base = expandPath(cwd || '.', homedir());
  const start = join(resolve(base), sep);
  const known = new Map<string, string>();
  return (file) => {
    let path = known.get(file);
    if (path === undefined) known.set(file, (path = sep === '/' && PLAIN.test(file) ? start + file : resolve(base, expandPath(file, homedir(), base))));
    return path;
  };
}

/** Entries stand in file order: the first one at or behind an offset. */
function firstAt(session: Session, offset: number): number {
  let index = session.entries.length;
  while (index > 0 && session.entries[index - 1]!.offset >= offset) index--;
  return index;
}

function activeIds(session: Session): ReadonlySet<string> {
  const ids = new Set<string>();
  for (let id = session.leafId; id !== null && !ids.has(id); id = session.byId.get(id)?.parentId ?? null) if (session.byId.has(id)) ids.add(id);
  return ids;
}
