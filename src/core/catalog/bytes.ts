/** Numbers and texts as bytes, and back. */
import { DamagedDatabase } from './damage';

/** Less than what takes two bytes to count. */
const SHORT = 40;

/** Numbers of seven bits a byte, the low ones first; good up to 2^53. */
export class ByteWriter {
  private buffer = Buffer.allocUnsafe(4096);
  private size = 0;

  number(value: number): void {
    this.room(8);
    let rest = Math.max(0, Math.floor(value));
    while (rest >= 128) {
      this.buffer[this.size++] = (rest % 128) + 128;
      rest = Math.floor(rest / 128);
    }
    this.buffer[this.size++] = rest;
  }

  signed(value: number): void {
    const whole = Math.trunc(value);
    this.number(whole < 0 ? -whole * 2 - 1 : whole * 2);
  }

  text(text: string): void {
    this.room(text.length * 3 + 8);
    if (text.length <= SHORT && this.ascii(text)) return;
    this.number(Buffer.byteLength(text));
    this.size += this.buffer.write(text, this.size);
  }

  /** Ids are short and many: a call of Node for each would take longer. */
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

  private room(bytes: number): void {
    if (this.size + bytes > this.buffer.length) this.buffer = Buffer.concat([this.buffer], Math.max(this.buffer.length * 2, this.size + bytes));
  }
}

export class ByteReader {
  /** Where it reads next. */
  place = 0;
  private readonly buffer: Buffer;
  /** All bytes, each as a character. */
  private letters: string | undefined;

  constructor(bytes: Uint8Array) {
    this.buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  isAtEnd(): boolean {
    return this.place >= this.buffer.length;
  }

  /** @throws {DamagedDatabase} where the bytes end before */
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

  signed(): number {
    const value = this.number();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  /** Goes behind a text. */
  pass(): void {
    const length = this.number();
    this.place += length;
  }

  text(): string {
    const length = this.number();
    const from = this.place;
    this.place += length;
    if (length > SHORT) return this.buffer.toString('utf8', from, this.place);
    for (let at = from; at < this.place; at++) if (this.buffer[at]! >= 128) return this.buffer.toString('utf8', from, this.place);
    // As in writing: a part of a string is sooner had than a call of Node.
    this.letters ??= this.buffer.toString('latin1');
    return this.letters.substring(from, this.place);
  }

  private byte(): number {
    const byte = this.buffer[this.place++];
    if (byte === undefined) throw new DamagedDatabase('Stored bytes end too early.');
    return byte;
  }
}
