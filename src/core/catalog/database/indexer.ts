/** Writes the results of scans into the database. */
import { sep } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Session } from '../../format/session/session';
import { endOfLines } from '../../format/session/fileState';
import { hasGrown, sameVersion } from '../../files/read/compareVersions';
import { defined } from '../../format/entry/defined';
import type { Checkpoints } from './integrity/checkpoints';
import { clearCount } from './database';
import { LineTable, type TableLine } from '../encoding/lineTable';
import { dayNumber } from '../index/sessionFacts';
import { DocumentNumbers } from './documents';
import { IndexStatements } from './indexStatements';
import { Names } from './names';
import { rowChecker } from './sqlite/resultRows';
import { WordIndex } from './wordIndex';
import { textCount, lineOfText } from '../index/lineWords';
import { decodeFile, encodeFile } from '../encoding/fileColumns';
import type { FileState, KnownFile } from '../rows/catalogRow';
import type { PreviousScan, IndexRecord } from '../index/scanSession';
import { hashOfPath } from './pathHash';
import { decodeHeads } from '../encoding/decodeHeads';

/** The count of clearings wraps around here. */
const MAX_CLEAR_COUNT = 2 ** 31;

/** Lines of entries are longer on average: ids and a time alone take more. */
const SHORT_LINE_BYTES = 64;

const numberRow = rowChecker('number');
const bodyRow = rowChecker('text', 'bytes', 'bytes?');
const linesRow = rowChecker('bytes');
const pathRow = rowChecker('text');

export class Indexer {
  private readonly statements: IndexStatements;
  private readonly documents: DocumentNumbers;
  private readonly words: WordIndex;
  private readonly names: Names;

  constructor(
    private readonly database: DatabaseSync,
    indexed: boolean,
    readonly checkpoints: Checkpoints,
  ) {
    this.statements = new IndexStatements(database);
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
    // If lines are shorter, the numbers of some older files are taken for newer ones.
    this.documents.expect(Math.ceil(bytes / SHORT_LINE_BYTES) + files);
  }

  begin(): void {
    this.database.exec('BEGIN IMMEDIATE');
    this.names.begin();
  }

  commit(): void {
    if (!this.database.isTransaction) return;
    if (this.statements.hasChanges) this.statements.run('state', this.checkpoints.sealId);
    this.database.exec('COMMIT');
    this.statements.hasChanges = false;
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

  /** The state from which a scan continues if the file only grew. `undefined` for small files, which are read again. */
  previousScan(path: string): PreviousScan | undefined {
    const found = this.find(path);
    if (!found) return undefined;
    const body = this.statements.get('body', found.n);
    if (!body) return undefined;
    const [mark, lines, heads] = bodyRow(body);
    if (!heads) return undefined;
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
    if (before && !known) {
      // A file that grew and has no state from which a scan continues is read anew at each growth, and keeps its words.
      const isRewritten = !hasGrown(before.known.version, scanned.version) || this.hasHeads(n);
      const earlier = this.clear(n);
      if (earlier && (isRewritten || !continues(new LineTable(scanned.lines).all(), earlier))) this.requestPurge();
    }
    const { words } = scanned;
    if (known)
      this.words.remove(
        n,
        Array.from({ length: textCount(words) }, (_, index) => lineOfText(words, index)),
      );
    this.words.add(n, words, before === undefined);
    this.statements.run('removeLabels', n);
    for (const { entryId, label, timestamp } of scanned.labels) this.statements.run('label', n, entryId, label, timestamp);
    this.statements.run('removeUsage', n);
    for (const { day, model, input, output, cacheRead, cacheWrite, cost } of scanned.usage)
      this.statements.run('usage', n, dayNumber(day), this.names.of(model), input, output, cacheRead, cacheWrite, cost);
    // Appended touches get a row of their own, so that their cost depends on the growth alone.
    const { touches } = scanned;
    if (touches.bytes.length > 0) this.statements.run('touches', n, touches.paths, touches.bytes);
    const { heads } = scanned;
    // A scan continues only from stored heads.
    if (heads) this.statements.run('putBody', n, heads.bytes ? heads.mark : '', scanned.lines, heads.bytes);
    else this.statements.run('updateBody', scanned.lines, n);
  }

  /** Stores a file that can't be read; must run within a transaction. */
  putUnreadable(known: KnownFile): void {
    const before = this.find(known.path);
    const n = this.putRow(before, known);
    if (before && this.clear(n)) this.requestPurge();
  }

  /** Must run within a transaction. */
  remove(path: string): void {
    const found = this.find(path);
    if (!found) return;
    this.clear(found.n);
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
    this.statements.hasChanges = true;
    this.commit();
    this.words.optimize();
    // If another window is reading, the next purge tries again.
    if (!this.checkpoints.truncate()) return;
    this.begin();
    this.statements.run('purged');
    this.commit();
  }

  /** Removes everything. Other windows notice it by `clearCount`. */
  empty(): void {
    this.begin();
    this.database.exec(`PRAGMA application_id = ${(clearCount(this.database) + 1) % MAX_CLEAR_COUNT}`);
    this.statements.hasChanges = true;
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

  private hasHeads(n: number): boolean {
    const body = this.statements.get('body', n);
    return body !== undefined && bodyRow(body)[2] !== null;
  }

  /** Returns the lines that there were; `undefined` if there was nothing. */
  private clear(n: number): readonly TableLine[] | undefined {
    const body = this.statements.get('lines', n);
    const lines = body && new LineTable(linesRow(body)[0]).all();
    if (lines)
      this.words.remove(
        n,
        lines.flatMap(({ line, hasText }) => (hasText ? [line] : [])),
      );
    this.documents.remove(n);
    for (const name of ['removeBody', 'removeLabels', 'removeUsage', 'removeTouches'] as const) this.statements.run(name, n);
    return lines;
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

/** `undefined` if the heads are damaged; then the file is read again. */
function decodeUnlessDamaged(heads: Uint8Array): Session | undefined {
  try {
    return decodeHeads(heads);
  } catch {
    return undefined;
  }
}
