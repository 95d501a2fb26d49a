/**
 * A scanner of session files in WebAssembly (`wasm/scanner.ts`). Nine tenths of a session are texts that heads don't
 * need, yet a line counts only if all of it is JSON: the scanner checks that without making strings or objects. It
 * accepts members in any order, and rejects lines that only the parser can judge, which the caller then parses.
 *
 * The order of use is in the types: `load` returns the bytes that `ScannedRows.scan` reads, `beginFile` the rows of one
 * file.
 */
import { LoadedBytes } from './loadedBytes';
import { ScannedHeads } from './scannedHeads';
import { ScannedRows } from './scannerRows';
import { ScannerProgram } from './scannerInstance';
import { CHARACTER_KIND_UNIT, CharacterKind, Collection, NONE, Part } from './scannerLayout';

/** Texts of at least this length are folded by the caller, because the scanner's memory never shrinks. */
const MAX_FOLDED_LENGTH = 256 * 1024;
/** The most bytes of a UTF-16 unit in UTF-8. */
const UNIT_BYTES = 3;

const encoder = new TextEncoder();

export class Scanner {
  private readonly program: ScannerProgram;
  private readonly inputAddress: number;
  private readonly idAddress: number;
  private currentInput: LoadedBytes | undefined;
  private currentRows: ScannedRows | undefined;

  /**
   * @param capacity the most bytes that `load` takes
   * @param expectedSize the approximate size of the files in bytes, for which memory is reserved
   * @param foldCharacter splits and folds words, see `ScannerProgram`; without it words above ASCII are left to the caller
   * @throws where there is no WebAssembly, or not enough memory.
   */
  constructor(
    private readonly capacity: number,
    private readonly expectedSize: number,
    foldCharacter: (code: number) => number = () => CharacterKind.complex * CHARACTER_KIND_UNIT,
  ) {
    this.program = new ScannerProgram(foldCharacter);
    this.inputAddress = this.program.growing.allocate(capacity);
    this.idAddress = ScannedRows.allocateIds(this.program);
  }

  /** The rows of the current file. */
  get rows(): ScannedRows | undefined {
    return this.currentRows;
  }

  /** Starts a file and discards the rows of the previous one. */
  beginFile(collection: keyof typeof Collection): ScannedRows {
    this.program.unpin();
    this.program.growing.begin(Collection[collection], this.expectedSize);
    this.currentRows = new ScannedRows(
      this.program,
      this.idAddress,
      (rows, input) => this.currentRows === rows && (!input || this.currentInput === input),
    );
    return this.currentRows;
  }

  /**
   * Copies bytes into the scanner's memory, replacing the bytes loaded before.
   *
   * @throws {RangeError} if there are more than the capacity.
   */
  load(bytes: Uint8Array): LoadedBytes {
    if (bytes.length > this.capacity) throw new RangeError('The bytes exceed the capacity of the scanner.');
    this.program.bytes(this.inputAddress, this.inputAddress + bytes.length).set(bytes);
    return (this.currentInput = new LoadedBytes(
      this.program,
      this.inputAddress,
      (collection, bases) => new ScannedHeads(this.beginFile(collection), bases),
    ));
  }

  /**
   * Splits a text into words and folds them.
   *
   * @returns the words with spaces between them, valid until the next call; `undefined` if the caller has to do it, as for long texts and while the
   *   heads of a file are in use
   */
  foldText(text: string): Uint8Array | undefined {
    if (text.length > MAX_FOLDED_LENGTH || this.program.pinned) return undefined;
    const { exports, growing } = this.program;
    // The scanner reads a half of a surrogate pair only from an escape. Quotes are part of no word.
    const json = JSON.stringify(text);
    const capacity = json.length * UNIT_BYTES;
    const at = growing.reserveText(capacity);
    const { written } = encoder.encodeInto(json, this.program.bytes(at, at + capacity));
    return growing.foldText(written) === NONE ? undefined : this.program.growableBytes(exports.part(Part.givenWords));
  }
}
