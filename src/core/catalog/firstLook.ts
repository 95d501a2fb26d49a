/**
 * What a file's beginning and end tell of it: enough for a row, until the file has been read. A few kilobytes are read
 * without waiting, so that the first rows of a new store are there at once.
 */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { DIALECT_FACTS, dialectOfLine, type Dialect } from '../format/dialect';
import { asString, CURRENT_VERSION, isObject, textOf, type JsonObject } from '../format/entry';
import { headerOf } from '../format/header';
import { readLine } from '../format/readLine';
import { NO_MESSAGES, type FileState, type StoredRow } from './row';

const LOOK = 64 * 1024;
/** The first line is looked for so far, and lines that are longer than this are not parsed. */
const FARTHEST = 4 * 1024 * 1024;
const LONGEST = 16 * 1024;

const NAMES = Buffer.from('"type":"session_info"');

/** Room for a file's beginning and end, to be used for one file after the other. */
export const roomToLook = (): Buffer => Buffer.allocUnsafe(2 * LOOK);

/** Never throws: what can't be read is told of when it is read in full. */
export function firstLook(file: Pick<FileState, 'path' | 'version'>, rootDialect: Dialect, room: Buffer): StoredRow {
  const look = new Look(rootDialect);
  let fd: number | undefined;
  try {
    fd = openSync(file.path, constants.O_RDONLY | constants.O_NONBLOCK);
    const head = readHead(fd, file.version.size, room);
    for (const line of linesOf(head)) {
      look.head(line);
      if (look.isEnough()) break;
    }
    const { size } = file.version;
    const tail = size <= head.length ? head : readAt(fd, Math.max(head.length, size - LOOK), Math.min(LOOK, size - head.length), room.subarray(LOOK));
    look.tail(tail);
  } catch {
    // As a file of which nothing is known.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
  return look.row(file.version.mtimeMs);
}

class Look {
  private header: JsonObject | undefined;
  private title: string | undefined;
  private name: string | undefined;
  private firstMessage: string | undefined;
  private newest = 0;
  private evidence: Dialect | undefined;

  constructor(private readonly rootDialect: Dialect) {}

  isEnough(): boolean {
    return this.header !== undefined && this.firstMessage !== undefined;
  }

  head(line: Buffer): void {
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
  tail(bytes: Buffer): void {
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

  row(mtimeMs: number): StoredRow {
    const header = this.header ?? {};
    const dialect = this.evidence ?? this.rootDialect;
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

/** The beginning, at least up to the first line break. */
function readHead(fd: number, size: number, room: Buffer): Buffer {
  for (let length = LOOK; ; length *= 2) {
    const head = readAt(fd, 0, Math.min(length, size), length > LOOK ? Buffer.allocUnsafe(length) : room);
    if (head.includes(10) || head.length >= size || length >= FARTHEST) return head;
  }
}

function readAt(fd: number, offset: number, length: number, bytes: Buffer): Buffer {
  return bytes.subarray(0, readSync(fd, bytes, 0, length, offset));
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
