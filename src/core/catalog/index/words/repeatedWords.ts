/**
 * Finds the words that the index gets besides those of a text: the words that the text repeats, once more and marked, because the
 * index has no counts of words, which would double its size, and searches rank by them; and the parts of names such as
 * `getRefreshToken`.
 */
import { MAX_NAME_BYTES, MIN_PART_BYTES } from './words';

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

/** For each byte its class in a name: a capital begins a part after a small letter or a digit, and before a small letter. */
const [SMALL, DIGIT, CAPITAL] = [1, 2, 3];
const CLASS = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte);
  return /[a-z]/.test(character) ? SMALL : /\d/.test(character) ? DIGIT : /[A-Z]/.test(character) ? CAPITAL : 0;
});

/** Places of words in a text, as pairs of start and length. */
export interface AddedWords {
  /** The words that occur at least `REPEATED_TIMES` times, each once. */
  readonly repeated: readonly number[];
  /** The parts of names that didn't occur before. */
  readonly parts: readonly number[];
}

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
   * Returns the words that the index gets besides.
   *
   * @param bytes UTF-8; non-ASCII text folded and separated by spaces, as `spacedWords` does it
   */
  find(bytes: Uint8Array, from: number, to: number): AddedWords {
    this.begin(to - from);
    const repeated: number[] = [];
    const parts: number[] = [];
    for (let at = from; at < to; at++) {
      if (folded(bytes, at) === 0) continue;
      const start = at;
      let hash = 0;
      let hasInnerCapital = false;
      for (let byte; at < to && (byte = folded(bytes, at)) !== 0; at++) {
        hash = Math.imul(hash ^ byte, 0x01000193);
        if (byte !== bytes[at] && at > start) hasInnerCapital = true;
      }
      if (this.count(bytes, start, at - start, hash) === REPEATED_TIMES) repeated.push(start, at - start);
      if (hasInnerCapital && at - start <= MAX_NAME_BYTES) this.addParts(bytes, start, at, repeated, parts);
    }
    return { repeated, parts };
  }

  /** Adds the parts of a name, see `Word.parts`. */
  private addParts(bytes: Uint8Array, start: number, end: number, repeated: number[], parts: number[]): void {
    let from = start;
    let hash = Math.imul(folded(bytes, start), 0x01000193);
    for (let at = start + 1; at <= end; at++) {
      if (at === end ? from > start : beginsPart(bytes, at, end)) {
        const length = at - from;
        const count = length < MIN_PART_BYTES ? 0 : this.count(bytes, from, length, hash);
        if (count === 1) parts.push(from, length);
        else if (count === REPEATED_TIMES) repeated.push(from, length);
        from = at;
        hash = 0;
      }
      if (at < end) hash = Math.imul(hash ^ folded(bytes, at), 0x01000193);
    }
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

function beginsPart(bytes: Uint8Array, at: number, end: number): boolean {
  if (CLASS[bytes[at]!] !== CAPITAL) return false;
  const before = CLASS[bytes[at - 1]!];
  return before === SMALL || before === DIGIT || (before === CAPITAL && at + 1 < end && CLASS[bytes[at + 1]!] === SMALL);
}

const folded = (bytes: Uint8Array, at: number): number => FOLDED[bytes[at]!]!;

function isSameWord(bytes: Uint8Array, one: number, other: number, length: number): boolean {
  for (let index = 0; index < length; index++) if (folded(bytes, one + index) !== folded(bytes, other + index)) return false;
  return true;
}

/** The bytes that {@link writeAdded} writes. */
export const addedSize = ({ repeated, parts }: AddedWords): number => sizeOf(repeated, MARK_BYTES) + sizeOf(parts, NO_MARK);

/** Writes the repeated words, marked, and the parts, each followed by a space. @returns the position after them */
export function writeAdded(bytes: Uint8Array, { repeated, parts }: AddedWords, into: Uint8Array, at: number): number {
  return write(bytes, parts, NO_MARK, into, write(bytes, repeated, MARK_BYTES, into, at));
}

const NO_MARK = Buffer.alloc(0);

function sizeOf(places: readonly number[], mark: Uint8Array): number {
  let size = 0;
  for (let index = 1; index < places.length; index += 2) size += mark.length + (places[index] ?? 0) + 1;
  return size;
}

function write(bytes: Uint8Array, places: readonly number[], mark: Uint8Array, into: Uint8Array, at: number): number {
  for (let index = 0; index < places.length; index += 2) {
    const start = places[index] ?? 0;
    const length = places[index + 1] ?? 0;
    into.set(mark, at);
    into.set(bytes.subarray(start, start + length), at + mark.length);
    at += mark.length + length;
    into[at++] = SPACE;
  }
  return at;
}
