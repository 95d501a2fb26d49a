/** Which lines may answer a search, and how well: from the index, from a scan that comes to the same, or simply all that are left. */
import { LINES } from './database';
import { LineFiles } from './lineFiles';
import type { TableLine } from './lineTable';
import type { Narrow, Searched } from './narrow';
import { Pause } from '../files/pause';
import { matchExpression, occurrences, type Query } from './query';
import { NOISE, score, type Corpus, type Counted } from './ranking';
import type { StoredCatalog, StoredLines } from './storedCatalog';
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

/** Without filters so many of the best are looked at; with filters all. */
const BEST = 1000;

/** `limit`: so many are wanted, and nothing is narrowed down. */
export async function fromIndex({ stored }: Searched, query: Query, narrow: Narrow, limit: number | undefined, signal: AbortSignal | undefined): Promise<Candidate[]> {
  const matches = stored.matches(matchExpression(query), limit === undefined ? -1 : Math.max(BEST, limit * 4));
  return limit === undefined ? ofAll(stored, matches, narrow, new Pause(signal)) : ofBest(stored, matches, narrow, limit);
}

type Matches = ReturnType<StoredCatalog['matches']>;

function ofBest(stored: StoredCatalog, matches: Matches, narrow: Narrow, limit: number): Candidate[] {
  const found: Candidate[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (const { rowid, score } of matches) {
    if (score < least - NOISE) break;
    const n = Math.floor(rowid / LINES);
    const line = rowid % LINES;
    const session = stored.lines(n, line);
    if (session) found.push(...candidatesIn(session, narrow(n, session.path), [{ line, score }]));
    // Twice what is wanted: some may not be in their files any more. Then all that are as good as the last.
    if (found.length >= limit * 2 && least === Number.NEGATIVE_INFINITY) least = score;
  }
  return found;
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
  return found;
}

function candidatesIn({ path, lines }: StoredLines, accepts: ((at: TableLine) => boolean) | undefined, places: readonly Place[]): Candidate[] {
  const found: Candidate[] = [];
  for (const { line, score } of accepts ? places : []) for (const at of atLine(lines, line)) if (accepts!(at)) found.push({ path, at, score, time: at.time });
  return found;
}

/** The entries of a line: one, or several that were glued together. */
function atLine(lines: readonly TableLine[], line: number): TableLine[] {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle]!.line < line) low = middle + 1;
    else high = middle;
  }
  const found: TableLine[] = [];
  for (; lines[low]?.line === line; low++) found.push(lines[low]!);
  return found;
}

/** Without an index: every text is read. */
export async function fromScan({ stored, row }: Searched, { all, none }: Query, narrow: Narrow, signal: AbortSignal | undefined): Promise<Candidate[]> {
  const pause = new Pause(signal);
  const corpus = { entries: 0, length: 0, having: all.map(() => 0) } satisfies Corpus;
  const found: { path: string; at: TableLine; counted: Counted }[] = [];
  for (const n of stored.paths().keys()) {
    const session = stored.lines(n);
    if (!session) continue;
    const accepts = narrow(n, session.path);
    const files = new LineFiles();
    try {
      for (const at of session.lines) {
        await pause.here();
        if (!at.hasText) continue;
        const words = [...wordsOf(files.read(session.path, at, row(session.path))?.text ?? '')];
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
  return found.map(({ path, at, counted }) => ({ path, at, score: score(counted, corpus), time: at.time }));
}

/** Where no words are looked for: everything that is left, as good one as the other. */
export async function newest({ stored }: Searched, narrow: Narrow, signal: AbortSignal | undefined): Promise<Candidate[]> {
  const pause = new Pause(signal);
  const found: Candidate[] = [];
  for (const [n, path] of stored.paths()) {
    await pause.here();
    const accepts = narrow(n, path);
    const lines = accepts && stored.lines(n)?.lines;
    for (const at of lines ?? []) if (accepts!(at)) found.push({ path, at, score: 0, time: at.time });
  }
  return found;
}
