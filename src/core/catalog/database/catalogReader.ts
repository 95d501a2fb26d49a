/** Reads the database while the worker writes it. The thread that shows sessions reads rows, labels and heads; the search thread reads everything else. */
import { statSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Session } from '../../format/session/session';
import { DamagedDatabase, isDamage } from './databaseErrors';
import { databasePath, openForReading, rows, clearCount, type DatabaseLocation } from './database';
import { LineTableCache, type SessionLines } from './lineTableCache';
import { toolsOfLines } from '../encoding/lineTable';
import { decodeFile, decodeRow, FILE_COLUMNS, type FileColumns } from '../encoding/fileColumns';
import type { KnownFile } from '../rows/catalogRow';
import type { SessionSummary } from '../rows/sessionSummary';
import { decodeHeads } from '../encoding/headCodec';
import { pathIncludes, pathKey, foldPath } from '../search/pathMatch';
import { decodeTouches } from '../encoding/touchTable';
import type { SessionUsage } from '../rows/usageBy';

/** Identifies a database and the number of times it was emptied. */
export interface DatabaseGeneration {
  readonly ino: bigint | undefined;
  /** The number of times that everything was removed from it. */
  readonly cleared: number;
}

/** The number of files read at a time, which takes about a millisecond. */
const SLICE = 250;

export class CatalogReader {
  private database: DatabaseSync | undefined;
  /** The open file's inode; another window may have replaced the file since. */
  private ino: bigint | undefined;
  private readonly prepared = new Map<string, StatementSync>();
  private dataVersion: unknown;
  private readonly lineTables = new LineTableCache((n) => {
    const [found] = this.database
      ? (this.query(this.database, 'SELECT path, lines FROM sessions JOIN bodies USING (n) WHERE n = ?', n) as [string, Uint8Array][])
      : [];
    return found && { path: found[0], bytes: found[1] };
  });

  constructor(private readonly location: DatabaseLocation) {}

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
      yield slice.map((values) => decodeFile(values[1] as string, values.slice(2) as unknown as FileColumns));
    }
  }

  /**
   * The entries that match an FTS5 expression, the best first. `rowid` is as `LINES_PER_SESSION` describes.
   *
   * @param most the maximum number of matches; -1 for all
   */
  matches(expression: string, most: number): { rowid: number; score: number }[] {
    this.dropOutdatedLines();
    // Sorted by SQLite: FTS5's own sorting, by `rank`, computes each score twice.
    const found = this.all(
      'SELECT rowid, bm25(words) AS score FROM words WHERE words MATCH ? ORDER BY score LIMIT ?',
      expression,
      most,
    ) as [number, number][];
    return found.map(([rowid, bm25]) => ({ rowid, score: -bm25 }));
  }

  /** The lines of a session, as of the last call of `matches` or `paths`; the numbers are valid in that database only. */
  lines(n: number): SessionLines | undefined {
    return this.lineTables.get(n);
  }

  summary(path: string): SessionSummary | undefined {
    const [found] = this.all('SELECT row FROM sessions WHERE path = ?', path) as [string][];
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
    const { platform } = process;
    const wanted = pathKey(file, platform);
    // Except on Windows, equal paths are spelled the same, so most sessions can be skipped by their JSON.
    const known = platform === 'win32' ? '' : JSON.stringify(file);
    const sql = 'SELECT path, paths, entries FROM touches JOIN sessions USING (n) WHERE instr(paths, ?) ORDER BY mtime DESC, n, begins';
    return (this.all(sql, known) as [string, string, Uint8Array][]).flatMap(([path, paths, bytes]) =>
      Array.from(
        decodeTouches({ paths, bytes }, (one) => pathKey(one, platform) === wanted),
        (touch) => ({ path, ...touch }),
      ),
    );
  }

  /** The sessions' numbers and the ids of their entries that read or wrote a file with `part` in its path; case doesn't matter. */
  *touchingPart(part: string): Generator<[n: number, entryId: string]> {
    // A cheap test for the part's longest piece skips most sessions.
    const [piece = ''] = foldPath(part)
      .split(/[/"\p{Cc}]/u)
      .sort((a, b) => b.length - a.length);
    for (const [n, begins, paths] of this.all('SELECT n, begins, paths FROM touches') as [number, number, string][]) {
      if (!paths.toLowerCase().includes(piece)) continue;
      const [bytes] = this.all('SELECT entries FROM touches WHERE n = ? AND begins = ?', n, begins)[0] as [Uint8Array];
      for (const { entryId } of decodeTouches({ paths, bytes }, (path) => pathIncludes(path, part))) yield [n, entryId];
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
    const [found] = this.all('SELECT heads FROM sessions JOIN bodies USING (n) WHERE path = ?', path) as [Uint8Array | null][];
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
    this.database = openForReading(this.location);
    return this.database;
  }
}
