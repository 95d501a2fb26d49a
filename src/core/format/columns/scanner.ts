/**
 * The messages of a file by their bytes, in WebAssembly (`wasm/scanner.ts`): nine tenths of a session are texts that
 * heads have no use for, and yet a line counts only if it is JSON to its end. Only lines of exactly the shape that the
 * programs write are taken; every other one is parsed by whoever calls.
 */
import type { StringTable } from './stringTable';
import type { JsonObject } from '../entry/entry';
import type { EntryHead } from '../entry/entryHead';
import { instantiateScanner, type ScannerExports } from './scannerInstance';

/** From so many bytes of memory on it takes no more: what grows doubles, and no piece of memory can be larger than four times this. */
const MAX_MEMORY = 2 ** 28;
/** Ids that are longer, or of other characters, are not kept here. */
const MAX_ID_LENGTH = 1024;

/** What is left to the caller behind a line that was taken: to make the row's text; to take its words. */
export const [PENDING_TEXT, PENDING_WORDS] = [1, 2];

/** What is known of each row, by its place in `column`: in numbers of 64 bits, and of 32. */
const DOUBLES = { offset: 0, time: 1, messageTime: 2 } as const;
const INTS = { line: 3, size: 4, parent: 5, profile: 6, usage: 7, idFrom: 8, idSize: 9, call: 10, callPlace: 11, contentFrom: 12, contentSize: 13, wordsFrom: 14, wordsTo: 15 } as const;

/** What was kept beside, by its place in `part`. */
const PARTS = { usages: 0, contents: 1, words: 2 } as const;
const TABLES = { ids: 0, profiles: 1, calls: 2, tools: 3, files: 4 } as const;
/** What `gather` is given, in numbers of 32 bits, and what it makes: as `wasm/found.ts` has it. */
const INDEX_INPUTS = { roles: 0, usageSources: 1, kinds: 2, firsts: 3, notes: 4, targets: 5 } as const;
const INDEX_OUTPUTS = { table: 0, blocks: 1, places: 2, touches: 3, cells: 4, tips: 5, tools: 6, files: 7 } as const;
/** Numbers of 64 bits: the day, the payer, then four of tokens, and dollars. */
export const COST_CELL_LENGTH = 7;

/** By the numbers that they have there. */
export const ROLES = ['', 'user', 'assistant', 'toolResult'] as const;

export const intsOf = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Int32Array => new Int32Array(buffer, byteOffset, length / 4);

export const doublesOf = ({ buffer, byteOffset, length }: Uint8Array<ArrayBuffer>): Float64Array => new Float64Array(buffer, byteOffset, length / 8);

export function parseJsonBytes(json: Uint8Array): unknown {
  return json.length === 0 ? undefined : (JSON.parse(new TextDecoder().decode(json)) as unknown);
}

export class Scanner {
  private readonly wasm: ScannerExports;
  private readonly inputAddress: number;
  private readonly scratch: number;

  /**
   * `capacity`: the most bytes that are looked at in one go. `expected`: those of the files, about, so that there is room at once.
   *
   * @throws where there is no WebAssembly, or no room for its memory.
   */
  constructor(
    capacity: number,
    private readonly expected: number,
  ) {
    this.wasm = instantiateScanner();
    this.inputAddress = this.wasm.allocate(capacity);
    this.scratch = this.wasm.allocate(2 * MAX_ID_LENGTH);
  }

  /** Forgets the file before. `collectsWords`: words and calls of tools are to be taken, too. */
  begin(isSearched: boolean): void {
    this.wasm.begin(isSearched, this.expected);
  }

  /** Takes over bytes to be looked at. */
  setInput(bytes: Uint8Array): void {
    new Uint8Array(this.wasm.memory.buffer).set(bytes, this.inputAddress);
  }

  /** A copy of what was loaded. */
  copyInput(from: number, to: number): Uint8Array {
    return this.bytes(this.inputAddress + from, this.inputAddress + to).slice();
  }

  /**
   * Takes messages from `at` on, a place in what was loaded, whose line breaks stand before `end`; there must be one at the
   * last place before it, or at it. The first is the line `line`, which is at `offset` in the file.
   *
   * @returns how many lines were taken
   */
  scan(at: number, end: number, line: number, offset: number): number {
    return this.wasm.memory.buffer.byteLength > MAX_MEMORY ? 0 : this.wasm.scan(this.inputAddress + at, this.inputAddress + end, line, offset);
  }

  /** Where the last scan stopped: at a line that it does not take, or behind one with something left to be done. */
  get scanEnd(): number {
    return this.wasm.scanEnd() - this.inputAddress;
  }

  /** `PENDING_TEXT` and `PENDING_WORDS` of the line before `stopped`; 0 if it stopped at one. */
  get pendingWork(): number {
    return this.wasm.pendingWork();
  }

  /** Where what heads have no use for stands on the line that begins at `at` in what was loaded, if it is of a shape that is known. */
  findExtraData(at: number): { readonly from: number; readonly to: number } | undefined {
    const from = this.wasm.findExtraData(this.inputAddress + at);
    return from === 0 ? undefined : { from: from - this.inputAddress, to: this.wasm.extraDataEnd.value - this.inputAddress };
  }

