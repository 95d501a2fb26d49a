/**
 * Ranks texts by bm25, with the facts in the index: a text's number of words, and which of them are repeated. The index
 * has no counts of words, which would double its size. All terms of a query count the same, because each hit has all.
 */
import { REPEATED_TIMES } from '../index/words/repeatedWords';

const K1 = 1.2;
const B = 0.75;
/** The words of a text of average length. */
const AVERAGE_WORDS = 150;

/** The score of a term that a text has as it was typed, above all that its frequency gives. */
export const EXACT_SCORE = 1000;

/** The facts that a score depends on. */
interface TermCounts {
  /** The number of terms that occur in the text. */
  readonly terms: number;
  /** The number of these that are repeated. */
  readonly repeated: number;
  /** The number of words in the text. */
  readonly words: number;
}

/** The score of a text; larger is better. */
export function bm25({ terms, repeated, words }: TermCounts): number {
  const length = K1 * (1 - B + (B * words) / AVERAGE_WORDS);
  const weight = (count: number): number => (count * (K1 + 1)) / (count + length);
  return repeated * weight(REPEATED_TIMES) + (terms - repeated) * weight(1);
}

export interface Scored {
  readonly score: number;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** The best first; of equally good ones the most recent. */
export function compareByScore(a: Scored, b: Scored): number {
  return b.score - a.score || b.time - a.time;
}
