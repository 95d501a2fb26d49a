/** The rows of one file in the scanner's memory: one row per entry, in file order. */
import type { JsonObject } from '../values/jsonValues';
import type { EntryHead } from '../entry/entryHead';
import { keptBody, parseJsonBytes } from './keptBody';
import { DoubleColumn, IntColumn, MAX_ID_LENGTH, NameTable, NONE, Part, PendingWork, Role } from './scannerLayout';
import type { ScannerProgram } from './scannerInstance';
import { asciiOf } from './byteViews';
import { textAt, type StringTable } from '../columns/stringTable';
import { lastOf } from '../values/lookups';

/** Memory size in bytes from which on the scanner takes no further lines. A growing array doubles its size, and memory ends at 4 GiB. */
const MAX_MEMORY = 2 ** 28;

/** Names of roles by `Role`. */
export const ROLES: readonly string[] = ['', Role[Role.user], Role[Role.assistant], Role[Role.toolResult]];

/** Consecutive lines that became rows. */
export interface ScannedLines {
  readonly rows: ScannedRows;
  /** Rows, and as many lines. */
  readonly count: number;
  /** Position after the last line, in the loaded bytes. */
  readonly end: number;
}

/** Describes the first line of a scan. */
export interface FirstLine {
  readonly line: number;
  /** Its position in the file, in bytes. */
  readonly offset: number;
  /** In a file of version 1, its number among the file's objects; ids are given by it. */
  readonly object?: number;
}

/** The result of one scan, with the work that it leaves to the caller for its last line. */
interface Scan extends ScannedLines {
  /** True if the row's text must be made now, because its content isn't kept. */
  readonly needsText: boolean;
  /** True if the searchable words and tool calls must be collected now, because the scanner doesn't take them. */
  readonly needsWords: boolean;
  /** True if the last line may show the program that wrote it, and none before it had the same profile. */
  readonly mayShowProgram: boolean;
  /** Returns the last message, with its role and content only. Call it before the next scan. */
  lastMessage(): JsonObject;
  /** Returns the part of its content that the text of the last row needs (`keptBody`). Call it before the next scan. */
  lastBody(): JsonObject;
}

/** Collects searchable lines during a scan. */
export interface LineCollector {
  readonly collection: 'calls' | 'words';
  /** Called for each message whose words and calls the scanner doesn't take, with its offset. */
  readonly onPending: (message: JsonObject, offset: number) => void;
}

/** Bytes in the scanner's memory: the address of the first one. */
interface Input {
  readonly address: number;
}

/**
 * Rows are added until `seal`. Arrays that the accessors return are views of the scanner's memory, valid
 * until the next row, or of sealed rows until the scanner begins another file.
 */
export class ScannedRows {
  /**
   * @param idAddress memory for two ids
   * @param isCurrent returns whether the scanner still has these rows, and these bytes
   */
  constructor(
    private readonly program: ScannerProgram,
    private readonly idAddress: number,
    private readonly isCurrent: (rows: ScannedRows, input?: Input) => boolean,
  ) {}

  /** Returns the address of memory for two ids. */
  static allocateIds(program: ScannerProgram): number {
    return program.growing.allocate(2 * MAX_ID_LENGTH);
  }

  /**
   * Scans lines from `from` to `to` in the loaded bytes; the byte before `to`, or the one at it, must be a line break.
   * Stops at a line that has to be parsed, and after one that leaves work to the caller.
   *
   * @returns `undefined` if the first line has to be parsed
   */
  scan(input: Input, from: number, to: number, { line, offset, object }: FirstLine): Scan | undefined {
    this.assertOpen(input);
    if (this.program.memorySize > MAX_MEMORY) return undefined;
    const { exports } = this.program;
    const count = this.program.growing.scan(input.address + from, input.address + to, line, offset, object ?? NONE);
    if (count === 0) return undefined;
    const pending = exports.pendingWork();
    return {
      rows: this,
      count,
      end: exports.scanEnd() - input.address,
      needsText: (pending & PendingWork.text) !== 0,
      needsWords: (pending & PendingWork.words) !== 0,
      mayShowProgram: (pending & PendingWork.profile) !== 0,
      lastMessage: () => ({
        role: ROLES[exports.lastRole()],
        content: parseJsonBytes(this.program.bytes(exports.contentStart(), exports.contentEnd())),
      }),
      lastBody: () => keptBody(parseJsonBytes(this.program.bytes(exports.keptStart(), exports.keptEnd()))),
    };
  }

