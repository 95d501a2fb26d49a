/** Search: finds candidates by the index, then reads their lines for the snippets. */
import { newestCandidates, candidatesFromIndex, PlaceLookup, RANKED_TOGETHER, type Candidate } from './candidates';
import { matchExplanation } from './matchExplanation';
import { sessionCandidates, type SessionCandidate } from './sessionCandidates';
import { IndexedLineReader, type LineContent } from './indexedLineReader';
import { hasFilter, createSessionFilter, type SearchFilter, type SearchScope } from './searchFilter';
import { Yielder } from '../../files/concurrency/eventLoop';
import { isFoundByIndex, isFoundIn, parseQuery, snippetOf, type Query, type Snippet } from './query/searchQuery';
import { unwrapUserText } from '../../format/text/wrappers/userText';
import { isLookup } from './lookups';
import { weighedHits } from './weighedHits';
import { wordsOf } from '../index/words/words';
import type { CatalogReader } from '../database/catalogReader';

/** `relevance`: the best first; `time`: the newest first. */
export type SearchOrder = 'relevance' | 'time';

/** Filters and limits of a search. */
export interface SearchOptions extends SearchFilter {
  /** By default `relevance`. Sessions that have the words in different entries come last in any order. */
  readonly order?: SearchOrder;
  /** 50 by default. */
  readonly limit?: number;
  /** True for at most one hit of each session. */
  readonly onePerSession?: boolean;
  /** The paths of sessions that are known to run, for `is:running`. */
  readonly running?: ReadonlySet<string>;
  /**
   * True to find, after the entries and sessions with all words, the entries that fit a question best: those with most of its rare
   * words; without the look-ups of agents, which repeat what is found where it was said. False by default.
   */
  readonly weighed?: boolean;
  readonly signal?: AbortSignal;
}

/** Filters of a search for sessions. With `paths`, it costs what these sessions have. */
export type SessionSearchOptions = Pick<SearchOptions, 'paths' | 'running' | 'signal'>;

/** An entry that matches a query. */
export interface SearchHit {
  readonly path: string;
  readonly entryId: string;
  /** True if the entry is on the active branch. */
  readonly active: boolean;
  /** One of the values of `SearchOptions.roles`. */
  readonly role: string;
  /** The entry's time in milliseconds since 1970. */
  readonly time: number;
  /** The text around the first match, on one line; without search words, the text that matches the options. */
  readonly snippet: string;
  /** The matches, in UTF-16 units of the snippet. */
  readonly marks: readonly [start: number, end: number][];
  /** Words of the query that the entry doesn't have, but another entry of the session. */
  readonly elsewhere?: readonly string[];
  /** Words of the query that neither the entry nor those around it have; set for entries that are found by `SearchOptions.weighed`. */
  readonly missing?: readonly string[];
}

const LIMIT = 50;
/** Hits with all words after which no others are looked for. */
const ENOUGH = 10;

/**
 * Finds the best hits for the words; without words, the newest entries that pass the filters. Without either, nothing.
 *
 * @throws the signal's reason when it is aborted
 */
