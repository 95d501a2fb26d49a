/** A file's lines → heads, and what the catalog keeps of them: searchable texts, touched files, called tools. */
import { homedir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { DIALECT_FACTS } from '../format/dialect';
import { isObject, textOf, type JsonObject } from '../format/entry';
import { columnsOf, type EntryColumns } from '../format/entryColumns';
import { excerpt } from '../format/excerpt';
import { NO_PARENT } from '../format/headColumns';
import type { LongLineRead } from '../format/longLine';
import { placesOf, readLine } from '../format/readLine';
import type { LinePlace } from '../format/linePlace';
import type { SessionReader } from '../format/reader';
import type { Session } from '../format/session';
import { touchesOfLine } from '../format/touches';
import type { LineSink } from '../files/lines';
import type { Scanner } from '../format/scanner';
import { expandPath } from '../files/roots';
import type { TableLine } from './lineTable';
import { WordBytes, type LineWords } from './lineWords';
import { scannedLines, type FoundLine } from './scannedLines';
import { NO_MESSAGES } from './row';
import { textOfLine, toolsOfLine } from './texts';
import type { TouchOfEntry } from './touchTable';

/** First messages are whole up to this many characters: lists hold thousands of them. */
const LONGEST_MESSAGE = 16 * 1024;

const NO_WORDS = { from: 0, to: 0 };

/** Takes a file's lines: heads go to the reader, the rest stays here until the session tells which entries there are. */
export class ScanSink implements LineSink {
  private readonly found: FoundLine[] = [];
  private readonly words: WordBytes;
  private scanner: Scanner | undefined;
  firstMessage: string | undefined;

  constructor(
    private readonly reader: SessionReader,
    room: Buffer,
    firstMessage: string | undefined,
  ) {
    this.words = new WordBytes(room);
    if (firstMessage !== NO_MESSAGES) this.firstMessage = firstMessage;
  }

  scan(scanner: Scanner, at: number, end: number, first: Pick<LinePlace, 'line' | 'offset'>): number {
    // Of the first message of a person more is kept than words.
    if (this.firstMessage === undefined) return 0;
    const taken = this.reader.scan(scanner, at, end, first, (offset) => this.note({ type: 'message', message: scanner.message() }, offset));
    if (taken > 0) this.scanner = scanner;
    return taken;
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
    const { from, to } = text === '' ? NO_WORDS : this.words.add(text);
    if (from < to || touches.length + tools.length > 0) this.found.push({ offset, role, from, to, touches, tools });
    if (this.firstMessage !== undefined || value['type'] !== 'message') return;
    const message = value['message'];
    if (isObject(message) && message['role'] === 'user') this.firstMessage = excerpt(textOf(message['content'], ' '), LONGEST_MESSAGE) || undefined;
  }

  /** What was found, in the order of the file: what the scanner did among what was noted. */
  private *inOrder(): Generator<FoundLine, undefined> {
    let next = 0;
    for (const line of this.scanner ? scannedLines(this.scanner, this.words.append(this.scanner.part('words'))) : []) {
      for (; next < this.found.length && this.found[next]!.offset < line.offset; next++) yield this.found[next]!;
      yield line;
    }
    for (; next < this.found.length; next++) yield this.found[next]!;
  }

  /** Gives what was found on lines to the entries that the lines became. `table`: the lines before `start`, if the file grew. */
  place(session: Session, start: number, table: TableLine[]): { words: LineWords; touches: TouchOfEntry[] } {
    const active = activeIn(session);
    const places: number[] = [];
    const touches: TouchOfEntry[] = [];
    for (const [index, line] of table.entries()) if (active.has(line.entryId) !== line.active) table[index] = { ...line, active: !line.active };
    if (start === 0 && DIALECT_FACTS[session.dialect].name === 'title' && session.name !== undefined) {
      const { from, to } = this.words.add(session.name);
      places.push(0, from, to);
      table.push({ line: 0, offset: 0, length: 0, entryId: session.leafId ?? '', role: 'title', time: Date.parse(session.header.timestamp) || 0, active: true, hasText: true, tools: [] });
    }
    const absolute = resolver(session.header.cwd);
    const entries = columnsOf(session);
    let index = firstAt(entries, start);
    // Both stand in the order of the file; an entry that came again is not among the session's.
    for (const { offset, role, from, to, touches: touched, tools } of this.inOrder()) {
      while (index < entries.length && entries.offset(index) < offset) index++;
      if (index === entries.length || entries.offset(index) !== offset) continue;
      const id = entries.id(index);
      const line = entries.line(index);
      for (const { file, kind } of touched) touches.push({ file: absolute(file), entryId: id, kind });
      if (from < to) {
        // Of two on one line both answer; what might stand between them is found not to be there when the line is looked at.
        if (places.at(-3) === line) places[places.length - 1] = to;
        else places.push(line, from, to);
      }
      const { type, targetId } = entries.traits(index);
      const target = type === 'label' && typeof targetId === 'string' && session.byId.has(targetId) ? targetId : undefined;
      const isActive = target === undefined ? active.at(index) : active.has(target);
      const time = Math.round(entries.messageTime(index) ?? entries.time(index));
      table.push({ line, offset, length: entries.size(index), entryId: target ?? id, role, time, active: isActive, hasText: from < to, tools });
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
function firstAt(entries: EntryColumns, offset: number): number {
  let index = offset === 0 ? 0 : entries.length;
  while (index > 0 && entries.offset(index - 1) >= offset) index--;
  return index;
}

/** Which entries are on the branch that the programs would go on with, by id and by place. */
function activeIn(session: Session): { has(id: string): boolean; at(place: number): boolean } {
  const { table } = session.reading.maps;
  if (!table) {
    const ids = new Set<string>();
    for (let id = session.leafId; id !== null && !ids.has(id); id = session.byId.get(id)?.parentId ?? null) if (session.byId.has(id)) ids.add(id);
    return { has: (id) => ids.has(id), at: (place) => ids.has(session.entries[place]!.id) };
  }
  const marks = new Uint8Array(table.length);
  // Parents stand before their children.
  for (let place = session.leafId === null ? NO_PARENT : table.ids.placeOf(session.leafId)!; place !== NO_PARENT; place = table.parent(place)) marks[place] = 1;
  return { has: (id) => marks[table.ids.placeOf(id) ?? NO_PARENT] === 1, at: (place) => marks[place] === 1 };
}
