/** The tables of lines of the sessions that were asked about last: while somebody types, the same are asked about again and again. */
import { LineTable } from '../encoding/lineTable';

/** Of a session: where it is, and its searchable lines. */
export interface SessionLines {
  readonly path: string;
  readonly table: LineTable;
}

/** Bytes that are kept. */
const MAX_CACHED_BYTES = 32 * 1024 * 1024;

export class LineTableCache {
  /** By the session's number, the least recently asked about first. */
  private readonly cached = new Map<number, SessionLines>();
  /** As they were when they were last asked about. */
  private readonly sizes = new Map<number, number>();
  private size = 0;
  /** What was asked about last: it may have been decoded since. */
  private last: number | undefined;

  constructor(private readonly read: (n: number) => { readonly path: string; readonly bytes: Uint8Array } | undefined) {}

  get(n: number): SessionLines | undefined {
    let found = this.cached.get(n);
    if (!found) {
      const stored = this.read(n);
      if (!stored) return undefined;
      found = { path: stored.path, table: new LineTable(stored.bytes) };
    }
    const before = this.last === undefined ? undefined : this.cached.get(this.last);
    if (before) this.put(this.last!, before);
    this.put(n, found);
    this.last = n;
    for (const oldest of this.cached.keys()) {
      if (this.size <= MAX_CACHED_BYTES || oldest === n) break;
      this.evict(oldest);
    }
    return found;
  }

  clear(): void {
    this.cached.clear();
    this.sizes.clear();
    this.size = 0;
  }

  private put(n: number, lines: SessionLines): void {
    this.evict(n);
    this.cached.set(n, lines);
    this.sizes.set(n, lines.table.size);
    this.size += lines.table.size;
  }

  private evict(n: number): void {
    this.size -= this.sizes.get(n) ?? 0;
    this.cached.delete(n);
    this.sizes.delete(n);
  }
}
