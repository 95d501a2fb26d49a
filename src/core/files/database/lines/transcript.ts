/**
 * The events of a session as the lines of a file: each event is a line, in the order of `seq`, and the header is the first one.
 * FORMAT section 7. All of these functions read in the transaction of their caller, and the length of a value before the value.
 */
import type { DatabaseConnection } from '../sqlite/databaseConnection';
import { CorruptDatabase, DatabaseMoved } from '../sqlite/databaseErrors';
import { integerOf, textOf, type Table } from '../sqlite/databaseTables';
import { lineOf, type EventLine } from './eventLine';
import type { FoundLine, KnownLines, LineLength } from './knownLines';

/** Bytes of an event. OpenClaw compresses large events and keeps none above 4 MB. One is held in memory. */
const MAX_EVENT = 16 * 1024 * 1024;
/** Bytes of a compressed event, and what it may unpack to. */
const MAX_PACKED = 8 * 1024 * 1024;
const MAX_UNPACKED = 16 * 1024 * 1024;
/** Bytes of an event up to which the time is read that is behind it. */
const MAX_TIMED_EVENT = 64 * 1024;
/** The length of a line for an event whose own length isn’t known. */
const UNKNOWN_LENGTH: LineLength = { length: 1024, stored: 0 };
/** Lines that are measured in one state of the database. */
export const LINES_AT_ONCE = 1000;

/** The events of a session. */
export interface Transcript {
  /** OpenClaw changes it when it rewrites events that it had stored; `undefined` if it keeps none. */
  readonly generation: string | undefined;
  /** `undefined` if there are no events. */
  readonly last: LastEvent | undefined;
  /** The places of the lines, as far as they are known. Some may be behind the last event. */
  readonly lines: KnownLines;
}

/** The last event of a session. */
export interface LastEvent {
  readonly seq: number;
  /** The number of its row. */
  readonly rowid: number;
  /** The time at which it was stored, in milliseconds since 1970; 0 if it isn't known. */
  readonly time: number;
}

/** A session, and its events up to the last one that was there when it was opened. */
export interface EventRange {
  readonly id: string;
  readonly last: LastEvent;
}

/** Returns the table of events as a source of rows by its key. @throws {CorruptDatabase} if there is none */
function eventsOf(connection: DatabaseConnection): Table & { readonly byKey: string } {
  const table = connection.tables().get('transcript_events');
  if (!table) throw new CorruptDatabase('it has no table of session events');
  const { byKey } = table;
  if (byKey === undefined) throw new CorruptDatabase('its session events have a key that isn’t known');
  return { ...table, byKey };
}

/** Returns the last event of a session, without looking at the others; `undefined` if it has none. */
export function readLastEvent(connection: DatabaseConnection, id: string): LastEvent | undefined {
  const { byKey, column } = eventsOf(connection);
  const size = `coalesce(octet_length(${column('event_json')}), 0)`;
  const time = `CASE WHEN ${size} <= ${MAX_TIMED_EVENT} THEN ${integerOf(column('created_at'))} END`;
  const [row] = connection.all(
    `SELECT seq, ${integerOf('rowid')}, ${time} FROM ${byKey} WHERE session_id = ? AND seq <= ${Number.MAX_SAFE_INTEGER} ORDER BY seq DESC LIMIT 1`,
    id,
  );
  const [seq, rowid, stored] = row ?? [];
  if (typeof seq !== 'number') return undefined;
  return { seq, rowid: typeof rowid === 'number' ? rowid : 0, time: typeof stored === 'number' ? stored : 0 };
}

/** Returns true if the event that was the last one is still there. */
export function hasEvent(connection: DatabaseConnection, id: string, { seq, rowid }: LastEvent): boolean {
  const { byKey } = eventsOf(connection);
  const [row] = connection.all(`SELECT ${integerOf('rowid')} FROM ${byKey} WHERE session_id = ? AND seq = ?`, id, seq);
  return row?.[0] === rowid;
}

/** Returns the present generation of a session. */
export function readGeneration(connection: DatabaseConnection, id: string): string | undefined {
  const table = connection.tables().get('transcript_rewrite_watermarks');
  if (!table) return undefined;
  if (table.byKey === undefined) throw new CorruptDatabase('its generations have a key that isn’t known');
  const [row] = connection.all(`SELECT ${textOf(table.column('generation'))} FROM ${table.byKey} WHERE session_id = ?`, id);
  const [generation] = row ?? [];
  return typeof generation === 'string' && generation !== '' ? generation : undefined;
}

/** @throws {DatabaseMoved} if a session's events were rewritten since it was opened */
export function assertGeneration(connection: DatabaseConnection, id: string, { generation }: Transcript): void {
  if (readGeneration(connection, id) !== generation) throw new DatabaseMoved();
}

/** Returns the lengths of the next lines behind a `seq`, which are at most {@link LINES_AT_ONCE}. */
export function measureLines(connection: DatabaseConnection, { id, last }: EventRange, after: number): FoundLine[] {
  const { byKey, column } = eventsOf(connection);
  const rows = connection.all(
    `SELECT ${lengthColumns(column)} FROM ${byKey} WHERE session_id = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ${LINES_AT_ONCE}`,
    id,
    after,
    last.seq,
  );
  return inOrder(rows.map(foundLine), after);
}

