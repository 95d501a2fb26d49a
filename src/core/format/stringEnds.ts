/**
 * Where strings of JSON end, by their bytes and sixteen at a time: nine tenths of a session are texts that heads have
 * no use for, and yet a line counts only if it is JSON to its end. JavaScript would look at each byte; so this is
 * WebAssembly, written out below, and bytes are read into its memory.
 */

/** As far as it is needed here: TypeScript's library for Node has no types for it. */
interface WasmHost {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Memory: new (size: { readonly initial: number }) => { readonly buffer: ArrayBuffer };
  readonly Instance: new (module: object, imports: object) => { readonly exports: { readonly find: (at: number, end: number) => number } };
}

const PAGE = 64 * 1024;
/** The loop may look at so many bytes behind the end. */
const BEYOND = 16;

export class StringEnds {
  /** Bytes to be looked at stand in here. */
  readonly bytes: Uint8Array;
  private readonly find: (at: number, end: number) => number;

  /** @throws where there is no WebAssembly, or no room for its memory. */
  constructor(capacity: number) {
    const host = (globalThis as unknown as { readonly WebAssembly: WasmHost }).WebAssembly;
    const memory = new host.Memory({ initial: Math.ceil((capacity + BEYOND) / PAGE) });
    this.bytes = new Uint8Array(memory.buffer, 0, capacity);
    this.find = new host.Instance(new host.Module(PROGRAM), { '': { '': memory } }).exports.find;
  }

  /**
   * `at`: behind a string's opening quote. @returns the place of the quote that closes it; -1 if none does before
   * `end`, or if the string is not what JSON allows.
   */
  of(at: number, end: number): number {
    let place = this.find(at, end);
    // It stops before an escape of a character by its number, which are few.
    while (place < 0 && isUnicodeEscape(this.bytes, ~place, end)) place = this.find(~place + 6, end);
    return place < 0 ? -1 : place;
  }
}

function isUnicodeEscape(bytes: Uint8Array, at: number, end: number): boolean {
  if (at + 6 > end || bytes[at] !== 0x5c || bytes[at + 1] !== 0x75) return false;
  for (let digit = at + 2; digit < at + 6; digit++) {
    const byte = bytes[digit]!;
    if (!((byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66))) return false;
  }
  return true;
}

const [I32, V128] = [0x7f, 0x7b];
const [LOOP, IF, END, BRANCH, RETURN, NOTHING] = [0x03, 0x04, 0x0b, 0x0c, 0x0f, 0x40];
const [GET, SET, TEE] = [0x20, 0x21, 0x22];
const [LOAD_BYTE, CONST, EQZ, EQ, NE, LT, GE] = [[0x2d, 0, 0], 0x41, 0x45, 0x46, 0x47, 0x49, 0x4f];
const [CTZ, ADD, SUB, AND, OR, XOR, SHIFT] = [0x68, 0x6a, 0x6b, 0x71, 0x72, 0x73, 0x76];
const vector = (code: number): number[] => (code < 0x80 ? [0xfd, code] : [0xfd, (code & 0x7f) | 0x80, code >> 7]);
const [LOAD_16, SPLAT, EQ_16, LT_16, OR_16, BITMASK] = [[...vector(0), 0, 0], vector(15), vector(35), vector(38), vector(80), vector(100)];

/** A number as WebAssembly writes it (LEB128, signed). */
function int(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7) {
    const byte = rest & 0x7f;
    if (rest < 64 && rest >= -64) return [...bytes, byte];
    bytes.push(byte | 0x80);
  }
}

/** The letters that may follow a backslash, by their distance from it. */
const LETTERS = Array.from('\\bfnrt').reduce((set, letter) => set | (1 << (letter.charCodeAt(0) - 0x5c)), 0);

/** Parameters and locals. */
const [at, end, mask, byte, block] = [0, 1, 2, 3, 4];
const is = (test: number, number: number): number[] => [GET, byte, CONST, ...int(number), test];
const stop = [CONST, ...int(-1), GET, at, XOR, RETURN];

/** find(at, end): the place of the next quote; `~place` of anything else that is no plain character or simple escape, or of the end. */
const FIND = [
  [LOOP, NOTHING],
  [GET, at, GET, end, GE, IF, NOTHING, ...stop, END],
  // A bit for each of the next sixteen bytes that is a quote, a backslash or a control character.
  [GET, at, ...LOAD_16, TEE, block, CONST, ...int(0x22), ...SPLAT, ...EQ_16],
  [GET, block, CONST, ...int(0x5c), ...SPLAT, ...EQ_16, ...OR_16],
  [GET, block, CONST, ...int(0x20), ...SPLAT, ...LT_16, ...OR_16],
  [...BITMASK, TEE, mask, EQZ, IF, NOTHING],
  [GET, at, CONST, ...int(16), ADD, SET, at, BRANCH, 1],
  [END],
  [GET, at, GET, mask, CTZ, ADD, TEE, at, GET, end, GE, IF, NOTHING, ...stop, END],
  [GET, at, ...LOAD_BYTE, SET, byte],
  [...is(EQ, 0x22), IF, NOTHING, GET, at, RETURN, END],
  [...is(NE, 0x5c), IF, NOTHING, ...stop, END],
  // An escape: \" and \/, or a letter of the set.
  [GET, at, CONST, ...int(1), ADD, ...LOAD_BYTE, SET, byte],
  [...is(EQ, 0x22), ...is(EQ, 0x2f), OR],
  [GET, byte, CONST, ...int(0x5c), SUB, TEE, mask, CONST, ...int(32), LT],
  [CONST, ...int(LETTERS), GET, mask, SHIFT, CONST, ...int(1), AND, AND, OR],
  [EQZ, IF, NOTHING, ...stop, END],
  [GET, at, CONST, ...int(2), ADD, SET, at, BRANCH, 0],
  [END],
  [CONST, ...int(0)],
].flat();

const sized = (content: readonly number[]): number[] => [...unsigned(content.length), ...content];
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >> 7)];
}
const section = (id: number, content: readonly number[]): number[] => [id, ...sized(content)];
const name = (text: string): number[] => sized(Array.from(text, (letter) => letter.charCodeAt(0)));

const PROGRAM = new Uint8Array([
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...section(1, [1, 0x60, 2, I32, I32, 1, I32]),
  // Memory comes from outside, a page at least.
  ...section(2, [1, ...name(''), ...name(''), 0x02, 0x00, 1]),
  ...section(3, [1, 0]),
  ...section(7, [1, ...name('find'), 0x00, 0]),
  ...section(10, [1, ...sized([2, 2, I32, 1, V128, ...FIND, END])]),
]);
