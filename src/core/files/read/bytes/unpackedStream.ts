/** The bytes of an archive, unpacked as a stream. Only the last ones are kept; earlier ones are unpacked again if they're read. */
import { WorkQueue } from '../../concurrency/workQueue';

/** The least number of most recently unpacked bytes that are kept. */
export interface KeptBytes {
  /** The number while the archive is read from the first byte on, also if it was measured before. */
  readonly first: number;
  /** The number once the archive was unpacked again for bytes at another place. */
  readonly later: number;
}

/** Bytes of one read, which are in memory at the same time. */
const READ_BYTES = 1024 * 1024;

export class UnpackedStream {
  /** Unpacks the next pieces; `undefined` before the first one, and after the last one. */
  private pieces: AsyncIterator<Buffer> | undefined;
  /** The pieces that are kept: the bytes from `start` to `end`. */
  private kept: Buffer[] = [];
  private start = 0;
  private end = 0;
  /** The first piece, which has a session's header. */
  private first: Buffer | undefined;
  /** The number of all bytes, once it's known. */
  private total: number | undefined;
  /** The least number of bytes to keep; one of `limits`. */
  private limit: number;
  /** The end of the last read. */
  private readTo = 0;
  private readonly requests = new WorkQueue();

  /**
   * @param unpack unpacks from the first byte on
   * @param packedSize the bytes that are in memory while it does
   */
  constructor(
    private readonly unpack: () => AsyncIterable<Buffer>,
    private readonly limits: KeptBytes,
    private readonly packedSize = 0,
  ) {
    this.limit = limits.first;
  }

  /** The number of bytes that are in memory, without the first piece. */
  get keptBytes(): number {
    return this.end - this.start + (this.pieces ? this.packedSize : 0);
  }

  /** Fills `bytes` from `at` on. @returns the number of bytes; 0 at the end only. @throws what `unpack` throws; the signal's reason if aborted */
  read(bytes: Buffer, at: number, length: number, position: number, signal?: AbortSignal): Promise<number> {
    return this.requests.add(async () => {
      if (this.total !== undefined && position >= this.total) return 0;
      const to = Math.min(position + Math.min(length, READ_BYTES), this.total ?? Infinity);
      await this.unpackPart(position, to, signal);
      const count = this.copy(bytes, at, position, to);
      this.readTo = position + count;
      return count;
    });
  }

  /** Returns the number of all bytes. @throws what `unpack` throws */
  size(): Promise<number> {
    return this.requests.add(async () => {
      while (this.total === undefined) await this.unpackNext(Infinity);
      return this.total;
    });
  }

  /** Ends unpacking, and keeps nothing. */
  close(): Promise<void> {
    return this.requests.add(() => this.restart());
  }

  /** Unpacks the bytes between two positions, if they aren't kept. */
  private async unpackPart(from: number, to: number, signal: AbortSignal | undefined): Promise<void> {
    if (from < this.start) {
      if (this.first && to <= this.first.length) return;
      await this.restart();
      if (from !== this.readTo) this.limit = this.limits.later;
    }
    while (this.end < to) {
      signal?.throwIfAborted();
      if (!(await this.unpackNext(from))) return;
    }
  }

  /** Unpacks a piece, and drops pieces that end before `position`, from which on bytes are read. Returns false at the end. */
  private async unpackNext(position: number): Promise<boolean> {
    this.pieces ??= this.unpack()[Symbol.asyncIterator]();
    const next = await this.pieces.next().catch(async (error: unknown) => {
      await this.restart();
      throw error;
    });
    if (next.done === true) {
      this.total = this.end;
      this.pieces = undefined;
      return false;
    }
    if (this.end === 0) this.first = next.value;
    this.kept.push(next.value);
    this.end += next.value.length;
    const needed = Math.min(position, this.end - this.limit);
    for (let [first] = this.kept; first && this.start + first.length <= needed; [first] = this.kept) {
      this.kept.shift();
      this.start += first.length;
    }
    return true;
  }

  private async restart(): Promise<void> {
    const { pieces } = this;
    this.pieces = undefined;
    this.kept = [];
    this.start = this.end = 0;
    await pieces?.return?.();
  }

  /** Copies the kept bytes between two positions. Returns their number. */
  private copy(bytes: Buffer, at: number, from: number, to: number): number {
    if (from < this.start && this.first) return this.first.copy(bytes, at, from, to);
    let count = 0;
    let offset = this.start;
    for (const piece of this.kept) {
      if (offset >= to) break;
      if (offset + piece.length > from) count += piece.copy(bytes, at + count, Math.max(0, from - offset), to - offset);
      offset += piece.length;
    }
    return count;
  }
}
