/** Reads the database while the worker writes it. The thread that shows sessions reads rows, labels and heads; the search thread reads everything else. */
import { statSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Session } from '../../format/session/session';
import { DamagedDatabase, isDamage } from './databaseErrors';
import { databasePath, openForReading, rows, clearCount, type DatabaseLocation } from './database';
import { coversLine, documentOf, type DocumentRange } from './documents';
import { LineTableCache, type SessionLines } from './lineTableCache';
import { hashOfPath } from './pathHash';
import { toolsOfLines } from '../encoding/lineTable';
import { decodeFile, decodeRow, FILE_COLUMNS, type FileColumns } from '../encoding/fileColumns';
import type { SharedStrings } from '../encoding/sharedStrings';
import type { KnownFile } from '../rows/catalogRow';
import type { SessionSummary } from '../rows/sessionSummary';
import { decodeHeads } from '../encoding/decodeHeads';
import { pathIncludes, pathKey, foldPath } from '../search/pathMatch';
import { decodeTouches, type EntryTouch, type LocatedTouch } from '../encoding/touchTable';
import type { SessionUsage } from '../rows/usageBy';

/** Identifies a database and the number of times it was emptied. */
export interface DatabaseGeneration {
  readonly ino: bigint | undefined;
  /** The number of times that everything was removed from it. */
  readonly cleared: number;
}

/** A line that matches. */
export interface Match {
  /** The line's number in the index. */
  readonly document: number;
  /** Larger is better. */
  readonly score: number;
}

/** A line of a session. */
export interface LinePlace {
  /** The session's number. */
  readonly n: number;
  readonly path: string;
  readonly line: number;
}

/** SQLite's cache: a search reads the same pages repeatedly, and lists read each page once. */
export const CACHE_KB = { search: 16_000, list: 2000 } as const;

/** The number of files read at a time, which takes about a millisecond. */
const SLICE = 250;

export class CatalogReader {
  private database: DatabaseSync | undefined;
  /** The open file's inode; another window may have replaced the file since. */
  private ino: bigint | undefined;
  private readonly prepared = new Map<string, StatementSync>();
  private dataVersion: unknown;
  private readonly lineTables = new LineTableCache((n) => {
    const [found] = this.again('SELECT path, lines FROM sessions JOIN bodies USING (n) WHERE n = ?', n) as [string, Uint8Array][];
    return found && { path: found[0], bytes: found[1] };
  });

  /** @param strings shared by the rows */
  constructor(
    private readonly location: DatabaseLocation,
    private readonly cacheKb: (typeof CACHE_KB)[keyof typeof CACHE_KB],
    private readonly strings?: SharedStrings,
  ) {}

  /** @throws {DamagedDatabase} with the file's inode, if `read` meets damage; else what `read` throws */
  withLocatedDamage<T>(read: () => T): T {
    try {
      return read();
    } catch (error) {
      throw this.locateDamage(error);
    }
  }

  /** Returns damage as an error of the file that is open, and other errors unchanged. */
  locateDamage(error: unknown): unknown {
    return isDamage(error) ? new DamagedDatabase('The database is damaged.', this.ino, { cause: error }) : error;
  }

  /** `undefined` if there is no usable database. */
  generation(): DatabaseGeneration | undefined {
    const database = this.currentDatabase();
    return database && { ino: this.ino, cleared: clearCount(database) };
  }

  /** All files in slices, so that the caller can yield in between. */
  *files(): Generator<KnownFile[]> {
    const sql = `SELECT n, path, ${FILE_COLUMNS} FROM sessions WHERE n > ? ORDER BY n LIMIT ?`;
    for (let last = -1, slice: unknown[][]; (slice = this.all(sql, last, SLICE)).length > 0; last = slice.at(-1)![0] as number) {
      yield slice.map((values) => decodeFile(values[1] as string, values.slice(2) as unknown as FileColumns, this.strings));
    }
  }

