/** The stored columns of heads. Rows are decoded in blocks, when one of them is needed: a view shows some dozens of thousands. */
import type { HeadColumns, HeadProfile } from '../../format/columns/headColumns';
import { NO_PARENT } from '../../format/columns/headSource';
import type { EntryHead } from '../../format/entry/entryHead';
import { elementAt, valueOf } from '../../format/entry/lookups';
import type { ColumnReader } from './columnCodec';
import { BLOCK, IRREGULAR, ROOT, START_LENGTH, Start, TIME_PART, USAGE_NUMBERS, type StoredHeads } from './storedHeads';
import { TIMESTAMP_LENGTH, formatTimestamps } from './timestamps';

export class StoredColumns implements HeadColumns {
  readonly profiles: readonly HeadProfile[];
  readonly profile: Uint16Array;
  readonly irregular: ReadonlyMap<number, EntryHead>;
  readonly line: Uint32Array;
  readonly offset: Float64Array;
  readonly size: Int32Array;
  readonly time: Float64Array;
  readonly messageTime: Float64Array;
  readonly usage: Int32Array;
  /** Heads are stored once they're linked, each id once. */
  readonly repeats = new Int32Array(0);
  /** The ranges of ids and texts in those of their block. */
  private readonly idFrom: Uint32Array;
  private readonly idTo: Uint32Array;
  private readonly textFrom: Uint32Array;
  private readonly textTo: Uint32Array;
  private readonly callTo: Uint32Array;
  private readonly timestampTo: Uint32Array;
  private readonly parents: Int32Array;
  private readonly starts: Float64Array;
  private readonly stored;
  private readonly tokensOf: () => Int32Array;
  private readonly costsOf: () => Float64Array;
  private readonly blocks: readonly { readonly ids: () => string; readonly texts: () => string }[];
  /** By block; `undefined` until its rows are decoded. */
  private readonly timestamps: (string | undefined)[] = [];
  private readonly isLoaded: Uint8Array;

  /** @param reader at the first of the columns that belong to rows */
  constructor(reader: ColumnReader, { profiles, irregular }: StoredHeads) {
    this.profiles = profiles;
    this.irregular = new Map(irregular);
    this.profile = reader.numbers('words');
    this.parents = reader.numbers('ints');
    this.starts = reader.numbers('doubles');
    this.stored = {
      lines: reader.numbers('bytes'),
      offsets: reader.numbers('bytes'),
      lengths: reader.numbers('ints'),
      times: reader.numbers('doubles'),
      messageTimes: reader.numbers('ints'),
      idLengths: reader.numbers('words'),
      textLengths: reader.numbers('words'),
    };
    this.tokensOf = reader.lazyNumbers('ints');
    this.costsOf = reader.lazyNumbers('doubles');
    const count = this.profile.length;
    this.blocks = Array.from({ length: Math.ceil(count / BLOCK) }, () => ({ ids: reader.lazyText(), texts: reader.lazyText() }));
    this.isLoaded = new Uint8Array(this.blocks.length);
    [this.size, this.usage] = [new Int32Array(count), new Int32Array(count)];
    [this.line, this.idFrom, this.idTo] = [new Uint32Array(count), new Uint32Array(count), new Uint32Array(count)];
    [this.textFrom, this.textTo] = [new Uint32Array(count), new Uint32Array(count)];
    [this.callTo, this.timestampTo] = [new Uint32Array(count), new Uint32Array(count)];
    [this.offset, this.time, this.messageTime] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  }

  get tokens(): Int32Array {
    return this.tokensOf();
  }

  get costs(): Float64Array {
    return this.costsOf();
  }

  parentAt(row: number): number {
    const distance = this.parents[row]!;
    return distance === ROOT ? NO_PARENT : row - distance;
  }

  roots(): number[] {
    const rows: number[] = [];
    for (let row = this.parents.indexOf(ROOT); row >= 0; row = this.parents.indexOf(ROOT, row + 1)) rows.push(row);
    return rows;
  }

  load(row: number): void {
    const block = Math.floor(row / BLOCK);
    if (this.isLoaded[block] === 1) return;
    this.isLoaded[block] = 1;
    this.decode(block);
  }

  id(row: number): string {
    const head = this.irregular.get(row);
    if (head) return head.id;
    this.load(row);
    return this.blockOf(row).ids().slice(this.idFrom[row], this.idTo[row]);
  }

  text(row: number): string {
    return this.blockOf(row).texts().slice(this.textFrom[row], this.textTo[row]);
  }

  toolCallId(row: number): string {
    return this.blockOf(row).texts().slice(this.textTo[row], this.callTo[row]);
  }

  timestamp(row: number): string {
    if (this.hasTimestamp(row)) return this.blockOf(row).texts().slice(this.callTo[row], this.timestampTo[row]);
    const block = Math.floor(row / BLOCK);
    const first = block * BLOCK;
    const times = (): Float64Array =>
      this.time
        .slice(first, first + BLOCK)
        .map((time, index) => (this.profile[first + index] === IRREGULAR || this.hasTimestamp(first + index) ? 0 : time));
    const all = (this.timestamps[block] ??= formatTimestamps(times()));
    return all.slice((row - first) * TIMESTAMP_LENGTH, (row - first + 1) * TIMESTAMP_LENGTH);
  }

  private hasTimestamp(row: number): boolean {
    return this.profiles[this.profile[row]!]?.hasTimestamp === true;
  }

  private blockOf(row: number): (typeof this.blocks)[number] {
    return elementAt(this.blocks, Math.floor(row / BLOCK));
  }

  private decode(block: number): void {
    const { lines, offsets, lengths, times, messageTimes, idLengths, textLengths } = this.stored;
    const start = (field: Start): number => this.starts[block * START_LENGTH + field]!;
    let [lastLine, end, stored, message, used, part] = [
      start(Start.line),
      start(Start.end),
      start(Start.regular),
      start(Start.messageTimes),
      start(Start.usages),
      start(Start.texts),
    ];
    let [letter, at] = [0, 0];
    const to = Math.min(this.profile.length, (block + 1) * BLOCK);
    for (let row = block * BLOCK; row < to; row++) {
      const number = this.profile[row]!;
      if (number === IRREGULAR) {
        const head = valueOf(this.irregular, row);
        this.line[row] = lastLine = head.line;
        this.offset[row] = head.offset;
        this.size[row] = head.length;
        end = head.offset + head.length;
        this.time[row] = head.time;
        continue;
      }
      const { hasUsage, hasMessageTime, hasCall, hasTimestamp } = elementAt(this.profiles, number);
      this.idFrom[row] = letter;
      this.idTo[row] = letter += idLengths[stored]!;
      this.line[row] = lastLine += lines[stored]!;
      this.offset[row] = end + offsets[stored]!;
      this.size[row] = lengths[stored]!;
      end = this.offset[row]! + this.size[row]!;
      this.time[row] = times[stored]!;
      if (hasMessageTime)
        this.messageTime[row] = hasTimestamp
          ? messageTimes[message++]! * TIME_PART + messageTimes[message++]!
          : this.time[row]! + messageTimes[message++]!;
      if (hasUsage) this.usage[row] = used++ * USAGE_NUMBERS;
      this.textFrom[row] = at;
      this.textTo[row] = at += textLengths[part++]!;
      this.callTo[row] = hasCall ? (at += textLengths[part++]!) : at;
      if (hasTimestamp) this.timestampTo[row] = at += textLengths[part++]!;
      stored++;
    }
  }
}
