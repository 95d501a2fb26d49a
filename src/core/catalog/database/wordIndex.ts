/** The full-text index of lines, and the numbers of the lines in it. All methods must run within a transaction, except for those about settings. */
import type { DatabaseSync } from 'node:sqlite';
import { bytesOfText, haveWords, lineOfText, textCount, type LineWords, type TextLines } from '../index/words/lineWords';
import { coversLine, documentOf, type DocumentNumbers, type DocumentRange } from './documents';
import { prepareRows, type RowStatement } from './sqlite/resultRows';

/**
 * Settings of FTS5. `hashsize`: the bytes of words that are collected before they are written as a segment; with fewer,
 * more segments are merged. `automerge`: the number of segments before they are merged; more while much is written.
 */
const FTS_HASH_BYTES = 8 * 1024 * 1024;
const [FEW_SEGMENTS, MANY_SEGMENTS] = [4, 16];

export class WordIndex {
  private adding: RowStatement | undefined;
  private removing: RowStatement | undefined;

  constructor(
    private readonly database: DatabaseSync,
    private readonly documents: DocumentNumbers,
  ) {}

  setBulkMode(isBulk: boolean): void {
    this.database.exec(
      `INSERT INTO words (words, rank) VALUES ('hashsize', ${FTS_HASH_BYTES}), ('automerge', ${isBulk ? MANY_SEGMENTS : FEW_SEGMENTS})`,
    );
  }

  /**
   * Adds the words of a session's lines, and their numbers, which order the matches of a search.
   *
   * @returns true if the words are to be added later
   */
  add(n: number, lines: TextLines | LineWords, isNew: boolean): boolean {
    const count = textCount(lines);
    if (count === 0) return false;
    const range = this.documents.add(n, lineOfText(lines, 0), lineOfText(lines, count - 1), isNew);
    if (!haveWords(lines)) return true;
    this.addTexts(range, lines);
    return false;
  }

  /** Adds the words that were left for later. */
  addLater(range: DocumentRange, words: LineWords): void {
    this.addTexts(range, words);
  }

  /**
   * Removes the words of a session's lines.
   *
   * @param lines in ascending order
   */
  remove(n: number, lines: readonly number[]): void {
    const [from] = lines;
    if (from === undefined) return;
    this.removing ??= prepareRows(this.database, 'DELETE FROM words WHERE rowid = ?');
    const ranges: readonly DocumentRange[] = this.documents.of(n, from);
    for (const range of ranges) for (const line of lines) if (coversLine(range, line)) this.removing.run(documentOf(range, line));
  }

  /** Merges all segments, so that removed words leave the file. */
  optimize(): void {
    this.database.exec(`INSERT INTO words (words) VALUES ('optimize')`);
  }

  /** Removes all words. */
  empty(): void {
    this.database.exec(`INSERT INTO words (words) VALUES ('delete-all')`);
  }

  private addTexts(range: DocumentRange, words: LineWords): void {
    this.adding ??= prepareRows(this.database, 'INSERT INTO words (rowid, text) VALUES (?, ?)');
    // In the order of the numbers, as the index has to write what it collected when they fall.
    for (let index = textCount(words) - 1; index >= 0; index--)
      this.adding.run(documentOf(range, lineOfText(words, index)), bytesOfText(words, index));
  }
}
