/** Finds and ranks the lines that may answer a search: from the index, or all that pass the filters. */
import type { TableLine } from '../encoding/lineTable';
import { everyLine, type SessionFilter, type SearchScope } from './searchFilter';
import { Yielder } from '../../files/concurrency/eventLoop';
import { exactExpression, matchExpression, readExpression, repeatedExpression, saidExpression, type Query } from './query/searchQuery';
import { compareByScore, bm25, EXACT_SCORE, type Scored } from './ranking';
import type { CatalogReader, LinePlace } from '../database/catalogReader';
import type { WordMatch } from '../database/wordMatches';
import { elementAt } from '../../format/values/lookups';
import { isAdded } from '../index/words/lineText';

export interface Candidate extends Scored {
  readonly path: string;
  readonly line: TableLine;
}

/** The best first; of equally good ones the most recent. */
export const compareCandidates = (a: Candidate, b: Candidate): number =>
  compareByScore(a, b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line.offset - b.line.offset);

/** The number of matches that are ranked together. If there are more, the newest come first. */
export const RANKED_TOGETHER = 2000;

interface CandidateOptions {
  /** False if nearly all matches pass the filter; then only the consumed matches are looked up. */
  readonly isFiltered: boolean;
  readonly order?: 'relevance' | 'time' | undefined;
  /** Only these sessions. */
  readonly paths?: ReadonlySet<string> | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** By relevance, what was said comes first, then what the model read. */
export async function* candidatesFromIndex(
  { reader: stored }: SearchScope,
  query: Query,
  filter: SessionFilter,
  { isFiltered, order, paths, signal }: CandidateOptions,
): AsyncGenerator<Candidate, undefined> {
  const places = new PlaceLookup(stored, filter);
  const pause = new Yielder(signal);
  const isByTime = order === 'time';
  for (const expression of isByTime ? [matchExpression(query)] : [saidExpression(query), readExpression(query)]) {
    const matches = stored.matches(expression, RANKED_TOGETHER, paths);
    const scores = (group: readonly WordMatch[]): ScoredMatch[] =>
      isByTime ? group.map((match) => ({ match, score: 0 })) : scoresOf(stored, query, group);
    yield* rankedGroups(matches, scores, places, isFiltered, pause);
  }
}

async function* rankedGroups(
  matches: Generator<WordMatch>,
  scores: (group: readonly WordMatch[]) => ScoredMatch[],
  places: PlaceLookup,
  isFiltered: boolean,
  pause: Yielder,
): AsyncGenerator<Candidate, undefined> {
  try {
    for (let isLast = false; !isLast;) {
      const group: WordMatch[] = [];
      // Not a `for` loop, which would close the iterator at the end of the group.
      for (let next = matches.next(); ; next = matches.next()) {
        isLast = next.done === true;
        if (next.done) break;
        if (!isFiltered || places.placeOf(next.value).lines.length > 0) group.push(next.value);
        if (group.length >= RANKED_TOGETHER) break;
        if (pause.isDue()) await pause.yieldIfDue();
      }
      yield* candidatesByScore(places, scores(group));
    }
  } finally {
    matches.return(undefined);
  }
}

/** Scores matches that are in the order of their documents. */
function scoresOf(stored: CatalogReader, query: Query, matches: readonly WordMatch[]): ScoredMatch[] {
  const first = matches[0];
  const last = matches.at(-1);
  if (!first || !last) return [];
  const repeated = new Uint16Array(matches.length);
  const exact = new Uint16Array(matches.length);
  const count = (counts: Uint16Array, expression: string): void => {
    // Both lists are in the order of their documents.
    let index = 0;
    for (const document of stored.matchesBetween(expression, first.document, last.document)) {
      while (elementAt(matches, index).document < document) index++;
      if (elementAt(matches, index).document === document) counts[index]!++;
    }
  };
  const isInexact = query.joined.length > 0 || query.all.some(({ forms }) => forms.size > 0);
  for (const term of query.all) {
    count(repeated, repeatedExpression(term));
    if (isInexact) count(exact, exactExpression(term));
  }
  const terms = query.all.length;
  return matches.map((match, index) => ({
    match,
    score: exact[index]! * EXACT_SCORE + bm25({ terms, repeated: repeated[index]!, words: match.words }),
  }));
}

interface ScoredMatch {
  readonly match: WordMatch;
  readonly score: number;
}

/** Looks up only as many matches as are consumed, plus the matches with the same score as the last one. */
function* candidatesByScore(places: PlaceLookup, matches: ScoredMatch[]): Generator<Candidate, undefined> {
  let equals: Candidate[] = [];
  let before: number | undefined;
  for (const { match, score } of matches.sort((a, b) => b.score - a.score || a.match.document - b.match.document)) {
    if (score !== before) {
      yield* equals.sort(compareCandidates);
      equals = [];
    }
    before = score;
    const { path, lines } = places.placeOf(match);
    for (const line of lines) equals.push({ path, line, score, time: line.time });
  }
  yield* equals.sort(compareCandidates);
}

/** Lines before an entry among which its prompt is looked for. */
const MAX_TURN = 500;

const NOWHERE = { path: '', lines: [] };

/** Looks up the lines of matches. Neighboring matches are often of the same session. */
export class PlaceLookup {
  private readonly filters = new Map<number, ReturnType<SessionFilter>>();

