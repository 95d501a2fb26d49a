/** Caches the line tables of recently searched sessions: while a person types, the same sessions are searched repeatedly. */
import { LineTable } from '../encoding/lineTable';

/** A session's path and its searchable lines. */
export interface SessionLines {
  readonly path: string;
  readonly table: LineTable;
}

const MAX_CACHED_BYTES = 32 * 1024 * 1024;

export class LineTableCache {
  /** By the session's number, the least recently used first. */
  private readonly cached = new Map<number, SessionLines>();
  /** The sizes as of the last use, in bytes. */
  private readonly sizes = new Map<number, number>();
  private size = 0;
  /** The session used last; its table may have been decoded since, and so have grown. */
  private last: number | undefined;

  constructor(private readonly read: (n: number) => { readonly path: string; readonly bytes: Uint8Array } | undefined) {}

  get(n: number): SessionLines | undefined {
    let found = this.cached.get(n);
    if (!found) {
      const stored = this.read(n);
      if (!stored) return undefined;
      found = { path: stored.path, table: new LineTable(stored.bytes) };
    }
    if (this.last !== undefined) {
      const before = this.cached.get(this.last);
      if (before) this.put(this.last, before);
    }
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
