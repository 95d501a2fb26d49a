/** Reads the database while the worker writes it. The thread that shows sessions reads rows, labels and heads; the search thread reads everything else. */
import { lastOf } from '../../format/entry/lookups';
import type { Session } from '../../format/session/session';
import { rows, type DatabaseLocation } from './database';
import { coversLine, documentOf, type DocumentRange } from './documents';
import { LineTableCache, type SessionLines } from './lineTableCache';
import { hashOfPath } from './pathHash';
import { PATH } from './schema';
import { ReadingConnection, type CACHE_KB, type DatabaseGeneration } from './readingConnection';
import { touchesOf, touchingPart } from './touchQueries';
import { toolsOfLines } from '../encoding/lineTable';
import { decodeFile, READ_COLUMNS, type FileColumns } from '../encoding/fileColumns';
import type { SharedStrings } from '../encoding/sharedStrings';
import type { KnownFile } from '../rows/catalogRow';
import type { SessionSummary } from '../rows/sessionSummary';
import { decodeHeads } from '../encoding/decodeHeads';
import type { LocatedTouch } from '../encoding/touchTable';
import { dayName } from '../index/sessionFacts';
import type { SessionUsage } from '../rows/usageBy';

/** A line that matches. */
export interface Match {
  /** The line's number in the index. */
  readonly document: number;
  /** The number of its words. */
  readonly words: number;
}

/** A line of a session. */
export interface LinePlace {
  /** The session's number. */
  readonly n: number;
  readonly path: string;
  readonly line: number;
}

/** The number of files read at a time, which takes about a millisecond. */
const SLICE = 250;

export class CatalogReader {
  private readonly connection: ReadingConnection;
  private dataVersion: unknown;
  private readonly lineTables = new LineTableCache((n) => {
    const [found] = this.connection.again(`SELECT ${PATH}, lines FROM sessions JOIN bodies USING (n) WHERE n = ?`, n) as [
      string,
      Uint8Array,
    ][];
    return found && { path: found[0], bytes: found[1] };
  });

  /** @param strings shared by the rows */
  constructor(
    location: DatabaseLocation,
    cacheKb: (typeof CACHE_KB)[keyof typeof CACHE_KB],
    private readonly strings?: SharedStrings,
  ) {
    this.connection = new ReadingConnection(location, cacheKb, () => this.lineTables.clear());
  }

  /** See {@link ReadingConnection.withLocatedDamage}. */
  withLocatedDamage<T>(read: () => T): T {
    return this.connection.withLocatedDamage(read);
  }

  /** See {@link ReadingConnection.locateDamage}. */
  locateDamage(error: unknown): unknown {
    return this.connection.locateDamage(error);
  }

  /** `undefined` if there is no usable database. */
  generation(): DatabaseGeneration | undefined {
    return this.connection.generation();
  }

  /** All files in slices, so that the caller can yield in between. */
  *files(): Generator<KnownFile[]> {
    const sql = `SELECT n, ${PATH}, ${READ_COLUMNS} FROM sessions WHERE n > ? ORDER BY n LIMIT ?`;
    for (let last = -1, slice: unknown[][]; (slice = this.connection.all(sql, last, SLICE)).length > 0; last = lastOf(slice)[0] as number) {
      yield slice.map((values) => decodeFile(values[1] as string, values.slice(2) as unknown as FileColumns, this.strings));
    }
  }

  /** The lines that match an FTS5 expression, the newest first. Costs what is consumed, except for a fraction of a microsecond per match. */
  *matches(expression: string): Generator<Match> {
    this.dropOutdatedLines();
    const database = this.connection.current();
    if (!database) return;
    // A statement of its own, since another search may begin before this one ends.
    const sql = 'SELECT rowid, (SELECT sz FROM words_docsize WHERE id = words.rowid) FROM words WHERE words MATCH ? ORDER BY rowid';
    const found = rows(database, sql).iterate(expression);
    try {
      for (const row of found) {
        const [document, size] = row as unknown as [number, Uint8Array];
        yield { document, words: decodeWordCount(size) };
      }
    } catch (error) {
      // Closed, because another window has replaced the database since: its matches are of no use.
      if (this.connection.isOpen(database)) throw error;
    }
  }

  /** The documents between two others of the last call of `matches`, these included, that match an FTS5 expression. */
  matchesBetween(expression: string, first: number, last: number): number[] {
    const sql = 'SELECT rowid FROM words WHERE words MATCH ? AND rowid BETWEEN ? AND ?';
    return (this.connection.again(sql, expression, first, last) as [number][]).map(([document]) => document);
  }

  /** The session and the line of a document of the last call of `matches`; `undefined` if the database has changed since. */
  locate(document: number): LinePlace | undefined {
    const sql = `SELECT n, ${PATH}, first, line, count FROM documents JOIN sessions USING (n) WHERE first <= ? ORDER BY first DESC LIMIT 1`;
    const [found] = this.connection.again(sql, document) as [number, string, number, number, number][];
    if (!found) return undefined;
    const [n, path, first, line, count] = found;
    const at = line - (document - first);
    return coversLine({ first, line, count }, at) ? { n, path, line: at } : undefined;
  }

