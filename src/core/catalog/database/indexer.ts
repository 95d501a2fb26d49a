/** Writes the results of scans into the database. */
import { sep } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Session } from '../../format/session/session';
import { endOfLines } from '../../format/session/fileState';
import { sameVersion } from '../../files/read/compareVersions';
import { defined } from '../../format/entry/defined';
import type { Checkpoints } from './integrity/checkpoints';
import { rows, clearCount } from './database';
import { LineTable } from '../encoding/lineTable';
import { dayNumber } from '../index/sessionFacts';
import { DocumentNumbers } from './documents';
import { Names } from './names';
import { PATH } from './schema';
import { WordIndex } from './wordIndex';
import { textCount, lineOfText } from '../index/lineWords';
import { decodeFile, encodeFile, FILE_COLUMNS, READ_COLUMNS, type FileColumns } from '../encoding/fileColumns';
import type { FileState, KnownFile } from '../rows/catalogRow';
import type { PreviousScan, IndexRecord } from '../index/scanSession';
import { hashOfPath } from './pathHash';
import { decodeHeads } from '../encoding/decodeHeads';

/** The count of clearings wraps around here. */
const MAX_CLEAR_COUNT = 2 ** 31;

const COLUMN_VALUES = FILE_COLUMNS.replace(/\w+/g, '?');

const STATEMENTS = {
  find: `SELECT n, ${READ_COLUMNS} FROM sessions WHERE hash = ? AND ${PATH} = ?`,
  has: `SELECT 1 FROM sessions WHERE hash = ? AND ${PATH} = ?`,
  add: `INSERT INTO sessions (hash, folder, file, ${FILE_COLUMNS}) VALUES (?, ?, ?, ${COLUMN_VALUES})`,
  update: `UPDATE sessions SET (${FILE_COLUMNS}) = (${COLUMN_VALUES}) WHERE n = ?`,
  remove: 'DELETE FROM sessions WHERE n = ?',
  body: 'SELECT mark, lines, heads FROM bodies WHERE n = ?',
  lines: 'SELECT lines FROM bodies WHERE n = ?',
  putBody: 'INSERT OR REPLACE INTO bodies (n, mark, lines, heads) VALUES (?, ?, ?, ?)',
  updateBody: 'UPDATE bodies SET lines = ? WHERE n = ?',
  removeBody: 'DELETE FROM bodies WHERE n = ?',
  removeLabels: 'DELETE FROM labels WHERE n = ?',
  label: 'INSERT OR REPLACE INTO labels VALUES (?, ?, ?, ?)',
  removeUsage: 'DELETE FROM usage WHERE n = ?',
  usage: 'INSERT OR REPLACE INTO usage VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  removeTouches: 'DELETE FROM touches WHERE n = ?',
  touches: 'INSERT OR REPLACE INTO touches VALUES (?, ?, ?, ?)',
  paths: `SELECT ${PATH} FROM sessions`,
  state: 'UPDATE state SET commits = commits + 1, base = ?',
} as const;

export class Indexer {
  private readonly prepared = new Map<string, StatementSync>();
  private readonly documents: DocumentNumbers;
  private readonly words: WordIndex;
  private readonly names: Names;
  private purgeIsDue = false;
  private isChanged = false;

  constructor(
    private readonly database: DatabaseSync,
    indexed: boolean,
    readonly checkpoints: Checkpoints,
  ) {
    this.documents = new DocumentNumbers(database);
    this.names = new Names(database);
    this.words = new WordIndex(database, indexed, this.documents);
  }

  /** Closes a database that is damaged or was replaced. */
  discard(): void {
    this.database.close();
  }

  /** The last connection to close leaves a single file. */
  close(): void {
    try {
      this.checkpoints.runFinal();
    } finally {
      this.database.close();
    }
  }

  setBulkMode(isBulk: boolean): void {
    this.words.setBulkMode(isBulk);
  }

  /** Announces files that have no row yet. They must be stored from the newest to the oldest. */
  expect(files: number, bytes: number): void {
    // A line has one byte at least, except for the last one.
    this.documents.expect(bytes + files);
  }

  begin(): void {
    this.database.exec('BEGIN IMMEDIATE');
    this.names.begin();
  }

  commit(): void {
    if (!this.database.isTransaction) return;
    if (this.isChanged) this.run('state', this.checkpoints.sealId);
    this.database.exec('COMMIT');
    this.isChanged = false;
  }

  rollback(): void {
    if (this.database.isTransaction) this.database.exec('ROLLBACK');
  }

  /** True if there is a record of a file, whichever version it describes. */
  has(path: string): boolean {
    return this.get('has', hashOfPath(path), path) !== undefined;
  }

  /** The stored record of a file, whichever version it describes. */
  find(path: string): { n: number; known: KnownFile } | undefined {
    const found = this.get('find', hashOfPath(path), path);
    if (!found) return undefined;
    const [n, ...columns] = found as [number, ...FileColumns];
    return { n, known: decodeFile(path, columns) };
  }

  /** The state from which a scan continues if the file only grew. `undefined` for small files, which are read again. */
  previousScan(path: string): PreviousScan | undefined {
    const found = this.find(path);
    if (!found) return undefined;
    const [mark, lines, heads] = (this.get('body', found.n) ?? []) as [string?, Uint8Array?, (Uint8Array | null)?];
    if (mark === undefined || !lines || !heads) return undefined;
    const session = decodeUnlessDamaged(heads);
    return (
      session && {
        session,
        checksum: mark,
        table: new LineTable(lines).all(),
        firstMessage: found.known.row.firstMessage,
        headsOffset: endOfLines(session).offset,
      }
    );
  }