  /** The lines that match an FTS5 expression, the newest first. Costs what is consumed, except for a fraction of a microsecond per match. */
  *matches(expression: string): Generator<Match> {
    this.dropOutdatedLines();
    const database = this.currentDatabase();
    if (!database) return;
    // A statement of its own, since another search may begin before this one ends.
    const found = rows(database, 'SELECT rowid, bm25(words) FROM words WHERE words MATCH ? ORDER BY rowid').iterate(expression);
    try {
      for (const row of found) {
        const [document, bm25] = row as unknown as [number, number];
        yield { document, score: -bm25 };
      }
    } catch (error) {
      // Closed, because another window has replaced the database since: its matches are of no use.
      if (this.database === database) throw error;
    }
  }

  /** The session and the line of a document of the last call of `matches`; `undefined` if the database has changed since. */
  locate(document: number): LinePlace | undefined {
    const sql = 'SELECT n, path, first, line, count FROM documents JOIN sessions USING (n) WHERE first <= ? ORDER BY first DESC LIMIT 1';
    const [found] = this.again(sql, document) as [number, string, number, number, number][];
    if (!found) return undefined;
    const [n, path, first, line, count] = found;
    const at = line - (document - first);
    return coversLine({ first, line, count }, at) ? { n, path, line: at } : undefined;
  }

