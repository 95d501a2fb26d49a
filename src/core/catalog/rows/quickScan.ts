/**
 * A provisional row from a file's beginning and end, shown until the file has been read. Only a few kilobytes are read, so
 * that the first rows of a new store appear immediately.
 */
import { DIALECT_FACTS, detectDialect, strongerEvidence, type Dialect } from '../../format/entry/dialect';
import { messageTime } from '../../format/entry/parseHead';
import { asString, isObject, type JsonObject } from '../../format/values/jsonValues';
import { CURRENT_VERSION } from '../../format/entry/entry';
import { textOf } from '../../format/entry/message';
import { describeMessage } from '../../format/entry/rowText';
import { readLine } from '../../format/parse/readLine';
import { ARCHIVED, isArchivedSession } from '../../format/session/archivedSession';
import { addFirstWords, sessionTitle, withMessage, type FirstWords } from '../../format/session/sessionTitle';
import type { ReadRange } from '../../files/io/regularFile';
import { readSessionRanges } from '../../files/read/bytes/sessionBytes';
import { defined } from '../../format/values/defined';
import type { StaleFile } from './catalogRow';
import { readableRow, type StoredRow } from './catalogRow';
import { additionalFolders, withFileTime } from './sessionSummary';

export const QUICK_SCAN_BYTES = 64 * 1024;
/** The length up to which the first line is searched for its end. Lines longer than `MAX_PARSED_LINE_BYTES` aren't parsed. */
const MAX_FIRST_LINE_BYTES = 4 * 1024 * 1024;
const MAX_PARSED_LINE_BYTES = 16 * 1024;

/** Lines of this length or less take less time to parse than it's worth to look into them first. */
const SHORT_LINE_BYTES = 2048;

const USER_ROLE = Buffer.from('"user"');
const ASSISTANT_ROLE = Buffer.from('"assistant"');
const SESSION_INFO_TYPE = Buffer.from('"type":"session_info"');

/** A buffer for a file's beginning and end, reused from file to file. */
export const createQuickScanBuffer = (): Buffer => Buffer.allocUnsafe(2 * QUICK_SCAN_BYTES);

/**
 * Scans a file that was just listed as a regular one. Never rejects: an unreadable file gets an empty row here, and its
 * problem when it is read in full.
 */
export async function quickScan(file: StaleFile, buffer: Buffer): Promise<StoredRow> {
  const scanner = new QuickScanner(file);
  const { path, version } = file;
  try {
    const both = await readSessionRanges(path, version.size, QUICK_SCAN_BYTES, (size) => [
      headRange(size, buffer),
      ...(size > QUICK_SCAN_BYTES ? [tailRange(size, buffer)] : []),
    ]);
    const { size } = both;
    let [head = NOTHING] = both.parts;
    for (let length = 2 * QUICK_SCAN_BYTES; needsLongerHead(head, size, length); length *= 2) {
      const available = Math.min(length, size);
      const longer = await readSessionRanges(path, version.size, 0, () => [[0, available, Buffer.allocUnsafe(available)]]);
      [head = NOTHING] = longer.parts;
    }
    scanner.scan(head, both.parts[1]);
  } catch {
    // The row is still the one for a file without content.
  }
  return scanner.row();
}

const NOTHING = Buffer.alloc(0);

export const headRange = (size: number, buffer: Buffer): ReadRange => [
  0,
  Math.min(QUICK_SCAN_BYTES, size),
  buffer.subarray(0, QUICK_SCAN_BYTES),
];

/** Only for files larger than `QUICK_SCAN_BYTES`. */
export const tailRange = (size: number, buffer: Buffer): ReadRange => [
  Math.max(QUICK_SCAN_BYTES, size - QUICK_SCAN_BYTES),
  Math.min(QUICK_SCAN_BYTES, size - QUICK_SCAN_BYTES),
  buffer.subarray(QUICK_SCAN_BYTES),
];

/** True if `length` bytes have to be read to find the end of the first line. */
export const needsLongerHead = (head: Buffer, size: number, length: number): boolean =>
  length <= MAX_FIRST_LINE_BYTES && head.length < size && !head.includes(10);

/** Collects the facts that the bytes give, and makes a row from them. */
export class QuickScanner {
  private header: JsonObject | undefined;
  private title: string | undefined;
  private name: string | undefined;
  private firstMessage: string | undefined;
  private words: FirstWords = {};
  private newest = 0;
  private detectedDialect: Dialect | undefined;

  constructor(private readonly file: StaleFile) {}

  /** @param tail the file's end; by default `head` is the whole file */
  scan(head: Buffer, tail: Buffer = head): void {
    for (const line of linesOf(head)) {
      this.scanHeadLine(line);
      if (this.isEnough()) break;
    }
    this.scanTail(tail);
  }

