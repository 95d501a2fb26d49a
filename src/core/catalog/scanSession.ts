/** A session file → all that the catalog keeps of it. Read without waiting, in a worker. */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { DIALECT_FACTS, type Dialect } from '../format/dialect';
import { asString, isObject, textOf, type JsonObject } from '../format/entry';
import { ending, excerpt } from '../format/excerpt';
import type { LongLineRead } from '../format/longLine';
import { SessionError } from '../format/problem';
import { placesOf, readLine } from '../format/readLine';
import { NeedsWholeFile, SessionReader, type LinePlace } from '../format/reader';
import type { Session } from '../format/session';
import { touchesOfLine, type Touch } from '../format/touches';
import { fileError } from '../files/errors';
import { expandPath } from '../files/roots';
import { fileVersion, notAFile, type FileVersion } from '../files/sessionFile';
import { labelFacts, sessionFacts, usageFacts, type LabelFact, type SessionFacts, type UsageFact } from './facts';
import { encodeLines, type TableLine } from './lineTable';
import { readLines, type ByteSink } from './readLines';
import { NO_MESSAGES, type StoredRow } from './row';
import { encodeHeads } from './storedHeads';
import { summarize } from './summary';
import { textOfLine, toolsOfLine, type LineText } from './texts';
import { LARGE, toolResultLine } from './toolResult';
import { indexedText } from './words';

export interface Scanned {
  readonly version: FileVersion;
  readonly row: StoredRow;
  readonly session: Session;
  /** Whether `texts` and `touches` tell only of what came after what was known. */
  readonly grew: boolean;
  /** By line, for the index; line 0 is the title. */
  readonly texts: readonly { readonly line: number; readonly text: string }[];
  readonly table: readonly TableLine[];
  readonly touches: readonly { readonly file: string; readonly entryId: string; readonly kind: Touch['kind'] }[];
  readonly labels: readonly LabelFact[];
  readonly usage: readonly UsageFact[];
  readonly facts: SessionFacts;
  /** By this one sees whether the file only grew. */
  readonly mark: string;
}

/** What was known of a file, to go on from. */
export interface Earlier {
  readonly session: Session;
  readonly mark: string;
  readonly table: readonly TableLine[];
  readonly firstMessage: string;
  /** How far the heads reach that are stored: they are written anew only now and then. */
  readonly headsAt: number;
}

/** What a scan found, as it is stored. Plain data. */
export interface Packed extends Omit<Scanned, 'session' | 'table' | 'mark'> {
  readonly lines: Uint8Array;
  /** With the mark of the place they reach to; absent where those that are stored shall stay. */
  readonly heads?: { readonly bytes: Uint8Array | null; readonly mark: string };
}

/** First messages are whole up to this many characters: lists hold thousands of them. */
export const LONGEST_MESSAGE = 16 * 1024;
/** Of files from this many bytes on the heads are kept; of those that are known to grow, from fewer. */
const LARGE_FILE = 8 * 1024 * 1024;
const GROWING_FILE = 256 * 1024;
/** Heads are stored anew when the file has grown by this part. */
const GROWTH = 1 / 8;

/** `isKnown`: the file was there before in another state. */
export function pack({ session, table, mark, ...rest }: Scanned, isKnown: boolean, earlier?: Earlier): Packed {
  const { offset } = session.reading;
  const keep = rest.grew && earlier !== undefined && earlier.headsAt > 0 && offset < earlier.headsAt * (1 + GROWTH);
  const bytes = !keep && offset >= (isKnown ? GROWING_FILE : LARGE_FILE) ? encodeHeads(session) : undefined;
  return { ...rest, lines: encodeLines(table), ...(keep ? {} : { heads: { bytes: bytes ?? null, mark } }) };
}

export interface ScanOptions {
  readonly dialect: Dialect;
  readonly earlier?: Earlier | undefined;
  /** Called between chunks; may throw to end the scan. */
  readonly check: () => void;
}