export async function search(scope: SearchScope, text: string, given: SearchOptions = {}): Promise<SearchHit[]> {
  given.signal?.throwIfAborted();
  const parsed = parseQuery(text, hasFilter(given));
  const query = parsed && parsed.all.length > 0 ? parsed : undefined;
  const limit = Math.max(0, given.limit ?? LIMIT);
  if (limit === 0 || (!query && !hasFilter(given))) return [];
  // A search for labels alone shows the labels themselves instead of the labeled entries.
  const options: SearchOptions =
    !query && given.labels && !given.roles && !given.tools && !given.files ? { ...given, roles: ['label'] } : given;
  const filter = await createSessionFilter(scope, options);
  const candidates = query
    ? candidatesFromIndex(scope, query, filter, { ...options, isFiltered: hasFilter(options) })
    : await newestCandidates(scope, filter, options.roles, options.signal);
  // The index finds the words of a phrase, but not whether they are in a row. It can't find texts by exclusions alone.
  const unchecked = query && isFoundByIndex(query) ? undefined : parsed;
  const hits: SearchHit[] = [];
  const pause = new Yielder(options.signal);
  const files = new IndexedLineReader(scope.reader, options.signal);
  const labels = new CurrentLabels(scope.reader);
  const hitOf = (candidate: Candidate, content: LineContent | undefined): SearchHit | undefined => {
    const { path, line: at } = candidate;
    if (!content || (at.role === 'label' && !labels.acceptOnce(path, at.entryId, content.text))) return undefined;
    if (options.weighed === true && isLookup(at.role, content)) return undefined;
    if (unchecked && !isFoundIn([...wordsOf(content.text)], unchecked)) return undefined;
    const snippet: Snippet | undefined = query
      ? querySnippet(at.role, content.text, query)
      : matchExplanation(content, options, scope.reader.summary(path)?.cwd ?? '');
    return snippet && { path, entryId: at.entryId, active: at.active, role: at.role, time: at.time, ...snippet };
  };
  let read = 0;
  try {
    // Each batch has as many candidates as have been read without a hit, because each archive is unpacked once per batch. With
    // rare hits, small batches would unpack it again and again.
    const known = new Set<string>();
    const others = options.onePerSession ? withoutSessions(candidates, known) : candidates;
    const wanted = (): number =>
      options.onePerSession ? MAX_SESSIONS_TOGETHER : Math.max(limit, Math.min(read, RANKED_TOGETHER)) - hits.length;
    for await (const batch of batchesOf(others, wanted)) {
      read += batch.length;
      const contents = await files.readAll(batch, pause);
      for (const candidate of batch) {
        await pause.yieldIfDue();
        if (hits.length >= limit) break;
        if (options.onePerSession && known.has(candidate.path)) continue;
        const hit = hitOf(candidate, contents.get(candidate));
        if (!hit) continue;
        hits.push(hit);
        known.add(hit.path);
      }
      if (hits.length >= limit) break;
    }
    if (query && hits.length < limit && isFoundByIndex(query)) {
      const sessions = await sessionCandidates(scope.reader, query, new PlaceLookup(scope.reader, filter), known, pause, options.paths);
      for (const entries of sessions) {
        if (hits.length >= limit) break;
        for (const candidate of entries) {
          const content = await files.read(candidate.path, candidate.line);
          await pause.yieldIfDue();
          if (content && options.weighed === true && isLookup(candidate.line.role, content)) continue;
          const hit = sessionHit(candidate, content);
          if (hit) hits.push(hit);
          break;
        }
      }
    }
    if (query && options.weighed === true && hits.length < Math.min(limit, ENOUGH)) {
      const found = await weighedHits(scope, text, new PlaceLookup(scope.reader, filter), files, pause);
      const known = new Set(hits.map(({ path, entryId }) => `${path}\n${entryId}`));
      for (const hit of found) if (hits.length < limit && !known.has(`${hit.path}\n${hit.entryId}`)) hits.push(hit);
    }
  } finally {
    await files.close();
  }
  return hits;
}

/** Candidates that are read together where one of each session is enough: further ones of the same session are passed over. */
const MAX_SESSIONS_TOGETHER = 100;

/** @param known grows while the candidates are consumed */
async function* withoutSessions(
  candidates: Iterable<Candidate> | AsyncIterable<Candidate>,
  known: ReadonlySet<string>,
): AsyncGenerator<Candidate, undefined> {
  for await (const candidate of candidates) if (!known.has(candidate.path)) yield candidate;
}

/** Bytes of lines that are in memory at the same time, or one line. */
const BATCH_BYTES = 4 * 1024 * 1024;

/** Candidates whose lines are read together: at most as many as are `wanted`. */
async function* batchesOf(
  candidates: Iterable<Candidate> | AsyncIterable<Candidate>,
  wanted: () => number,
): AsyncGenerator<Candidate[], undefined> {
  let batch: Candidate[] = [];
  let bytes = 0;
  for await (const candidate of candidates) {
    batch.push(candidate);
    bytes += candidate.line.length;
    if (batch.length < wanted() && bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** Prefers what a person said to the wrappers around it. */
function querySnippet(role: string, text: string, query: Query): Snippet | undefined {
  const { from, to } = role === 'user' ? unwrapUserText(text) : { from: 0, to: text.length };
  return (to - from < text.length ? snippetOf(text.slice(from, to), query) : undefined) ?? snippetOf(text, query);
}

/** Labels aren't taken: one of several lines may have been changed since. */
function sessionHit({ path, line, has, elsewhere }: SessionCandidate, content: LineContent | undefined): SearchHit | undefined {
  const snippet = content && line.role !== 'label' ? querySnippet(line.role, content.text, { all: has, none: [], joined: [] }) : undefined;
  return (
    snippet && {
      path,
      entryId: line.entryId,
      active: line.active,
      role: line.role,
      time: line.time,
      ...snippet,
      elsewhere: elsewhere.map(({ words }) => words.join(' ')),
    }
  );
}

/** Files keep labels that were changed or cleared. Only current ones are hits, each once. */
class CurrentLabels {
  private current: Map<string, string> | undefined;

  constructor(private readonly stored: CatalogReader) {}

  acceptOnce(path: string, entryId: string, text: string): boolean {
    this.current ??= new Map(this.stored.labels().map((one) => [`${one.path}\n${one.entryId}`, one.label.trim()]));
    const key = `${path}\n${entryId}`;
    if (this.current.get(key) !== text.trim()) return false;
    return this.current.delete(key);
  }
}
