/** Variable-length numbers and texts as bytes. */
import { DamagedDatabase } from './damagedDatabase';

/** Below 128, so that the length of a short text takes one byte. */
const SHORT_TEXT_BYTES = 40;

/** The bit of a stored id's size that says that two hexadecimal digits share a byte. The size in characters follows above it. */
const PACKED_ID = 1;

/** Ids of which two characters are stored in a byte. */
const HEX_ID = /^(?:[\da-f]{2})+$/;

/** Writes numbers with seven bits per byte, the low bits first. Valid up to 2^53. */
export class ByteWriter {
  private buffer = Buffer.allocUnsafe(4096);
  private size = 0;

  number(value: number): void {
    this.reserve(8);
    let rest = Math.max(0, Math.floor(value));
    while (rest >= 128) {
      this.buffer[this.size++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.buffer[this.size++] = rest;
  }

  /** Writes a whole number below 2^48, which is as likely to be large as small. */
  bits48(value: number): void {
    this.reserve(6);
    this.size = this.buffer.writeUIntLE(value, this.size, 6);
  }

  double(value: number): void {
    this.reserve(8);
    this.size = this.buffer.writeDoubleLE(value, this.size);
  }

  signed(value: number): void {
    const whole = Math.trunc(value);
    this.number(whole < 0 ? -whole * 2 - 1 : whole * 2);
  }

  text(text: string): void {
    this.reserve(text.length * 3 + 8);
    if (text.length <= SHORT_TEXT_BYTES && this.ascii(text)) return;
    this.number(Buffer.byteLength(text));
    this.size += this.buffer.write(text, this.size);
  }

  /** Writes an id. Most are hexadecimal digits, of which two share a byte. */
  id(id: string): void {
    if (!HEX_ID.test(id)) {
      this.number(Buffer.byteLength(id) * 2);
      this.reserve(id.length * 3);
      this.size += this.buffer.write(id, this.size);
      return;
    }
    this.number(id.length * 2 + PACKED_ID);
    this.reserve(id.length);
    this.size += this.buffer.write(id, this.size, 'hex');
  }

  /** Names are short and many; a call into Node for each would take longer. */
  private ascii(text: string): boolean {
    const { buffer, size } = this;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code >= 128) return false;
      buffer[size + 1 + index] = code;
    }
    buffer[size] = text.length;
    this.size = size + 1 + text.length;
    return true;
  }

  get length(): number {
    return this.size;
  }

  bytes(): Uint8Array {
    return new Uint8Array(this.buffer.subarray(0, this.size));
  }

  private reserve(bytes: number): void {
    if (this.size + bytes > this.buffer.length)
      this.buffer = Buffer.concat([this.buffer], Math.max(this.buffer.length * 2, this.size + bytes));
  }
}

export class ByteReader {
  /** The offset of the next byte to read. */
  position = 0;
  private readonly buffer: Buffer;
  /** All bytes as one string: a character per byte, and two hexadecimal digits per byte. */
  private latin1: string | undefined;
  private hex: string | undefined;

  constructor(bytes: Uint8Array) {
    this.buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  isAtEnd(): boolean {
    return this.position >= this.buffer.length;
  }

  /** @throws {DamagedDatabase} if the bytes end before the number does */
  number(): number {
    const first = this.byte();
    if (first < 128) return first;
    let value = first - 128;
    for (let scale = 128; ; scale *= 128) {
      const byte = this.byte();
      value += (byte % 128) * scale;
      if (byte < 128) return value;
    }
  }

  /** @throws {DamagedDatabase} if the bytes end before the number does */
  bits48(): number {
    return this.buffer.readUIntLE(this.skip(6), 6);
  }

  /** @throws {DamagedDatabase} if the bytes end before the number does */
  double(): number {
    return this.buffer.readDoubleLE(this.skip(8));
  }

  signed(): number {
    const value = this.number();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  /** Moves past an id without decoding it. */
  skipId(): void {
    const code = this.number();
    this.position += code % 2 === PACKED_ID ? Math.floor(code / 4) : Math.floor(code / 2);
  }

  id(): string {
    const code = this.number();
    if (code % 2 !== PACKED_ID) return this.textOf(Math.floor(code / 2));
    const from = this.position;
    this.position += Math.floor(code / 4);
    // A substring is cheaper than a call into Node.
    this.hex ??= this.buffer.toString('hex');
    return this.hex.substring(from * 2, this.position * 2);
  }

  text(): string {
    return this.textOf(this.number());
  }

  private textOf(length: number): string {
    const from = this.position;
    this.position += length;
    if (length > SHORT_TEXT_BYTES) return this.buffer.toString('utf8', from, this.position);
    for (let at = from; at < this.position; at++) if (this.buffer[at]! >= 128) return this.buffer.toString('utf8', from, this.position);
    // A substring is cheaper than a call into Node, as in `ByteWriter`.
    this.latin1 ??= this.buffer.toString('latin1');
    return this.latin1.substring(from, this.position);
  }

  /** Moves past some bytes, and returns the offset of the first. */
  private skip(bytes: number): number {
    const from = this.position;
    if (from + bytes > this.buffer.length) throw new DamagedDatabase('Stored bytes end too early.');
    this.position += bytes;
    return from;
  }

  private byte(): number {
    const byte = this.buffer[this.position++];
    if (byte === undefined) throw new DamagedDatabase('Stored bytes end too early.');
    return byte;
  }
}
