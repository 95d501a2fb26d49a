/**
 * Locates the newest committed version of each page in a write-ahead log.
 *
 * The format: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
 */
import { CorruptDatabase } from '../databaseErrors';
import { readBytes, type Reading } from './diskRequests';

/** The sizes of the log's header and of a frame's header, in bytes. */
const [HEADER, FRAME] = [32, 24];
/** Bytes that are read at a time, about. */
const CHUNK = 1024 * 1024;
/** Bytes. OpenClaw checkpoints its log every few megabytes. */
const MAX_BYTES = 1024 * 1024 * 1024;
/** The magic number of a log whose checksums add words in little-endian order; the next number stands for the other order. */
const MAGIC = 0x377f0682;

export class WalIndex {
  /** Offsets of the page images in the log, by page number; commits only. */
  readonly offsets = new Map<number, number>();
  /** The number of pages after the last commit; `undefined` before the first one. */
  pageCount: number | undefined;
  private end = HEADER;
  private sums: readonly [number, number];

  private constructor(
    private readonly header: Buffer,
    private readonly isLittleEndian: boolean,
    private readonly pageSize: number,
  ) {
    this.sums = [header.readUInt32BE(24), header.readUInt32BE(28)];
  }

  /** Reads the header. Returns `undefined` if the log has none, as one that was truncated. */
  static *open(pageSize: number): Reading<WalIndex | undefined> {
    const header = yield* readBytes({ file: 'wal', offset: 0, length: HEADER });
    if (header.length < HEADER) return undefined;
    const magic = header.readUInt32BE(0);
    if ((magic & ~1) >>> 0 !== MAGIC || header.readUInt32BE(8) !== pageSize) return undefined;
    const index = new WalIndex(Buffer.from(header), magic === MAGIC, pageSize);
    const sums = addWords([0, 0], header, 0, 24, index.isLittleEndian);
    return sums[0] === index.sums[0] && sums[1] === index.sums[1] ? index : undefined;
  }

  /** Returns true unless the log was started anew, truncated or removed since. */
  *isCurrent(): Reading<boolean> {
    return (yield* readBytes({ file: 'wal', offset: 0, length: HEADER })).equals(this.header);
  }

  /** Adds the frames that were committed since. Returns the numbers of their pages. */
  *advance(): Reading<ReadonlySet<number>> {
    const size = FRAME + this.pageSize;
    const perChunk = Math.max(1, Math.floor(CHUNK / size));
    const added = new Set<number>();
    let pending: [page: number, offset: number][] = [];
    let { end: at, sums } = this;
    for (let more = true; more;) {
      if (at > MAX_BYTES) throw new CorruptDatabase('its write-ahead log is larger than a gigabyte');
      const bytes = yield* readBytes({ file: 'wal', offset: at, length: perChunk * size });
      const whole = Math.floor(bytes.length / size);
      more = whole === perChunk;
      for (let frame = 0; frame < whole; frame++, at += size) {
        const from = frame * size;
        const page = bytes.readUInt32BE(from);
        // Frames of an earlier use of the file have other salts.
        if (page === 0 || bytes.compare(this.header, 16, 24, from + 8, from + 16) !== 0) return added;
        sums = addWords(sums, bytes, from, 8, this.isLittleEndian);
        sums = addWords(sums, bytes, from + FRAME, this.pageSize, this.isLittleEndian);
        if (sums[0] !== bytes.readUInt32BE(from + 16) || sums[1] !== bytes.readUInt32BE(from + 20)) return added;
        pending.push([page, at + FRAME]);
        const committed = bytes.readUInt32BE(from + 4);
        if (committed === 0) continue;
        for (const [number, offset] of pending) {
          this.offsets.set(number, offset);
          added.add(number);
        }
        pending = [];
        this.pageCount = committed;
        this.end = at + size;
        this.sums = sums;
      }
    }
    return added;
  }
}

/** Continues the log's checksum with the 32-bit words of `length` bytes. */
function addWords(sums: readonly [number, number], bytes: Buffer, from: number, length: number, littleEndian: boolean): [number, number] {
  const words = new DataView(bytes.buffer, bytes.byteOffset + from, length);
  let [first, second] = sums;
  for (let at = 0; at < length; at += 8) {
    first = (first + words.getUint32(at, littleEndian) + second) >>> 0;
    second = (second + words.getUint32(at + 4, littleEndian) + first) >>> 0;
  }
  return [first, second];
}
