/** Reads the database while the worker writes it. The thread that shows sessions reads rows and labels; the search thread reads everything else. */
import type { DatabaseLocation } from './database';
import { coversLine } from './documents';
import { LineTableCache, type SessionLines } from './lineTableCache';
import { hashOfPath } from './pathHash';
import { PATH, PLACES } from './schema';
import { ReadingConnection, type CACHE_KB, type DatabaseGeneration } from './readingConnection';
import { rowChecker, type ResultRow } from './sqlite/resultRows';
import { pathsNamed, touchesOf, touchesOfPart, touchesWithin } from './touchQueries';
import { wordMatches, wordMatchesBetween, wordMatchesOf, type WordMatch } from './wordMatches';
import { toolsOfLines } from '../encoding/lineTable';
import { decodeFile, READ_COLUMNS } from '../encoding/fileColumns';
import type { SharedStrings } from '../encoding/sharedStrings';
import type { KnownFile } from '../rows/catalogRow';
import type { SessionSummary } from '../rows/sessionSummary';
import type { FolderTouch, LocatedTouch } from '../encoding/touchTable';
import type { StoredAnswers } from '../encoding/packedUsage';

/** A line of a session. */
export interface LinePlace {
  /** The session's number. */
  readonly n: number;
  readonly path: string;
  readonly line: number;
  /** The last document of those that are numbered with it: its session's older lines. */
  readonly last: number;
}

/** A label of an entry. `timestamp` in milliseconds since 1970. */
export interface StoredLabel {
  readonly path: string;
  readonly entryId: string;
  readonly label: string;
  readonly timestamp: number;
}

export const newestLabelFirst = (a: StoredLabel, b: StoredLabel): number => b.timestamp - a.timestamp;

/** The number of files read at a time, which takes about a millisecond. */
const SLICE = 250;

/** With more sessions than this, the matches of all are read. */
const MAX_SEPARATE = 100;

const linesRow = rowChecker('text', 'bytes');
const fileRow = rowChecker('number', 'text');
const rangeRow = rowChecker('number', 'number');
const placeRow = rowChecker('number', 'text', 'number', 'number', 'number');
const labelRow = rowChecker('text', 'text', 'text', 'number');
const endRow = rowChecker('number?');
const bytesRow = rowChecker('bytes');
const answersRow = rowChecker('number', 'number', 'text', 'text', 'bytes');

export class CatalogReader {
  private readonly connection: ReadingConnection;
  /** The number of times that the connection was closed. */
  private closed = 0;
  private linesVersion: string | undefined;
  private readonly lineTables = new LineTableCache((n) => {
    const [found] = this.connection.again(`SELECT ${PATH}, lines FROM sessions JOIN contents USING (n) WHERE n = ?`, n);
    if (!found) return undefined;
    const [path, bytes] = linesRow(found);
    return { path, bytes };
  });

  /** @param strings shared by the rows */
  constructor(
    location: DatabaseLocation,
    cacheKb: (typeof CACHE_KB)[keyof typeof CACHE_KB],
    private readonly strings?: SharedStrings,
  ) {
    this.connection = new ReadingConnection(location, cacheKb, () => {
      this.closed += 1;
      this.lineTables.clear();
    });
  }

  /** See {@link ReadingConnection.locateDamage}. */
  locateDamage(error: unknown): unknown {
    return this.connection.locateDamage(error);
  }

  /** `undefined` if there is no usable database. */
  generation(): DatabaseGeneration | undefined {
    return this.connection.generation();
  }

  /** Returns the same text as before only if the database is unchanged. */
  version(): string {
    const database = this.connection.current();
    const [row] = database ? this.connection.query(database, 'PRAGMA data_version') : [];
    return `${this.closed} ${String(row?.[0])}`;
  }

  /** True if the words of some sessions aren't in the index yet, or removed data wasn't erased yet. */
  isUnfinished(): boolean {
    return this.connection.all('SELECT 1 FROM unindexed UNION ALL SELECT 1 FROM removed LIMIT 1').length > 0;
  }

  /** All files in slices, so that the caller can yield in between. */
  *files(): Generator<KnownFile[]> {
    const sql = `SELECT ${READ_COLUMNS}, n, ${PATH} FROM sessions WHERE n > ? ORDER BY n LIMIT ?`;
    for (let last = -1, slice: ResultRow[]; (slice = this.connection.all(sql, last, SLICE)).length > 0;) {
      yield slice.map((row) => {
        const [n, path] = fileRow(row.slice(-2));
        last = n;
        return decodeFile(path, row, this.strings);
      });
    }
  }

