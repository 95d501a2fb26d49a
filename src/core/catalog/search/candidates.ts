/** Finds and ranks the lines that may answer a search: from the index, by an equivalent scan, or all that pass the filters. */
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

/** The best first; of equally good ones the most recent. */
const compareCandidates = (a: Candidate, b: Candidate): number =>
  compareByScore(a, b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line.offset - b.line.offset);

/** The least number of matches that are examined without filters. With filters, all are. */
const MIN_MATCHES = 1000;
const ALL = -1;

/** @param limit the number of wanted hits; `undefined` if there are filters, which may discard any number of matches */
export async function candidatesFromIndex(
  { reader: stored }: SearchScope,
  query: Query,
  filter: SessionFilter,
  limit: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Iterable<Candidate>> {
  const expression = matchExpression(query);
  if (limit === undefined) return candidatesBySession(stored, stored.matches(expression, ALL), filter, new Yielder(signal));
  const examined = Math.max(MIN_MATCHES, limit * 4);
  const best = stored.matches(expression, examined);
  // Twice as many as wanted, because some lines may no longer exist.
  const [wanted, last] = [best[limit * 2 - 1], best[examined - 1]];
  if (!wanted || !last || !isSameScore(wanted.score, last.score)) return candidatesByScore(stored, best, filter);
  // Matches beyond the limit have the same score and may be newer.
  const equals = stored.matches(expression, ALL).filter(({ score }) => score > last.score || isSameScore(score, last.score));
  return candidatesBySession(stored, equals, filter, new Yielder(signal));
}

type Matches = ReturnType<CatalogReader['matches']>;

/** Looks up only as many matches as are consumed, plus those with the same score as the last. */
function* candidatesByScore(stored: CatalogReader, matches: Matches, filter: SessionFilter): Generator<Candidate, undefined> {
  let equals: Candidate[] = [];
  for (const { rowid, score } of matches) {
    if (equals.length > 0 && !isSameScore(equals[0]!.score, score)) {
      yield* equals.sort(compareCandidates);
      equals = [];
    }
    const n = Math.floor(rowid / LINES_PER_SESSION);
    const line = rowid % LINES_PER_SESSION;
    const session = stored.lines(n);
    if (session) equals.push(...candidatesIn(session, filter(n, session.path), [{ line, score }]));
  }
  yield* equals.sort(compareCandidates);
}

/** Goes through the matches session by session, so that each line table is decoded once. */
async function candidatesBySession(stored: CatalogReader, matches: Matches, filter: SessionFilter, pause: Yielder): Promise<Candidate[]> {
  const paths = stored.paths();
  const bySession = new Map<number, ScoredLine[]>();
  for (const { rowid, score } of matches) {
    const n = Math.floor(rowid / LINES_PER_SESSION);
    const scoredLines = bySession.get(n);
    if (scoredLines) scoredLines.push({ line: rowid % LINES_PER_SESSION, score });
    else bySession.set(n, [{ line: rowid % LINES_PER_SESSION, score }]);
  }
  const found: Candidate[] = [];
  for (const [n, scoredLines] of bySession) {
    await pause.yieldIfDue();
    const path = paths.get(n);
    const accepts = path === undefined ? undefined : filter(n, path);
    const session = accepts && stored.lines(n);
    if (session) found.push(...candidatesIn(session, accepts, scoredLines));
  }
  return found.sort(compareCandidates);
}

function candidatesIn(
  { path, table }: SessionLines,
  accepts: ((at: TableLine) => boolean) | undefined,
  scoredLines: readonly ScoredLine[],
): Candidate[] {
  const found: Candidate[] = [];
  for (const { line, score } of accepts ? scoredLines : [])
    for (const at of table.at(line)) if (accepts!(at)) found.push({ path, line: at, score, time: at.time });
  return found;
}

/** Without an index, by reading every text. */
export async function candidatesFromScan(
  { reader: stored }: SearchScope,
  { all, none }: Query,
  filter: SessionFilter,
  signal: AbortSignal | undefined,
): Promise<Candidate[]> {
  const pause = new Yielder(signal);
  const corpus = { entries: 0, length: 0, documentFrequency: all.map(() => 0) } satisfies Corpus;
  const found: { path: string; at: TableLine; counted: TermCounts }[] = [];
  for (const n of stored.paths().keys()) {
    const session = stored.lines(n);
    if (!session) continue;
    const accepts = filter(n, session.path);
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

/** Everything that passes the filters, the newest first; for searches without words. */
export async function newestCandidates(
  { reader: stored }: SearchScope,
  filter: SessionFilter,
  signal: AbortSignal | undefined,
): Promise<Candidate[]> {
  const pause = new Yielder(signal);
  const found: Candidate[] = [];
  for (const [n, path] of stored.paths()) {
    await pause.yieldIfDue();
    const accepts = filter(n, path);
    const lines = accepts && stored.lines(n)?.table.all();
    for (const at of lines ?? []) if (accepts!(at)) found.push({ path, line: at, score: 0, time: at.time });
  }
  return found.sort(compareCandidates);
}
