/** Finds and ranks the lines that may answer a search: from the index, by an equivalent scan, or all that pass the filters. */
import { IndexedLineReader } from './indexedLineReader';
import type { TableLine } from '../encoding/lineTable';
import type { SessionFilter, SearchScope } from './searchFilter';
import { Yielder } from '../../files/io/eventLoop';
import { matchExpression, occurrences, type Query } from './searchQuery';
import { compareByScore, isSameScore, bm25, type Corpus, type TermCounts } from './ranking';
import type { CatalogReader, LinePlace, Match } from '../database/catalogReader';
import { wordsOf } from './words';

export interface Candidate {
  readonly path: string;
  readonly line: TableLine;
  readonly score: number;
  readonly time: number;
}

/** The best first; of equally good ones the most recent. */
const compareCandidates = (a: Candidate, b: Candidate): number =>
  compareByScore(a, b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line.offset - b.line.offset);

/** The number of matches that are ranked together. If there are more, the newest come first. */
export const RANKED_TOGETHER = 2000;

/** @param isFiltered false if nearly all matches pass the filter; then only those are looked up that are consumed */
export async function* candidatesFromIndex(
  { reader: stored }: SearchScope,
  query: Query,
  filter: SessionFilter,
  isFiltered: boolean,
  signal: AbortSignal | undefined,
): AsyncGenerator<Candidate, undefined> {
  const matches = stored.matches(matchExpression(query));
  const places = new PlaceLookup(stored, filter);
  const pause = new Yielder(signal);
  try {
    for (let isLast = false; !isLast;) {
      const group: Match[] = [];
      const found: Candidate[] = [];
      // Not a `for` loop, which would close the iterator at the end of the group.
      for (let next = matches.next(); ; next = matches.next()) {
        isLast = next.done === true;
        if (next.done) break;
        if (isFiltered) found.push(...places.candidates(next.value));
        else group.push(next.value);
        if (group.length + found.length >= RANKED_TOGETHER) break;
        if (pause.isDue()) await pause.yieldIfDue();
      }
      if (isFiltered) yield* found.sort(compareCandidates);
      else yield* candidatesByScore(places, group);
    }
  } finally {
    matches.return(undefined);
  }
}

/** Looks up only as many matches as are consumed, plus those with the same score as the last. */
function* candidatesByScore(places: PlaceLookup, matches: Match[]): Generator<Candidate, undefined> {
  let equals: Candidate[] = [];
  let before: Match | undefined;
  for (const match of matches.sort((a, b) => b.score - a.score || a.document - b.document)) {
    if (before && !isSameScore(before.score, match.score)) {
      yield* equals.sort(compareCandidates);
      equals = [];
    }
    before = match;
    equals.push(...places.candidates(match));
  }
  yield* equals.sort(compareCandidates);
}

/** Looks up the lines of matches. Neighboring matches are often of the same session. */
class PlaceLookup {
  private readonly filters = new Map<number, ReturnType<SessionFilter>>();

  constructor(
    private readonly stored: CatalogReader,
    private readonly filter: SessionFilter,
  ) {}

  /** The entries of a match that pass the filter: several if they share a line. */
  candidates({ document, score }: Match): Candidate[] {
    const place = this.stored.locate(document);
    if (!place) return [];
    const accepts = this.filterOf(place);
    const session = accepts && this.stored.lines(place.n);
    if (!session) return [];
    return session.table.at(place.line).flatMap((line) => (accepts(line) ? { path: session.path, line, score, time: line.time } : []));
  }

  private filterOf({ n, path }: LinePlace): ReturnType<SessionFilter> {
    if (!this.filters.has(n)) this.filters.set(n, this.filter(n, path));
    return this.filters.get(n);
  }
}

/** Without an index, by reading every text. @param isFiltered as for `candidatesFromIndex` */
export async function candidatesFromScan(
  { reader: stored }: SearchScope,
  { all, none }: Query,
  filter: SessionFilter,
  isFiltered: boolean,
  signal: AbortSignal | undefined,
): Promise<Candidate[]> {
  const pause = new Yielder(signal);
  const corpus = { entries: 0, length: 0, documentFrequency: all.map(() => 0) } satisfies Corpus;
  const found: { path: string; at: TableLine; counted: TermCounts; document: number; isAccepted: boolean }[] = [];
  for (const n of stored.paths().keys()) {
    const session = stored.lines(n);
    if (!session) continue;
    const accepts = filter(n, session.path);
    const documentOf = stored.documents(n);
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
        if (counts.includes(0) || none.some((term) => occurrences(term, words) > 0)) continue;
        const isAccepted = accepts?.(at) === true;
        const counted = { counts, length: words.length };
        if (isAccepted || !isFiltered) found.push({ path: session.path, at, counted, document: documentOf(at.line) ?? 0, isAccepted });
      }
    } finally {
      files.close();
    }
  }
  found.sort((a, b) => a.document - b.document);
  const groups = Array.from({ length: Math.ceil(found.length / RANKED_TOGETHER) }, (_, group) =>
    found.slice(group * RANKED_TOGETHER, (group + 1) * RANKED_TOGETHER).filter(({ isAccepted }) => isAccepted),
  );
  return groups.flatMap((group) =>
    group.map(({ path, at, counted }) => ({ path, line: at, score: bm25(counted, corpus), time: at.time })).sort(compareCandidates),
  );
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
