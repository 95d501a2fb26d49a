/** The heads of a file while it is read: a list, or rows from the first message on that is taken by its bytes. */
import type { ToolCallTexts, EntryHead } from '../entry/entryHead';
import { ScannedHeads } from './scannedHeads';
import type { HeadTable } from './headTable';
import type { LoadedBytes, ScannedLines } from './scannerRows';
import type { JsonObject } from '../entry/entry';

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
  scan(
    input: LoadedBytes,
    from: number,
    to: number,
    line: number,
    offset: number,
    onPendingWords?: (message: JsonObject, offset: number) => void,
  ): ScannedLines | undefined {
    const heads = this.scanned ?? this.begin(input, onPendingWords !== undefined);
    if (!heads) return undefined;
    const { rows } = heads;
    let [count, end] = [0, from];
    for (;;) {
      const scan = rows.scan(input, end, to, line + count, offset + end - from);
      if (!scan) break;
      heads.addScanned(scan.count);
      count += scan.count;
      end = scan.end;
      if (!scan.needsText && !scan.needsWords) break;
      const message = scan.lastMessage();
      if (scan.needsText) heads.keepMessageText(message);
      if (scan.needsWords) onPendingWords?.(message, rows.lastOffset);
    }
    return count === 0 ? undefined : { rows, count, end };
  }

  /** What can be linked as it is, if all can. */
  table(): HeadTable | undefined {
    return this.scanned?.table();
  }

  all(): EntryHead[] {
    return this.scanned?.heads() ?? [...this.list];
  }

  private begin(input: LoadedBytes, collectsWords: boolean): ScannedHeads | undefined {
    if (this.isIrregular) return undefined;
    const rows = (this.scanned = new ScannedHeads(input.beginFile(collectsWords), this.home));
    for (const id of this.knownCalls.keys()) rows.set(id, this.knownCalls.get(id)!);
    this.knownCalls = rows;
    for (const head of this.list.splice(0)) this.add(head);
    return this.scanned;
  }
}
