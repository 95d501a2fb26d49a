/** A file's lines → heads, and what the catalog keeps of them: searchable texts, touched files, called tools. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { DIALECT_FACTS } from '../format/dialect';
import { isObject, textOf, type JsonObject } from '../format/entry';
import { excerpt } from '../format/excerpt';
import type { LongLineRead } from '../format/longLine';
import { placesOf, readLine } from '../format/readLine';
import type { LinePlace, SessionReader } from '../format/reader';
import type { Session } from '../format/session';
import { touchesOfLine, type Touch } from '../format/touches';
import { expandPath } from '../files/roots';
import type { TableLine } from './lineTable';
import { WordBytes, type LineWords, type WordPlace } from './lineWords';
import type { ByteSink } from './readLines';
import { NO_MESSAGES } from './row';
import { textOfLine, toolsOfLine } from './texts';
import { LARGE, toolResultLine } from './toolResult';

/** First messages are whole up to this many characters: lists hold thousands of them. */
const LONGEST_MESSAGE = 16 * 1024;

/** What stands on a line, by the place of its object. */
interface Found {
  readonly role: string;
  readonly words?: WordPlace;
  readonly touches: readonly Touch[];
  readonly tools: readonly string[];
}

/** Takes a file's lines: heads go to the reader, the rest stays here until the session tells which entries there are. */
export class ScanSink implements ByteSink {
  private readonly found = new Map<number, Found>();
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

  line(bytes: Buffer, from: number, to: number, place: LinePlace): void {
    if (to - from >= LARGE && place.ended) {
      const value = toolResultLine(bytes, from, to);
      if (value) {
        this.reader.long({ objects: [{ value, start: 0, end: to - from }], rest: false }, place);
        return;
      }
    }
    const text = bytes.toString('utf8', from, to);
    const read = readLine(text);
    if (read.kind !== 'objects') {
      this.reader.add(text, place);
      return;
    }
    const places = placesOf(read.objects, text, place);
    read.objects.forEach(({ value }, index) => this.note(value, places[index]!.offset));
    // The first line is remembered, and one without a break is looked at twice: those are the reader's own matter.
    if (place.line === 1 || !place.ended) this.reader.add(text, place);
    else {
      const objects = read.objects.map(({ value }, index) => ({ value, start: places[index]!.offset - place.offset, end: places[index]!.offset - place.offset + places[index]!.length }));
      this.reader.long({ objects, rest: read.rest }, place);
    }
  }

  long(line: LongLineRead, place: LinePlace): void {
    for (const { value, start } of line.objects) this.note(value, line.objects.length === 1 ? place.offset : place.offset + start);
    this.reader.long(line, place);
  }

  private note(value: JsonObject, offset: number): void {
    const { role, text } = textOfLine(value);
    const touches = touchesOfLine(value);
    const tools = toolsOfLine(value);
    if (text !== '') this.found.set(offset, { role, words: this.words.add(text), touches, tools });
    else if (touches.length + tools.length > 0) this.found.set(offset, { role, touches, tools });
    if (this.firstMessage !== undefined || value['type'] !== 'message') return;
    const message = value['message'];
    if (isObject(message) && message['role'] === 'user') this.firstMessage = excerpt(textOf(message['content'], ' '), LONGEST_MESSAGE) || undefined;
  }

  /** Gives what was found on lines to the entries that the lines became. `table`: the lines before `start`, if the file grew. */
  place(session: Session, start: number, table: TableLine[]): { words: LineWords; touches: PlacedTouch[] } {
    const active = activeIds(session);
    const places: number[] = [];
    const touches: PlacedTouch[] = [];
    for (const [index, line] of table.entries()) if (active.has(line.entryId) !== line.active) table[index] = { ...line, active: !line.active };
    if (start === 0 && DIALECT_FACTS[session.dialect].name === 'title' && session.name !== undefined) {
      const { from, to } = this.words.add(session.name);
      places.push(0, from, to);
      table.push({ line: 0, offset: 0, length: 0, entryId: session.leafId ?? '', role: 'title', time: Date.parse(session.header.timestamp) || 0, active: true, hasText: true, tools: [] });
    }
    const absolute = resolver(session.header.cwd);
    for (let index = firstAt(session, start); index < session.entries.length; index++) {
      const head = session.entries[index]!;
      const at = this.found.get(head.offset);
      if (!at) continue;
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

export interface PlacedTouch extends Touch {
  readonly entryId: string;
}

/** Paths as tools were given them → absolute ones, by the session's folder. */
function resolver(cwd: string): (file: string) => string {
  const base = expandPath(cwd || '.', homedir());
  const known = new Map<string, string>();
  return (file) => {
    let path = known.get(file);
    if (path === undefined) known.set(file, (path = resolve(base, expandPath(file, homedir(), base))));
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
