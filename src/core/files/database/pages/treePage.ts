/** Pages of the trees that tables and indexes are, and the records on them. The format: https://www.sqlite.org/fileformat2.html#b_tree_pages */
import { CorruptDatabase } from '../databaseErrors';
import type { Reading } from './diskRequests';
import type { PageReader } from './pageReader';
import { varint } from './record';

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
    this.count = bytes.readUInt16BE(this.start + 3);
    if (!this.isInterior && this.type !== INDEX_LEAF && this.type !== TABLE_LEAF)
      throw new CorruptDatabase(`page ${number} belongs to no table`);
    if (this.firstPointer + 2 * this.count > bytes.length) throw this.damage();
  }

  /** Returns the offset of a cell. */
  cell(index: number): number {
    const at = this.bytes.readUInt16BE(this.firstPointer + 2 * index);
    if (at < this.firstPointer || at + 4 > this.bytes.length) throw this.damage();
    return at;
  }

  /** Returns the page before a cell of an interior page, or behind the last one. */
  child(index: number): number {
    return this.bytes.readUInt32BE(index < this.count ? this.cell(index) : this.start + 8);
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
  return new TreePage(yield* pages.page(number), number);
}

/** Reads the cell of a leaf, or of an index's interior page behind the number of its child. */
export function cellAt(bytes: Buffer, at: number, isTable: boolean, usable: number): Cell {
  const [size, afterSize] = varint(bytes, at);
  const [rowid, start] = isTable ? varint(bytes, afterSize) : [0, afterSize];
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const wanted = least + ((size - least) % (usable - 4));
  const length = size <= most ? size : wanted <= most ? wanted : least;
  const end = start + length;
  if (end + (size > most ? 4 : 0) > bytes.length) throw new CorruptDatabase('a record is cut off');
  return { rowid, size, local: bytes.subarray(start, end), overflow: size > most ? bytes.readUInt32BE(end) : 0 };
}

/** Returns memory for some bytes of a record. */
export type RecordRoom = (length: number) => Buffer;

/** Returns the first `length` bytes of a record. @param room gives the memory for a record that continues on other pages */
export function* recordStart(
  pages: PageReader,
  cell: Cell,
  length: number,
  room: RecordRoom = (size) => Buffer.allocUnsafe(size),
): Reading<Buffer> {
  const wanted = Math.min(length, cell.size);
  if (wanted <= cell.local.length) return cell.local;
  const record = room(wanted);
  let filled = cell.local.copy(record);
  // A chain that runs in a circle ends with the record.
  for (let next = cell.overflow; filled < wanted;) {
    const page = yield* pages.page(next);
    filled += page.copy(record, filled, 4, pages.usableSize);
    next = page.readUInt32BE(0);
  }
  return record;
}

/** A page that is reached twice would be read for ever. */
export function visit(visited: Set<number>, number: number): void {
  if (visited.has(number)) throw new CorruptDatabase(`page ${number} is in a table twice`);
  visited.add(number);
}
