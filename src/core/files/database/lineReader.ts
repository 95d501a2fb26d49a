/** Reads the lines of a session in a database from any offset. */
import { elementAt } from '../../format/entry/lookups';
import type { LineEnds, LineLength, MoreEnds } from './lineEnds';
import type { Reading } from './pages/diskRequests';
import type { PageReader } from './pages/pageReader';
import type { RowFinder } from './pages/tables';
import type { RecordRoom } from './pages/treePage';
import { EVENT_ROW, eventOf, measureLine, type EventDamage, type EventLine, type Transcript } from './transcript';

/** The result of filling a buffer with lines. */
export interface FilledLines {
  /** The number of bytes that were filled. */
  readonly count: number;
  /** The lines that can't be shown as they were, by their numbers from 1. */
  readonly damaged: ReadonlyMap<number, EventDamage>;
}

/** The ends of lines that were found; they count once it's certain that they are of one state of the database. */
export interface NewEnds {
  readonly more: MoreEnds;
}

type ReadLine = EventLine & LineLength;

export class LineReader {
  /** The event of which a part was read last. A large one is read in many parts. */
  private last: { readonly generation: number; readonly transcript: Transcript; readonly at: number; readonly value: ReadLine } | undefined;
  /** Memory for one event after the other. */
  private room = Buffer.allocUnsafeSlow(0);

  constructor(private readonly pages: PageReader) {}

  /** Fills `bytes` with lines from `position` on. @param ends the known ends of lines; others are found */
  *fill(
    rows: RowFinder,
    { id, transcript }: { readonly id: string; readonly transcript: Transcript },
    bytes: Buffer,
    position: number,
    ends: LineEnds,
  ): Reading<FilledLines & NewEnds> {
    const { rowids } = transcript;
    const sessionId = Buffer.from(id);
    const more = ends.extend();
    let at = ends.lineAt(position);
    // Lines in front of the position are only measured.
    while (at === more.next && at < rowids.length && more.end < position) {
      more.push(yield* measureLine(rows, elementAt(rowids, at)), this.pages.size);
      if (more.end <= position) at++;
    }
    const damaged = new Map<number, EventDamage>();
    let filled = 0;
    for (; at < rowids.length && filled < bytes.length; at++) {
      const begin = more.endOf(at - 1) ?? 0;
      const end = more.endOf(at);
      const length = end === undefined ? undefined : end - begin - 1;
      let line = this.lastLine(transcript, at, length);
      if (!line) {
        const rowid = elementAt(rowids, at);
        const row = rows.findKept(rowid, EVENT_ROW, this.roomFor) ?? (yield* rows.find(rowid, EVENT_ROW, this.roomFor));
        line = eventOf(row, sessionId, transcript, at, length);
      }
      if (end === undefined) more.push(line, this.pages.size);
      if (line.damage) damaged.set(at + 1, line.damage);
      filled += line.bytes.copy(bytes, filled, position + filled - begin);
      if (filled < bytes.length) bytes[filled++] = NEWLINE;
      else this.keep(transcript, at, line);
    }
    return { count: filled, damaged, more };
  }

  /** Returns a line if its event is kept. */
  private lastLine(transcript: Transcript, at: number, length: number | undefined): ReadLine | undefined {
    const { last } = this;
    const isSame = last?.generation === this.pages.generation && last.transcript === transcript && last.at === at;
    return isSame && last.value.length === (length ?? last.value.length) ? last.value : undefined;
  }

  /** Keeps an event whose bytes are overwritten by the next one. */
  private keep(transcript: Transcript, at: number, line: ReadLine): void {
    const { generation } = this.pages;
    if (this.last?.value !== line) this.last = { generation, transcript, at, value: { ...line, bytes: Buffer.from(line.bytes) } };
  }

  private readonly roomFor: RecordRoom = (size) => {
    if (size > MAX_ROOM) return Buffer.allocUnsafe(size);
    if (size > this.room.length) this.room = Buffer.allocUnsafeSlow(Math.min(2 * size, MAX_ROOM));
    return this.room.subarray(0, size);
  };
}

const NEWLINE = 10;

/** The most bytes that are kept for the next event. Few events are larger. */
const MAX_ROOM = 1024 * 1024;