/** @throws {SessionError} as `readSession`, and what `check` throws. */
export function scanSession(path: string, options: ScanOptions): Scanned {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = fstatSync(fd, { bigint: true });
    if (!stats.isFile()) throw notAFile(path);
    const version = fileVersion(stats);
    const { earlier } = options;
    if (earlier && version.size >= earlier.session.reading.offset && markOf(fd, earlier.session.reading.offset) === earlier.mark) {
      try {
        return scan(fd, path, version, options, earlier);
      } catch (error) {
        if (!(error instanceof NeedsWholeFile)) throw error;
      }
    }
    return scan(fd, path, version, options);
  } catch (error) {
    throw fileError(error, path);
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

interface Found {
  readonly text: LineText;
  readonly touches: readonly Touch[];
  readonly tools: readonly string[];
}

function scan(fd: number, path: string, version: FileVersion, { dialect, check }: ScanOptions, earlier?: Earlier): Scanned {
  const from = earlier?.session;
  const reader = new SessionReader({ path, home: homedir(), rootDialect: dialect }, from);
  const sink = new ScanSink(reader, earlier?.firstMessage);
  readLines(fd, from?.reading ?? { offset: 0, line: 0 }, sink, check);
  const read = reader.session();
  const { offset } = read.reading;
  const session: Session = { ...read, reading: { ...read.reading, ending: endingOf(fd, offset) } };
  const { texts, table, touches } = place(session, sink.found, earlier);
  const summary = summarize(session);
  const { parentSession, branchedFrom } = session.header;
  const parent = asString(parentSession) ?? asString(branchedFrom);
  const created = Date.parse(session.header.timestamp);
  const row: StoredRow = {
    id: summary.id,
    cwd: summary.cwd,
    ...(summary.name === undefined ? {} : { name: summary.name }),
    ...(parent === undefined ? {} : { parentSessionPath: parent }),
    created: Number.isNaN(created) ? null : created,
    modified: summary.modified || (Number.isNaN(created) ? version.mtimeMs : created),
    messageCount: summary.messageCount,
    firstMessage: sink.firstMessage ?? NO_MESSAGES,
    dialect: session.dialect,
    problems: summary.problems,
    writable: summary.writable,
    isOld: summary.isOld,
    ...(summary.suspectedTip === undefined ? {} : { suspectedTip: summary.suspectedTip }),
  };
  return {
    version,
    row,
    session,
    grew: earlier !== undefined,
    texts,
    table,
    touches,
    labels: labelFacts(session),
    usage: usageFacts(session),
    facts: sessionFacts(session),
    mark: markOf(fd, offset),
  };
}

/** Takes a file's lines: heads go to the reader, texts stay here by the place of their object. */
class ScanSink implements ByteSink {
  readonly found = new Map<number, Found>();
  firstMessage: string | undefined;

  constructor(
    private readonly reader: SessionReader,
    firstMessage: string | undefined,
  ) {
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
    const text = textOfLine(value);
    const touches = touchesOfLine(value);
    const tools = toolsOfLine(value);
    if (text.text !== '' || touches.length + tools.length > 0) this.found.set(offset, { text, touches, tools });
    if (this.firstMessage !== undefined || value['type'] !== 'message') return;
    const message = value['message'];
    if (isObject(message) && message['role'] === 'user') this.firstMessage = excerpt(textOf(message['content'], ' '), LONGEST_MESSAGE) || undefined;
  }
}

/** Gives what was found on lines to the entries that the lines became. */
function place(session: Session, found: ReadonlyMap<number, Found>, earlier: Earlier | undefined): Pick<Scanned, 'texts' | 'table' | 'touches'> {
  const active = activeIds(session);
  const texts: { line: number; text: string }[] = [];
  const start = earlier?.session.reading.offset ?? 0;
  const table = (earlier?.table ?? []).filter((line) => line.offset < start).map((line) => (active.has(line.entryId) === line.active ? line : { ...line, active: !line.active }));
  const touches: { file: string; entryId: string; kind: Touch['kind'] }[] = [];
  if (!earlier && DIALECT_FACTS[session.dialect].name === 'title' && session.name !== undefined) {
    texts.push({ line: 0, text: indexedText(session.name) });
    table.push({ line: 0, offset: 0, length: 0, entryId: session.leafId ?? '', role: 'title', time: Date.parse(session.header.timestamp) || 0, active: true, hasText: true, tools: [] });
  }
  const base = expandPath(session.header.cwd || '.', homedir());
  const paths = new Map<string, string>();
  const absolute = (file: string): string => {
    let path = paths.get(file);
    if (path === undefined) paths.set(file, (path = resolve(base, expandPath(file, homedir(), base))));
    return path;
  };
  for (let index = firstAt(session, start); index < session.entries.length; index++) {
    const head = session.entries[index]!;
    const at = found.get(head.offset);
    if (!at) continue;
    for (const { file, kind } of at.touches) touches.push({ file: absolute(file), entryId: head.id, kind });
    const hasText = at.text.text !== '';
    const entryId = head.type === 'label' && typeof head.targetId === 'string' && session.byId.has(head.targetId) ? head.targetId : head.id;
    if (hasText) {
      const before = texts.at(-1);
      const text = indexedText(at.text.text);
      if (before?.line === head.line) before.text += `\n${text}`;
      else texts.push({ line: head.line, text });
    }
    table.push({ line: head.line, offset: head.offset, length: head.length, entryId, role: at.text.role, time: Math.round(head.messageTime ?? head.time), active: active.has(entryId), hasText, tools: at.tools });
  }
  return { texts, table, touches };
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

const MARK = 4096;

/** What stands at a file's beginning and before an offset. */
function markOf(fd: number, offset: number): string {
  const hash = createHash('sha1');
  hash.update(bytesAt(fd, 0, Math.min(MARK, offset)));
  hash.update(bytesAt(fd, Math.max(0, offset - MARK), Math.min(MARK, offset)));
  return hash.digest('hex');
}

function endingOf(fd: number, offset: number): string {
  const text = bytesAt(fd, Math.max(0, offset - 1025), Math.min(1024, Math.max(0, offset - 1))).toString('utf8');
  return ending(text.slice(text.lastIndexOf('\n') + 1), 256);
}

function bytesAt(fd: number, offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let got = 0;
  for (let count = -1; got < length && count !== 0; got += count) count = readSync(fd, bytes, got, length - got, offset + got);
  return bytes.subarray(0, got);
}

/** Whether an error says that the file is gone. */
export const isGone = (error: unknown): boolean => error instanceof SessionError && error.code === 'not-found';
