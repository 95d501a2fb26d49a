/** The heads of a file while it is read: a list, or rows from the first message on that is taken by its bytes. */
import type { Calls, EntryHead } from './head';
import { HeadRows } from './headRows';
import type { HeadTable } from './headTable';
import { LEFT_TEXT, LEFT_WORDS, type Scanner } from './scanner';

export class GrowingHeads {
  private readonly list: EntryHead[] = [];
  /** Take the place of the list; they can't if there is something odd in the file. */
  private rows: HeadRows | undefined;
  private isOdd = false;

  /** `calls`: those that are known already. */
  constructor(
    private readonly home: string,
    private known: Calls,
  ) {}

  get calls(): Calls {
    return this.known;
  }

  /** The id of the last head, where there are rows. */
  get lastId(): string | undefined {
    return this.rows?.lastId;
  }

  put(head: EntryHead): void {
    if (this.rows?.add(head)) return;
    if (this.rows) {
      // There is something in it that the scanner can't have.
      this.list.push(...this.rows.heads());
      this.rows = undefined;
      this.isOdd = true;
    }
    this.list.push(head);
  }

  /** As `SessionReader.scan`. */
  scan(scanner: Scanner, at: number, end: number, line: number, offset: number, onLeft?: (offset: number) => void): number {
    const rows = this.rows ?? this.begin(scanner, onLeft !== undefined);
    let taken = 0;
    for (let from = at, left = LEFT_TEXT; rows && left !== 0; from = scanner.stopped) {
      const more = scanner.scan(from, end, line + taken, offset + from - at);
      if (more === 0) break;
      rows.took(more);
      taken += more;
      left = scanner.left;
      if ((left & LEFT_TEXT) !== 0) rows.keepText(scanner.message());
      if ((left & LEFT_WORDS) !== 0) onLeft?.(scanner.lastOffset);
    }
    return taken;
  }

  /** What can be linked as it is, if all can. */
  table(): HeadTable | undefined {
    return this.rows?.table();
  }

  all(): EntryHead[] {
    return this.rows?.heads() ?? [...this.list];
  }

  private begin(scanner: Scanner, isSearched: boolean): HeadRows | undefined {
    if (this.isOdd) return undefined;
    scanner.begin(isSearched);
    const rows = (this.rows = new HeadRows(scanner, this.home));
    for (const id of this.known.keys()) rows.set(id, this.known.get(id)!);
    this.known = rows;
    for (const head of this.list.splice(0)) this.put(head);
    return this.rows;
  }
}
