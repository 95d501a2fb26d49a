/** Finds sessions that have all words of a query, but in different entries. */
import type { Yielder } from '../../files/concurrency/eventLoop';
import type { TableLine } from '../encoding/lineTable';
import type { PlaceLookup } from './candidates';
import { matchExpression, type Query, type Term } from './searchQuery';
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

interface FoundSession {
  readonly path: string;
  /** For each term the documents that pass the filter, the newest first. */
  readonly documents: readonly (readonly number[])[];
}

/**
 * Returns a candidate of each session, the newest first. Its entry has the most of the words; of several the rarest; of
 * equally good ones it's the newest.
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
): Promise<SessionCandidate[]> {
  if (query.all.length < 2) return [];
  let sessions: ReadonlyMap<string, FoundSession> | undefined;
  const counts: number[] = [];
  for (const term of query.all) {
    const found = await documentsOf(stored, { all: [term], none: query.none, joined: [] }, places, without, sessions, pause, paths);
    sessions = found.sessions;
    counts.push(found.count);
    if (sessions.size === 0) return [];
  }
  // All rarities together weigh less than one more word.
  const weights = counts.map((count) => 1 + 1 / ((1 + count) * (1 + counts.length)));
  return [...(sessions?.values() ?? [])].flatMap((session) => bestEntry(session, query.all, weights, places) ?? []);
}

/** Adds the documents of one term to the sessions that have all terms before it. */
async function documentsOf(
  stored: CatalogReader,
  query: Query,
  places: PlaceLookup,
  without: ReadonlySet<string>,
  before: ReadonlyMap<string, FoundSession> | undefined,
  pause: Yielder,
  paths: ReadonlySet<string> | undefined,
): Promise<{ readonly sessions: ReadonlyMap<string, FoundSession>; readonly count: number }> {
  const documents = new Map<string, number[]>();
  let count = 0;
  const matches = stored.matches(matchExpression(query), MAX_TOGETHER, paths);
  try {
    for (const match of matches) {
      if (pause.isDue()) await pause.yieldIfDue();
      if (++count > MAX_MATCHES) break;
      const { path, lines } = places.placeOf(match);
      if (lines.length === 0 || without.has(path) || before?.has(path) === false) continue;
      const found = documents.get(path);
      if (!found) documents.set(path, [match.document]);
      else if (found.length < MAX_DOCUMENTS) found.push(match.document);
    }
  } finally {
    matches.return(undefined);
  }
  const sessions = Array.from(documents, ([path, found]): [string, FoundSession] => [
    path,
    { path, documents: [...(before?.get(path)?.documents ?? []), found] },
  ]);
  return { sessions: new Map(sessions), count };
}

/** Matches that are read at once. */
const MAX_TOGETHER = 2000;
/** The newest entries of a session with a word that are compared. */
const MAX_DOCUMENTS = 200;

function bestEntry(
  { documents }: FoundSession,
  terms: readonly Term[],
  weights: readonly number[],
  places: PlaceLookup,
): SessionCandidate | undefined {
  const scores = new Map<number, number>();
  for (const [index, found] of documents.entries())
    for (const document of found) scores.set(document, (scores.get(document) ?? 0) + (weights[index] ?? 0));
  let best: number | undefined;
  for (const [document, score] of scores) {
    const bestScore = best === undefined ? 0 : (scores.get(best) ?? 0);
    if (score > bestScore || (score === bestScore && best !== undefined && document < best)) best = document;
  }
  if (best === undefined) return undefined;
  const document = best;
  const { path, lines } = places.placeOf({ document, words: 0 });
  const [line] = lines;
  const isIn = (index: number): boolean => documents[index]?.includes(document) === true;
  return line && { path, line, has: terms.filter((_, index) => isIn(index)), elsewhere: terms.filter((_, index) => !isIn(index)) };
}
