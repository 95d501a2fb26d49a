/** The heads of a file while it is read: a list, or rows from the first message on that is taken by its bytes. */
import type { ToolCallTexts, EntryHead } from '../entry/entryHead';
import { ScannedHeads } from './scannedHeads';
import type { HeadTable } from './headTable';
import { PENDING_TEXT, PENDING_WORDS, type Scanner } from './scanner';

export class HeadCollector {
  private readonly list: EntryHead[] = [];
  /** Take the place of the list; they can't if there is something odd in the file. */
  private scanned: ScannedHeads | undefined;
  private isIrregular = false;

  /** `calls`: those that are known already. */
  constructor(
    private readonly home: string,
    private knownCalls: ToolCallTexts,
  ) {}

  get calls(): ToolCallTexts {
    return this.knownCalls;
  }

  /** The id of the last head, where there are rows. */
  get lastId(): string | undefined {
    return this.scanned?.lastId;
  }

  add(head: EntryHead): void {
    if (this.scanned?.add(head)) return;
    if (this.scanned) {
      // There is something in it that the scanner can't have.
      this.list.push(...this.scanned.heads());
      this.scanned = undefined;
      this.isIrregular = true;
    }
    this.list.push(head);
  }

  /** As `SessionReader.scan`. */
  scan(scanner: Scanner, at: number, end: number, line: number, offset: number, onLeft?: (offset: number) => void): number {
    const rows = this.scanned ?? this.begin(scanner, onLeft !== undefined);
    let taken = 0;
    for (let from = at, left = PENDING_TEXT; rows && left !== 0; from = scanner.scanEnd) {
      const more = scanner.scan(from, end, line + taken, offset + from - at);
      if (more === 0) break;
      rows.addScanned(more);
      taken += more;
      left = scanner.pendingWork;
      if ((left & PENDING_TEXT) !== 0) rows.keepMessageText(scanner.lastMessage());
      if ((left & PENDING_WORDS) !== 0) onLeft?.(scanner.lastOffset);
    }
    return taken;
  }

  /** What can be linked as it is, if all can. */
  table(): HeadTable | undefined {
    return this.scanned?.table();
  }

  all(): EntryHead[] {
    return this.scanned?.heads() ?? [...this.list];
  }

  private begin(scanner: Scanner, isSearched: boolean): ScannedHeads | undefined {
    if (this.isIrregular) return undefined;
    scanner.begin(isSearched);
    const rows = (this.scanned = new ScannedHeads(scanner, this.home));
    for (const id of this.knownCalls.keys()) rows.set(id, this.knownCalls.get(id)!);
    this.knownCalls = rows;
    for (const head of this.list.splice(0)) this.add(head);
    return this.scanned;
  }
}
