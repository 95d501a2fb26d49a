/** Columns of numbers and texts as bytes, in the order in which they are written. As this machine has its numbers: they stay on it. */

const KINDS = { bytes: Uint8Array, words: Uint16Array, ints: Int32Array, doubles: Float64Array } as const;
type Kinds = typeof KINDS;
export type NumberKind = keyof Kinds;
/** Every column begins at a multiple of this many bytes, with how many bytes it has. */
const STEP = 8;

const stepped = (length: number): number => Math.ceil(length / STEP) * STEP;

export class ColumnWriter {
  private readonly parts: Uint8Array[] = [];

  numbers(kind: NumberKind, values: readonly number[]): void {
    const { buffer } = KINDS[kind].from(values);
    this.add(new Uint8Array(buffer));
  }

  /** Any text, also one that is no proper Unicode. */
  text(value: string): void {
    const isProper = Buffer.from(value, 'utf8').toString('utf8') === value;
    this.numbers('bytes', [Number(isProper)]);
    this.add(Buffer.from(value, isProper ? 'utf8' : 'utf16le'));
  }

  end(): Uint8Array {
    const bytes = Buffer.alloc(this.parts.reduce((size, part) => size + STEP + stepped(part.length), 0));
    let at = 0;
    for (const part of this.parts) {
      bytes.writeUInt32LE(part.length, at);
      bytes.set(part, at + STEP);
      at += STEP + stepped(part.length);
    }
    return bytes;
  }

  private add(part: Uint8Array): void {
    this.parts.push(part);
  }
}

export class ColumnReader {
  private readonly bytes: Buffer;
  private at = 0;

  constructor(bytes: Uint8Array) {
    const aligned = bytes.byteOffset % STEP === 0 ? bytes : bytes.slice();
    this.bytes = Buffer.from(aligned.buffer, aligned.byteOffset, aligned.length);
  }

  numbers<K extends NumberKind>(kind: K): InstanceType<Kinds[K]> {
    const part = this.next();
    const Kind = KINDS[kind];
    return new Kind(part.buffer as ArrayBuffer, part.byteOffset, part.length / Kind.BYTES_PER_ELEMENT) as InstanceType<Kinds[K]>;
  }

  text(): string {
    const isProper = this.numbers('bytes')[0] === 1;
    return this.next().toString(isProper ? 'utf8' : 'utf16le');
  }

  private next(): Buffer {
    const length = this.bytes.readUInt32LE(this.at);
    const from = this.at + STEP;
    this.at = from + stepped(length);
    return this.bytes.subarray(from, from + length);
  }
}
