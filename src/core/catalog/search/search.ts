/** Search: candidates from the index, or from a scan that gives the same; then the lines themselves, for the snippets. */
import { newestCandidates, candidatesFromIndex, candidatesFromScan, type Candidate } from './candidates';
import { matchExplanation } from './matchExplanation';
import { IndexedLineReader } from './indexedLineReader';
import { hasFilter, createSessionFilter, type SearchFilter, type SearchScope } from './searchFilter';
import { Yielder } from '../../files/io/eventLoop';
import { parseQuery, snippetOf, type Query, type Snippet } from './searchQuery';
import type { CatalogReader } from '../database/catalogReader';

export interface SearchOptions extends SearchFilter {
  /** 50 by default. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

export interface SearchHit {
  readonly path: string;
  readonly entryId: string;
  /** Whether the entry is on the branch that the programs would go on with. */
  readonly active: boolean;
  /** As in `SearchOptions.roles`. */
  readonly role: string;
  /** Of the entry, in milliseconds since 1970. */
  readonly time: number;
  /** The text around the first place, in one line; without words to look for, what answers the options. */
  readonly snippet: string;
  /** What answers the query, in UTF-16 units of the snippet. */
  readonly marks: readonly [start: number, end: number][];
}

const LIMIT = 50;

/**
 * The best hits of the words. Where there are none, but something to narrow down by, the newest entries that are left.
 *
 * @throws the signal's reason when it is aborted.
 */
export async function search(where: SearchScope, text: string, given: SearchOptions = {}): Promise<SearchHit[]> {
  given.signal?.throwIfAborted();
  const query = parseQuery(text);
  const limit = Math.max(0, given.limit ?? LIMIT);
  if (limit === 0 || (!query && !hasFilter(given))) return [];
  // Of labels alone the labels themselves are shown, and not what they stand on.
  const options: SearchOptions = !query && given.labels && !given.roles && !given.tools && !given.files ? { ...given, roles: ['label'] } : given;
  const candidates = await candidatesOf(where, query, limit, options);
  const hits: SearchHit[] = [];
  const pause = new Yielder(options.signal);
  const files = new IndexedLineReader(where.reader);
  const labels = new CurrentLabels(where.reader);
  try {
    for (const { path, line: at } of candidates) {
      if (hits.length >= limit) break;
      await pause.yieldIfDue();
      const read = files.read(path, at);
      if (!read || (at.role === 'label' && !labels.acceptOnce(path, at.entryId, read.text))) continue;
      const snippet: Snippet | undefined = query ? snippetOf(read.text, query) : matchExplanation(read, options, where.reader.summary(path)?.cwd ?? '');
      if (snippet) hits.push({ path, entryId: at.entryId, active: at.active, role: at.role, time: at.time, ...snippet });
    }
  } finally {
    files.close();
  }
  return hits;
}

async function candidatesOf(where: SearchScope, query: Query | undefined, limit: number, options: SearchOptions): Promise<Iterable<Candidate>> {
  const narrow = createSessionFilter(where, options);
  if (!query) return newestCandidates(where, narrow, options.signal);
  if (!where.indexed) return candidatesFromScan(where, query, narrow, options.signal);
  return candidatesFromIndex(where, query, narrow, hasFilter(options) ? undefined : limit, options.signal);
}

/** Files hold all labels that there ever were; those that stand are found, each once. */
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
