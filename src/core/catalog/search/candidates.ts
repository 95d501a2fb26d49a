/** Which lines may answer a search, and how well: from the index, from a scan that comes to the same, or simply all that are left. */
import type { SessionLines } from '../database/lineTableCache';
import { IndexedLineReader } from './indexedLineReader';
import type { TableLine } from '../encoding/lineTable';
import type { SessionFilter, SearchScope } from './searchFilter';
import { Yielder } from '../../files/io/eventLoop';
import { matchExpression, occurrences, type Query } from './searchQuery';
import { compareByScore, isSameScore, bm25, type Corpus, type TermCounts } from './ranking';
import { LINES_PER_SESSION } from '../database/schema';
import type { CatalogReader } from '../database/catalogReader';
import { wordsOf } from './words';

export interface Candidate {
  readonly path: string;
  readonly line: TableLine;
  readonly score: number;
  readonly time: number;
}

interface ScoredLine {
  readonly line: number;
  readonly score: number;
}

/** The best first; among equals the recent ones. */
const compareCandidates = (a: Candidate, b: Candidate): number => compareByScore(a, b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line.offset - b.line.offset);

/** Without filters so many of the best are looked at; with filters all. */
const MIN_MATCHES = 1000;
const ALL = -1;

/** In order. `limit`: so many are wanted, and nothing is narrowed down. */
export async function candidatesFromIndex({ reader: stored }: SearchScope, query: Query, narrow: SessionFilter, limit: number | undefined, signal: AbortSignal | undefined): Promise<Iterable<Candidate>> {
  const expression = matchExpression(query);
  if (limit === undefined) return candidatesBySession(stored, stored.matches(expression, ALL), narrow, new Yielder(signal));
  const most = Math.max(MIN_MATCHES, limit * 4);
  const best = stored.matches(expression, most);
  // Some may turn out to be gone: twice as many as are wanted.
  const [wanted, last] = [best[limit * 2 - 1], best[most - 1]];
  if (!wanted || !last || !isSameScore(wanted.score, last.score)) return candidatesByScore(stored, best, narrow);
  // What was left out is as good, and may be newer.
  const asGood = stored.matches(expression, ALL).filter(({ score }) => score > last.score || isSameScore(score, last.score));
  return candidatesBySession(stored, asGood, narrow, new Yielder(signal));
}

type Matches = ReturnType<CatalogReader['matches']>;

/** No more are looked up than are asked for, but for those that are as good as the last. */
function* candidatesByScore(stored: CatalogReader, matches: Matches, narrow: SessionFilter): Generator<Candidate, undefined> {
  let asGood: Candidate[] = [];
  for (const { rowid, score } of matches) {
    if (asGood.length > 0 && !isSameScore(asGood[0]!.score, score)) {
      yield* asGood.sort(compareCandidates);
      asGood = [];
    }
    const n = Math.floor(rowid / LINES_PER_SESSION);
    const line = rowid % LINES_PER_SESSION;
    const session = stored.lines(n);
    if (session) asGood.push(...candidatesIn(session, narrow(n, session.path), [{ line, score }]));
  }
  yield* asGood.sort(compareCandidates);
}

/** Session by session, so that the lines of each are looked at once. */
async function candidatesBySession(stored: CatalogReader, matches: Matches, narrow: SessionFilter, pause: Yielder): Promise<Candidate[]> {
  const paths = stored.paths();
  const bySession = new Map<number, ScoredLine[]>();
  for (const { rowid, score } of matches) {
    const n = Math.floor(rowid / LINES_PER_SESSION);
    const places = bySession.get(n);
    if (places) places.push({ line: rowid % LINES_PER_SESSION, score });
    else bySession.set(n, [{ line: rowid % LINES_PER_SESSION, score }]);
  }
  const found: Candidate[] = [];
  for (const [n, places] of bySession) {
    await pause.yieldIfDue();
    const path = paths.get(n);
    const accepts = path === undefined ? undefined : narrow(n, path);
    const session = accepts && stored.lines(n);
    if (session) found.push(...candidatesIn(session, accepts, places));
  }
  return found.sort(compareCandidates);
}

function candidatesIn({ path, table }: SessionLines, accepts: ((at: TableLine) => boolean) | undefined, places: readonly ScoredLine[]): Candidate[] {
  const found: Candidate[] = [];
  for (const { line, score } of accepts ? places : []) for (const at of table.at(line)) if (accepts!(at)) found.push({ path, line: at, score, time: at.time });
  return found;
}

/** Without an index: every text is read. */
export async function candidatesFromScan({ reader: stored }: SearchScope, { all, none }: Query, narrow: SessionFilter, signal: AbortSignal | undefined): Promise<Candidate[]> {
  const pause = new Yielder(signal);
  const corpus = { entries: 0, length: 0, documentFrequency: all.map(() => 0) } satisfies Corpus;
  const found: { path: string; at: TableLine; counted: TermCounts }[] = [];
  for (const n of stored.paths().keys()) {
    const session = stored.lines(n);
    if (!session) continue;
    const accepts = narrow(n, session.path);
    const files = new IndexedLineReader(stored);
    try {
      for (const at of session.table.all()) {
        await pause.yieldIfDue();
        if (!at.hasText) continue;
        const words = [...wordsOf(files.read(session.path, at)?.text ?? '')];
        corpus.entries++;
        corpus.length += words.length;
        const counts = all.map((term) => occurrences(term, words));
        counts.forEach((count, term) => (corpus.documentFrequency[term]! += count > 0 ? 1 : 0));
        if (counts.includes(0) || none.some((term) => occurrences(term, words) > 0) || accepts?.(at) !== true) continue;
        found.push({ path: session.path, at, counted: { counts, length: words.length } });
      }
    } finally {
      files.close();
    }
  }
  return found.map(({ path, at, counted }) => ({ path, line: at, score: bm25(counted, corpus), time: at.time })).sort(compareCandidates);
}

/** Where no words are looked for: everything that is left, as good one as the other. */
export async function newestCandidates({ reader: stored }: SearchScope, narrow: SessionFilter, signal: AbortSignal | undefined): Promise<Candidate[]> {
  const pause = new Yielder(signal);
  const found: Candidate[] = [];
  for (const [n, path] of stored.paths()) {
    await pause.yieldIfDue();
    const accepts = narrow(n, path);
    const lines = accepts && stored.lines(n)?.table.all();
    for (const at of lines ?? []) if (accepts!(at)) found.push({ path, line: at, score: 0, time: at.time });
  }
  return found.sort(compareCandidates);
}