  /** The id of the row before. */
  get lastId(): string {
    const from = this.ints('idFrom').at(-1)!;
    return String.fromCharCode(...this.table('ids').bytes.subarray(from, from + this.ints('idSize').at(-1)!));
  }

  /** Where the line of the row before begins in the file. */
  get lastOffset(): number {
    return this.doubles('offset').at(-1)!;
  }

  /** The message that was taken last, with its role and its content alone. */
  lastMessage(): JsonObject {
    return { role: ROLES[this.wasm.lastRole()], content: parseJsonBytes(this.bytes(this.wasm.contentStart(), this.wasm.contentEnd())) };
  }

  /** The content of a message by its row, if it is kept. */
  contentOfRow(row: number): unknown {
    const from = this.ints('contentFrom')[row]!;
    return parseJsonBytes(this.part('contents').subarray(from, from + this.ints('contentSize')[row]!));
  }

  /** A line that was read by others. @returns whether it was taken: not with any id. */
  addParsedEntry({ id, parentId, line, offset, length, time, messageTime, usage }: EntryHead): boolean {
    if (!this.write(id)) return false;
    const parent = this.scratch + MAX_ID_LENGTH;
    const parentSize = parentId !== null && this.write(parentId, parent) ? parentId.length : 0;
    this.wasm.addParsedEntry(this.scratch, id.length, parent, parentSize, line, offset, length, time, messageTime ?? Number.NaN);
    if (usage) this.wasm.putUsage(usage.input, usage.output, usage.cacheRead, usage.cacheWrite, usage.cost?.total ?? 0);
    return true;
  }

  /** What is known of a call: its message's row, or below -1 what was put; -1 if nothing is. */
  findCall(id: string): number {
    return this.write(id) ? this.wasm.findCall(this.scratch, id.length) : -1;
  }

  /** @returns whether it was taken. */
  putCall(id: string, value: number): boolean {
    if (!this.write(id)) return false;
    this.wasm.putCall(this.scratch, id.length, value);
    return true;
  }

  /** What is known of all rows. Like all that follows it stays as it is until the scanner goes on, or prepares. */
  doubles(which: keyof typeof DOUBLES): Float64Array {
    return new Float64Array(this.wasm.memory.buffer, this.wasm.column(DOUBLES[which]), this.wasm.count());
  }

  ints(which: keyof typeof INTS): Int32Array {
    return new Int32Array(this.wasm.memory.buffer, this.wasm.column(INTS[which]), this.wasm.count());
  }

  /** What was kept beside. */
  part(which: keyof typeof PARTS): Uint8Array<ArrayBuffer> {
    return this.bufferAt(this.wasm.part(PARTS[which]));
  }

  table(which: keyof typeof TABLES): StringTable {
    const { buffer } = this.wasm.memory;
    const [slots, mask, entries, bytes] = new Uint32Array(buffer, this.wasm.table(TABLES[which]), 4) as unknown as [number, number, number, number];
    return { slots: new Int32Array(buffer, slots, mask + 1), entries: intsOf(this.bufferAt(entries)), bytes: this.bufferAt(bytes) };
  }

  /**
   * Makes room for what `gather` needs and makes: what is asked for from here on stays as it is until the next file, but what was before may be elsewhere. Given will be at most:
   * `more` tools and files beside those that are known here, so many notes, and so many targets.
   */
  reserveIndex(more: number, notes: number, targets: number): void {
    this.wasm.reserveIndex(more, notes, targets);
  }

  setIndexInput(which: keyof typeof INDEX_INPUTS, values: readonly number[]): void {
    new Int32Array(this.wasm.memory.buffer, this.wasm.indexInput(INDEX_INPUTS[which], values.length), values.length).set(values);
  }

  /**
   * Finds all that the catalog keeps of the rows, from what was given: `leaf`, the row where the active branch ends, or -1;
   * `base`, where the words begin that were taken here.
   *
   * @returns whether it could
   */
  buildIndex(leaf: number, base: number): boolean {
    return this.wasm.buildIndex(leaf, base) !== 0;
  }

  indexOutput(which: keyof typeof INDEX_OUTPUTS): Uint8Array<ArrayBuffer> {
    return this.bufferAt(this.wasm.indexOutput(INDEX_OUTPUTS[which]));
  }

  /** What the branch of a tip took that no other has, in the order of a cell. */
  ownCost(tip: number): Float64Array {
    return new Float64Array(this.wasm.memory.buffer, this.wasm.ownCost(tip), COST_CELL_LENGTH);
  }

  /** `at`: where its place, its room and its size stand. */
  private bufferAt(at: number): Uint8Array<ArrayBuffer> {
    const { buffer } = this.wasm.memory;
    const [from, , size] = new Uint32Array(buffer, at, 3) as unknown as [number, number, number];
    return new Uint8Array(buffer, from, size);
  }

  private bytes(from: number, to: number): Uint8Array {
    return new Uint8Array(this.wasm.memory.buffer, from, to - from);
  }

  /** Whether a text of ASCII could be put where it can be looked at. */
  private write(text: string, at = this.scratch): boolean {
    if (text.length > MAX_ID_LENGTH) return false;
    const bytes = new Uint8Array(this.wasm.memory.buffer, at, MAX_ID_LENGTH);
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code >= 0x80) return false;
      bytes[index] = code;
    }
    return true;
  }
}
