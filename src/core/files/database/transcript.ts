/**
 * The events of a session as the lines of a file: each event is a line, in the order of `seq`, and the header is the first one.
 * FORMAT section 7.
 */
import { elementAt } from '../../format/entry/lookups';
import * as zlib from 'node:zlib';
import { isObject } from '../../format/entry/jsonValues';
import { DatabaseMoved } from './databaseErrors';
import { LineEnds, type LineLength, type MoreEnds } from './lineEnds';
import type { Reading } from './pages/diskRequests';
import type { Derived, PageReader } from './pages/pageReader';
import { lastOfKey, ROW_START, RowFinder, scanKey, type TableRow, type Table } from './pages/tables';

/** Bytes of an event. OpenClaw compresses large events and keeps none above 4 MB. One is held in memory. */
const MAX_EVENT = 16 * 1024 * 1024;
/** Bytes of a compressed event, and what it may unpack to. */
const MAX_PACKED = 8 * 1024 * 1024;
const MAX_UNPACKED = 16 * 1024 * 1024;
/** Bytes of a row up to which the time is read that is behind its event. */
const MAX_TIMED_ROW = 64 * 1024;
/** The length of a line for an event whose own length isn’t known. */
const UNKNOWN_LENGTH: LineLength = { length: 1024, stored: 0 };

/** The places of a session's events. */
export interface Transcript {
  /** Each list has an item for each event. */
  readonly seqs: readonly number[];
  /** The numbers of the rows. */
  readonly rowids: readonly number[];
  /** The ends of their lines, as far as they are known. */
  readonly ends: LineEnds;
  /** OpenClaw changes it when it rewrites events that it had stored; `undefined` if it keeps none. */
  readonly generation: string | undefined;
  /** The time at which the last event was stored, in milliseconds since 1970; 0 if it isn't known. */
  readonly time: number;
}

/** The reason why an event isn't shown as it was. */
export type EventDamage = 'unsupported-event' | 'damaged-event';

export interface EventLine {
  /** The event's line without its line break. Its length is that in the transcript. */
  readonly bytes: Buffer;
  readonly damage: EventDamage | undefined;
}

/** The last event of a session. */
export interface LastEvent {
  readonly seq: number;
  readonly rowid: number;
}

/**
 * Returns the places of a session's events. They hold as long as the pages of the index don't change behind the last event:
 * OpenClaw gives a session that it rewrites another generation. Without one, all pages count, and all ends are found at once.
 *
 * @param before an earlier state, of which only the new events are read if nothing was rewritten
 */
export function* readTranscript(
  pages: PageReader,
  events: Table,
  id: string,
  generation: string | undefined,
  before?: Transcript,
): Reading<Derived<Transcript>> {
  const from =
    (seq: number): (() => Reading<LastEvent[]>) =>
    () =>
      locateEvents(pages, events, id, seq);
  if (generation === undefined)
    return yield* pages.derive(function* () {
      const transcript = yield* addEvents(pages, events, emptyTranscript(generation), yield* from(Number.NEGATIVE_INFINITY)());
      (yield* measureLines(pages, events, transcript)).commit();
      return transcript;
    });
  const last = before?.seqs.at(-1);
  if (before && last !== undefined && before.generation === generation) {
    const found = yield* pages.derive(from(last));
    const [first, ...added] = found.value;
    if (first?.seq === last && first.rowid === before.rowids.at(-1))
      return { ...found, value: yield* addEvents(pages, events, before, added) };
  }
  const found = yield* pages.derive(from(Number.NEGATIVE_INFINITY));
  const value = yield* addEvents(pages, events, emptyTranscript(generation), found.value);
  const end = value.seqs.at(-1);
  return { ...(end === undefined ? found : yield* pages.derive(from(end))), value };
}

/** Returns the last event of a session, without looking at the others; `undefined` if it has none. */
export function* readLastEvent(pages: PageReader, events: Table, id: string): Reading<LastEvent | undefined> {
  const [seq, rowid] = (yield* lastOfKey(pages, events, id)) ?? [];
  return typeof seq === 'number' && typeof rowid === 'number' ? { seq, rowid } : undefined;
}

const emptyTranscript = (generation: string | undefined): Transcript => ({
  seqs: [],
  rowids: [],
  ends: new LineEnds(),
  generation,
  time: 0,
});

function* locateEvents(pages: PageReader, events: Table, id: string, from: number): Reading<LastEvent[]> {
  const found: LastEvent[] = [];
  yield* scanKey(pages, events, id, from, (seq, rowid) => {
    if (typeof seq === 'number' && typeof rowid === 'number') found.push({ seq, rowid });
  });
  return found;
}

function* addEvents(pages: PageReader, events: Table, before: Transcript, added: readonly LastEvent[]): Reading<Transcript> {
  const last = added.at(-1);
  if (!last) return before;
  const time = yield* readEventTime(new RowFinder(pages, events), last);
  const [seqs, rowids] = [[...before.seqs], [...before.rowids]];
  for (const { seq, rowid } of added) {
    seqs.push(seq);
    rowids.push(rowid);
  }
  return { ...before, seqs, rowids, time };
}

/** Returns the time at which an event was stored, in milliseconds since 1970; 0 if it isn't known. */
export function* readEventTime(rows: RowFinder, { rowid }: LastEvent): Reading<number> {
  return (yield* rows.find(rowid, MAX_TIMED_ROW))?.integer('created_at') ?? 0;
}

