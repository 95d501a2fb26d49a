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

  constructor(private readonly read: (n: number) => { readonly path: string; readonly bytes: Uint8Array } | undefined) {}

  get(n: number): StoredLines | undefined {
    let found = this.kept.get(n);
    if (!found) {
      const stored = this.read(n);
      if (!stored) return undefined;
      found = { path: stored.path, table: new LineTable(stored.bytes) };
    }
    this.forgetOne(n);
    this.kept.set(n, found);
    this.sizes.set(n, found.table.size);
    this.size += found.table.size;
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

  private forgetOne(n: number): void {
    this.size -= this.sizes.get(n) ?? 0;
    this.kept.delete(n);
    this.sizes.delete(n);
  }
}
