/** Collects the heads of a file while it is read: in a list, and in rows from the first message that the scanner takes. */
import { valueOf } from '../values/lookups';
import type { ToolCallTexts } from '../entry/parseHead';
import type { EntryHead } from '../entry/entryHead';
import type { PathBases } from '../toolCalls/callWords';
import type { ResolvedHeads } from '../linking/resolveHeads';
import type { LoadedBytes } from '../scanner/loadedBytes';
import type { ScannedHeads } from '../scanner/scannedHeads';
import type { FirstLine, LineCollector, ScannedLines } from '../scanner/scannerRows';
import type { JsonObject } from '../values/jsonValues';

/** Consecutive lines that became rows. */
interface TakenLines extends ScannedLines {
  /** The members of lines that may show the program that wrote them, in file order, each kind of line once. */
  readonly evidence: readonly JsonObject[];
}

export class HeadCollector {
  private readonly list: EntryHead[] = [];
  /** The heads in rows, which replace the list. */
  private scanned: ScannedHeads | undefined;

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
    if (this.scanned) this.scanned.add(head);
    else this.list.push(head);
  }

  /** See `SessionReader.scan`. */
  scan(input: LoadedBytes, from: number, to: number, first: FirstLine, collector: LineCollector | undefined): TakenLines | undefined {
    const heads = this.scanned ?? this.begin(input, collector);
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
      if (scan.mayShowProgram) evidence.push(heads.lastEvidence());
      if (!scan.needsText && !scan.needsWords && !scan.mayShowProgram) break;
    }
    return count === 0 ? undefined : { rows, count, end, evidence };
  }

  get length(): number {
    return this.scanned?.length ?? this.list.length;
  }

  /** Returns the first heads: resolved if they're in rows. No head may be added afterwards. */
  first(count: number): ResolvedHeads | EntryHead[] {
    return this.scanned?.resolved(count) ?? this.list.slice(0, count);
  }

  private begin(input: LoadedBytes, collector: LineCollector | undefined): ScannedHeads {
    const heads = (this.scanned = input.beginHeads(collector?.collection ?? 'none', this.bases));
    for (const id of this.knownCalls.keys()) heads.set(id, valueOf(this.knownCalls, id));
    this.knownCalls = heads;
    for (const head of this.list.splice(0)) this.add(head);
    return heads;
  }
}