  constructor(
    private readonly stored: CatalogReader,
    private readonly filter: SessionFilter,
  ) {}

  /** The entries of a match that pass the filter: several if they share a line. */
  placeOf({ document }: WordMatch): { readonly path: string; readonly lines: readonly TableLine[] } {
    const place = this.stored.locate(document);
    const accepts = place && this.filterOf(place);
    const session = accepts && this.stored.lines(place.n);
    if (!session) return NOWHERE;
    return { path: session.path, lines: session.table.at(place.line).filter((line) => accepts(line)) };
  }

  /** The session of a document, if lines of it may pass the filter; `isWhole` if all do. */
  sessionOf(document: number): (LinePlace & { readonly isWhole: boolean }) | undefined {
    const place = this.stored.locate(document);
    const accepts = place && this.filterOf(place);
    return accepts && { ...place, isWhole: accepts === everyLine };
  }

  /** The document of the nearest prompt before a document's line in its file, at most a few hundred lines away. */
  promptOf(document: number): number | undefined {
    const place = this.stored.locate(document);
    const lines = place && this.stored.lines(place.n)?.table.all();
    if (!lines) return undefined;
    const at = lines.findIndex(({ line }) => line === place.line);
    for (let index = at; index >= Math.max(0, at - MAX_TURN); index--) {
      const line = lines[index];
      if (line?.role !== 'user') continue;
      // Numbers rise towards older lines. A session that grew has several ranges of them.
      const prompt = document + place.line - line.line;
      const found = this.stored.locate(prompt);
      return found?.n === place.n && found.line === line.line ? prompt : undefined;
    }
    return undefined;
  }

  private filterOf({ n, path }: LinePlace): ReturnType<SessionFilter> {
    if (!this.filters.has(n)) this.filters.set(n, this.filter(n, path));
    return this.filters.get(n);
  }
}

/** Everything that passes the filters, the newest first; for searches without words. Results of tools only if their role is wanted. */
export async function newestCandidates(
  { reader: stored }: SearchScope,
  filter: SessionFilter,
  roles: readonly string[] | undefined,
  signal: AbortSignal | undefined,
): Promise<Candidate[]> {
  const isListed = (role: string): boolean => roles !== undefined || !isAdded(role);
  const pause = new Yielder(signal);
  const found: Candidate[] = [];
  for (const [n, path] of stored.paths()) {
    await pause.yieldIfDue();
    const accepts = filter(n, path);
    if (!accepts) continue;
    for (const at of stored.lines(n)?.table.all() ?? [])
      if (isListed(at.role) && accepts(at)) found.push({ path, line: at, score: 0, time: at.time });
  }
  return found.sort(compareCandidates);
}
