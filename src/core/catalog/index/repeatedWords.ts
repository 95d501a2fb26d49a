/**
 * Finds the words that a text repeats. The index has no counts of words, which would double its size, so it gets these
 * words once more, marked: searches rank by them.
 */

/** A word that occurs at least this often in a text counts as repeated. */
export const REPEATED_TIMES = 4;

/** Precedes a repeated word in the index. It's no letter or digit, so no text has a word that begins with it. */
export const REPEATED_MARK = '·';

const MARK_BYTES = Buffer.from(REPEATED_MARK);
const SPACE = 32;

/** For each byte its lower case, or 0 if it separates words, as for the `ascii` tokenizer of FTS5. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= 0x80 || /[a-z\d]/.test(String.fromCharCode(byte)) ? byte : /[A-Z]/.test(String.fromCharCode(byte)) ? byte + 32 : 0,
);

/** The slots of the hash table at first; a power of two. */
const INITIAL_SLOTS = 1 << 14;
/** Words that collide with more others aren't counted, so that no text takes more than linear time. */
const MAX_PROBES = 64;

/** Counts words in a table that is used for one text after the other. */
export class RepeatedWords {
  private slots = INITIAL_SLOTS;
  /** For each slot: the text that it belongs to, and its word's hash, place in the text, length and count. */
  private texts = new Int32Array(INITIAL_SLOTS);
  private hashes = new Int32Array(INITIAL_SLOTS);
  private starts = new Int32Array(INITIAL_SLOTS);
  private lengths = new Int32Array(INITIAL_SLOTS);
  private counts = new Int32Array(INITIAL_SLOTS);
  private text = 0;

  /**
   * Returns the places of the words that occur at least `REPEATED_TIMES` times, each once, as pairs of start and length.
   *
   * @param bytes UTF-8; non-ASCII text folded and separated by spaces, as `spacedWords` does it
   */
  find(bytes: Uint8Array, from: number, to: number): number[] {
    this.begin(to - from);
    const found: number[] = [];
    for (let at = from; at < to; at++) {
      if (folded(bytes, at) === 0) continue;
      const start = at;
      let hash = 0;
      for (let byte; at < to && (byte = folded(bytes, at)) !== 0; at++) hash = Math.imul(hash ^ byte, 0x01000193);
      if (this.count(bytes, start, at - start, hash) === REPEATED_TIMES) found.push(start, at - start);
    }
    return found;
  }

  /** Empties the table, and makes it large enough for all words of a text. */
  private begin(size: number): void {
    // A word and its separator take two bytes, and half of the slots stay empty.
    if (size > this.slots) {
      while (this.slots < size) this.slots *= 2;
      this.texts = new Int32Array(this.slots);
      this.hashes = new Int32Array(this.slots);
      this.starts = new Int32Array(this.slots);
      this.lengths = new Int32Array(this.slots);
      this.counts = new Int32Array(this.slots);
      this.text = 0;
    }
    this.text++;
  }

  /** Counts a word and returns its count so far. */
  private count(bytes: Uint8Array, start: number, length: number, hash: number): number {
    const mask = this.slots - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (let probes = 0; this.texts[slot] === this.text; slot = (slot + 1) & mask) {
      if (this.hashes[slot] === hash && this.lengths[slot] === length && isSameWord(bytes, this.starts[slot]!, start, length))
        return ++this.counts[slot]!;
      if (++probes === MAX_PROBES) return 1;
    }
    this.texts[slot] = this.text;
    this.hashes[slot] = hash;
    this.starts[slot] = start;
    this.lengths[slot] = length;
    this.counts[slot] = 1;
    return 1;
  }
}

const folded = (bytes: Uint8Array, at: number): number => FOLDED[bytes[at]!]!;

function isSameWord(bytes: Uint8Array, one: number, other: number, length: number): boolean {
  for (let index = 0; index < length; index++) if (folded(bytes, one + index) !== folded(bytes, other + index)) return false;
  return true;
}

/** The bytes that {@link writeRepeated} writes. */
export function repeatedSize(found: readonly number[]): number {
  let size = 0;
  for (let index = 1; index < found.length; index += 2) size += MARK_BYTES.length + (found[index] ?? 0) + 1;
  return size;
}

/** Writes repeated words, marked and each followed by a space. @returns the position after them */
export function writeRepeated(bytes: Uint8Array, found: readonly number[], into: Uint8Array, at: number): number {
  for (let index = 0; index < found.length; index += 2) {
    const start = found[index] ?? 0;
    const length = found[index + 1] ?? 0;
    into.set(MARK_BYTES, at);
    into.set(bytes.subarray(start, start + length), at + MARK_BYTES.length);
    at += MARK_BYTES.length + length;
    into[at++] = SPACE;
  }
  return at;
}
