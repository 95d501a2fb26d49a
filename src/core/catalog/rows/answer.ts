/** The usage of single answers, as the catalog keeps it. Pure. */

/** An entry of a session whose usage counts. */
export interface Answer {
  /** Identifies the answer by what it is: its id, time, model and numbers. A copy in another session has the same one. */
  readonly fingerprint: number;
  /** In milliseconds since 1970; 0 if it has none. */
  readonly time: number;
  /** `provider/model`; empty if the entry names none. */
  readonly model: string;
  /** In the order of `TOTALS`. */
  readonly numbers: readonly number[];
  /** The files of subagents' sessions whose usage this is, as far as a tool's result names them. */
  readonly children: readonly string[];
  /** The bits of `causeBit`. */
  readonly causes: number;
}

/** Bits of a fingerprint: among millions of answers no two are likely to have the same one. */
const FINGERPRINT_BITS = 48;
const HALF = 2 ** (FINGERPRINT_BITS / 2);
const HALF_MASK = HALF - 1;

/** Returns the fingerprint of an answer: a whole number of 48 bits. */
export function fingerprintOf(id: string, { time, model, numbers }: Pick<Answer, 'time' | 'model' | 'numbers'>): number {
  const text = `${id}\n${time}\n${model}\n${numbers.join(' ')}`;
  // Two hashes of 32 bits that mix each other at the end.
  let [high, low] = [0x9e3779b9, 0x85ebca6b];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 0x9e3779b1);
    low = Math.imul(low ^ code, 0x5f356495);
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35);
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35);
  return ((high >>> 8) & HALF_MASK) * HALF + ((low >>> 8) & HALF_MASK);
}
