/** Passes a file's lines to the session reader, and collects their searchable texts, touched files and called tools. */
import { isObject, type JsonObject } from '../../format/values/jsonValues';
import { textOf } from '../../format/entry/message';
import { excerpt } from '../../format/text/excerpt';
import type { LineLocation } from '../../format/parse/lineLocation';
import type { LongLineResult } from '../../format/parse/longLineParser';
import { objectLocations, readLineSteps } from '../../format/parse/readLine';
import type { SessionReader } from '../../format/session/read/sessionReader';
import type { LoadedBytes } from '../../format/scanner/loadedBytes';
import type { LineCollector, ScannedLines, ScannedRows } from '../../format/scanner/scannerRows';
import type { Session } from '../../format/session/session';
import type { Steps } from '../../format/session/steps';
import { touchesOfLine } from '../../format/toolCalls/fileTouches';
import type { LineSink } from '../../files/read/bytes/lineSplitter';
import { elementAt } from '../../format/values/lookups';
import { buildLineIndex, LATER, type LineIndex } from './buildLineIndex';
import { collectedLines, type CollectedLine } from './collectedLines';
import { extractLines } from './extractLines';
import type { TableLine } from '../encoding/lineTable';
import type { LineWordsWriter } from './words/lineWords';
import { isRead, textOfLine, toolsOfLine } from './words/lineText';
import { pathsOfChildren, toldChildren } from './toldChildren';

/** The length up to which first messages are kept whole; lists hold thousands of them. */
const MAX_FIRST_MESSAGE_LENGTH = 16 * 1024;

const NO_WORDS = { from: 0, to: 0 };

/** Receives a file's lines. Heads go to the reader; the rest is kept until the session shows which lines became entries. */
export class ScanSink implements LineSink {
  private readonly collected: CollectedLine[] = [];
  /** The names of subagents' sessions in tool results, by the result's offset. The scanner leaves all results with usage to be parsed. */
  private readonly children = new Map<number, readonly string[]>();
  private readonly collector: LineCollector;
  private rows: ScannedRows | undefined;

  /** @param words absent if words are left for later */
  constructor(
    private readonly reader: SessionReader,
    private readonly words: LineWordsWriter | undefined,
    public firstMessage: string | undefined,
  ) {
    this.collector = {
      collection: words ? 'words' : 'calls',
      onPending: (message, offset) =>
        this.collect(message['role'] === '' ? { ...message, type: 'custom_message' } : { type: 'message', message }, offset),
    };
  }

  scan(input: LoadedBytes, from: number, to: number, first: Pick<LineLocation, 'line' | 'offset'>): ScannedLines | undefined {
    // The first user message is needed whole, so it has to be parsed.
    if (this.firstMessage === undefined) return undefined;
    const scanned = this.reader.scan(input, from, to, first, this.collector);
    if (scanned) this.rows = scanned.rows;
    return scanned;
  }

  *add(text: string, location: LineLocation, bytes: Uint8Array): Steps<void> {
    const read = yield* readLineSteps(text, location.length);
    // The reader treats three cases itself: it remembers the first line, retries one without a line break, and reports damage.
    const isReaders =
      read.kind !== 'objects' || location.line === 1 || !location.hasLineBreak || read.objects.some(({ isDamaged }) => isDamaged);
    const objects =
      read.kind === 'objects'
        ? (yield* objectLocations(read.objects, text, location, bytes)).map(({ offset, length }, index) => ({
            value: elementAt(read.objects, index).value,
            start: offset - location.offset,
            end: offset - location.offset + length,
          }))
        : [];
    for (const { value, start } of objects) this.collect(value, location.offset + start);
    if (isReaders) yield* this.reader.add(text, location, bytes);
    else yield* this.reader.addLong({ objects, hasUnreadable: read.rest, ending: text }, location);
  }

  skip(location: LineLocation): void {
    this.reader.skip(location);
  }

  addLong(line: LongLineResult, location: LineLocation): Steps<void> {
    for (const { value, start } of line.objects) this.collect(value, line.objects.length === 1 ? location.offset : location.offset + start);
    return this.reader.addLong(line, location);
  }

  private collect(value: JsonObject, offset: number): void {
    const { role, text } = textOfLine(value);
    const touches = touchesOfLine(value);
    const tools = toolsOfLine(value);
    const children = toldChildren(value);
    if (children.length > 0) this.children.set(offset, children);
    const { from, to } = text === '' ? NO_WORDS : this.words ? this.words.add(text, isRead(role)) : LATER;
    if (from < to || touches.length + tools.length > 0) this.collected.push({ offset, role, from, to, touches, tools });
    if (this.firstMessage !== undefined || value['type'] !== 'message') return;
    const message = value['message'];
    if (isObject(message) && message['role'] === 'user')
      this.firstMessage = excerpt(textOf(message['content'], ' '), MAX_FIRST_MESSAGE_LENGTH) || undefined;
  }

  /**
   * Builds the index of the file. Call it after the reader has made the session.
   *
   * @param start the offset in bytes from which the file was read
   * @param table the lines before `start`; the lines from `start` on are added to it
   */
  index(session: Session, start: number, table: TableLine[]): LineIndex {
    const { rows, collected, words } = this;
    const children = new Map(Array.from(this.children, ([offset, names]) => [offset, pathsOfChildren(session.path, names)]));
    return buildLineIndex(session, start, words, (toAbsolute) => {
      const lines = rows ? collectedLines(rows, collected, words?.append(rows.part('words')) ?? 0) : collected;
      return extractLines(session, lines, start, table, toAbsolute, children);
    });
  }
}
