/**
 * The events of a session as the lines of a file: each event is a line, in the order of `seq`, and the header is the first one.
 * FORMAT section 7.
 */
import { elementAt } from '../../format/entry/lookups';
import * as zlib from 'node:zlib';
import { isObject } from '../../format/entry/jsonValues';
import { CorruptDatabase, DatabaseMoved } from './databaseErrors';
import type { Reading } from './pages/diskRequests';
import type { Derived, PageReader } from './pages/pageReader';
import { isBlob, isText } from './pages/record';
import { ROW_START, RowFinder, scanKey, type TableRow, type Table } from './pages/tables';

/** Bytes of an event. OpenClaw compresses large events and keeps none above 4 MB. One is held in memory. */
const MAX_EVENT = 16 * 1024 * 1024;
/** Bytes of a compressed event, and what it may unpack to. */
const MAX_PACKED = 8 * 1024 * 1024;
const MAX_UNPACKED = 16 * 1024 * 1024;
/** Bytes of a session. A small database can claim any size, as compressed events can be small. */
const MAX_SESSION = 8 * 1024 * 1024 * 1024;
/** The length of a line for an event whose own length isn’t known. */
const UNKNOWN_LENGTH = 1024;

/** The places of a session's events. Each list has an item for each event. */
export interface Transcript {
  readonly seqs: readonly number[];
  /** The numbers of the rows. */
  readonly rowids: readonly number[];
  /** The offsets at which the lines end, behind their line breaks. */
  readonly ends: readonly number[];
  /** OpenClaw changes it when it rewrites events that it had stored; `undefined` if it keeps none. */
  readonly generation: string | undefined;
  /** The time at which the last event was stored, in milliseconds since 1970. */
  readonly time: number;
}

/** The reason why an event isn't shown as it was. */
export type EventDamage = 'unsupported-event' | 'damaged-event';

export interface EventLine {
  /** The event's line without its line break. Its length is that in the transcript. */
  readonly bytes: Buffer;
  readonly damage?: EventDamage;
}

/**
 * Returns the places of a session's events. They hold as long as the pages of the index don't change behind the last event:
 * OpenClaw gives a session that it rewrites another generation. Without one, all pages count.
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
  const none: Transcript = { seqs: [], rowids: [], ends: [], generation, time: 0 };
  const from =
    (seq: number): (() => ReturnType<typeof locateEvents>) =>
    () =>
      locateEvents(pages, events, id, seq);
  if (generation === undefined)
    return yield* pages.derive(function* () {
      return yield* addEvents(pages, events, none, yield* from(Number.NEGATIVE_INFINITY)());
    });
  const last = before?.seqs.at(-1);
  if (before && last !== undefined && before.generation === generation) {
    const found = yield* pages.derive(from(last));
    const [first, ...added] = found.value;
    if (first?.seq === last && first.rowid === before.rowids.at(-1))
      return { ...found, value: yield* addEvents(pages, events, before, added) };
  }
  const found = yield* pages.derive(from(Number.NEGATIVE_INFINITY));
  const value = yield* addEvents(pages, events, none, found.value);
  const end = value.seqs.at(-1);
  return { ...(end === undefined ? found : yield* pages.derive(from(end))), value };
}

function* locateEvents(pages: PageReader, events: Table, id: string, from: number): Reading<{ seq: number; rowid: number }[]> {
  const found: { seq: number; rowid: number }[] = [];
  yield* scanKey(pages, events, id, from, (seq, rowid) => {
    if (typeof seq === 'number' && typeof rowid === 'number') found.push({ seq, rowid });
  });
  return found;
}

function* addEvents(
  pages: PageReader,
  events: Table,
  before: Transcript,
  added: readonly { readonly seq: number; readonly rowid: number }[],
): Reading<Transcript> {
  if (added.length === 0) return before;
  const [seqs, rowids, ends] = [[...before.seqs], [...before.rowids], [...before.ends]];
  let { time } = before;
  let end = ends.at(-1) ?? 0;
  let stored = 0;
  const rows = new RowFinder(pages, events);
  for (const { seq, rowid } of added) {
    const row = yield* rows.find(rowid, ROW_START);
    const event = row?.place('event_json');
    let length = UNKNOWN_LENGTH;
    if (row && event && isText(event)) {
      if (event.length <= MAX_EVENT) stored += length = event.length;
    } else {
      const compressed = row?.place('event_zstd');
      if (compressed) {
        stored += Math.min(compressed.length, MAX_PACKED);
        const packed = yield* rows.find(rowid, MAX_PACKED);
        length = unpackedLength(packed) ?? UNKNOWN_LENGTH;
      }
    }
    end += length + 1;
    if (stored > pages.count * pages.usableSize || end > MAX_SESSION) throw new CorruptDatabase('a session is larger than the database');
    seqs.push(seq);
    rowids.push(rowid);
    ends.push(end);
    time = row?.integer('created_at') ?? time;
  }
  return { ...before, seqs, rowids, ends, time };
}

function unpackedLength(row: TableRow | undefined): number | undefined {
  const length = row?.integer('event_utf8_bytes');
  return length !== undefined && length >= 1 && length <= MAX_UNPACKED ? length : undefined;
}

/** @throws {DatabaseMoved} if the event isn't there any more */
export function* readEvent(rows: RowFinder, id: string, { seqs, rowids, ends }: Transcript, at: number): Reading<EventLine> {
  const length = elementAt(ends, at) - (ends[at - 1] ?? 0) - 1;
  const row = yield* rows.find(elementAt(rowids, at), ROW_START + MAX_EVENT);
  if (row?.text('session_id') !== id || row.integer('seq') !== seqs[at]) throw new DatabaseMoved();
  const event = row.place('event_json');
  if (event && isText(event)) {
    if (event.length > MAX_EVENT) return damagedLine(row, length, 'damaged-event');
    if (event.length !== length) throw new DatabaseMoved();
    return { bytes: oneLine(row.bytes(event)) };
  }
  const packed = row.place('event_zstd');
  if (!packed || !isBlob(packed) || unpackedLength(row) !== length) return damagedLine(row, length, 'damaged-event');
  const { zstdDecompressSync } = zlib;
  // Node has it since 22.15.
  if (typeof zstdDecompressSync !== 'function') return damagedLine(row, length, 'unsupported-event');
  try {
    const bytes = zstdDecompressSync(row.bytes(packed), { maxOutputLength: length, chunkSize: Math.max(MIN_CHUNK, length) });
    if (bytes.length === length) return { bytes: oneLine(bytes) };
  } catch {
    // It is shown as damaged.
  }
  return damagedLine(row, length, 'damaged-event');
}

/** The smallest `chunkSize` that Node takes. With that of the event, it's unpacked in one step. */
const MIN_CHUNK = 64;

/** Texts may contain line breaks between the parts of an object, and nowhere else. */
function oneLine(bytes: Buffer): Buffer {
  if (!bytes.includes(NEWLINE)) return bytes;
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf(NEWLINE); at >= 0; at = copy.indexOf(NEWLINE, at)) copy[at] = SPACE;
  return copy;
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