  /** Stores a scan's result; must run within a transaction. Does nothing if another window has stored the same version. */
  put(file: FileState, scanned: IndexRecord): void {
    const { owner } = file;
    const before = this.find(file.path);
    if (before && sameVersion(before.known.version, scanned.version) && before.known.owner === owner) return;
    const n = this.putRow(before, {
      path: file.path,
      version: scanned.version,
      row: scanned.row,
      complete: true,
      ...defined({ owner }),
    });
    const known = scanned.isAppend && before !== undefined && before.known.version.size < scanned.version.size;
    if (before && !known) this.clear(n);
    const { words } = scanned;
    if (known)
      this.words.remove(
        n,
        Array.from({ length: textCount(words) }, (_, index) => lineOfText(words, index)),
      );
    this.words.add(n, words, before === undefined);
    this.run('removeLabels', n);
    for (const { entryId, label, timestamp } of scanned.labels) this.run('label', n, entryId, label, timestamp);
    this.run('removeUsage', n);
    for (const { day, model, input, output, cacheRead, cacheWrite, cost } of scanned.usage)
      this.run('usage', n, dayNumber(day), this.names.of(model), input, output, cacheRead, cacheWrite, cost);
    // Appended touches get a row of their own, so that their cost depends on the growth alone.
    const { touches } = scanned;
    if (touches.bytes.length > 0) this.run('touches', n, known ? before.known.version.size : 0, touches.paths, touches.bytes);
    const { heads } = scanned;
    // A scan continues only from stored heads.
    if (heads) this.run('putBody', n, heads.bytes ? heads.mark : '', scanned.lines, heads.bytes);
    else this.run('updateBody', scanned.lines, n);
  }

  /** Stores a file that can't be read; must run within a transaction. */
  putUnreadable(known: KnownFile): void {
    const before = this.find(known.path);
    const n = this.putRow(before, known);
    if (before) this.clear(n);
  }

  /** Must run within a transaction. */
  remove(path: string): void {
    const found = this.find(path);
    if (!found) return;
    this.clear(found.n);
    this.run('remove', found.n);
    this.purgeIsDue = true;
  }

  /** Removes everything at or under the paths; must run within a transaction. */
  removeUnder(paths: readonly string[]): void {
    for (const [path] of this.statement('paths').all() as unknown as [string][])
      if (paths.some((at) => path === at || path.startsWith(at + sep))) this.remove(path);
  }

  /** Erases what was removed from the database's file. */
  purge(): void {
    if (!this.purgeIsDue) return;
    this.begin();
    this.names.removeUnused();
    this.isChanged = true;
    this.commit();
    this.words.optimize();
    // If another window is reading, the next purge tries again.
    this.purgeIsDue = !this.checkpoints.truncate();
  }

  /** Removes everything. Other windows notice it by `clearCount`. */
  empty(): void {
    this.begin();
    this.database.exec(`PRAGMA application_id = ${(clearCount(this.database) + 1) % MAX_CLEAR_COUNT}`);
    this.isChanged = true;
    this.database.exec(
      'DELETE FROM sessions; DELETE FROM names; DELETE FROM bodies; DELETE FROM labels; DELETE FROM usage; DELETE FROM touches; DELETE FROM documents',
    );
    this.words.empty();
    this.commit();
    this.database.exec('VACUUM');
    this.checkpoints.truncate();
  }

  private putRow(before: { readonly n: number; readonly known: KnownFile } | undefined, file: KnownFile): number {
    const { path } = file;
    const [cwd, ...columns] = encodeFile(file);
    if (!before) {
      const [folder, name] = splitPath(path);
      return Number(this.run('add', hashOfPath(path), this.names.of(folder), name, this.names.of(cwd), ...columns).lastInsertRowid);
    }
    this.run('update', this.names.of(cwd), ...columns, before.n);
    // The name of the folder must leave the database, too.
    this.purgeIsDue ||= before.known.row.summary.cwd !== cwd;
    return before.n;
  }

  private clear(n: number): void {
    const body = this.get('lines', n) as [Uint8Array] | undefined;
    if (body)
      this.words.remove(
        n,
        new LineTable(body[0]).all().flatMap(({ line, hasText }) => (hasText ? [line] : [])),
      );
    this.documents.remove(n);
    for (const name of ['removeBody', 'removeLabels', 'removeUsage', 'removeTouches'] as const) this.run(name, n);
  }

  private statement(name: keyof typeof STATEMENTS): StatementSync {
    let statement = this.prepared.get(name);
    if (!statement) this.prepared.set(name, (statement = rows(this.database, STATEMENTS[name])));
    return statement;
  }

  private get(name: keyof typeof STATEMENTS, ...values: SQLInputValue[]): unknown[] | undefined {
    return this.statement(name).get(...values) as unknown[] | undefined;
  }

  private run(name: keyof typeof STATEMENTS, ...values: SQLInputValue[]): { lastInsertRowid: number | bigint } {
    this.isChanged = true;
    return this.statement(name).run(...values);
  }
}

/** Splits a path after its folder. */
function splitPath(path: string): [folder: string, file: string] {
  const end = path.lastIndexOf(sep) + 1;
  return [path.slice(0, end), path.slice(end)];
}

/** `undefined` if the heads are damaged; then the file is read again. */
function decodeUnlessDamaged(heads: Uint8Array): Session | undefined {
  try {
    return decodeHeads(heads);
  } catch {
    return undefined;
  }
}
