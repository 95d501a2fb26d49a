/** Writes what scans found into the database. */
import { sep } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { Session } from '../../format/session/session';
import { sameVersion } from '../../files/read/compareVersions';
import type { Checkpoints } from './checkpoints';
import { rows, clearCount } from './database';
import { LineTable } from '../encoding/lineTable';
import { bytesOfText, textCount, lineOfText } from '../index/lineWords';
import { decodeFile, encodeFile, FILE_COLUMNS, type FileColumns } from '../encoding/fileColumns';
import type { FileState, KnownFile } from '../rows/catalogRow';
import type { PreviousScan, IndexRecord } from '../index/scanSession';
import { LINES_PER_SESSION } from './schema';
import { decodeHeads } from '../encoding/headCodec';

/**
 * Bytes of words that are put together before they are written: what a processor has near. And how many such parts
 * there are before they are made one: when much is written, less often.
 */
const FTS_HASH_BYTES = 2 * 1024 * 1024;
const [FEW_PARTS, MANY_PARTS] = [4, 16];

/** Numbers of times begin anew here. */
const MAX_CLEAR_COUNT = 2 ** 31;

const STATEMENTS = {
  find: `SELECT n, ${FILE_COLUMNS} FROM sessions WHERE path = ?`,
  add: `INSERT INTO sessions (path, ${FILE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`,
  update: `UPDATE sessions SET (${FILE_COLUMNS}) = (?, ?, ?, ?, ?) WHERE n = ?`,
  remove: 'DELETE FROM sessions WHERE n = ?',
  body: 'SELECT mark, lines, heads FROM bodies WHERE n = ?',
  lines: 'SELECT lines FROM bodies WHERE n = ?',
  putBody: 'INSERT OR REPLACE INTO bodies (n, mark, lines, heads, facts) VALUES (?, ?, ?, ?, ?)',
  updateBody: 'UPDATE bodies SET lines = ?, facts = ? WHERE n = ?',
  removeBody: 'DELETE FROM bodies WHERE n = ?',
  removeLabels: 'DELETE FROM labels WHERE n = ?',
  label: 'INSERT OR REPLACE INTO labels VALUES (?, ?, ?, ?)',
  removeUsage: 'DELETE FROM usage WHERE n = ?',
  usage: 'INSERT OR REPLACE INTO usage VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  removeTouches: 'DELETE FROM touches WHERE n = ?',
  touches: 'INSERT OR REPLACE INTO touches VALUES (?, ?, ?, ?)',
  paths: 'SELECT path FROM sessions',
  state: 'UPDATE state SET commits = commits + 1, base = ?',
} as const;

const WORD_STATEMENTS = {
  addWords: 'INSERT INTO words (rowid, text) VALUES (?, ?)',
  removeWords: 'DELETE FROM words WHERE rowid = ?',
} as const;

export class Indexer {
  private readonly prepared = new Map<string, StatementSync>();
  private purgeIsDue = false;
  private isChanged = false;

  constructor(
    private readonly database: DatabaseSync,
    private readonly indexed: boolean,
    readonly checkpoints: Checkpoints,
  ) {}

  /** Lets go of a database that is of no use any more. */
  discard(): void {
    this.database.close();
  }

  /** The last one that has it open leaves a single file. */
  close(): void {
    try {
      this.checkpoints.runFinal();
    } finally {
      this.database.close();
    }
  }

  setBulkMode(isMuch: boolean): void {
    if (this.indexed) this.database.exec(`INSERT INTO words (words, rank) VALUES ('hashsize', ${FTS_HASH_BYTES}), ('automerge', ${isMuch ? MANY_PARTS : FEW_PARTS})`);
  }

