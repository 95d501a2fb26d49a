/** A file's lines → heads, and what the catalog keeps of them: searchable texts, touched files, called tools. */
import { isObject, textOf, type JsonObject } from '../format/entry';
import { excerpt } from '../format/excerpt';
import type { LinePlace } from '../format/linePlace';
import type { LongLineRead } from '../format/longLine';
import { placesOf, readLine } from '../format/readLine';
import type { SessionReader } from '../format/reader';
import type { Scanner } from '../format/scanner';
import type { Session } from '../format/session';
import { touchesOfLine } from '../format/touches';
import type { LineSink } from '../files/lines';
import { foundOnLines, type Found, type FoundLine } from './foundLines';
import { foundInRows, prepareRows } from './foundRows';
import type { TableLine } from './lineTable';
import { WordBytes } from './lineWords';
import { NO_MESSAGES } from './row';
import { textOfLine, toolsOfLine } from './texts';

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
    else this.reader.long({ objects, rest: read.rest, ending: text }, place);
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

  /** To be called when all was read, before anybody asks the reader for the session. */
  end(): void {
    if (this.scanner) prepareRows(this.scanner, this.found);
  }

  /** As `foundOnLines`. `undefined`: the file is to be read once more, without a scanner. */
  foundIn(session: Session, start: number, table: TableLine[]): Found | undefined {
    return this.scanner ? foundInRows(this.scanner, session, this.found, this.words) : foundOnLines(session, this.found, this.words, start, table);
  }
}
