/** Search: finds candidates by the index, then reads their lines for the snippets. */
import { newestCandidates, candidatesFromIndex, RANKED_TOGETHER, type Candidate } from './candidates';
import { matchExplanation } from './matchExplanation';
import { IndexedLineReader, type LineContent } from './indexedLineReader';
import { hasFilter, createSessionFilter, type SearchFilter, type SearchScope } from './searchFilter';
import { Yielder } from '../../files/concurrency/eventLoop';
import { isFoundByIndex, isFoundIn, parseQuery, snippetOf, type Query, type Snippet } from './searchQuery';
import { unwrapUserText } from '../../format/text/userText';
import { wordsOf } from '../index/words';
import type { CatalogReader } from '../database/catalogReader';

/** Filters and limits of a search. */
export interface SearchOptions extends SearchFilter {
  /** 50 by default. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

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
}

const LIMIT = 50;

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
  const candidates = await candidatesOf(scope, query, options);
  // The index finds the words of a phrase, but not whether they are in a row. It can't find texts by exclusions alone.
  const unchecked = query && isFoundByIndex(query) ? undefined : parsed;
  const hits: SearchHit[] = [];
  const pause = new Yielder(options.signal);
  const files = new IndexedLineReader(scope.reader, options.signal);
  const labels = new CurrentLabels(scope.reader);
  const hitOf = (candidate: Candidate, content: LineContent | undefined): SearchHit | undefined => {
    const { path, line: at } = candidate;
    if (!content || (at.role === 'label' && !labels.acceptOnce(path, at.entryId, content.text))) return undefined;
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
    for await (const batch of batchesOf(candidates, () => Math.max(limit, Math.min(read, RANKED_TOGETHER)) - hits.length)) {
      read += batch.length;
      const contents = await files.readAll(batch, pause);
      for (const candidate of batch) {
        await pause.yieldIfDue();
        if (hits.length >= limit) break;
        const hit = hitOf(candidate, contents.get(candidate));
        if (hit) hits.push(hit);
      }
      if (hits.length >= limit) break;
    }
  } finally {
    await files.close();
  }
  return hits;
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

async function candidatesOf(
  scope: SearchScope,
  query: Query | undefined,
  options: SearchOptions,
): Promise<Iterable<Candidate> | AsyncIterable<Candidate>> {
  const filter = await createSessionFilter(scope, options);
  if (!query) return newestCandidates(scope, filter, options.roles, options.signal);
  return candidatesFromIndex(scope, query, filter, hasFilter(options), options.signal);
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
