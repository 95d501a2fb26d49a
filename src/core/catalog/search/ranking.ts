/** How well an entry answers a query: bm25 as FTS5 computes it, for where there is no index. */

const K1 = 1.2;
const B = 0.75;
const MIN_IDF = 1e-6;
/** Scores that differ by less are the same. */
const SCORE_EPSILON = 1e-12;

export const isSameScore = (one: number, other: number): boolean => Math.round(one / SCORE_EPSILON) === Math.round(other / SCORE_EPSILON);

export interface TermCounts {
  /** How often each term stands in it. */
  readonly counts: readonly number[];
  /** Words. */
  readonly length: number;
}

export interface Corpus {
  readonly entries: number;
  /** Words of all entries. */
  readonly length: number;
  /** In how many entries each term stands. */
  readonly documentFrequency: readonly number[];
}

/** Larger is better. */
export function bm25({ counts, length }: TermCounts, corpus: Corpus): number {
  const average = corpus.length / corpus.entries;
  return counts.reduce((sum, count, term) => {
    const having = corpus.documentFrequency[term]!;
    const rare = Math.max(MIN_IDF, Math.log((corpus.entries - having + 0.5) / (having + 0.5)));
    return sum + rare * ((count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / average)));
  }, 0);
}

export interface Scored {
  readonly score: number;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** The best first; of those that are as good the recent ones. What arithmetic alone tells apart is as good. */
export function compareByScore(a: Scored, b: Scored): number {
  return Math.round(b.score / SCORE_EPSILON) - Math.round(a.score / SCORE_EPSILON) || b.time - a.time;
}
