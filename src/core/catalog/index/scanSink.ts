/** A file's lines → heads, and what the catalog keeps of them: searchable texts, touched files, called tools. */
import { isObject, textOf, type JsonObject } from '../../format/entry/entry';
import { excerpt } from '../../format/text/excerpt';
import type { LineLocation } from '../../format/parse/lineLocation';
import type { LongLineResult } from '../../format/parse/longLineParser';
import { objectLocations, readLine } from '../../format/parse/readLine';
import type { SessionReader } from '../../format/session/sessionReader';
import type { Scanner } from '../../format/columns/scanner';
import type { Session } from '../../format/session/session';
import { touchesOfLine } from '../../format/entry/fileTouches';
import type { LineSink } from '../../files/read/lineSplitter';
import { buildLineIndex, type CollectedLine, type LineIndex } from './buildLineIndex';
import { extractParsedLines } from './extractParsedLines';
import { extractScannedRows, prepareScannedRows } from './extractScannedRows';
import type { TableLine } from '../encoding/lineTable';
import { LineWordsWriter } from './lineWords';
import { textOfLine, toolsOfLine } from '../search/lineText';

/** First messages are whole up to this many characters: lists hold thousands of them. */
const MAX_FIRST_MESSAGE_LENGTH = 16 * 1024;

const NO_WORDS = { from: 0, to: 0 };

/** Takes a file's lines: heads go to the reader, the rest stays here until the session tells which entries there are. */
export class ScanSink implements LineSink {
  private readonly collected: CollectedLine[] = [];
  private readonly words: LineWordsWriter;
  private scanner: Scanner | undefined;
  constructor(
    private readonly reader: SessionReader,
    room: Buffer,
    public firstMessage: string | undefined,
  ) {
    this.words = new LineWordsWriter(room);
  }

  scan(scanner: Scanner, at: number, end: number, first: Pick<LineLocation, 'line' | 'offset'>): number {
    // Of the first message of a person more is kept than words.
    if (this.firstMessage === undefined) return 0;
    const taken = this.reader.scan(scanner, at, end, first, (offset) => this.collect({ type: 'message', message: scanner.lastMessage() }, offset));
    if (taken > 0) this.scanner = scanner;
    return taken;
  }

  add(text: string, place: LineLocation, bytes: Uint8Array): void {
    const read = readLine(text);
    // The first line is remembered, and one without a break is looked at twice: those are the reader's own matter.
    const isReaders = read.kind !== 'objects' || place.line === 1 || !place.hasLineBreak;
    const objects = read.kind === 'objects' ? objectLocations(read.objects, text, place, bytes).map(({ offset, length }, index) => ({ value: read.objects[index]!.value, start: offset - place.offset, end: offset - place.offset + length })) : [];
    for (const { value, start } of objects) this.collect(value, place.offset + start);
    if (isReaders) this.reader.add(text, place, bytes);
    else this.reader.addLong({ objects, hasUnreadable: read.rest, ending: text }, place);
  }

  skip(place: LineLocation): void {
    this.reader.skip(place);
  }

  addLong(line: LongLineResult, place: LineLocation): void {
    for (const { value, start } of line.objects) this.collect(value, line.objects.length === 1 ? place.offset : place.offset + start);
    this.reader.addLong(line, place);
  }

  private collect(value: JsonObject, offset: number): void {
    const { role, text } = textOfLine(value);
    const touches = touchesOfLine(value);
    const tools = toolsOfLine(value);
    const { from, to } = text === '' ? NO_WORDS : this.words.add(text);
    if (from < to || touches.length + tools.length > 0) this.collected.push({ offset, role, from, to, touches, tools });
    if (this.firstMessage !== undefined || value['type'] !== 'message') return;
    const message = value['message'];
    if (isObject(message) && message['role'] === 'user') this.firstMessage = excerpt(textOf(message['content'], ' '), MAX_FIRST_MESSAGE_LENGTH) || undefined;
  }

  /** To be called when all was read, before anybody asks the reader for the session. */
  end(): void {
    if (this.scanner) prepareScannedRows(this.scanner, this.collected);
  }

  /** As `indexLines`. `undefined`: the file is to be read once more, without a scanner. */
  buildIndex(session: Session, start: number, table: TableLine[]): LineIndex | undefined {
    const { scanner, collected, words } = this;
    return buildLineIndex(session, start, words, (toAbsolute) =>
      scanner ? extractScannedRows(scanner, session, collected, words, toAbsolute) : extractParsedLines(session, collected, start, table, toAbsolute),
    );
  }
}
