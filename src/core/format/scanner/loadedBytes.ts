/** Bytes in the scanner's memory. */
import type { PathBases } from '../toolCalls/callWords';
import type { ScannedHeads } from './scannedHeads';
import type { ScannerProgram } from './scannerInstance';
import type { Collection } from './scannerLayout';

/** Begins a file: discards the rows of the one before. `bases`: the folders that rows show paths relative to. */
type BeginHeads = (collection: keyof typeof Collection, bases: PathBases) => ScannedHeads;

/** Valid until the next bytes are loaded. Positions are relative to their start. */
export class LoadedBytes {
  constructor(
    private readonly program: ScannerProgram,
    /** Address of the first byte. */
    readonly address: number,
    /** Keeps the scanner's modules out of exported pages, whose reader has no scanner. */
    readonly beginHeads: BeginHeads,
  ) {}

  copy(from: number, to: number): Uint8Array {
    return this.program.bytes(this.address + from, this.address + to).slice();
  }
}