  /** Returns a function that gives the numbers of a session's lines in the index. */
  documents(n: number): (line: number) => number | undefined {
    const sql = 'SELECT first, line, count FROM documents WHERE n = ? ORDER BY first';
    const ranges = (this.connection.again(sql, n) as [number, number, number][]).map(([first, line, count]): DocumentRange => ({
      first,
      line,
      count,
    }));
    return (line) => {
      const range = ranges.find((one) => coversLine(one, line));
      return range && documentOf(range, line);
    };
  }

  /** The lines of a session, as of the last call of `matches` or `paths`; the numbers are valid in that database only. */
  lines(n: number): SessionLines | undefined {
    return this.lineTables.get(n);
  }

  summary(path: string): SessionSummary | undefined {
    const sql = `SELECT ${READ_COLUMNS} FROM sessions WHERE hash = ? AND ${PATH} = ?`;
    const [found] = this.connection.all(sql, hashOfPath(path), path) as unknown as FileColumns[];
    return found && decodeFile(path, found).row.summary;
  }

  /** The paths of all sessions that were read, by their numbers, the highest first. */
  paths(): Map<number, string> {
    this.dropOutdatedLines();
    return new Map(this.connection.all(`SELECT n, ${PATH} FROM bodies JOIN sessions USING (n) ORDER BY n DESC`) as [number, string][]);
  }

  labels(): { path: string; entryId: string; label: string; timestamp: number }[] {
    return this.connection
      .all(`SELECT ${PATH}, entry, label, time FROM labels JOIN sessions USING (n) ORDER BY time DESC`)
      .map((values) => {
        const [path, entryId, label, timestamp] = values as [string, string, string, number];
        return { path, entryId, label, timestamp };
      });
  }

  /** The entries that read or wrote a file: most recently changed sessions first, within a session in its order. */
  touching(file: string): { path: string; entryId: string; kind: 'read' | 'write' }[] {
    return touchesOf(this.connection, file).map(({ path, entryId, kind }) => ({ path, entryId, kind }));
  }

  /** Like `touching`, for several files, with the entries' places. Reads the lines of the sessions that touched the files. */
  locatedTouches(files: readonly string[]): LocatedTouch[] {
    this.dropOutdatedLines();
    return files
      .flatMap((file) => touchesOf(this.connection, file))
      .flatMap(({ n, path, line, ...touch }) => {
        const found = this.lines(n)
          ?.table.at(line)
          .find(({ entryId }) => entryId === touch.entryId);
        return found ? [{ path, ...touch, role: found.role, time: found.time, offset: found.offset, length: found.length }] : [];
      });
  }

  /** See {@link touchingPart}. */
  touchingPart(part: string): ReturnType<typeof touchingPart> {
    return touchingPart(this.connection, part);
  }

  /** The names of the tools that entries call, sorted. */
  tools(): string[] {
    return [...new Set(this.connection.all('SELECT lines FROM bodies').flatMap((values) => toolsOfLines(values[0] as Uint8Array)))].sort();
  }

  usage(): SessionUsage[] {
    return this.connection
      .all(
        `SELECT ${PATH} AS path, day, text, input, output, cacheRead, cacheWrite, cost FROM usage JOIN sessions USING (n) JOIN names ON name = model ORDER BY path, day, text`,
      )
      .map((values) => {
        const [path, day, model, input, output, cacheRead, cacheWrite, cost] = values as [
          string,
          number,
          string,
          number,
          number,
          number,
          number,
          number,
        ];
        return { path, day: dayName(day), model, input, output, cacheRead, cacheWrite, cost };
      });
  }

  /** The session from its stored heads, which may be some appends old. `undefined` if no heads are stored. */
  session(path: string): Session | undefined {
    const [found] = this.connection.all(
      `SELECT heads FROM sessions JOIN bodies USING (n) WHERE hash = ? AND ${PATH} = ?`,
      hashOfPath(path),
      path,
    ) as [Uint8Array | null][];
    return found?.[0] ? decodeHeads(found[0]) : undefined;
  }

  close(): void {
    this.connection.close();
  }

  /** Drops the cached lines if the database changed. */
  private dropOutdatedLines(): void {
    const database = this.connection.current();
    const dataVersion = database && this.connection.query(database, 'PRAGMA data_version')[0]?.[0];
    if (dataVersion !== this.dataVersion) this.lineTables.clear();
    this.dataVersion = dataVersion;
  }
}

/** Decodes the number of words that FTS5 stores for a document: seven bits per byte, high bits first. */
function decodeWordCount(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) count = count * 128 + (byte & 127);
  return count;
}
