/** Collects the heads of a file while it is read: in a list, and in rows from the first message that the scanner takes. */
import { valueOf } from '../entry/lookups';
import type { ToolCallTexts } from '../entry/parseHead';
import type { EntryHead } from '../entry/entryHead';
import type { PathBases } from '../toolCalls/callWords';
import { ScannedHeads } from '../scanner/scannedHeads';
import { dialectEvidence } from '../scanner/scannedProfiles';
import type { HeadTable } from './headTable';
import type { FirstLine, LineCollector, LoadedBytes, ScannedLines } from '../scanner/scannerRows';
import type { JsonObject } from '../entry/jsonValues';

/** Consecutive lines that became rows. */
export interface TakenLines extends ScannedLines {
  /** The members of lines that may show the program that wrote them, in file order, each kind of line once. */
  readonly evidence: readonly JsonObject[];
}

export class HeadCollector {
  private readonly list: EntryHead[] = [];
  /** The heads in rows, which replace the list. Files with irregular lines can't have them. */
  private scanned: ScannedHeads | undefined;
  private isIrregular = false;

  /** @param knownCalls the row texts of the calls so far */
  constructor(
    private readonly bases: PathBases,
    private knownCalls: ToolCallTexts,
  ) {}

  get calls(): ToolCallTexts {
    return this.knownCalls;
  }

  /** The id of the last head, if the heads are in rows. */
  get lastId(): string | undefined {
    return this.scanned?.lastId;
  }

  add(head: EntryHead): void {
    if (this.scanned?.add(head)) return;
    if (this.scanned) {
      // The file has a line that rows can't represent.
      // Not as arguments of one call, of which there can't be hundreds of thousands.
      for (const known of this.scanned.heads(this.scanned.length)) this.list.push(known);
      this.scanned = undefined;
      this.isIrregular = true;
    }
    this.list.push(head);
  }

  /** See `SessionReader.scan`. */
  scan(input: LoadedBytes, from: number, to: number, first: FirstLine, collector: LineCollector | undefined): TakenLines | undefined {
    const heads = this.scanned ?? this.begin(input, collector);
    if (!heads) return undefined;
    const { rows } = heads;
    let [count, end] = [0, from];
    const evidence: JsonObject[] = [];
    for (;;) {
      const scan = rows.scan(input, end, to, {
        line: first.line + count,
        offset: first.offset + end - from,
        ...(first.object === undefined ? {} : { object: first.object + count }),
      });
      if (!scan) break;
      heads.addScanned(scan.count);
      count += scan.count;
      end = scan.end;
      if (scan.needsText) heads.makeLastText(scan.lastBody());
      if (scan.needsWords) collector?.onPending(scan.lastMessage(), rows.lastOffset);
      if (scan.mayShowProgram) evidence.push(dialectEvidence(rows.lastProfile));
      if (!scan.needsText && !scan.needsWords && !scan.mayShowProgram) break;
    }
    return count === 0 ? undefined : { rows, count, end, evidence };
  }

  get length(): number {
    return this.scanned?.length ?? this.list.length;
  }

  /** Returns the first heads in columns, or as objects if they aren't all in rows and regular. No head may be added afterwards. */
  first(count: number): HeadTable | EntryHead[] {
    return this.scanned?.table(count) ?? this.scanned?.heads(count) ?? this.list.slice(0, count);
  }

  private begin(input: LoadedBytes, collector: LineCollector | undefined): ScannedHeads | undefined {
    if (this.isIrregular) return undefined;
    const rows = (this.scanned = new ScannedHeads(input.beginFile(collector?.collection ?? 'none'), this.bases));
    for (const id of this.knownCalls.keys()) rows.set(id, valueOf(this.knownCalls, id));
    this.knownCalls = rows;
    for (const head of this.list.splice(0)) this.add(head);
    return this.scanned;
  }
}