  /**
   * Appends the words of a message to the words so far, without adding a row.
   *
   * @param from the line's position in the loaded bytes
   * @param to the position of the line break after it
   * @returns the size of all words so far; `NONE` if the line has to be parsed
   */
  addWords(input: Input, from: number, to: number): number {
    this.assertOpen(input);
    const { program } = this;
    return program.memorySize > MAX_MEMORY ? NONE : program.growing.addWords(input.address + from, input.address + to);
  }

  /** Adds the row of an entry that the caller parsed. Returns false if its id is too long or not ASCII: then the row has none. */
  addParsedEntry({ id, parentId, line, offset, length, time }: EntryHead): boolean {
    this.assertOpen();
    const hasId = this.writeId(id);
    const parentAddress = this.idAddress + MAX_ID_LENGTH;
    const parentLength = parentId !== null && this.writeId(parentId, parentAddress) ? parentId.length : 0;
    this.program.growing.addParsedEntry(this.idAddress, hasId ? id.length : 0, parentAddress, parentLength, line, offset, length, time);
    return hasId;
  }

  /** Returns the value of a tool call: its row, or below `NONE` the number given to `putCall`; `NONE` if there is no such call. */
  findCall(id: string): number {
    this.assertCurrent();
    return this.writeId(id) ? this.program.exports.findCall(this.idAddress, id.length) : NONE;
  }

  /** Sets the value of a tool call. Returns false if its id is too long or not ASCII. */
  putCall(id: string, value: number): boolean {
    this.assertOpen();
    if (!this.writeId(id)) return false;
    this.program.growing.putCall(this.idAddress, id.length, value);
    return true;
  }

  /** Id of the last row. */
  get lastId(): string {
    const from = lastOf(this.ints('idFrom'));
    return asciiOf(this.table('ids').bytes.subarray(from, from + lastOf(this.ints('idSize'))));
  }

  /** Offset of the last row's line in the file. */
  get lastOffset(): number {
    return lastOf(this.doubles('offset'));
  }

  /** Returns the kept part of a row's content (`keptBody`). */
  bodyAt(row: number): JsonObject {
    const from = this.ints('contentFrom')[row]!;
    return keptBody(parseJsonBytes(this.part('contents').subarray(from, from + this.ints('contentSize')[row]!)));
  }

  /** Returns the profile of the last row. */
  get lastProfile(): string {
    return textAt(this.table('profiles'), lastOf(this.ints('profile')));
  }

  doubles(column: keyof typeof DoubleColumn): Float64Array<ArrayBuffer> {
    this.assertCurrent();
    return this.program.doubles(this.program.exports.doubleColumn(DoubleColumn[column]), this.program.exports.count());
  }

  ints(column: keyof typeof IntColumn): Int32Array<ArrayBuffer> {
    this.assertCurrent();
    return this.program.ints(this.program.exports.intColumn(IntColumn[column]), this.program.exports.count());
  }

  part(part: keyof typeof Part): Uint8Array<ArrayBuffer> {
    this.assertCurrent();
    return this.program.growableBytes(this.program.exports.part(Part[part]));
  }

  table(table: keyof typeof NameTable): StringTable {
    this.assertCurrent();
    return this.program.stringTable(this.program.exports.table(NameTable[table]));
  }

  /** Seals the rows: the views from now on last until the scanner begins another file. */
  seal(): void {
    this.program.pin();
  }

  private assertCurrent(): void {
    if (!this.isCurrent(this)) throw new Error('The scanner has begun another file.');
  }

  private assertOpen(input?: Input): void {
    if (!this.isCurrent(this, input)) throw new Error('The scanner has other bytes or another file.');
    if (this.program.pinned) throw new Error('The rows are sealed.');
  }

  /** Writes an id into the memory for ids. Returns false if it is too long or not ASCII. */
  private writeId(id: string, at = this.idAddress): boolean {
    if (id.length > MAX_ID_LENGTH) return false;
    const bytes = this.program.bytes(at, at + MAX_ID_LENGTH);
    for (let index = 0; index < id.length; index++) {
      const code = id.charCodeAt(index);
      if (code >= 0x80) return false;
      bytes[index] = code;
    }
    return true;
  }
}