/** Returns the last lines, in their order, that have a number of bytes together. */
export function lastLines(connection: DatabaseConnection, { id, last }: EventRange, bytes: number): FoundLine[] {
  const { byKey, column } = eventsOf(connection);
  const found: FoundLine[] = [];
  let left = bytes;
  const rows = connection.iterate(
    `SELECT ${lengthColumns(column)} FROM ${byKey} WHERE session_id = ? AND seq <= ? ORDER BY seq DESC LIMIT ${LINES_AT_ONCE}`,
    id,
    last.seq,
  );
  for (const row of rows) {
    const line = foundLine(row);
    found.push(line);
    left -= line.length + 1;
    if (left <= 0) break;
  }
  return inOrder(found.reverse(), Number.NEGATIVE_INFINITY);
}

/** Returns the `seq` of a line. @param line from 0 @throws {DatabaseMoved} if there are fewer lines */
export function seqOfLine(connection: DatabaseConnection, { id, last }: EventRange, line: number): number {
  const { byKey } = eventsOf(connection);
  const [row] = connection.all(
    `SELECT seq FROM ${byKey} WHERE session_id = ? AND seq <= ? ORDER BY seq LIMIT 1 OFFSET ?`,
    id,
    last.seq,
    line,
  );
  const [seq] = row ?? [];
  if (typeof seq !== 'number') throw new DatabaseMoved();
  return seq;
}

/** Passes the lines behind a `seq` to `onLine`, until it returns false. */
export function readLines(
  connection: DatabaseConnection,
  { id, last }: EventRange,
  after: number,
  onLine: (line: FoundLine & EventLine) => boolean,
): void {
  const { byKey, column } = eventsOf(connection);
  const [text, packed] = [column('event_json'), column('event_zstd')];
  const value = `CASE WHEN typeof(${text}) = 'text' THEN CASE WHEN octet_length(${text}) <= ${MAX_EVENT} THEN CAST(${text} AS BLOB) END
    WHEN typeof(${packed}) = 'blob' AND octet_length(${packed}) <= ${MAX_PACKED} THEN ${packed} END`;
  const navigation = (seq: number): unknown =>
    connection.all(`SELECT ${textOf(column('navigation_json'))} FROM ${byKey} WHERE session_id = ? AND seq = ?`, id, seq)[0]?.[0];
  const rows = connection.iterate(
    `SELECT ${lengthColumns(column)}, ${value} FROM ${byKey} WHERE session_id = ? AND seq > ? AND seq <= ? ORDER BY seq LIMIT ${LINES_AT_ONCE}`,
    id,
    after,
    last.seq,
  );
  let before = after;
  for (const row of rows) {
    const line = foundLine(row);
    inOrder([line], before);
    before = line.seq;
    const bytes = row[LENGTH_COLUMNS];
    const stored = bytes instanceof Uint8Array ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : undefined;
    const isText = row[1] !== null;
    if (
      !onLine({
        ...line,
        ...lineOf(stored, { isText, length: line.length, isKnown: isText || row[3] !== null, navigation: () => navigation(line.seq) }),
      })
    )
      break;
  }
}

/** Returns the number of a line, the length of its text, that of its compressed text, and what the row says that it unpacks to. */
function lengthColumns(column: Table['column']): string {
  const [text, packed] = [column('event_json'), column('event_zstd')];
  return `seq, CASE WHEN typeof(${text}) = 'text' THEN octet_length(${text}) END, octet_length(${packed}),
    CASE WHEN octet_length(${packed}) <= ${MAX_PACKED} AND ${column('event_utf8_bytes')} BETWEEN 1 AND ${MAX_UNPACKED} THEN ${integerOf(column('event_utf8_bytes'))} END`;
}

const LENGTH_COLUMNS = 4;

function foundLine([seq, text, packed, unpacked]: readonly unknown[]): FoundLine {
  if (typeof seq !== 'number') throw new CorruptDatabase('an event has no number');
  if (typeof text === 'number') return { seq, ...(text <= MAX_EVENT ? { length: text, stored: text } : UNKNOWN_LENGTH) };
  if (typeof packed !== 'number') return { seq, ...UNKNOWN_LENGTH };
  return { seq, length: typeof unpacked === 'number' ? unpacked : UNKNOWN_LENGTH.length, stored: Math.min(packed, MAX_PACKED) };
}

/** @throws {CorruptDatabase} unless each `seq` is larger than the one before: damaged pages can be in a circle */
function inOrder(lines: FoundLine[], after: number): FoundLine[] {
  let before = after;
  for (const { seq } of lines) {
    if (seq <= before) throw new CorruptDatabase('it’s damaged');
    before = seq;
  }
  return lines;
}

/** Returns the bytes of an archive that the database holds itself; `undefined` if there is none. */
export function readArchiveBytes(
  connection: DatabaseConnection,
  id: string,
  maxBytes: number,
  generation: string | undefined,
  length = maxBytes,
): Buffer | undefined {
  const name = generation === undefined ? 'session_transcript_cold_archives' : 'session_transcript_archives';
  const table = connection.tables().get(name);
  if (!table) return undefined;
  if (table.byKey === undefined) throw new CorruptDatabase('its archives have a key that isn’t known');
  const blob = table.column('archive_blob');
  const value = `CASE WHEN typeof(${blob}) = 'blob' AND octet_length(${blob}) <= ? THEN substr(${blob}, 1, ?) END`;
  const select = `SELECT ${value} FROM ${table.byKey} WHERE session_id = ?`;
  const [row] =
    generation === undefined
      ? connection.all(select, maxBytes, length, id)
      : connection.all(`${select} AND generation = ?`, maxBytes, length, id, generation);
  const [bytes] = row ?? [];
  return bytes instanceof Uint8Array ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length) : undefined;
}
