/** The stored content of sessions besides their rows: words, labels, answers, touched files and lines. */
import type { DatabaseSync } from 'node:sqlite';
import { LineTable, type TableLine } from '../encoding/lineTable';
import { lineOfText, textCount, type LineWords } from '../index/words/lineWords';
import type { FileIndex } from '../index/scanSession';
import { DocumentNumbers } from './documents';
import type { IndexStatements } from './indexStatements';
import type { Names } from './names';
import { rowChecker } from './sqlite/resultRows';
import { WordIndex } from './wordIndex';

/** Lines of entries are longer on average: ids and a time alone take more. */
const SHORT_LINE_BYTES = 64;

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
  ) {
    this.documents = new DocumentNumbers(database);
    this.words = new WordIndex(database, this.documents);
  }

  setBulkMode(isBulk: boolean): void {
    this.words.setBulkMode(isBulk);
  }

  /** Announces sessions that have no content yet. They must be stored from the newest to the oldest. */
  expect(files: number, bytes: number): void {
    // If lines are shorter, the numbers of some older files are taken for newer ones.
    this.documents.expect(Math.ceil(bytes / SHORT_LINE_BYTES) + files);
  }

  /** Stores a scan's result. @param isNew true for a session without content @param isAppend true if the result adds to the content */
  put(n: number, scanned: FileIndex, isNew: boolean, isAppend: boolean): void {
    const { words } = scanned;
    if (isAppend)
      this.words.remove(
        n,
        Array.from({ length: textCount(words) }, (_, index) => lineOfText(words, index)),
      );
    if (this.words.add(n, words, isNew)) this.statements.run('putUnindexed', n);
    this.statements.run('removeLabels', n);
    for (const { entryId, label, timestamp } of scanned.labels) this.statements.run('label', n, entryId, label, timestamp);
    // Appended answers and touches get rows of their own, so that their cost depends on the growth alone.
    for (const { model, bytes } of scanned.answers) this.statements.run('answers', n, this.names.of(model), bytes);
    const { touches } = scanned;
    if (touches.bytes.length > 0) this.statements.run('touches', n, touches.paths, touches.bytes);
    this.statements.run('putContent', n, scanned.lines);
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
    for (const name of ['removeContent', 'removeUnindexed', 'removeLabels', 'removeAnswers', 'removeTouches'] as const)
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
