/** How well an entry answers a query: bm25 as FTS5 computes it, for where there is no index. */

const K1 = 1.2;
const B = 0.75;
const LEAST = 1e-6;
/** Scores that differ by less are the same. */
const NOISE = 1e-12;

export const isAsGood = (one: number, other: number): boolean => Math.round(one / NOISE) === Math.round(other / NOISE);

export interface Counted {
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
  readonly having: readonly number[];
}

/** Larger is better. */
export function score({ counts, length }: Counted, corpus: Corpus): number {
  const average = corpus.length / corpus.entries;
  return counts.reduce((sum, count, term) => {
    const having = corpus.having[term]!;
    const rare = Math.max(LEAST, Math.log((corpus.entries - having + 0.5) / (having + 0.5)));
    return sum + rare * ((count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / average)));
  }, 0);
}

export interface Scored {
  readonly score: number;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** The best first; of those that are as good the recent ones. What arithmetic alone tells apart is as good. */
export function byScore(a: Scored, b: Scored): number {
  return Math.round(b.score / NOISE) - Math.round(a.score / NOISE) || b.time - a.time;
}
