/** The catalog's index of scanned rows, built in the scanner's memory. */
import { IndexInput, IndexOutput, LABEL_TARGET_LENGTH, NOTE_LENGTH } from './indexLayout';
import type { ScannerProgram } from './scannerInstance';

/** The most that the caller adds to the scanner's own data. */
export interface IndexLimits {
  /** Tools, and as many files, that no scanned message has. */
  readonly names: number;
  readonly notes: number;
  readonly labelTargets: number;
}

/** Integers for each `IndexInput`. */
export type IndexInputs = { readonly [K in keyof typeof IndexInput]: readonly number[] };

/** Memory for the index of sealed rows. */
export class IndexBuilder {
  private readonly capacity: { readonly [K in keyof typeof IndexInput]: number };

  /**
   * Use `ScannedRows.prepareIndex`.
   *
   * @param counts the numbers of profiles, tools and files, the caller's included
   */
  constructor(
    private readonly program: ScannerProgram,
    { profiles, tools, files }: { readonly profiles: number; readonly tools: number; readonly files: number },
    limits: IndexLimits,
  ) {
    program.growing.reserveIndex(limits.names, limits.notes, limits.labelTargets);
    this.capacity = {
      roles: profiles,
      usageSources: profiles,
      toolKinds: tools,
      canonicalFiles: files,
      notes: limits.notes * NOTE_LENGTH,
      labelTargets: limits.labelTargets * LABEL_TARGET_LENGTH,
    };
  }

  /**
   * Builds the index. All inputs are by the numbers that `scannerLayout.ts` describes.
   *
   * @param leaf the last row of the active branch, or `NONE`
   * @param wordsStart the offset of the scanner's words among all words of the file
   * @returns `undefined` if the file has too many days and models
   * @throws {RangeError} if there are more inputs than were reserved.
   */
  build(inputs: IndexInputs, leaf: number, wordsStart: number): BuiltIndex | undefined {
    // The caller makes the object with these keys only.
    for (const name of Object.keys(inputs) as (keyof IndexInputs)[]) {
      const values = inputs[name];
      if (values.length > this.capacity[name]) throw new RangeError(`More ${name} than were reserved.`);
      this.program.ints(this.program.exports.indexInput(IndexInput[name], values.length), values.length).set(values);
    }
    return this.program.exports.buildIndex(leaf, wordsStart) === 0 ? undefined : new BuiltIndex(this.program);
  }
}

/** A built index. Its arrays are views, valid until the scanner begins another file. */
export class BuiltIndex {
  constructor(private readonly program: ScannerProgram) {}

  output(output: keyof typeof IndexOutput): Uint8Array<ArrayBuffer> {
    return this.program.growableBytes(this.program.exports.indexOutput(IndexOutput[output]));
  }
}
