/** The tables of lines of the sessions that were asked about last: while somebody types, the same are asked about again and again. */
import { LineTable } from './lineTable';

/** Of a session: where it is, and its searchable lines. */
export interface StoredLines {
  readonly path: string;
  readonly table: LineTable;
}

/** Bytes that are kept. */
const KEPT = 32 * 1024 * 1024;

export class KeptLines {
  /** By the session's number, the least recently asked about first. */
  private readonly kept = new Map<number, StoredLines>();
  /** As they were when they were last asked about. */
  private readonly sizes = new Map<number, number>();
  private size = 0;
  /** What was asked about last: it may have been decoded since. */
  private last: number | undefined;

  constructor(private readonly read: (n: number) => { readonly path: string; readonly bytes: Uint8Array } | undefined) {}

  get(n: number): StoredLines | undefined {
    let found = this.kept.get(n);
    if (!found) {
      const stored = this.read(n);
      if (!stored) return undefined;
      found = { path: stored.path, table: new LineTable(stored.bytes) };
    }
    const before = this.last === undefined ? undefined : this.kept.get(this.last);
    if (before) this.keep(this.last!, before);
    this.keep(n, found);
    this.last = n;
    for (const oldest of this.kept.keys()) {
      if (this.size <= KEPT || oldest === n) break;
      this.forgetOne(oldest);
    }
    return found;
  }

  forget(): void {
    this.kept.clear();
    this.sizes.clear();
    this.size = 0;
  }

  private keep(n: number, lines: StoredLines): void {
    this.forgetOne(n);
    this.kept.set(n, lines);
    this.sizes.set(n, lines.table.size);
    this.size += lines.table.size;
  }

  private forgetOne(n: number): void {
    this.size -= this.sizes.get(n) ?? 0;
    this.kept.delete(n);
    this.sizes.delete(n);
  }
}