  private isEnough(): boolean {
    return this.header !== undefined && this.words.said !== undefined;
  }

  private scanHeadLine(line: Buffer): void {
    // Titles and headers are short, and so are available first messages. Tool results and system prompts are neither.
    if (this.header && (line.length > MAX_PARSED_LINE_BYTES || (line.length > SHORT_LINE_BYTES && !this.mayHaveWords(line)))) return;
    const read = readLine(line.toString('utf8'));
    for (const { value } of read.kind === 'objects' ? read.objects : []) {
      this.detectedDialect = strongerEvidence(this.detectedDialect, detectDialect(value));
      if (value['type'] === 'title' && !this.header) this.title = asString(value['title']) ?? '';
      else if (value['type'] === 'session' && !this.header && typeof value['id'] === 'string') this.header = value;
      else this.addEntry(value);
    }
  }

  private mayHaveWords(line: Buffer): boolean {
    return line.includes(USER_ROLE) || (this.words.answer === undefined && line.includes(ASSISTANT_ROLE));
  }

  /** Finds the last name anywhere in the bytes, and the time of the last message, from the last line backwards. */
  private scanTail(bytes: Buffer): void {
    const at = bytes.lastIndexOf(SESSION_INFO_TYPE);
    if (at >= 0) {
      const end = bytes.indexOf(10, at);
      this.parseLine(bytes.subarray(bytes.lastIndexOf(10, at) + 1, end < 0 ? bytes.length : end)).forEach((value) => this.addEntry(value));
    }
    let end = bytes.length;
    const before = this.newest;
    while (end > 0 && this.newest === before) {
      const from = bytes.lastIndexOf(10, end - 1) + 1;
      if (end - from <= MAX_PARSED_LINE_BYTES) this.parseLine(bytes.subarray(from, end)).forEach((value) => this.addTime(value));
      end = from - 1;
    }
  }

  row(): StoredRow {
    const { path, version, dialect: rootDialect } = this.file;
    const header = this.header ?? {};
    const dialect = this.detectedDialect ?? rootDialect;
    const isArchived = isArchivedSession(path, dialect);
    const created = Date.parse(asString(header['timestamp']) ?? '') || 0;
    const name = DIALECT_FACTS[dialect].nameSource === 'title' ? (this.title ?? asString(header['title'])) : this.name;
    const parent = asString(header['parentSession']) ?? asString(header['branchedFrom']);
    const summary = {
      path,
      dialect,
      id: asString(header['id']) ?? '',
      cwd: asString(header['cwd']) ?? '',
      ...additionalFolders(header),
      ...defined({ name: name || undefined }),
      title: sessionTitle(name || undefined, this.words),
      ...defined({ parentSession: parent || undefined }),
      created,
      modified: this.newest || created,
      messageCount: 0,
      problems: 0,
      writable: false,
      // Shown before the file is read: the menus of the session and of its project depend on it.
      isOld:
        this.header !== undefined &&
        DIALECT_FACTS[dialect].writable &&
        !isArchived &&
        (typeof header['version'] === 'number' ? header['version'] : 1) < CURRENT_VERSION,
      ...(isArchived ? { marks: ARCHIVED } : {}),
    };
    return readableRow(withFileTime(summary, version), this.firstMessage);
  }

  private parseLine(line: Buffer): JsonObject[] {
    const read = readLine(line.toString('utf8'));
    return read.kind === 'objects' ? read.objects.map(({ value }) => value) : [];
  }

  private addEntry(value: JsonObject): void {
    if (value['type'] === 'session_info') this.name = asString(value['name'])?.trim();
    const message = value['message'];
    if (value['type'] !== 'message' || !isObject(message)) return;
    const role = asString(message['role']);
    if (role === 'user') this.firstMessage ??= textOf(message['content'], ' ') || undefined;
    this.words = withMessage(this.words);
    if (/\S/.test(textOf(message['content']))) this.words = addFirstWords(this.words, role, describeMessage(message, undefined));
    this.addTime(value);
  }

  private addTime(value: JsonObject): void {
    const message = value['message'];
    if (value['type'] !== 'message' || !isObject(message) || (message['role'] !== 'user' && message['role'] !== 'assistant')) return;
    const time = messageTime(message) ?? Date.parse(asString(value['timestamp']) ?? '');
    if (time > this.newest) this.newest = time;
  }
}

/** The lines without their line breaks, an unterminated last one included. */
function* linesOf(bytes: Buffer): Generator<Buffer> {
  let from = 0;
  for (let newline = bytes.indexOf(10); newline >= 0; newline = bytes.indexOf(10, from)) {
    yield bytes.subarray(from, newline);
    from = newline + 1;
  }
  if (from < bytes.length) yield bytes.subarray(from);
}