  /**
   * The lines that match an FTS5 expression, the newest first. Costs what is consumed, except for a fraction of a microsecond per match.
   *
   * @param together the number of the first matches, which are read at once
   * @param paths only sessions that may match: of few, only their lines are looked at
   */
  *matches(expression: string, together: number, paths?: ReadonlySet<string>): Generator<WordMatch> {
    this.dropOutdatedLines();
    if (paths && paths.size <= MAX_SEPARATE) yield* wordMatchesOf(this.connection, expression, paths);
    else yield* wordMatches(this.connection, expression, together);
  }

  /** The documents between two others of the last call of `matches`, these included, that match an FTS5 expression, in ascending order. */
  matchesBetween(expression: string, first: number, last: number): number[] {
    return wordMatchesBetween(this.connection, expression, first, last);
  }

  /** The number of documents that match an FTS5 expression, at most the limit. */
  countOf(expression: string, limit: number): number {
    const [row] = this.connection.all('SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)', expression, limit);
    return (row && endRow(row)[0]) ?? 0;
  }

  /**
   * The documents that match an FTS5 expression: the newest ones, in ascending order.
   *
   * @param paths only sessions that may match: of few, only their lines are looked at
   */
  documentsOf(expression: string, limit: number, paths?: ReadonlySet<string>): number[] {
    if (paths && paths.size <= MAX_SEPARATE) {
      const documents: number[] = [];
      for (const { document } of this.matches(expression, limit, paths)) if (documents.push(document) >= limit) break;
      return documents;
    }
    // One text instead of thousands of rows, which would take ten times as long.
    const sql = 'SELECT group_concat(rowid) FROM (SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid LIMIT ?)';
    const [row] = this.connection.all(sql, expression, limit);
    const numbers = row?.[0];
    return typeof numbers === 'string'
      ? numbers
          .split(',')
          .map(Number)
          .sort((a, b) => a - b)
      : [];
  }

  /** The numbers of a session's lines. */
  rangesOf(n: number): (readonly [first: number, last: number])[] {
    return this.connection.again('SELECT first, first + count - 1 FROM documents WHERE n = ? ORDER BY first', n).map(rangeRow);
  }

  /** The number of all documents. */
  documentCount(): number {
    const [row] = this.connection.all('SELECT sum(count) FROM documents');
    return (row && endRow(row)[0]) ?? 0;
  }

  /** The session and the line of a document of the last call of `matches`; `undefined` if the database has changed since. */
  locate(document: number): LinePlace | undefined {
    const sql = `SELECT n, ${PATH}, first, line, count FROM documents JOIN sessions USING (n) WHERE first <= ? ORDER BY first DESC LIMIT 1`;
    const [found] = this.connection.again(sql, document);
    if (!found) return undefined;
    const [n, path, first, line, count] = placeRow(found);
    const at = line - (document - first);
    return coversLine({ first, line, count }, at) ? { n, path, line: at, last: first + count - 1 } : undefined;
  }

  /** The lines of a session, as of the last call of `matches` or `paths`; the numbers are valid in that database only. */
  lines(n: number): SessionLines | undefined {
    return this.lineTables.get(n);
  }

  summary(path: string): SessionSummary | undefined {
    const sql = `SELECT ${READ_COLUMNS} FROM sessions WHERE hash = ? AND ${PATH} = ?`;
    const [found] = this.connection.all(sql, hashOfPath(path), path);
    return found && decodeFile(path, found).row.summary;
  }

  /** The paths of all sessions that were read, by their numbers, the highest first. */
  paths(): Map<number, string> {
    this.dropOutdatedLines();
    return new Map(this.connection.all(`SELECT n, ${PATH} FROM contents JOIN sessions USING (n) ORDER BY n DESC`).map(fileRow));
  }

  /** All labels, newest first. */
  labels(): StoredLabel[] {
    return [...this.labelSlices()].flat().sort(newestLabelFirst);
  }