  begin(): void {
    this.database.exec('BEGIN IMMEDIATE');
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

  /** What is stored of a file, whatever its state was. */
  find(path: string): { n: number; known: KnownFile } | undefined {
    const found = this.get('find', path);
    if (!found) return undefined;
    const [n, ...columns] = found as [number, ...FileColumns];
    return { n, known: decodeFile(path, columns) };
  }

  /** What a scan can go on from if the file only grew; nothing for small files. */
  previousScan(path: string): PreviousScan | undefined {
    const found = this.find(path);
    if (!found) return undefined;
    const [mark, lines, heads] = (this.get('body', found.n) ?? []) as [string?, Uint8Array?, (Uint8Array | null)?];
    if (mark === undefined || !lines || !heads) return undefined;
    const session = readable(heads);
    return session && { session, checksum: mark, table: new LineTable(lines).all(), firstMessage: found.known.row.firstMessage, headsOffset: session.readerState.offset };
  }

  /** Within a transaction. Another window may have stored the same state meanwhile: then nothing is done. */
  put(file: FileState, scanned: IndexRecord): void {
    const { owner } = file;
    const before = this.find(file.path);
    if (before && sameVersion(before.known.version, scanned.version) && before.known.owner === owner) return;
    const n = this.putRow(before?.n, { path: file.path, version: scanned.version, row: scanned.row, complete: true, ...(owner === undefined ? {} : { owner }) });
    const known = scanned.isAppend && before !== undefined && before.known.version.size < scanned.version.size;
    if (before && !known) this.clear(n);
    const { words } = scanned;
    if (known) this.removeIndexed(n, Array.from({ length: textCount(words) }, (_, index) => lineOfText(words, index)));
    if (this.indexed) {
      const add = this.statement('addWords');
      const count = textCount(words);
      for (let index = 0; index < count; index++) {
        const line = lineOfText(words, index);
        if (line < LINES_PER_SESSION) add.run(n * LINES_PER_SESSION + line, bytesOfText(words, index));
      }
    }
    this.run('removeLabels', n);
    for (const { entryId, label, timestamp } of scanned.labels) this.run('label', n, entryId, label, timestamp);
    this.run('removeUsage', n);
    for (const { day, model, input, output, cacheRead, cacheWrite, cost } of scanned.usage) this.run('usage', n, day, model, input, output, cacheRead, cacheWrite, cost);
    // What is added when a file grew has a row of its own, so that it costs no more than what grew.
    const { touches } = scanned;
    if (touches.bytes.length > 0) this.run('touches', n, known ? before.known.version.size : 0, touches.paths, touches.bytes);
    const facts = JSON.stringify(scanned.facts);
    if (scanned.heads) this.run('putBody', n, scanned.heads.mark, scanned.lines, scanned.heads.bytes, facts);
    else this.run('updateBody', scanned.lines, facts, n);
  }

  /** Within a transaction: a file that can't be read. */
  putUnreadable(known: KnownFile): void {
    const before = this.find(known.path);
    const n = this.putRow(before?.n, known);
    if (before) this.clear(n);
  }

  /** Within a transaction. */
  remove(path: string): void {
    const found = this.find(path);
    if (!found) return;
    this.clear(found.n);
    this.run('remove', found.n);
    this.purgeIsDue = true;
  }

  /** Within a transaction: everything at or under the paths. */
  removeUnder(paths: readonly string[]): void {
    for (const [path] of this.statement('paths').all() as unknown as [string][]) if (paths.some((at) => path === at || path.startsWith(at + sep))) this.remove(path);
  }

  /** What was removed leaves the database's own file, too. */
  purge(): void {
    if (!this.purgeIsDue) return;
    if (this.indexed) this.database.exec(`INSERT INTO words (words) VALUES ('optimize')`);
    // While another window reads it waits for the next time.
    this.purgeIsDue = !this.checkpoints.truncate();
  }

  /** Takes everything out; other windows can tell. */
  empty(): void {
    this.begin();
    this.database.exec(`PRAGMA application_id = ${(clearCount(this.database) + 1) % MAX_CLEAR_COUNT}`);
    this.isChanged = true;
    this.database.exec('DELETE FROM sessions; DELETE FROM bodies; DELETE FROM labels; DELETE FROM usage; DELETE FROM touches');
    if (this.indexed) this.database.exec(`INSERT INTO words (words) VALUES ('delete-all')`);
    this.commit();
    this.database.exec('VACUUM');
    this.checkpoints.truncate();
  }

  private putRow(n: number | undefined, file: KnownFile): number {
    const values = encodeFile(file);
    if (n === undefined) return Number(this.run('add', file.path, ...values).lastInsertRowid);
    this.run('update', ...values, n);
    return n;
  }

  private clear(n: number): void {
    const body = this.get('lines', n) as [Uint8Array] | undefined;
    if (body) this.removeIndexed(n, new LineTable(body[0]).all().flatMap(({ line, hasText }) => (hasText ? [line] : [])));
    for (const name of ['removeBody', 'removeLabels', 'removeUsage', 'removeTouches'] as const) this.run(name, n);
  }

  private removeIndexed(n: number, lines: readonly number[]): void {
    if (!this.indexed) return;
    const remove = this.statement('removeWords');
    for (const line of lines) if (line < LINES_PER_SESSION) remove.run(n * LINES_PER_SESSION + line);
  }

  private statement(name: keyof typeof STATEMENTS | keyof typeof WORD_STATEMENTS): StatementSync {
    let statement = this.prepared.get(name);
    if (!statement) this.prepared.set(name, (statement = rows(this.database, name in STATEMENTS ? STATEMENTS[name as keyof typeof STATEMENTS] : WORD_STATEMENTS[name as keyof typeof WORD_STATEMENTS])));
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

/** `undefined`: they are damaged, and the file is read anew. */
function readable(heads: Uint8Array): Session | undefined {
  try {
    return decodeHeads(heads);
  } catch {
    return undefined;
  }
}