  /** Returns a function that gives the numbers of a session's lines in the index. */
  documents(n: number): (line: number) => number | undefined {
    const sql = 'SELECT first, line, count FROM documents WHERE n = ? ORDER BY first';
    const ranges = (this.again(sql, n) as [number, number, number][]).map(([first, line, count]): DocumentRange => ({
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
    const [found] = this.all('SELECT row FROM sessions WHERE hash = ? AND path = ?', hashOfPath(path), path) as [string][];
    return found && decodeRow(path, found[0]).summary;
  }

  /** The paths of all sessions that were read, by their numbers, the highest first. */
  paths(): Map<number, string> {
    this.dropOutdatedLines();
    return new Map(this.all('SELECT n, path FROM bodies JOIN sessions USING (n) ORDER BY n DESC') as [number, string][]);
  }

  labels(): { path: string; entryId: string; label: string; timestamp: number }[] {
    return this.all('SELECT path, entry, label, time FROM labels JOIN sessions USING (n) ORDER BY time DESC').map((values) => {
      const [path, entryId, label, timestamp] = values as [string, string, string, number];
      return { path, entryId, label, timestamp };
    });
  }

  /** The entries that read or wrote a file: most recently changed sessions first, within a session in its order. */
  touching(file: string): { path: string; entryId: string; kind: 'read' | 'write' }[] {
    return this.touchesOf(file).map(({ path, entryId, kind }) => ({ path, entryId, kind }));
  }

  /** Like `touching`, for several files, with the entries' places. Reads the lines of the sessions that touched the files. */
  locatedTouches(files: readonly string[]): LocatedTouch[] {
    this.dropOutdatedLines();
    return files
      .flatMap((file) => this.touchesOf(file))
      .flatMap(({ n, path, line, ...touch }) => {
        const found = this.lines(n)
          ?.table.at(line)
          .find(({ entryId }) => entryId === touch.entryId);
        return found ? [{ path, ...touch, role: found.role, time: found.time, offset: found.offset, length: found.length }] : [];
      });
  }

  private touchesOf(file: string): ({ n: number; path: string } & Omit<EntryTouch, 'file'>)[] {
    const { platform } = process;
    const wanted = pathKey(file, platform);
    // Except on Windows, equal paths are spelled the same, so most sessions can be skipped by their JSON.
    const known = platform === 'win32' ? '' : JSON.stringify(file);
    const sql = 'SELECT n, path, paths, entries FROM touches JOIN sessions USING (n) WHERE instr(paths, ?) ORDER BY mtime DESC, n, begins';
    return (this.all(sql, known) as [number, string, string, Uint8Array][]).flatMap(([n, path, paths, bytes]) =>
      Array.from(
        decodeTouches({ paths, bytes }, (one) => pathKey(one, platform) === wanted),
        (touch) => ({ n, path, ...touch }),
      ),
    );
  }

  /**
   * The sessions' numbers and the ids of their entries that read or wrote a file with `part` in its path; case doesn't
   * matter. `undefined` after each session, so that the caller can yield.
   */
  *touchingPart(part: string): Generator<[n: number, entryId: string] | undefined> {
    // A cheap test for the part's longest piece skips most sessions.
    const [piece = ''] = foldPath(part)
      .split(/[/"\p{Cc}]/u)
      .sort((a, b) => b.length - a.length);
    const database = this.currentDatabase();
    if (!database) return;
    for (const row of rows(database, 'SELECT n, begins, paths FROM touches').iterate()) {
      const [n, begins, paths] = row as unknown as [number, number, string];
      yield undefined;
      if (!paths.toLowerCase().includes(piece)) continue;
      const [found] = this.all('SELECT entries FROM touches WHERE n = ? AND begins = ?', n, begins) as [Uint8Array][];
      if (found)
        for (const { entryId } of decodeTouches({ paths, bytes: found[0] }, (path) => pathIncludes(path, part))) yield [n, entryId];
    }
  }

  /** The names of the tools that entries call, sorted. */
  tools(): string[] {
    return [...new Set(this.all('SELECT lines FROM bodies').flatMap((values) => toolsOfLines(values[0] as Uint8Array)))].sort();
  }

  usage(): SessionUsage[] {
    return this.all(
      'SELECT path, day, model, input, output, cacheRead, cacheWrite, cost FROM usage JOIN sessions USING (n) ORDER BY path, day, model',
    ).map((values) => {
      const [path, day, model, input, output, cacheRead, cacheWrite, cost] = values as [
        string,
        string,
        string,
        number,
        number,
        number,
        number,
        number,
      ];
      return { path, day, model, input, output, cacheRead, cacheWrite, cost };
    });
  }

  /** The session from its stored heads, which may be some appends old. `undefined` if no heads are stored. */
  session(path: string): Session | undefined {
    const [found] = this.all('SELECT heads FROM sessions JOIN bodies USING (n) WHERE hash = ? AND path = ?', hashOfPath(path), path) as [
      Uint8Array | null,
    ][];
    return found?.[0] ? decodeHeads(found[0]) : undefined;
  }

  close(): void {
    this.database?.close();
    this.database = undefined;
    this.prepared.clear();
    this.lineTables.clear();
  }

  /** Drops the cached lines if the database changed. */
  private dropOutdatedLines(): void {
    const database = this.currentDatabase();
    const dataVersion = database && this.query(database, 'PRAGMA data_version')[0]?.[0];
    if (dataVersion !== this.dataVersion) this.lineTables.clear();
    this.dataVersion = dataVersion;
  }

  /** Queries the database that is open, without looking whether another one has replaced it: a query takes less time than that. */
  private again(sql: string, ...values: SQLInputValue[]): unknown[][] {
    return this.database ? this.query(this.database, sql, ...values) : [];
  }

  private all(sql: string, ...values: SQLInputValue[]): unknown[][] {
    const database = this.currentDatabase();
    return database ? this.query(database, sql, ...values) : [];
  }

  private query(database: DatabaseSync, sql: string, ...values: SQLInputValue[]): unknown[][] {
    let statement = this.prepared.get(sql);
    if (!statement) this.prepared.set(sql, (statement = rows(database, sql)));
    return statement.all(...values) as unknown as unknown[][];
  }

  private currentDatabase(): DatabaseSync | undefined {
    const ino = statSync(databasePath(this.location), { bigint: true, throwIfNoEntry: false })?.ino;
    if (this.database && ino === this.ino) return this.database;
    this.close();
    this.ino = ino;
    this.database = openForReading(this.location, this.cacheKb);
    return this.database;
  }
}
