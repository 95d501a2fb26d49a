/** The running program of the scanner, and its memory. Only the other scanner modules use it. */
import moduleBytes from '../wasm/scanner.wasm';
import {
  BYTES_LENGTH,
  BytesField,
  TABLE_LENGTH,
  TableField,
  type Collection,
  type DoubleColumn,
  type IntColumn,
  type NameTable,
  type Part,
} from './scannerLayout';
import { intsOf } from './byteViews';
import { defineFields, type FieldExports } from './scannerFields';
import type { StringTable } from '../columns/stringTable';

/** Exports of `wasm/scanner.ts`, which describes them, that may take memory. All views of the memory end if it grows. */
interface GrowingExports extends FieldExports {
  begin(collects: Collection, size: number): void;
  scan(at: number, limit: number, line: number, offset: number, firstObject: number): number;
  addWords(at: number, end: number): number;
  reserveText(size: number): number;
  foldText(size: number): number;
  addParsedEntry(
    at: number,
    size: number,
    parentAt: number,
    parentSize: number,
    line: number,
    offset: number,
    length: number,
    time: number,
  ): void;
  putCall(at: number, size: number, value: number): void;
}

/** The exports that take no memory, or only memory that was reserved for them. Addresses and lengths are in bytes. */
interface FixedExports {
  scanEnd(): number;
  pendingWork(): number;
  findCall(at: number, size: number): number;
  lastRole(): number;
  contentStart(): number;
  contentEnd(): number;
  keptStart(): number;
  keptEnd(): number;
  doubleColumn(column: DoubleColumn): number;
  intColumn(column: IntColumn): number;
  count(): number;
  part(which: Part): number;
  table(which: NameTable): number;
}

interface ScannerExports extends GrowingExports, FixedExports {
  readonly memory: { readonly buffer: ArrayBuffer };
}

/** The parts of the WebAssembly API that are used here. TypeScript's library for Node doesn't declare them. */
interface WasmHost {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: ScannerExports };
}

/** An instance of the program. All arrays it returns are views of its memory, valid until that grows or the data moves. */
export class ScannerProgram {
  private readonly all: ScannerExports;
  private isPinned = false;

  /**
   * @param foldCharacter returns a code point's folded one plus its `CharacterKind` times `CHARACTER_KIND_UNIT`
   * @throws where there is no WebAssembly, or not enough memory.
   */
  constructor(foldCharacter: (code: number) => number) {
    // The typings of Node lack it.
    const host = (globalThis as unknown as { readonly WebAssembly: WasmHost }).WebAssembly;
    const toNumber = (from: number, to: number): number => Number(new TextDecoder().decode(this.bytes(from, to)));
    this.all = new host.Instance(new host.Module(moduleBytes()), { numbers: { toNumber }, foldedText: { foldCharacter } }).exports;
    defineFields(this.all, (from, to) => this.bytes(from, to));
  }

  get exports(): FixedExports {
    return this.all;
  }

  /**
   * The exports that may end all views.
   *
   * @throws {Error} while views are pinned.
   */
  get growing(): GrowingExports {
    if (this.isPinned) throw new Error('The scanner can’t take memory while views of it are in use.');
    return this.all;
  }

  /** True while views last: from `pin` to `unpin`. */
  get pinned(): boolean {
    return this.isPinned;
  }

  /** Keeps all views valid, by refusing the calls that may end them. */
  pin(): void {
    this.isPinned = true;
  }

  unpin(): void {
    this.isPinned = false;
  }

  /** Size of the program's memory in bytes. */
  get memorySize(): number {
    return this.all.memory.buffer.byteLength;
  }

  bytes(from: number, to: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.all.memory.buffer, from, to - from);
  }

  ints(at: number, count: number): Int32Array<ArrayBuffer> {
    return new Int32Array(this.all.memory.buffer, at, count);
  }

  doubles(at: number, count: number): Float64Array<ArrayBuffer> {
    return new Float64Array(this.all.memory.buffer, at, count);
  }

  /** Returns the used bytes of a growable byte array at an address. */
  growableBytes(at: number): Uint8Array<ArrayBuffer> {
    const fields = new Uint32Array(this.all.memory.buffer, at, BYTES_LENGTH);
    return new Uint8Array(this.all.memory.buffer, fields[BytesField.at], fields[BytesField.size]);
  }

  /** Returns the table of strings at an address. */
  stringTable(at: number): StringTable {
    const { buffer } = this.all.memory;
    const fields = new Uint32Array(buffer, at, TABLE_LENGTH);
    return {
      slots: new Int32Array(buffer, fields[TableField.slots], fields[TableField.mask]! + 1),
      entries: intsOf(this.growableBytes(fields[TableField.entries]!)),
      bytes: this.growableBytes(fields[TableField.bytes]!),
    };
  }
}