  /** All labels in slices in no order, so that the caller can yield in between. */
  *labelSlices(): Generator<StoredLabel[]> {
    // Whole sessions, since SQLite may return less of an id than it compares.
    const endOfSlice = 'SELECT max(n) FROM (SELECT DISTINCT n FROM labels WHERE n > ? ORDER BY n LIMIT ?)';
    const sql = `SELECT ${PATH}, entry, label, time FROM labels JOIN sessions USING (n) WHERE n > ? AND n <= ?`;
    for (let last = -1; ;) {
      const [found] = this.connection.all(endOfSlice, last, SLICE);
      const [end] = found ? endRow(found) : [null];
      if (end === null) return;
      yield this.connection.all(sql, last, end).map((row) => {
        const [path, entryId, label, timestamp] = labelRow(row);
        return { path, entryId, label, timestamp };
      });
      last = end;
    }
  }

  /** The entries that read or wrote a file: most recently changed sessions first, within a session in its order. */
  touching(file: string): { path: string; entryId: string; kind: 'read' | 'write' }[] {
    return touchesOf(this.connection, file).map(({ path, entryId, kind }) => ({ path, entryId, kind }));
  }

  /** See {@link pathsNamed}. */
  pathsNamed(name: string): string[] {
    return pathsNamed(this.connection, name);
  }

  /** Like `touching`, for several files, with the entries' places. Reads the lines of the sessions that touched the files. */
  locatedTouches(files: readonly string[]): LocatedTouch[] {
    this.dropOutdatedLines();
    return files.flatMap((file) => touchesOf(this.connection, file)).flatMap((touch) => this.located(touch));
  }

  /** See {@link touchesWithin}. Reads the lines of the sessions that touched the files. */
  touchesWithin(folders: readonly string[]): FolderTouch[] {
    this.dropOutdatedLines();
    return touchesWithin(this.connection, folders).flatMap((touch) => this.located(touch));
  }

  /** See {@link touchesOfPart}. */
  touchesOfPart(part: string): ReturnType<typeof touchesOfPart> {
    return touchesOfPart(this.connection, part);
  }

  /** The names of the tools that entries call, sorted. */
  tools(): string[] {
    return [...new Set(this.connection.all('SELECT lines FROM contents').flatMap((row) => toolsOfLines(bytesRow(row)[0])))].sort();
  }

  /**
   * The answers of the sessions whose file, or newest message, is of that time or later; those of a session in a row. Reads them in
   * slices, as they are consumed.
   *
   * @param sessions the numbers of the only sessions that are read, in ascending order
   */
  *answers(since: number, sessions?: readonly number[]): Generator<StoredAnswers> {
    if (!sessions) yield* this.answersAmong(since, undefined);
    else for (let from = 0; from < sessions.length; from += SLICE) yield* this.answersAmong(since, sessions.slice(from, from + SLICE));
  }

  private *answersAmong(since: number, among: readonly number[] | undefined): Generator<StoredAnswers> {
    // Sessions come first: most have no answers in a short range. The `+` keeps SQLite from beginning each session at the last place.
    const sql = `SELECT n, place, ${PATH}, text, bytes FROM sessions CROSS JOIN answers ON place >= n * ${PLACES} AND place < (n + 1) * ${PLACES} CROSS JOIN names ON names.id = model WHERE n >= ? ${among ? 'AND n IN (SELECT value FROM json_each(?))' : ''} AND +place > ? AND max(modified, mtime) >= ? ORDER BY n, place LIMIT ?`;
    const list = among ? [JSON.stringify(among)] : [];
    for (let [first, last, count] = [0, -1, SLICE]; count === SLICE;) {
      const slice = this.connection.all(sql, first, ...list, last, since, SLICE);
      count = slice.length;
      for (const row of slice) {
        const [n, place, path, model, bytes] = answersRow(row);
        [first, last] = [n, place];
        yield { session: n, path, model, bytes };
      }
    }
  }

  close(): void {
    this.connection.close();
  }

  /** Adds the place of its entry to a touch; none if the entry isn't there any more. */
  private located<T extends { readonly n: number; readonly line: number; readonly entryId: string }>({ n, line, ...touch }: T) {
    const found = this.lines(n)
      ?.table.at(line)
      .find(({ entryId }) => entryId === touch.entryId);
    return found ? [{ ...touch, role: found.role, time: found.time, offset: found.offset, length: found.length }] : [];
  }

  /** Drops the cached lines if the database changed: for lookups without `matches` or `paths`, which do the same. */
  dropOutdatedLines(): void {
    const version = this.version();
    if (version !== this.linesVersion) this.lineTables.clear();
    this.linesVersion = version;
  }
}