/** Finds the ends of all lines, without reading the lines. */
export function* measureLines(pages: PageReader, events: Table, { rowids, ends }: Transcript): Reading<MoreEnds> {
  const rows = new RowFinder(pages, events);
  const more = ends.extend();
  while (more.next < rowids.length) more.push(yield* measureLine(rows, elementAt(rowids, more.next)), pages.size);
  return more;
}

/** Returns the lengths of the last lines that have a number of bytes together, in their order, without line breaks. */
export function* lastLengths(rows: RowFinder, { rowids }: Transcript, bytes: number): Reading<number[]> {
  const lengths: number[] = [];
  for (let at = rowids.length - 1, left = bytes; at >= 0 && left > 0; at--) {
    const { length } = yield* measureLine(rows, elementAt(rowids, at));
    lengths.push(length);
    left -= length + 1;
  }
  return lengths.reverse();
}

/** Returns the length of an event's line. */
export function* measureLine(rows: RowFinder, rowid: number): Reading<LineLength> {
  const row = rows.findKept(rowid, ROW_START) ?? (yield* rows.find(rowid, ROW_START));
  // The size of a compressed event is behind it.
  if (row?.textLength('event_json') !== undefined || row?.valueLength('event_zstd') === undefined) return lengthOf(row);
  return lengthOf(yield* rows.find(rowid, MAX_PACKED));
}

function lengthOf(row: TableRow | undefined): LineLength {
  const length = row?.textLength('event_json');
  if (length !== undefined) return length <= MAX_EVENT ? { length, stored: length } : UNKNOWN_LENGTH;
  const packed = row?.valueLength('event_zstd');
  if (packed === undefined) return UNKNOWN_LENGTH;
  return { length: unpackedLength(row) ?? UNKNOWN_LENGTH.length, stored: Math.min(packed, MAX_PACKED) };
}

function unpackedLength(row: TableRow | undefined): number | undefined {
  const length = row?.integer('event_utf8_bytes');
  return length !== undefined && length >= 1 && length <= MAX_UNPACKED ? length : undefined;
}

/** Bytes of a row that hold any event that is read. */
export const EVENT_ROW = ROW_START + MAX_EVENT;

/**
 * Returns an event. Its bytes may lie in those of the row.
 *
 * @param row the row that should hold it, with its first `EVENT_ROW` bytes
 * @param id the id of its session, in UTF-8
 * @param known the length of its line, if that is known
 * @throws {DatabaseMoved} if the event isn't there any more
 */
export function eventOf(
  row: TableRow | undefined,
  id: Buffer,
  { seqs }: Transcript,
  at: number,
  known: number | undefined,
): EventLine & LineLength {
  if (row?.hasText('session_id', id) !== true || row.integer('seq') !== seqs[at]) throw new DatabaseMoved();
  const { length, stored } = lengthOf(row);
  if (known !== undefined && known !== length) throw new DatabaseMoved();
  const { bytes, damage } = lineOf(row, length);
  return { length, stored, bytes, damage };
}

function lineOf(row: TableRow, length: number): EventLine {
  const textLength = row.textLength('event_json');
  if (textLength !== undefined)
    return textLength > MAX_EVENT ? damagedLine(row, length, 'damaged-event') : wholeLine(row.bytes('event_json'));
  if (!row.isBlob('event_zstd') || unpackedLength(row) !== length) return damagedLine(row, length, 'damaged-event');
  const { zstdDecompressSync } = zlib;
  // Node has it since 22.15.
  if (typeof zstdDecompressSync !== 'function') return damagedLine(row, length, 'unsupported-event');
  try {
    const bytes = zstdDecompressSync(row.bytes('event_zstd'), { maxOutputLength: length, chunkSize: Math.max(MIN_CHUNK, length) });
    if (bytes.length === length) return wholeLine(bytes);
  } catch {
    // It is shown as damaged.
  }
  return damagedLine(row, length, 'damaged-event');
}

/** The smallest `chunkSize` that Node takes. With that of the event, it's unpacked in one step. */
const MIN_CHUNK = 64;

/** Texts may contain line breaks between the parts of an object, and nowhere else. */
function wholeLine(bytes: Buffer): EventLine {
  if (!bytes.includes(NEWLINE)) return { bytes, damage: undefined };
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf(NEWLINE); at >= 0; at = copy.indexOf(NEWLINE, at)) copy[at] = SPACE;
  return { bytes: copy, damage: undefined };
}

const [NEWLINE, SPACE] = [10, 32];

/** OpenClaw keeps an event's place in the tree and its role beside a compressed event. */
function damagedLine(row: TableRow, length: number, damage: EventDamage): EventLine {
  const bytes = Buffer.alloc(length, '?');
  const outline = outlineOf(row.text('navigation_json'));
  if (outline && outline.length <= length) outline.copy(bytes.fill(SPACE));
  return { bytes, damage };
}

function outlineOf(navigation: string | undefined): Buffer | undefined {
  try {
    const parsed: unknown = JSON.parse(navigation ?? '');
    const outline = isObject(parsed) ? (parsed['model'] ?? parsed['navigation']) : undefined;
    return isObject(outline) ? Buffer.from(JSON.stringify(outline)) : undefined;
  } catch {
    return undefined;
  }
}
