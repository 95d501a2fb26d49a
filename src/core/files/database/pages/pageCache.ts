/** Pages of a database that were read: those of the write-ahead log one by one, those of the database itself in groups. */

/** Pages are read in groups of about this many bytes, as neighbors are often needed next. */
const GROUP_BYTES = 32 * 1024;
/** Groups that are read at once, if they are needed one after the other. */
const MAX_GROUPS = 32;
/** Bytes of pages that are kept. */
const CACHE_BYTES = 16 * 1024 * 1024;
/** Bytes of memory without pages that are kept for later reads. */
const SPARE_BYTES = 4 * 1024 * 1024;

/** Groups that were read at once. The last one may be shorter. */
interface Run {
  readonly first: number;
  readonly bytes: Buffer;
  /** The memory that the bytes are in. */
  readonly room: Buffer;
}

/** The place of groups in the database, and memory for them. */
interface NextRead {
  readonly offset: number;
  readonly room: Buffer;
}

export class PageCache {
  /** By the numbers of pages. */
  private readonly logged = new Map<number, Buffer>();
  /** By the numbers of groups. Those of their pages that are in the log are outdated. */
  private readonly groups = new Map<number, Run>();
  /** In the order in which they were read. */
  private readonly runs = new Set<Run>();
  /** The bytes of their memory. */
  private runBytes = 0;
  /** Memory of runs that were dropped, but whose pages may be in use. */
  private dropped: Buffer[] = [];
  private droppedBytes = 0;
  /** Memory for the next reads. New memory costs more than what is read into it: V8 collects garbage for it. */
  private spare: Buffer[] = [];
  /** The groups that were read last. */
  private readCount = 1;
  private readEnd = 0;

  /** @param pageSize in bytes */
  constructor(private readonly pageSize: number) {}

  private get groupSize(): number {
    return Math.max(GROUP_BYTES, this.pageSize);
  }

  /** Returns the number of a page's group. */
  groupOf(page: number): number {
    return Math.floor(((page - 1) * this.pageSize) / this.groupSize);
  }

  loggedPage(page: number): Buffer | undefined {
    return this.logged.get(page);
  }

  /** Returns a page of the database itself; `undefined` if its group must be read, or ends before. */
  mainPage(page: number): Buffer | undefined {
    const run = this.groups.get(this.groupOf(page));
    if (!run) return undefined;
    const from = (page - 1) * this.pageSize - run.first * this.groupSize;
    return from + this.pageSize <= run.bytes.length ? run.bytes.subarray(from, from + this.pageSize) : undefined;
  }

  keepLogged(page: number, bytes: Buffer): void {
    this.trim(CACHE_BYTES - bytes.length);
    this.logged.set(page, bytes);
  }

  /** Returns what to read for a group: twice as many as last time if it follows those. */
  nextRead(group: number): NextRead {
    this.readCount = group === this.readEnd ? Math.min(2 * this.readCount, MAX_GROUPS) : 1;
    this.readEnd = group + this.readCount;
    const length = this.readCount * this.groupSize;
    const at = this.spare.findIndex((room) => room.length === length);
    const [room = Buffer.allocUnsafeSlow(length)] = at < 0 ? [] : this.spare.splice(at, 1);
    return { offset: group * this.groupSize, room };
  }

  /** Keeps the bytes from a group on, which are in this memory. Returns the number of groups. */
  keepGroups(first: number, bytes: Buffer, room: Buffer): number {
    this.trim(CACHE_BYTES - room.length);
    const run = { first, bytes, room };
    const count = Math.ceil(bytes.length / this.groupSize);
    for (let at = first; at < first + count; at++) this.groups.set(at, run);
    this.runs.add(run);
    this.runBytes += room.length;
    return count;
  }

  /** To be called for a page of which the log has a newer version. */
  forgetLogged(page: number): void {
    this.logged.delete(page);
  }

  /** Drops what was read first, so that at most some bytes are kept. */
  trim(bytes: number): void {
    for (const oldest of this.runs) {
      if (this.runBytes + this.logged.size * this.pageSize <= bytes) break;
      this.drop(oldest);
    }
    for (const oldest of this.logged.keys()) {
      if (this.logged.size * this.pageSize <= bytes) break;
      this.logged.delete(oldest);
    }
  }

  /** To be called when no page is in use: the memory of those that were dropped is used again. */
  reuseDropped(): void {
    this.spare = upTo(SPARE_BYTES, [...this.dropped, ...this.spare]);
    this.dropped = [];
    this.droppedBytes = 0;
  }

  private drop(run: Run): void {
    this.runs.delete(run);
    this.runBytes -= run.room.length;
    if (this.droppedBytes < SPARE_BYTES) this.dropped.push(run.room);
    this.droppedBytes += run.room.length;
    // A group may have been read again since.
    for (let at = run.first; at < run.first + run.room.length / this.groupSize; at++)
      if (this.groups.get(at) === run) this.groups.delete(at);
  }
}

/** Returns the first of some buffers that have at most so many bytes together. */
function upTo(limit: number, buffers: readonly Buffer[]): Buffer[] {
  let bytes = 0;
  return buffers.filter(({ length }) => (bytes += length) <= limit);
}
