/** Columns of numbers and texts as bytes, in the order in which they are written. Numbers have this machine's byte order; the bytes never leave it. */
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';
import { DamagedDatabase } from '../database/databaseErrors';

const KINDS = { bytes: Uint8Array, words: Uint16Array, ints: Int32Array, doubles: Float64Array } as const;
type Kinds = typeof KINDS;
export type NumberKind = keyof Kinds;
/** Every column starts at a multiple of this many bytes, with a header of the same size: its length in bytes, and its flags. */
const ALIGNMENT = 8;
const [DEFLATED, UTF16] = [1, 2];
/** Numbers are deflated only if that is fast, because most of them are equal. Texts always are, except for short ones. */
const MAX_NUMBERS_RATIO = 1 / 4;
const MIN_DEFLATE_BYTES = 4096;

const alignUp = (length: number): number => Math.ceil(length / ALIGNMENT) * ALIGNMENT;

interface Part {
  readonly bytes: Buffer;
  readonly flags: number;
}

export class ColumnWriter {
  private readonly parts: Part[] = [];

  numbers(kind: NumberKind, values: readonly number[]): void {
    const { buffer } = KINDS[kind].from(values);
    this.add({ bytes: Buffer.from(buffer), flags: 0 }, MAX_NUMBERS_RATIO);
  }

  /** Writes any string, also one with unpaired surrogates. */
  text(value: string): void {
    const isWellFormed = Buffer.from(value, 'utf8').toString('utf8') === value;
    this.add(isWellFormed ? { bytes: Buffer.from(value, 'utf8'), flags: 0 } : { bytes: Buffer.from(value, 'utf16le'), flags: UTF16 }, 1);
  }

  finish(): Uint8Array {
    const all = Buffer.alloc(this.parts.reduce((size, { bytes }) => size + ALIGNMENT + alignUp(bytes.length), ALIGNMENT));
    let at = ALIGNMENT;
    for (const { bytes, flags } of this.parts) {
      all.writeUInt32LE(bytes.length, at);
      all.writeUInt32LE(flags, at + 4);
      all.set(bytes, at + ALIGNMENT);
      at += ALIGNMENT + alignUp(bytes.length);
    }
    all.writeUInt32LE(crc32(all.subarray(ALIGNMENT)), 0);
    return all;
  }

  /** @param most the share of the part's size that it must shrink to */
  private add(part: Part, most: number): void {
    const deflated = part.bytes.length < MIN_DEFLATE_BYTES ? part.bytes : deflateRawSync(part.bytes, { level: 1 });
    this.parts.push(deflated.length < part.bytes.length * most ? { bytes: deflated, flags: part.flags | DEFLATED } : part);
  }
}

export class ColumnReader {
  private readonly bytes: Buffer;
  private at = ALIGNMENT;

  /** @throws {DamagedDatabase} if the checksum doesn't match; what is read later is intact */
  constructor(bytes: Uint8Array) {
    const whole = aligned(bytes);
    this.bytes = Buffer.from(whole.buffer, whole.byteOffset, whole.length);
    if (this.bytes.length < ALIGNMENT || this.bytes.readUInt32LE(0) !== crc32(this.bytes.subarray(ALIGNMENT)))
      throw new DamagedDatabase('The stored heads are damaged.');
  }

  numbers<K extends NumberKind>(kind: K): InstanceType<Kinds[K]> {
    return numbersOf(this.next(), kind);
  }

  /** Numbers that are decoded once, when they are first read. */
  lazyNumbers<K extends NumberKind>(kind: K): () => InstanceType<Kinds[K]> {
    const part = this.next();
    let numbers: InstanceType<Kinds[K]> | undefined;
    return () => (numbers ??= numbersOf(part, kind));
  }

  text(): string {
    return this.lazyText()();
  }

  /** A text that is decoded once, when it is first read. */
  lazyText(): () => string {
    const part = this.next();
    let text: string | undefined;
    return () => (text ??= inflated(part).toString((part.flags & UTF16) === 0 ? 'utf8' : 'utf16le'));
  }

  private next(): Part {
    const length = this.bytes.readUInt32LE(this.at);
    const flags = this.bytes.readUInt32LE(this.at + 4);
    const from = this.at + ALIGNMENT;
    this.at = from + alignUp(length);
    return { bytes: this.bytes.subarray(from, from + length), flags };
  }
}

function numbersOf<K extends NumberKind>(part: Part, kind: K): InstanceType<Kinds[K]> {
  const { buffer, byteOffset, length } = aligned(inflated(part));
  const Kind = KINDS[kind];
  // Stored bytes are in no shared memory, and `KINDS` has the class of each kind.
  return new Kind(buffer as ArrayBuffer, byteOffset, length / Kind.BYTES_PER_ELEMENT) as InstanceType<Kinds[K]>;
}

const inflated = ({ bytes, flags }: Part): Buffer => ((flags & DEFLATED) === 0 ? bytes : inflateRawSync(bytes));

/** Returns the bytes at an aligned offset, copied if necessary: typed arrays need one. */
const aligned = (bytes: Uint8Array): Uint8Array => (bytes.byteOffset % ALIGNMENT === 0 ? bytes : new Uint8Array(bytes));
