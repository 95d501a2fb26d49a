/** Writes the results of scans into the database: the transactions, the rows of files, and what is erased. */
import { sep } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { hasGrown, sameVersion } from '../../files/read/versions/compareVersions';
import { defined } from '../../format/values/defined';
import { clearCount, emptyWal } from './database';
import { LineTable, type TableLine } from '../encoding/lineTable';
import type { LineWords } from '../index/words/lineWords';
import { IndexStatements } from './indexStatements';
import { Names } from './names';
import { rowChecker } from './sqlite/resultRows';
import { StoredContent } from './storedContent';
import { decodeFile, encodeFile } from '../encoding/fileColumns';
import type { FileState, KnownFile } from '../rows/catalogRow';
import type { FileIndex } from '../index/scanSession';
import type { StoredTexts } from '../index/storedTexts';
import { hashOfPath } from './pathHash';

/** The count of clearings wraps around here. */
const MAX_CLEAR_COUNT = 2 ** 31;

const numberRow = rowChecker('number');
const pathRow = rowChecker('text');

export class Indexer {
  private readonly statements: IndexStatements;
  private readonly names: Names;
  private readonly content: StoredContent;

  constructor(private readonly database: DatabaseSync) {
    this.statements = new IndexStatements(database);
    this.names = new Names(database);
    this.content = new StoredContent(this.statements, this.names, database);
  }

  /** The last connection to close leaves a single file. */
  close(): void {
    this.database.close();
  }

  setBulkMode(isBulk: boolean): void {
    this.content.setBulkMode(isBulk);
  }

  /** Announces files that have no row yet. They must be stored from the newest to the oldest. */
  expect(files: number, bytes: number): void {
    this.content.expect(files, bytes);
  }

  begin(): void {
    this.database.exec('BEGIN IMMEDIATE');
    this.names.begin();
  }

  commit(): void {
    if (this.database.isTransaction) this.database.exec('COMMIT');
  }

  rollback(): void {
    if (this.database.isTransaction) this.database.exec('ROLLBACK');
  }

  /** True if there is a record of a file, whichever version it describes. */
  has(path: string): boolean {
    return this.statements.get('has', hashOfPath(path), path) !== undefined;
  }

  /** The stored record of a file, whichever version it describes. */
  find(path: string): { n: number; known: KnownFile } | undefined {
    const found = this.statements.get('find', hashOfPath(path), path);
    if (!found) return undefined;
    const [n] = numberRow(found.slice(0, 1));
    return { n, known: decodeFile(path, found.slice(1)) };
  }

  /** True if the words of a session were left for later. */
  isUnindexed(n: number): boolean {
    return this.content.isUnindexed(n);
  }

  /** The sessions whose words were left for later, in the order in which `addWords` must be called. */
  unindexed(): number[] {
    return this.content.unindexed();
  }

  /** The texts whose words were left for later. `undefined` if the session is gone. */
  textsOf(n: number): StoredTexts | undefined {
    const path = this.statements.get('path', n);
    const known = path && this.find(pathRow(path)[0])?.known;
    return known && { path: known.path, version: known.version, title: known.row.summary.name ?? '', lines: this.content.textLines(n) };
  }

  /** Adds words that were left for later, unless another window has added them or read the file again; must run within a transaction. */
  addWords(n: number, { path, version }: StoredTexts, words: LineWords): void {
    const now = this.find(path);
    if (now?.n === n && sameVersion(now.known.version, version)) this.content.addWords(n, words);
  }

  /**
   * Stores a scan's result; must run within a transaction. Does nothing if another window has stored the same version.
   *
   * @param isRewritten true if the file is known not to begin with what is stored
   */
  put(file: FileState, scanned: FileIndex, isRewritten = false): void {
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
    if (before && !known) {
      // A file that grew may have been read from its start, and then it keeps its words.
      const mayContinue = !isRewritten && hasGrown(before.known.version, scanned.version);
      const earlier = this.content.clear(n);
      if (earlier && (!mayContinue || !continues(new LineTable(scanned.lines).all(), earlier))) this.requestPurge();
    }
    this.content.put(n, scanned, before === undefined, known);
  }

  /** Stores a file that can't be read; must run within a transaction. */
  putUnreadable(known: KnownFile): void {
    const before = this.find(known.path);
    const n = this.putRow(before, known);
    if (before && this.content.clear(n)) this.requestPurge();
  }

  /** Must run within a transaction. */
  remove(path: string): void {
    const found = this.find(path);
    if (!found) return;
    this.content.clear(found.n);
    this.statements.run('remove', found.n);
    this.requestPurge();
  }

  /** Removes everything at or under the paths; must run within a transaction. */
  removeUnder(paths: readonly string[]): void {
    for (const [path] of this.statements.all('paths').map(pathRow))
      if (paths.some((at) => path === at || path.startsWith(at + sep))) this.remove(path);
  }

  /** Erases what was removed from the database's file, also by a process that was killed before it could do so. */
  purge(): void {
    if (!this.statements.get('isPurgeDue')) return;
    this.begin();
    this.names.removeUnused();
    this.commit();
    this.content.optimize();
    // If another window is reading, the next purge tries again.
    if (!emptyWal(this.database)) return;
    this.begin();
    this.statements.run('purged');
    this.commit();
  }

  /** Removes everything. Other windows notice it by `clearCount`. */
  empty(): void {
    this.begin();
    this.database.exec(`PRAGMA application_id = ${(clearCount(this.database) + 1) % MAX_CLEAR_COUNT}`);
    this.database.exec(
      'DELETE FROM sessions; DELETE FROM names; DELETE FROM contents; DELETE FROM labels; DELETE FROM answers; DELETE FROM touches; DELETE FROM documents; DELETE FROM unindexed',
    );
    this.content.emptyWords();
    this.commit();
    this.database.exec('VACUUM');
    emptyWal(this.database);
  }

  private putRow(before: { readonly n: number; readonly known: KnownFile } | undefined, file: KnownFile): number {
    const { path } = file;
    const [cwd, ...columns] = encodeFile(file);
    if (!before) {
      const [folder, name] = splitPath(path);
      return Number(
        this.statements.run('add', hashOfPath(path), this.names.of(folder), name, this.names.of(cwd), ...columns).lastInsertRowid,
      );
    }
    this.statements.run('update', this.names.of(cwd), ...columns, before.n);
    // The name of the folder must leave the database, too.
    if (before.known.row.summary.cwd !== cwd) this.requestPurge();
    return before.n;
  }

  /** Must run in the transaction of the removal, so that a process that is killed right after it leaves the request. */
  private requestPurge(): void {
    this.statements.run('requestPurge');
  }
}

/** True if the earlier lines of a file are still where they were. A line that was replaced by one of equal length isn't noticed. */
const continues = (lines: readonly TableLine[], earlier: readonly TableLine[]): boolean =>
  earlier.every(({ offset, length, entryId }, index) => {
    const now = lines[index];
    return now?.offset === offset && now.length === length && now.entryId === entryId;
  });

/** Splits a path after its folder. */
function splitPath(path: string): [folder: string, file: string] {
  const end = path.lastIndexOf(sep) + 1;
  return [path.slice(0, end), path.slice(end)];
}
