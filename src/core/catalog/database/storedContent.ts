/** The stored content of sessions besides their rows: words, labels, usage, touched files, and the state that scans continue from. */
import type { DatabaseSync } from 'node:sqlite';
import type { Session } from '../../format/session/session';
import { endOfLines } from '../../format/session/fileState';
import { LineTable, type TableLine } from '../encoding/lineTable';
import { decodeHeads } from '../encoding/decodeHeads';
import { lineOfText, textCount, type LineWords } from '../index/lineWords';
import { dayNumber } from '../index/sessionFacts';
import type { IndexRecord, PreviousScan } from '../index/scanSession';
import { DocumentNumbers } from './documents';
import type { IndexStatements } from './indexStatements';
import type { Names } from './names';
import { rowChecker } from './sqlite/resultRows';
import { WordIndex } from './wordIndex';

/** Lines of entries are longer on average: ids and a time alone take more. */
const SHORT_LINE_BYTES = 64;

const contentRow = rowChecker('text', 'bytes', 'bytes?');
const linesRow = rowChecker('bytes');
const numberRow = rowChecker('number');

/** Sessions are named by their numbers. Methods that write must run within a transaction. */
export class StoredContent {
  private readonly documents: DocumentNumbers;
  private readonly words: WordIndex;

  constructor(
    private readonly statements: IndexStatements,
    private readonly names: Names,
    database: DatabaseSync,
    hasWordIndex: boolean,
  ) {
    this.documents = new DocumentNumbers(database);
    this.words = new WordIndex(database, hasWordIndex, this.documents);
  }

  setBulkMode(isBulk: boolean): void {
    this.words.setBulkMode(isBulk);
  }

  /** Announces sessions that have no content yet. They must be stored from the newest to the oldest. */
  expect(files: number, bytes: number): void {
    // If lines are shorter, the numbers of some older files are taken for newer ones.
    this.documents.expect(Math.ceil(bytes / SHORT_LINE_BYTES) + files);
  }

  /** True if a scan can continue from the stored content. */
  hasHeads(n: number): boolean {
    const content = this.statements.get('content', n);
    return content !== undefined && contentRow(content)[2] !== null;
  }

  /** The state from which a scan continues if the file only grew; `undefined` without heads. */
  previousScan(n: number): Omit<PreviousScan, 'firstMessage'> | undefined {
    const content = this.statements.get('content', n);
    if (!content) return undefined;
    const [checksum, lines, heads] = contentRow(content);
    if (!heads) return undefined;
    const session = decodeUnlessDamaged(heads);
    return session && { session, checksum, table: new LineTable(lines).all(), headsOffset: endOfLines(session).offset };
  }

  /** Stores a scan's result. @param isNew true for a session without content @param isAppend true if the result adds to the content */
  put(n: number, scanned: IndexRecord, isNew: boolean, isAppend: boolean): void {
    const { words } = scanned;
    if (isAppend)
      this.words.remove(
        n,
        Array.from({ length: textCount(words) }, (_, index) => lineOfText(words, index)),
      );
    if (this.words.add(n, words, isNew)) this.statements.run('putUnindexed', n);
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
    if (heads) this.statements.run('putContent', n, heads.bytes ? heads.checksum : '', scanned.lines, heads.bytes);
    else this.statements.run('updateContent', scanned.lines, n);
  }

  /** Removes all. Returns the lines that there were; `undefined` if there was nothing. */
  clear(n: number): readonly TableLine[] | undefined {
    const content = this.statements.get('lines', n);
    const lines = content && new LineTable(linesRow(content)[0]).all();
    if (lines && !this.isUnindexed(n))
      this.words.remove(
        n,
        lines.flatMap(({ line, hasText }) => (hasText ? [line] : [])),
      );
    this.documents.remove(n);
    for (const name of ['removeContent', 'removeUnindexed', 'removeLabels', 'removeUsage', 'removeTouches'] as const)
      this.statements.run(name, n);
    return lines;
  }

  /** True if the words of a session were left for later. */
  isUnindexed(n: number): boolean {
    return this.statements.get('isUnindexed', n) !== undefined;
  }

  /** The sessions whose words were left for later, in the order in which their words must be added. */
  unindexed(): number[] {
    return this.statements.all('unindexed').map((row) => numberRow(row)[0]);
  }

  /** Returns the numbers of `LineTable.textLines`. */
  textLines(n: number): number[] {
    const content = this.statements.get('lines', n);
    return content ? new LineTable(linesRow(content)[0]).textLines() : [];
  }

  /** Adds words that were left for later, unless they were added since. */
  addWords(n: number, words: LineWords): void {
    if (!this.isUnindexed(n)) return;
    this.statements.run('removeUnindexed', n);
    // The numbers of its lines are consecutive, as none were added since.
    const [range] = this.documents.of(n, 0);
    if (range) this.words.addLater(range, words);
  }

  /** Erases removed words from the database's file. */
  optimize(): void {
    this.words.optimize();
  }

  /** Removes the words of all sessions. */
  emptyWords(): void {
    this.words.empty();
  }
}

/** `undefined` if the heads are damaged; then the file is read again. */
function decodeUnlessDamaged(heads: Uint8Array): Session | undefined {
  try {
    return decodeHeads(heads);
  } catch {
    return undefined;
  }
}
