/** Bytes and JSON strings in memory. A line break must follow the text: every function stops there. A result of 0 means that there is no string of the expected kind. */
export const QUOTE: u8 = 0x22;
export const BACKSLASH: u8 = 0x5c;
export const SPACE: u8 = 0x20;
export const ZERO: u8 = 0x30;
const NINE: u8 = 0x39;

export function byteAt(at: usize): u8 {
  return load<u8>(at);
}

export function isDigit(byte: u8): bool {
  return byte >= ZERO && byte <= NINE;
}

/** Returns whether the ASCII text `expected` is at `at`. */
export function startsWith(at: usize, expected: string): bool {
  let text = changetype<usize>(expected);
  let left = expected.length;
  for (; left >= 16; left -= 16) {
    if (mismatchMask(at, text) != 0) return false;
    at += 16;
    text += 32;
  }
  return (mismatchMask(at, text) & ((1 << left) - 1)) == 0;
}

/** Returns one bit per byte of sixteen, set where it differs from the character of the text. */
function mismatchMask(at: usize, text: usize): i32 {
  return i8x16.bitmask(i8x16.ne(v128.load(at), i8x16.narrow_i16x8_u(v128.load(text), v128.load(text, 16))));
}

/** Bytes to compare with, sixteen at a time. Loaded from memory, each gets into a register once; a constant would be made again at each use. */
const TWO = memory.data<u8>([2]);
const BLANK = memory.data<u8>([SPACE]);
const QUOTES = memory.data<u8>([QUOTE]);
const BACKSLASHES = memory.data<u8>([BACKSLASH]);
const LOW = memory.data<u8>([0x0f]);
/** The common characters after a backslash (quote, `t`, backslash, `n`) by their low four bits. The other places hold a byte that has other low bits. */
const LETTERS = memory.data<u8>([1, 0, QUOTE, 0, 0x74, 0, 0, 0, 0, 0, 0, 0, BACKSLASH, 0, 0x6e, 0]);

/** Returns the position of a string's closing quote. `at`: after the opening quote. */
export function stringEnd(at: usize): usize {
  const block = v128.load(at);
  const mask = i8x16.bitmask(
    v128.or(endsIn(block, v128.load8_splat(TWO), v128.load8_splat(BLANK)), i8x16.eq(block, v128.load8_splat(BACKSLASHES))),
  );
  if (mask == 0) return longStringEnd(at + 16);
  at += ctz(mask);
  const byte = byteAt(at);
  return byte == QUOTE ? at : byte == BACKSLASH ? longStringEnd(at) : 0;
}

/** Marks quotes and control characters: the characters that are at most 0x20 after one bit is flipped. */
function endsIn(block: v128, two: v128, blank: v128): v128 {
  const turned = v128.xor(block, two);
  return i8x16.eq(i8x16.min_u(turned, blank), turned);
}

function lettersIn(block: v128, letters: v128, low: v128): v128 {
  return i8x16.eq(block, i8x16.swizzle(letters, v128.and(block, low)));
}

/** Returns one bit per byte of sixty-four. */
function bitmask64(first: v128, second: v128, third: v128, fourth: v128): u64 {
  const low = <u32>(i8x16.bitmask(first) | (i8x16.bitmask(second) << 16));
  const high = <u32>(i8x16.bitmask(third) | (i8x16.bitmask(fourth) << 16));
  return ((<u64>high) << 32) | low;
}

/** Bytes read at a time. Up to this many after the line break are read and ignored, so they must be allocated. */
export const BLOCK: usize = 64;

/** Every second bit, starting with the second. */
const ODD: u64 = 0xaaaaaaaaaaaaaaaa;

/** Does the same without a branch per escape, sixty-four bytes at a time: texts have an escape in every other line. */
function longStringEnd(at: usize): usize {
  const two = v128.load8_splat(TWO);
  const blank = v128.load8_splat(BLANK);
  const backslash = v128.load8_splat(BACKSLASHES);
  const low = v128.load8_splat(LOW);
  const letters = v128.load(LETTERS);
  /** 1 if the first byte is escaped by a backslash in the block before. */
  let carried: u64 = 0;
  while (true) {
    const a = v128.load(at);
    const b = v128.load(at, 16);
    const c = v128.load(at, 32);
    const d = v128.load(at, 48);
    const ends = bitmask64(endsIn(a, two, blank), endsIn(b, two, blank), endsIn(c, two, blank), endsIn(d, two, blank));
    const backslashes = bitmask64(i8x16.eq(a, backslash), i8x16.eq(b, backslash), i8x16.eq(c, backslash), i8x16.eq(d, backslash));
    const known = bitmask64(lettersIn(a, letters, low), lettersIn(b, letters, low), lettersIn(c, letters, low), lettersIn(d, letters, low));
    // In a run of backslashes every second one is escaped: a subtraction carries through the run from its first.
    const first = backslashes & ~carried;
    const codes = (((first << 1) | ODD) - first) ^ ODD;
    const escaped = codes ^ (backslashes | carried);
    carried = (codes & backslashes) >>> 63;
    const stops = (ends & ~escaped) | (escaped & ~known);
    if (stops == 0) {
      at += BLOCK;
      continue;
    }
    const stop = ctz(stops);
    at += <usize>stop;
    if (((escaped >>> stop) & 1) == 0) return byteAt(at) == QUOTE ? at : 0;
    const length = escapeLength(at - 1);
    if (length == 0) return 0;
    at += length - 1;
    carried = 0;
  }
}

/** Returns the length in bytes of the escape that begins at a backslash; 0 if it is invalid. */
function escapeLength(at: usize): usize {
  switch (byteAt(at + 1)) {
    case QUOTE:
    case BACKSLASH:
    case 0x2f:
    case 0x62:
    case 0x66:
    case 0x6e:
    case 0x72:
    case 0x74:
      return 2;
    case 0x75:
      return isHex(byteAt(at + 2)) && isHex(byteAt(at + 3)) && isHex(byteAt(at + 4)) && isHex(byteAt(at + 5)) ? 6 : 0;
    default:
      return 0;
  }
}

function isHex(byte: u8): bool {
  const letter = byte | 0x20;
  return isDigit(byte) || (letter >= 0x61 && letter <= 0x66);
}

/** Returns the position of a string's closing quote if it holds only unescaped printable ASCII. `at`: after the opening quote. */
export function plainEnd(at: usize): usize {
  while (true) {
    const block = v128.load(at);
    const marks = v128.or(i8x16.eq(block, v128.load8_splat(QUOTES)), i8x16.eq(block, v128.load8_splat(BACKSLASHES)));
    // Bytes outside ASCII are negative as signed numbers.
    const mask = i8x16.bitmask(v128.or(marks, i8x16.lt_s(block, v128.load8_splat(BLANK))));
    if (mask == 0) {
      at += 16;
      continue;
    }
    at += ctz(mask);
    return byteAt(at) == QUOTE ? at : 0;
  }
}
