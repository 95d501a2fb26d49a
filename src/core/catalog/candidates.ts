/** Which lines may answer a search, and how well: from the index, from a scan that comes to the same, or simply all that are left. */
import type { StoredLines } from './keptLines';
import { LineFiles } from './lineFiles';
import type { TableLine } from './lineTable';
import type { Narrow, Searched } from './narrow';
import { Pause } from '../files/pause';
import { matchExpression, occurrences, type Query } from './query';
import { byScore, isAsGood, score, type Corpus, type Counted } from './ranking';
import { LINES } from './schema';
import type { StoredCatalog } from './storedCatalog';
import { wordsOf } from './words';

export interface Candidate {
  readonly path: string;
  readonly at: TableLine;
  readonly score: number;
  readonly time: number;
}

interface Place {
  readonly line: number;
  readonly score: number;
}

/** The best first; among equals the recent ones. */
const inOrder = (a: Candidate, b: Candidate): number => byScore(a, b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.at.offset - b.at.offset);

/** Without filters so many of the best are looked at; with filters all. */
const BEST = 1000;
const ALL = -1;

/** In order. `limit`: so many are wanted, and nothing is narrowed down. */
export async function fromIndex({ stored }: Searched, query: Query, narrow: Narrow, limit: number | undefined, signal: AbortSignal | undefined): Promise<Iterable<Candidate>> {
  const expression = matchExpression(query);
  if (limit === undefined) return ofAll(stored, stored.matches(expression, ALL), narrow, new Pause(signal));
  const most = Math.max(BEST, limit * 4);
  const best = stored.matches(expression, most);
  // Some may turn out to be gone: twice as many as are wanted.
  const [wanted, last] = [best[limit * 2 - 1], best[most - 1]];
  if (!wanted || !last || !isAsGood(wanted.score, last.score)) return ofBest(stored, best, narrow);
  // What was left out is as good, and may be newer.
  const asGood = stored.matches(expression, ALL).filter(({ score }) => score > last.score || isAsGood(score, last.score));
  return ofAll(stored, asGood, narrow, new Pause(signal));
}

type Matches = ReturnType<StoredCatalog['matches']>;

/** No more are looked up than are asked for, but for those that are as good as the last. */
function* ofBest(stored: StoredCatalog, matches: Matches, narrow: Narrow): Generator<Candidate, undefined> {
  let asGood: Candidate[] = [];
  for (const { rowid, score } of matches) {
    if (asGood.length > 0 && !isAsGood(asGood[0]!.score, score)) {
      yield* asGood.sort(inOrder);
      asGood = [];
    }
    const n = Math.floor(rowid / LINES);
    const line = rowid % LINES;
    const session = stored.lines(n);
    if (session) asGood.push(...candidatesIn(session, narrow(n, session.path), [{ line, score }]));
  }
  yield* asGood.sort(inOrder);
}

/** Session by session, so that the lines of each are looked at once. */
async function ofAll(stored: StoredCatalog, matches: Matches, narrow: Narrow, pause: Pause): Promise<Candidate[]> {
  const paths = stored.paths();
  const bySession = new Map<number, Place[]>();
  for (const { rowid, score } of matches) {
    const n = Math.floor(rowid / LINES);
    const places = bySession.get(n);
    if (places) places.push({ line: rowid % LINES, score });
    else bySession.set(n, [{ line: rowid % LINES, score }]);
  }
  const found: Candidate[] = [];
  for (const [n, places] of bySession) {
    await pause.here();
    const path = paths.get(n);
    const accepts = path === undefined ? undefined : narrow(n, path);
    const session = accepts && stored.lines(n);
    if (session) found.push(...candidatesIn(session, accepts, places));
  }
  return found.sort(inOrder);
}

function candidatesIn({ path, table }: StoredLines, accepts: ((at: TableLine) => boolean) | undefined, places: readonly Place[]): Candidate[] {
  const found: Candidate[] = [];
  for (const { line, score } of accepts ? places : []) for (const at of table.at(line)) if (accepts!(at)) found.push({ path, at, score, time: at.time });
  return found;
}

/** Without an index: every text is read. */
export async function fromScan({ stored }: Searched, { all, none }: Query, narrow: Narrow, signal: AbortSignal | undefined): Promise<Candidate[]> {
  const pause = new Pause(signal);
  const corpus = { entries: 0, length: 0, having: all.map(() => 0) } satisfies Corpus;
  const found: { path: string; at: TableLine; counted: Counted }[] = [];
  for (const n of stored.paths().keys()) {
    const session = stored.lines(n);
    if (!session) continue;
    const accepts = narrow(n, session.path);
    const files = new LineFiles(stored);
    try {
      for (const at of session.table.all()) {
        await pause.here();
        if (!at.hasText) continue;
        const words = [...wordsOf(files.read(session.path, at)?.text ?? '')];
        corpus.entries++;
        corpus.length += words.length;
        const counts = all.map((term) => occurrences(term, words));
        counts.forEach((count, term) => (corpus.having[term]! += count > 0 ? 1 : 0));
        if (counts.includes(0) || none.some((term) => occurrences(term, words) > 0) || accepts?.(at) !== true) continue;
        found.push({ path: session.path, at, counted: { counts, length: words.length } });
      }
    } finally {
      files.close();
    }
  }
  return found.map(({ path, at, counted }) => ({ path, at, score: score(counted, corpus), time: at.time })).sort(inOrder);
}

/** Where no words are looked for: everything that is left, as good one as the other. */
export async function newest({ stored }: Searched, narrow: Narrow, signal: AbortSignal | undefined): Promise<Candidate[]> {
  const pause = new Pause(signal);
  const found: Candidate[] = [];
  for (const [n, path] of stored.paths()) {
    await pause.here();
    const accepts = narrow(n, path);
    const lines = accepts && stored.lines(n)?.table.all();
    for (const at of lines ?? []) if (accepts!(at)) found.push({ path, at, score: 0, time: at.time });
  }
  return found.sort(inOrder);
}
