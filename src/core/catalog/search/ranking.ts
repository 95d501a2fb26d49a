/** Ranks entries by bm25 as FTS5 computes it, for searches without an index. */

const K1 = 1.2;
const B = 0.75;
const MIN_IDF = 1e-6;
/** Scores that differ by less are equal. */
const SCORE_EPSILON = 1e-12;

export const isSameScore = (one: number, other: number): boolean => Math.round(one / SCORE_EPSILON) === Math.round(other / SCORE_EPSILON);

export interface TermCounts {
  /** The number of occurrences of each term. */
  readonly counts: readonly number[];
  /** The number of words. */
  readonly length: number;
}

export interface Corpus {
  readonly entries: number;
  /** The number of words in all entries. */
  readonly length: number;
  /** For each term, the number of entries that contain it. */
  readonly documentFrequency: readonly number[];
}

/** The score of an entry; larger is better. */
export function bm25({ counts, length }: TermCounts, corpus: Corpus): number {
  const average = corpus.length / corpus.entries;
  return counts.reduce((sum, count, term) => {
    const frequency = corpus.documentFrequency[term]!;
    const idf = Math.max(MIN_IDF, Math.log((corpus.entries - frequency + 0.5) / (frequency + 0.5)));
    return sum + idf * ((count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / average)));
  }, 0);
}

export interface Scored {
  readonly score: number;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** The best first; of equally good ones the most recent. Rounding differences don't count. */
export function compareByScore(a: Scored, b: Scored): number {
  return Math.round(b.score / SCORE_EPSILON) - Math.round(a.score / SCORE_EPSILON) || b.time - a.time;
}
