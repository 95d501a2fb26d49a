/** Search: candidates from the index, or from a scan that gives the same; then the lines themselves, for the snippets. */
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { LongLine } from '../format/longLine';
import { readLine } from '../format/readLine';
import type { JsonObject } from '../format/entry';
import { LINES } from './database';
import type { TableLine } from './lineTable';
import { matchExpression, occurrences, parseQuery, snippetOf, type Query } from './query';
import { NOISE, byScore, score, type Corpus, type Counted } from './ranking';
import type { StoredRow } from './row';
import type { StoredCatalog } from './storedCatalog';
import { textOfLine } from './texts';
import { wordsOf } from './words';

export interface SearchOptions {
  /** Messages' roles, and `label`, `session_info`, `title`, `compaction`, `branch_summary`; by default all. */
  readonly roles?: readonly string[];
  /** Only sessions of this folder, and of those in it. */
  readonly project?: string;
  /** Only entries from then on; milliseconds since 1970, or a date. */
  readonly since?: number | Date | string;
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
  /** The text around the first place, in one line. */
  readonly snippet: string;
  /** What answers the query, in UTF-16 units of the snippet. */
  readonly marks: readonly [start: number, end: number][];
}

const LIMIT = 50;
/** Without filters so many of the best are looked at; with filters all. */
const BEST = 1000;
/** Milliseconds after which others get their turn. */
const SLICE = 10;

interface Candidate {
  readonly path: string;
  readonly at: TableLine;
  readonly score: number;
  readonly time: number;
}

export interface Searched {
  readonly stored: StoredCatalog;
  /** The row of a file; `undefined` if it is gone. */
  readonly row: (path: string) => StoredRow | undefined;
  readonly indexed: boolean;
}

/** @throws the signal's reason when it is aborted. */
export async function search(where: Searched, text: string, options: SearchOptions = {}): Promise<SearchHit[]> {
  options.signal?.throwIfAborted();
  const query = parseQuery(text);
  const limit = Math.max(0, options.limit ?? LIMIT);
  if (!query || limit === 0) return [];
  const accepts = filter(where, options);
  const candidates = where.indexed ? fromIndex(where.stored, query, limit, accepts, options) : await fromScan(where, query, accepts, options.signal);
  const hits: SearchHit[] = [];
  const pause = new Pause(options.signal);
  const files = new OpenFiles();
  try {
    for (const { path, at } of candidates.sort((a, b) => byScore(a, b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : a.at.offset - b.at.offset))) {
      if (hits.length >= limit) break;
      await pause.here();
      const found = lineText(files, path, at, where.row(path));
      const snippet = found === undefined ? undefined : snippetOf(found, query);
      if (snippet) hits.push({ path, entryId: at.entryId, active: at.active, role: at.role, time: at.time, ...snippet });
    }
  } finally {
    files.close();
  }
  return hits;
}

type Accepts = (path: string, at: TableLine) => boolean;

function filter({ row }: Searched, { roles, project, since }: SearchOptions): Accepts {
  const from = since === undefined ? undefined : new Date(since).getTime();
  const wanted = roles && new Set(roles);
  const inProject = (cwd: string): boolean => project === undefined || cwd === project || cwd.startsWith(/[/\\]$/.test(project) ? project : `${project}/`) || cwd.startsWith(`${project}\\`);
  return (path, at) => {
    const known = row(path);
    return known !== undefined && inProject(known.cwd) && (!wanted || wanted.has(at.role)) && (from === undefined || at.time >= from);
  };
}

