/** Pages of a database that were read: those of the write-ahead log one by one, those of the database itself in groups. */

/** Pages are read in groups of about this many bytes, as neighbors are often needed next. */
const GROUP_BYTES = 32 * 1024;
/** Groups that are read at once, if they are needed one after the other. */
const MAX_GROUPS = 32;
/** Bytes of pages that are kept. */
const CACHE_BYTES = 16 * 1024 * 1024;

export class PageCache {
  /** By the numbers of pages. */
  private readonly logged = new Map<number, Buffer>();
  /** By the numbers of groups. Those of their pages that are in the log are outdated. The last group may be shorter. */
  private readonly groups = new Map<number, Buffer>();
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
    const at = this.groupOf(page);
    const from = (page - 1) * this.pageSize - at * this.groupSize;
    const bytes = this.groups.get(at)?.subarray(from, from + this.pageSize);
    return bytes?.length === this.pageSize ? bytes : undefined;
  }

  keepLogged(page: number, bytes: Buffer): void {
    this.trim(CACHE_BYTES - bytes.length);
    this.logged.set(page, bytes);
  }

  /** Returns the range of bytes to read for a group: twice as many as last time if it follows those. */
  nextRead(group: number): { readonly offset: number; readonly length: number } {
    this.readCount = group === this.readEnd ? Math.min(2 * this.readCount, MAX_GROUPS) : 1;
    this.readEnd = group + this.readCount;
    return { offset: group * this.groupSize, length: this.readCount * this.groupSize };
  }

  /** Keeps the bytes from a group on. Returns the numbers of the groups. */
  keepGroups(first: number, bytes: Buffer): number[] {
    this.trim(CACHE_BYTES - bytes.length);
    const kept: number[] = [];
    for (let from = 0; from < bytes.length; from += this.groupSize) {
      const at = first + kept.length;
      this.groups.delete(at);
      this.groups.set(at, bytes.subarray(from, from + this.groupSize));
      kept.push(at);
    }
    return kept;
  }

  /** To be called for a page of which the log has a newer version. */
  forgetLogged(page: number): void {
    this.logged.delete(page);
  }

  /** Drops what was read first, so that at most some bytes are kept. */
  trim(bytes: number): void {
    for (const oldest of this.groups.keys()) {
      if (this.groups.size * this.groupSize + this.logged.size * this.pageSize <= bytes) break;
      this.groups.delete(oldest);
    }
    for (const oldest of this.logged.keys()) {
      if (this.logged.size * this.pageSize <= bytes) break;
      this.logged.delete(oldest);
    }
  }
}
