/** Memory in which a thread shows the others which file it reads, and that it makes progress. */

/** Indexes of numbers: of the steps so far, and of the bytes of the file's path, 0 while no file is read. */
const [STEPS, LENGTH] = [0, 1];
const NUMBERS = 2;
/** Bytes for a path. A longer one is cut. */
const PATH_BYTES = 64 * 1024;

export type PulseMemory = SharedArrayBuffer;

export const createPulseMemory = (): PulseMemory => new SharedArrayBuffer(NUMBERS * Int32Array.BYTES_PER_ELEMENT + PATH_BYTES);

export class Pulse {
  private readonly numbers: Int32Array<SharedArrayBuffer>;
  private readonly bytes: Buffer<SharedArrayBuffer>;

  constructor(memory: PulseMemory = createPulseMemory()) {
    this.numbers = new Int32Array(memory, 0, NUMBERS);
    this.bytes = Buffer.from(memory, this.numbers.byteLength);
  }

  /** Called before a file is read. */
  begin(path: string): void {
    this.end();
    const length = this.bytes.write(path);
    this.step();
    Atomics.store(this.numbers, LENGTH, length);
  }

  /** Called often while a file is read. */
  step(): void {
    Atomics.add(this.numbers, STEPS, 1);
  }

  /** Called when the file has been read. A thread that breaks down doesn't get to it. */
  end(): void {
    Atomics.store(this.numbers, LENGTH, 0);
  }

  /** The steps of all files so far. Wraps around. */
  get steps(): number {
    return Atomics.load(this.numbers, STEPS);
  }

  /** The path of the file that is being read. */
  get path(): string | undefined {
    const length = Atomics.load(this.numbers, LENGTH);
    return length === 0 ? undefined : this.bytes.toString('utf8', 0, length);
  }
}
