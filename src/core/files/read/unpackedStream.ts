/** The bytes of an archive, unpacked as a stream: only the last ones are kept. Those before are unpacked again if they're read. */

/** Bytes that are kept at least. A view that shows the end of a session goes back through these without unpacking. */
const KEPT_BYTES = 16 * 1024 * 1024;
/** Bytes of one read, which are in memory at the same time. */
const READ_BYTES = 1024 * 1024;

export class UnpackedStream {
  private pieces: AsyncIterator<Buffer> | undefined;
  /** The pieces that are kept: the bytes from `start` to `end`. */
  private kept: Buffer[] = [];
  private start = 0;
  /** The first piece, which has a session's header. */
  private first: Buffer | undefined;
  private end = 0;
  private total: number | undefined;
  /** The last request; the next one waits for it. */
  private work: Promise<unknown> = Promise.resolve();

  /** @param unpack unpacks from the first byte on */
  constructor(private readonly unpack: () => AsyncIterable<Buffer>) {}

  /** Fills `bytes` from `at` on. @returns the number of bytes; 0 at the end only. @throws what `unpack` throws */
  read(bytes: Buffer, at: number, length: number, position: number): Promise<number> {
    return this.inTurn(async () => {
      if (this.total !== undefined && position >= this.total) return 0;
      const to = position + Math.min(length, READ_BYTES);
      if (position < this.start && this.first && to <= this.first.length) return this.first.copy(bytes, at, position, to);
      if (position < this.start) await this.restart();
      while (this.end < to && (await this.unpackNext(position)));
      return this.copy(bytes, at, position, to);
    });
  }

  /** Returns the number of all bytes. @throws what `unpack` throws */
  size(): Promise<number> {
    return this.inTurn(async () => {
      while (this.total === undefined) await this.unpackNext(Infinity);
      return this.total;
    });
  }

  /** Ends unpacking, and keeps nothing. */
  close(): Promise<void> {
    return this.inTurn(() => this.restart());
  }

  private inTurn<T>(request: () => Promise<T>): Promise<T> {
    const result = this.work.then(request);
    this.work = result.catch(() => undefined);
    return result;
  }

  /** Unpacks a piece, and drops those that end before what is read from `position` on. Returns false at the end. */
  private async unpackNext(position: number): Promise<boolean> {
    this.pieces ??= this.unpack()[Symbol.asyncIterator]();
    const next = await this.pieces.next().catch(async (error: unknown) => {
      await this.restart();
      throw error;
    });
    if (next.done === true) {
      this.total = this.end;
      return false;
    }
    if (this.end === 0) this.first = next.value;
    this.kept.push(next.value);
    this.end += next.value.length;
    const needed = Math.min(position, this.end - KEPT_BYTES);
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
