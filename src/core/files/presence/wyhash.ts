/** The hash function wyhash, final version 4, with which oh-my-pi names worktrees and the leases of some sessions (`Bun.hash`). */

const SECRET = [0xa0761d6478bd642fn, 0xe7037ed1a0b428dbn, 0x8ebc6af09c88c6e3n, 0x589965cc75374cc3n] as const;
const MASK = 0xffffffffffffffffn;

/** Returns the hash of a text's UTF-8, as an unsigned number of 64 bits. */
export function wyhash(text: string, seed = 0n): bigint {
  const bytes = Buffer.from(text, 'utf8');
  const start = seed ^ mix(seed ^ SECRET[0], SECRET[1]);
  const [a, b, state] = bytes.length <= 16 ? [...shortWords(bytes), start] : longWords(bytes, start);
  const product = (a ^ SECRET[1]) * (b ^ state);
  return mix((product & MASK) ^ SECRET[0] ^ BigInt(bytes.length), (product >> 64n) ^ SECRET[1]);
}

/** Multiplies two numbers and combines both halves of the product. */
function mix(a: bigint, b: bigint): bigint {
  const product = a * b;
  return (product & MASK) ^ (product >> 64n);
}

function shortWords(bytes: Buffer): [bigint, bigint] {
  const { length } = bytes;
  if (length === 0) return [0n, 0n];
  if (length < 4) return [BigInt((bytes.readUInt8(0) << 16) | (bytes.readUInt8(length >> 1) << 8) | bytes.readUInt8(length - 1)), 0n];
  const step = (length >> 3) << 2;
  const pair = (high: number, low: number): bigint => (BigInt(bytes.readUInt32LE(high)) << 32n) | BigInt(bytes.readUInt32LE(low));
  return [pair(0, step), pair(length - 4, length - 4 - step)];
}

/** Returns the last two words, and the state after the words before them. */
function longWords(bytes: Buffer, start: bigint): [bigint, bigint, bigint] {
  const { length } = bytes;
  const word = (at: number): bigint => bytes.readBigUInt64LE(at);
  const next = (state: bigint, at: number, secret: bigint): bigint => mix(word(at) ^ secret, word(at + 8) ^ state);
  let at = 0;
  let [first, second, third] = [start, start, start];
  for (; at + 48 < length; at += 48) {
    first = next(first, at, SECRET[1]);
    second = next(second, at + 16, SECRET[2]);
    third = next(third, at + 32, SECRET[3]);
  }
  let state = first ^ second ^ third;
  for (; at + 16 < length; at += 16) state = next(state, at, SECRET[1]);
  return [word(length - 16), word(length - 8), state];
}
