/** Pages of the trees that tables and indexes are, and the records on them. The format: https://www.sqlite.org/fileformat2.html#b_tree_pages */
import { CorruptDatabase } from '../databaseErrors';
import type { Reading } from './diskRequests';
import type { PageReader } from './pageReader';
import { uint16, uint32, varint, varintEnd } from './numbers';

export const [INDEX_INTERIOR, TABLE_INTERIOR, INDEX_LEAF, TABLE_LEAF] = [2, 5, 10, 13];

/** A record that may continue on other pages. */
export interface Cell {
  readonly rowid: number;
  /** Bytes of the whole record. */
  readonly size: number;
  /** The part of the record that is on the page itself. */
  readonly local: Buffer;
  /** The page on which it continues; 0 if it doesn't. */
  readonly overflow: number;
}

export class TreePage {
  private readonly start: number;
  readonly type: number;
  /** The number of cells. */
  readonly count: number;

  constructor(
    readonly bytes: Buffer,
    readonly number: number,
  ) {
    this.start = number === 1 ? 100 : 0;
    this.type = bytes[this.start]!;
    this.count = uint16(bytes, this.start + 3);
    if (!this.isInterior && this.type !== INDEX_LEAF && this.type !== TABLE_LEAF)
      throw new CorruptDatabase(`page ${number} belongs to no table`);
    if (this.firstPointer + 2 * this.count > bytes.length) throw this.damage();
  }

  /** Returns the offset of a cell. */
  cell(index: number): number {
    const at = uint16(this.bytes, this.firstPointer + 2 * index);
    if (at < this.firstPointer || at + 4 > this.bytes.length) throw this.damage();
    return at;
  }

  /** Returns the page before a cell of an interior page, or behind the last one. */
  child(index: number): number {
    return uint32(this.bytes, index < this.count ? this.cell(index) : this.start + 8);
  }

  private get isInterior(): boolean {
    return this.type === INDEX_INTERIOR || this.type === TABLE_INTERIOR;
  }

  private get firstPointer(): number {
    return this.start + (this.isInterior ? 12 : 8);
  }

  private damage(): CorruptDatabase {
    return new CorruptDatabase(`page ${this.number} is damaged`);
  }
}

export function* treePage(pages: PageReader, number: number): Reading<TreePage> {
  return new TreePage(pages.keptPage(number) ?? (yield* pages.page(number)), number);
}

/** Reads the cell of a leaf, or of an index's interior page behind the number of its child. */
export function cellAt(bytes: Buffer, at: number, isTable: boolean, usable: number): Cell {
  const size = varint(bytes, at);
  const afterSize = varintEnd(bytes, at);
  const rowid = isTable ? varint(bytes, afterSize) : 0;
  const start = isTable ? varintEnd(bytes, afterSize) : afterSize;
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const wanted = least + ((size - least) % (usable - 4));
  const length = size <= most ? size : wanted <= most ? wanted : least;
  const end = start + length;
  if (end + (size > most ? 4 : 0) > bytes.length) throw new CorruptDatabase('a record is cut off');
  return { rowid, size, local: bytes.subarray(start, end), overflow: size > most ? uint32(bytes, end) : 0 };
}

/** Returns memory for some bytes of a record. */
export type RecordRoom = (length: number) => Buffer;

/** Returns the first `length` bytes of a record. @param room gives the memory for a record that continues on other pages */
export function* recordStart(pages: PageReader, cell: Cell, length: number, room: RecordRoom = newRoom): Reading<Buffer> {
  const start = new RecordStart(cell, length, room);
  while (!start.fill(pages)) yield* pages.page(start.next);
  return start.bytes;
}

/** Returns the same bytes; `undefined` if a page of them must be read. */
export function keptRecordStart(pages: PageReader, cell: Cell, length: number, room: RecordRoom = newRoom): Buffer | undefined {
  const start = new RecordStart(cell, length, room);
  return start.fill(pages) ? start.bytes : undefined;
}

const newRoom: RecordRoom = (length) => Buffer.allocUnsafe(length);

/** The first bytes of a record, as far as its pages were read. */
class RecordStart {
  readonly bytes: Buffer;
  /** The page on which it continues. */
  next: number;
  private filled: number;

  constructor({ size, local, overflow }: Cell, length: number, room: RecordRoom) {
    const wanted = Math.min(length, size);
    this.next = overflow;
    this.bytes = wanted <= local.length ? local : room(wanted);
    this.filled = wanted <= local.length ? local.length : local.copy(this.bytes);
  }

  /** Adds pages until one must be read. Returns true if all bytes are there. */
  fill(pages: PageReader): boolean {
    // A chain that runs in a circle ends with the record.
    while (this.filled < this.bytes.length) {
      const page = pages.keptPage(this.next);
      if (!page) return false;
      this.filled += page.copy(this.bytes, this.filled, 4, pages.usableSize);
      this.next = uint32(page, 0);
    }
    return true;
  }
}

/** A page that is reached twice would be read for ever. */
export function visit(visited: Set<number>, number: number): void {
  if (visited.has(number)) throw new CorruptDatabase(`page ${number} is in a table twice`);
  visited.add(number);
}
