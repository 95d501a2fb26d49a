/** Finds sessions that have all words of a query, but in different entries. */
import type { Yielder } from '../../files/concurrency/eventLoop';
import { elementAt } from '../../format/values/lookups';
import type { TableLine } from '../encoding/lineTable';
import type { PlaceLookup } from './candidates';
import { matchExpression, type Query, type Term } from './query/searchQuery';
import type { CatalogReader } from '../database/catalogReader';

/** The entry that stands for a session. */
export interface SessionCandidate {
  readonly path: string;
  readonly line: TableLine;
  /** The terms that the entry has. */
  readonly has: readonly Term[];
  /** The terms that only other entries have. */
  readonly elsewhere: readonly Term[];
}

/** Matches of a word that are looked at, the newest first: more of them are of words that say little. */
const MAX_MATCHES = 20_000;
/** Matches up to which they are counted, to begin with the rarest word. */
const MAX_COUNT = 2000;
/** Sessions with the rarest word that are looked at, the newest first. */
const MAX_SESSIONS = 1000;

interface FoundSession {
  readonly path: string;
  /** True if all of its lines pass the filter. */
  readonly isWhole: boolean;
  /** The numbers of its lines in the index. */
  readonly ranges: readonly (readonly [first: number, last: number])[];
  /** For each term the documents that pass the filter, the newest first. */
  readonly documents: Map<number, readonly number[]>;
}

/**
 * Returns the candidates of each session, the newest session first. The entry with the most of the words comes first; of several that
 * with the rarest; of equally good ones the newest. The rarest word comes first, so that the others are looked for in few sessions.
 *
 * @param without paths of sessions that are hits already
 * @param paths only these sessions
 */
export async function sessionCandidates(
  stored: CatalogReader,
  query: Query,
  places: PlaceLookup,
  without: ReadonlySet<string>,
  pause: Yielder,
  paths?: ReadonlySet<string>,
): Promise<Iterable<SessionCandidate>[]> {
  if (query.all.length < 2) return [];
  const terms = query.all
    .map((term, index) => ({ index, expression: matchExpression({ all: [term], none: query.none, joined: [] }) }))
    .map((term) => ({ ...term, count: stored.countOf(term.expression, MAX_COUNT) }))
    .sort((a, b) => a.count - b.count);
  let sessions: readonly FoundSession[] | undefined;
  for (const { index, expression, count } of terms) {
    await pause.yieldIfDue();
    const documents = count === 0 ? [] : stored.documentsOf(expression, MAX_MATCHES, paths);
    sessions ??= await sessionsWith(documents, stored, places, without, pause);
    sessions = await withDocuments(sessions, index, documents, places, pause);
    if (sessions.length === 0) return [];
  }
  // All rarities together weigh less than one more word.
  const weights = new Map(terms.map(({ index, count }) => [index, 1 + 1 / ((1 + count) * (1 + terms.length))]));
  return (sessions ?? []).map((session) => entriesOf(session, query.all, weights, places));
}

/** The sessions of documents, the newest first. */
async function sessionsWith(
  documents: readonly number[],
  stored: CatalogReader,
  places: PlaceLookup,
  without: ReadonlySet<string>,
  pause: Yielder,
): Promise<readonly FoundSession[]> {
  const sessions = new Map<number, FoundSession>();
  let last = -Infinity;
  for (const document of documents) {
    // One of the same range as the document before.
    if (document <= last) continue;
    if (pause.isDue()) await pause.yieldIfDue();
    const session = places.sessionOf(document);
    last = session?.last ?? document;
    if (!session || without.has(session.path) || sessions.has(session.n)) continue;
    if (sessions.size === MAX_SESSIONS) break;
    const { n, path, isWhole } = session;
    sessions.set(n, { path, isWhole, ranges: stored.rangesOf(n), documents: new Map() });
  }
  return [...sessions.values()];
}

/** The sessions that have documents of one more term. @param documents in ascending order */
async function withDocuments(
  sessions: readonly FoundSession[],
  term: number,
  documents: readonly number[],
  places: PlaceLookup,
  pause: Yielder,
): Promise<readonly FoundSession[]> {
  const found: FoundSession[] = [];
  for (const session of sessions) {
    if (pause.isDue()) await pause.yieldIfDue();
    const own: number[] = [];
    for (const [first, last] of session.ranges)
      for (let at = firstFrom(documents, first); at < documents.length && elementAt(documents, at) <= last; at++) {
        if (own.length >= MAX_DOCUMENTS) break;
        const document = elementAt(documents, at);
        if (session.isWhole || places.placeOf({ document, words: 0 }).lines.length > 0) own.push(document);
      }
    if (own.length === 0) continue;
    session.documents.set(term, own);
    found.push(session);
  }
  return found;
}

/** The index of the first document from a number on. */
function firstFrom(documents: readonly number[], number: number): number {
  let [from, to] = [0, documents.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (elementAt(documents, middle) < number) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** The newest entries of a session with a word that are compared. */
const MAX_DOCUMENTS = 200;

function* entriesOf(
  { documents }: FoundSession,
  terms: readonly Term[],
  weights: ReadonlyMap<number, number>,
  places: PlaceLookup,
): Generator<SessionCandidate> {
  const scores = new Map<number, number>();
  for (const [index, found] of documents)
    for (const document of found) scores.set(document, (scores.get(document) ?? 0) + (weights.get(index) ?? 0));
  for (const [document] of [...scores].sort(([a, scoreA], [b, scoreB]) => scoreB - scoreA || a - b)) {
    const { path, lines } = places.placeOf({ document, words: 0 });
    const [line] = lines;
    const isIn = (index: number): boolean => documents.get(index)?.includes(document) === true;
    if (line) yield { path, line, has: terms.filter((_, index) => isIn(index)), elsewhere: terms.filter((_, index) => !isIn(index)) };
  }
}
