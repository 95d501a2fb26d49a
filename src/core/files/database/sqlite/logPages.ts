/** The pages in a write-ahead log. See https://www.sqlite.org/walformat.html. */
import { readAtSync } from '../../sync/readAtSync';
import { CorruptDatabase } from './databaseErrors';

/** Bytes of the headers of a log, and of each page in it. */
const [LOG_HEADER, FRAME_HEADER] = [32, 24];
/** The first four bytes: the checksums take numbers with the lowest or the highest byte first. */
const [LITTLE, BIG] = [0x377f0682, 0x377f0683];

/** For each page the places of the contents that SQLite may take. */
export type LogPlaces = ReadonlyMap<number, readonly number[]>;

/**
 * Returns the places of all contents, without reading them. SQLite takes one of them for each page, or none: that depends on the
 * checksums and the commits.
 *
 * @param size bytes of a page
 * @throws {CorruptDatabase} if the log's pages have another size
 */
export function placesInLog(log: number, size: number): LogPlaces {
  const places = new Map<number, number[]>();
  for (const { page, at } of frames(log, size, FRAME_HEADER)) {
    const before = places.get(page);
    if (before) before.push(at + FRAME_HEADER);
    else places.set(page, [at + FRAME_HEADER]);
  }
  return places;
}

/** Returns the places of the contents that SQLite takes. Reads the whole log. @throws as {@link placesInLog} */
export function committedPlaces(log: number, size: number): LogPlaces {
  const committed = new Map<number, readonly number[]>();
  const written = new Map<number, readonly number[]>();
  const header = readAtSync(log, 0, LOG_HEADER);
  if (header.length < LOG_HEADER || ![LITTLE, BIG].includes(header.readUInt32BE(0))) return committed;
  const sum = new Checksum(header.readUInt32BE(0) === LITTLE);
  sum.add(header, 0, 24);
  if (!sum.isAt(header, 24)) return committed;
  for (const { page, at, bytes } of frames(log, size, FRAME_HEADER + size)) {
    sum.add(bytes, 0, 8);
    sum.add(bytes, FRAME_HEADER, FRAME_HEADER + size);
    if (page === 0 || !sum.isAt(bytes, 16)) break;
    written.set(page, [at + FRAME_HEADER]);
    // Only the last page of a commit has the number of all pages.
    if (bytes.readUInt32BE(4) === 0) continue;
    for (const [one, places] of written) committed.set(one, places);
    written.clear();
  }
  return committed;
}

interface Frame {
  readonly page: number;
  readonly at: number;
  readonly bytes: Buffer;
}

/** Reads the beginnings of all frames up to the first one that an earlier log left. */
function* frames(log: number, size: number, length: number): Generator<Frame> {
  const header = readAtSync(log, 0, LOG_HEADER);
  if (header.length < LOG_HEADER) return;
  if (header.readUInt32BE(8) !== size) throw new CorruptDatabase('it’s damaged');
  const bytes = Buffer.alloc(length);
  for (let at = LOG_HEADER; readAtSync(log, at, length, bytes).length === length; at += FRAME_HEADER + size) {
    // Each log has its own salts.
    if (bytes.compare(header, 16, 24, 8, 16) !== 0) return;
    yield { page: bytes.readUInt32BE(0), at, bytes };
  }
}

/** The checksum of all bytes so far. */
class Checksum {
  private first = 0;
  private second = 0;

  constructor(private readonly isLittle: boolean) {}

  add(bytes: Buffer, start: number, end: number): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = start; at < end; at += 8) {
      this.first = (this.first + view.getUint32(at, this.isLittle) + this.second) >>> 0;
      this.second = (this.second + view.getUint32(at + 4, this.isLittle) + this.first) >>> 0;
    }
  }

  isAt(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.first && bytes.readUInt32BE(at + 4) === this.second;
  }
}
