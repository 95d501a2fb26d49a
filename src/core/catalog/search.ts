/** Search: candidates from the index, or from a scan that gives the same; then the lines themselves, for the snippets. */
import { newest, fromIndex, fromScan, type Candidate } from './candidates';
import { explain } from './explain';
import { LineFiles } from './lineFiles';
import { isNarrowed, narrowing, type Narrowed, type Searched } from './narrow';
import { Pause } from '../files/pause';
import { parseQuery, snippetOf, type Query, type Snippet } from './query';
import type { StoredCatalog } from './storedCatalog';

export interface SearchOptions extends Narrowed {
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
export async function search(where: Searched, text: string, given: SearchOptions = {}): Promise<SearchHit[]> {
  given.signal?.throwIfAborted();
  const query = parseQuery(text);
  const limit = Math.max(0, given.limit ?? LIMIT);
  if (limit === 0 || (!query && !isNarrowed(given))) return [];
  // Of labels alone the labels themselves are shown, and not what they stand on.
  const options: SearchOptions = !query && given.labels && !given.roles && !given.tools && !given.files ? { ...given, roles: ['label'] } : given;
  const candidates = await candidatesOf(where, query, limit, options);
  const hits: SearchHit[] = [];
  const pause = new Pause(options.signal);
  const files = new LineFiles(where.stored);
  const labels = new StandingLabels(where.stored);
  try {
    for (const { path, at } of candidates) {
      if (hits.length >= limit) break;
      await pause.here();
      const read = files.read(path, at);
      if (!read || (at.role === 'label' && !labels.takes(path, at.entryId, read.text))) continue;
      const snippet: Snippet | undefined = query ? snippetOf(read.text, query) : explain(read, options, where.stored.row(path)?.cwd ?? '');
      if (snippet) hits.push({ path, entryId: at.entryId, active: at.active, role: at.role, time: at.time, ...snippet });
    }
  } finally {
    files.close();
  }
  return hits;
}

async function candidatesOf(where: Searched, query: Query | undefined, limit: number, options: SearchOptions): Promise<Iterable<Candidate>> {
  const narrow = narrowing(where, options);
  if (!query) return newest(where, narrow, options.signal);
  if (!where.indexed) return fromScan(where, query, narrow, options.signal);
  return fromIndex(where, query, narrow, isNarrowed(options) ? undefined : limit, options.signal);
}

/** Files hold all labels that there ever were; those that stand are found, each once. */
class StandingLabels {
  private standing: Map<string, string> | undefined;

  constructor(private readonly stored: StoredCatalog) {}

  takes(path: string, entryId: string, text: string): boolean {
    this.standing ??= new Map(this.stored.labels().map((one) => [`${one.path}\n${one.entryId}`, one.label.trim()]));
    const key = `${path}\n${entryId}`;
    if (this.standing.get(key) !== text.trim()) return false;
    return this.standing.delete(key);
  }
}