function fromIndex(stored: StoredCatalog, query: Query, limit: number, accepts: Accepts, { roles, project, since }: SearchOptions): Candidate[] {
  const isFiltered = roles !== undefined || project !== undefined || since !== undefined;
  const found: Candidate[] = [];
  let least = Number.NEGATIVE_INFINITY;
  for (const { rowid, score } of stored.matches(matchExpression(query), isFiltered ? -1 : Math.max(BEST, limit * 4))) {
    if (score < least - NOISE) break;
    const n = Math.floor(rowid / LINES);
    const lines = stored.lines(n);
    if (!lines) continue;
    for (const at of atLine(lines.lines, rowid % LINES)) if (accepts(lines.path, at)) found.push({ path: lines.path, at, score, time: at.time });
    // Twice what is wanted: some may not be in their files any more. Then all that are as good as the last.
    if (found.length >= limit * 2 && least === Number.NEGATIVE_INFINITY) least = score;
  }
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

async function fromScan({ stored, row }: Searched, { all, none }: Query, accepts: Accepts, signal: AbortSignal | undefined): Promise<Candidate[]> {
  const pause = new Pause(signal);
  const corpus = { entries: 0, length: 0, having: all.map(() => 0) } satisfies Corpus;
  const found: { path: string; at: TableLine; counted: Counted }[] = [];
  for (const n of stored.numbers()) {
    const session = stored.lines(n);
    if (!session) continue;
    const files = new OpenFiles();
    try {
      for (const at of session.lines) {
        await pause.here();
        if (!at.hasText) continue;
        const text = lineText(files, session.path, at, row(session.path)) ?? '';
        const words = [...wordsOf(text)];
        corpus.entries++;
        corpus.length += words.length;
        const counts = all.map((term) => occurrences(term, words));
        counts.forEach((count, term) => (corpus.having[term]! += count > 0 ? 1 : 0));
        if (counts.includes(0) || none.some((term) => occurrences(term, words) > 0) || !accepts(session.path, at)) continue;
        found.push({ path: session.path, at, counted: { counts, length: words.length } });
      }
    } finally {
      files.close();
    }
  }
  return found.map(({ path, at, counted }) => ({ path, at, score: score(counted, corpus), time: at.time }));
}

/** What was indexed of a line, read from its file; `undefined` if it is not there any more. */
function lineText(files: OpenFiles, path: string, at: TableLine, row: StoredRow | undefined): string | undefined {
  if (at.role === 'title') return row?.name;
  const value = files.line(path, at);
  const found = value && textOfLine(value);
  return found?.role === at.role && found.text !== '' ? found.text : undefined;
}

/** Files that are read here and there, each opened once. */
class OpenFiles {
  private readonly open = new Map<string, number | undefined>();

  line(path: string, { offset, length }: TableLine): JsonObject | undefined {
    const fd = this.file(path);
    if (fd === undefined) return undefined;
    if (length > LONGEST) return longLine(fd, offset, length);
    const bytes = Buffer.allocUnsafe(length);
    const read = readLine(bytes.toString('utf8', 0, readSync(fd, bytes, 0, length, offset)));
    return read.kind === 'objects' ? read.objects[0]?.value : undefined;
  }

  close(): void {
    for (const fd of this.open.values()) if (fd !== undefined) closeSync(fd);
    this.open.clear();
  }

  private file(path: string): number | undefined {
    if (!this.open.has(path)) {
      try {
        this.open.set(path, openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
      } catch {
        this.open.set(path, undefined);
      }
    }
    return this.open.get(path);
  }
}

/** Longer lines are read in parts, without what is not needed of them. */
const LONGEST = 4 * 1024 * 1024;

function longLine(fd: number, offset: number, length: number): JsonObject | undefined {
  const long = new LongLine();
  const bytes = Buffer.allocUnsafe(1024 * 1024);
  for (let at = 0; at < length; ) {
    const count = readSync(fd, bytes, 0, Math.min(bytes.length, length - at), offset + at);
    if (count === 0) break;
    long.push(bytes.subarray(0, count));
    at += count;
  }
  return long.end().objects[0]?.value;
}

/** Lets others have their turn now and then. */
class Pause {
  private last = performance.now();

  constructor(private readonly signal: AbortSignal | undefined) {}

  async here(): Promise<void> {
    if (performance.now() - this.last < SLICE) return;
    await turn();
    this.signal?.throwIfAborted();
    this.last = performance.now();
  }
}
