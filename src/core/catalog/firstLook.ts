/**
 * What a file's beginning and end tell of it: enough for a row, until the file has been read. A few kilobytes are read,
 * so that the first rows of a new store are there at once.
 */
import { DIALECT_FACTS, dialectOfLine, type Dialect } from '../format/dialect';
import { asString, CURRENT_VERSION, isObject, textOf, type JsonObject } from '../format/entry';
import { headerOf } from '../format/header';
import { readLine } from '../format/readLine';
import { readParts, type Part } from '../files/regularFile';
import type { StaleFile } from './protocol';
import { NO_MESSAGES, type StoredRow } from './row';

export const LOOK = 64 * 1024;
/** The first line is looked for so far, and lines that are longer than this are not parsed. */
const FARTHEST = 4 * 1024 * 1024;
const LONGEST = 16 * 1024;

const NAMES = Buffer.from('"type":"session_info"');

/** Room for a file's beginning and end, to be used for one file after the other. */
export const roomToLook = (): Buffer => Buffer.allocUnsafe(2 * LOOK);

/** Of a file that was just listed as a regular one. Never rejects: what can't be read is told of when it is read in full. */
export async function firstLook(file: StaleFile, room: Buffer): Promise<StoredRow> {
  const look = new Look(file);
  const { size } = file.version;
  try {
    const parts = [beginning(size, room), ...(size > LOOK ? [end(size, room)] : [])];
    const [first, tail] = await readParts(file.path, parts);
    let head = first!;
    for (let length = 2 * LOOK; hasNoLine(head, size, length); length *= 2) {
      const most = Math.min(length, size);
      [head] = (await readParts(file.path, [[0, most, Buffer.allocUnsafe(most)]])) as [Buffer];
    }
    look.parts(head, tail);
  } catch {
    // As a file of which nothing is known.
  }
  return look.row();
}

export const beginning = (size: number, room: Buffer): Part => [0, Math.min(LOOK, size), room.subarray(0, LOOK)];

/** Of a file that has more than its beginning. */
export const end = (size: number, room: Buffer): Part => [Math.max(LOOK, size - LOOK), Math.min(LOOK, size - LOOK), room.subarray(LOOK)];

/** Whether so many bytes are to be read to find the end of the first line. */
export const hasNoLine = (head: Buffer, size: number, length: number): boolean => length <= FARTHEST && head.length < size && !head.includes(10);

/** Takes the bytes, and makes a row of what they say. */
export class Look {
  private header: JsonObject | undefined;
  private title: string | undefined;
  private name: string | undefined;
  private firstMessage: string | undefined;
  private newest = 0;
  private evidence: Dialect | undefined;

  constructor(private readonly file: StaleFile) {}

  /** A file's beginning and end; without an end the beginning is all of it. */
  parts(head: Buffer, tail: Buffer = head): void {
    for (const line of linesOf(head)) {
      this.head(line);
      if (this.isEnough()) break;
    }
    this.tail(tail);
  }

  private isEnough(): boolean {
    return this.header !== undefined && this.firstMessage !== undefined;
  }

  private head(line: Buffer): void {
    // Titles and headers are short, and so are most first messages; results of tools are neither.
    if (line.length > LONGEST && this.header) return;
    const read = readLine(line.toString('utf8'));
    for (const { value } of read.kind === 'objects' ? read.objects : []) {
      this.evidence ??= dialectOfLine(value);
      if (value['type'] === 'title' && !this.header) this.title = asString(value['title']) ?? '';
      else if (value['type'] === 'session' && !this.header && typeof value['id'] === 'string') this.header = value;
      else this.entry(value);
    }
  }

  /** From the last line backwards, until a message tells when the session was last used; the last name wherever it is. */
  private tail(bytes: Buffer): void {
    const at = bytes.lastIndexOf(NAMES);
    if (at >= 0) {
      const end = bytes.indexOf(10, at);
      this.values(bytes.subarray(bytes.lastIndexOf(10, at) + 1, end < 0 ? bytes.length : end)).forEach((value) => this.entry(value));
    }
    let end = bytes.length;
    const before = this.newest;
    while (end > 0 && this.newest === before) {
      const from = bytes.lastIndexOf(10, end - 1) + 1;
      if (end - from <= LONGEST) this.values(bytes.subarray(from, end)).forEach((value) => this.time(value));
      end = from - 1;
    }
  }

  row(): StoredRow {
    const { version: { mtimeMs }, dialect: rootDialect } = this.file;
    const header = this.header ?? {};
    const dialect = this.evidence ?? rootDialect;
    const created = Date.parse(asString(header['timestamp']) ?? '');
    const name = DIALECT_FACTS[dialect].name === 'title' ? (this.title ?? asString(header['title'])) : this.name;
    const parent = asString(header['parentSession']) ?? asString(header['branchedFrom']);
    return {
      id: asString(header['id']) ?? '',
      cwd: asString(header['cwd']) ?? '',
      ...(name ? { name } : {}),
      ...(parent === undefined ? {} : { parentSessionPath: parent }),
      created: Number.isNaN(created) ? null : created,
      modified: this.newest || (Number.isNaN(created) ? mtimeMs : created),
      messageCount: 0,
      firstMessage: this.firstMessage ?? NO_MESSAGES,
      dialect,
      problems: 0,
      writable: false,
      // The menu of a session, and of its project, is right before the file has been read.
      isOld: this.header !== undefined && DIALECT_FACTS[dialect].writable && (headerOf(this.header).version ?? 1) < CURRENT_VERSION,
    };
  }

  private values(line: Buffer): JsonObject[] {
    const read = readLine(line.toString('utf8'));
    return read.kind === 'objects' ? read.objects.map(({ value }) => value) : [];
  }

  private entry(value: JsonObject): void {
    if (value['type'] === 'session_info') this.name = asString(value['name'])?.trim();
    const message = value['message'];
    if (value['type'] !== 'message' || !isObject(message)) return;
    if (message['role'] === 'user') this.firstMessage ??= textOf(message['content'], ' ') || undefined;
    this.time(value);
  }

  private time(value: JsonObject): void {
    const message = value['message'];
    if (value['type'] !== 'message' || !isObject(message) || (message['role'] !== 'user' && message['role'] !== 'assistant')) return;
    const time = typeof message['timestamp'] === 'number' ? message['timestamp'] : Date.parse(asString(value['timestamp']) ?? '');
    if (time > this.newest) this.newest = time;
  }
}

/** Whole lines, and what is left at the end if that is all there is. */
function* linesOf(bytes: Buffer): Generator<Buffer> {
  let from = 0;
  for (let newline = bytes.indexOf(10); newline >= 0; newline = bytes.indexOf(10, from)) {
    yield bytes.subarray(from, newline);
    from = newline + 1;
  }
  if (from < bytes.length) yield bytes.subarray(from);
}
