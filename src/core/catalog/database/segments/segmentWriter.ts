/**
 * Adds finished segments to the full-text index. They are written into the tables of FTS5, which SQLite allows only
 * without its defensive mode. The connection is one of its own, because FTS5 keeps what it has read of its tables until
 * another connection changes them.
 */
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import type { SegmentPages, SegmentStarts } from '../../../format/scanner/segmentBuilder';
import { IndexStatements } from '../indexStatements';
import { prepareRows, rowChecker, type RowStatement } from '../sqlite/resultRows';
import {
  decodeStructure,
  decodeVarints,
  encodeStructure,
  encodeVarints,
  segmentsOf,
  withSegments,
  type IndexStructure,
} from './fts5Records';

/** Rows of `words_data`. */
const [COUNTS_ROW, STRUCTURE_ROW] = [1, 10];
/** A page of a segment has the segment's id times this, plus its own number. */
const SEGMENT_ROWS = 2 ** 37;

/** Sizes that are stored by one statement, which takes half of the time of single ones. */
const TOGETHER = 32;

const blockRow = rowChecker('bytes');

/** The index as it is before a transaction's segments. */
interface IndexState {
  readonly structure: IndexStructure;
  /** The number of texts, and of their words. */
  readonly counts: readonly [texts: number, words: number];
}

/** Begins with {@link begin}, ends with {@link commit} or {@link close}. */
export class SegmentWriter {
  private readonly statements: IndexStatements;
  private readonly putBlock: RowStatement;
  private readonly putStart: RowStatement;
  private readonly putSizes: RowStatement;
  private readonly putSize: RowStatement;
  /** The number of segments that were added to the index and not merged yet. */
  segmentCount = 0;
  private state: IndexState | undefined;
  private segments: NewSegment[] = [];
  private sessions: number[] = [];

  /** @throws SQLite's error in defensive mode */
  constructor(private readonly database: DatabaseSync) {
    this.statements = new IndexStatements(database);
    this.putBlock = prepareRows(database, 'REPLACE INTO words_data (id, block) VALUES (?, ?)');
    this.putStart = prepareRows(database, 'INSERT INTO words_idx (segid, term, pgno) VALUES (?, ?, ?)');
    this.putSize = prepareRows(database, 'INSERT INTO words_docsize (id, sz, origin) VALUES (?, ?, ?)');
    const values = Array.from({ length: TOGETHER }, () => '(?, ?, ?)').join();
    this.putSizes = prepareRows(database, `INSERT INTO words_docsize (id, sz, origin) VALUES ${values}`);
  }

  /**
   * Begins a transaction that adds segments.
   *
   * @param count the number of segments
   * @returns false if the index has another format; then there is no transaction
   */
  begin(count: number): boolean {
    this.database.exec('BEGIN IMMEDIATE');
    this.state = this.readState();
    if (!this.state) this.database.exec('ROLLBACK');
    this.segments = this.state ? newSegments(this.state.structure, count) : [];
    this.sessions = [];
    return this.state !== undefined;
  }

  /** Stores the sizes of a session's texts, which are in one of the segments. @param sizes from `collectWords` */
  addSession(n: number, segment: number, sizes: Int32Array): void {
    const added = this.segment(segment);
    this.sessions.push(n);
    const values: SQLInputValue[] = [];
    for (let at = 0; at < sizes.length; at += 2) {
      const [document, words] = [sizes[at]!, sizes[at + 1]!];
      values.push(document, sizeBytes(words), added.origin);
      added.texts++;
      added.words += words;
      if (values.length < TOGETHER * 3) continue;
      this.putSizes.run(...values);
      values.length = 0;
    }
    for (let at = 0; at < values.length; at += 3) this.putSize.run(...values.slice(at, at + 3));
  }

  addPages(segment: number, { bytes, ends }: SegmentPages): void {
    const added = this.segment(segment);
    let from = 0;
    for (const end of ends) {
      this.putBlock.run(added.id * SEGMENT_ROWS + ++added.pages, bytes.subarray(from, end));
      from = end;
    }
  }

  /** Ends a segment whose pages were added. */
  addStarts(segment: number, { pages, words }: SegmentStarts): void {
    const { id, pages: count } = this.segment(segment);
    // The lowest bit would say that long lists of texts have an index of their pages, which is optional.
    if (count > 0) this.putStart.run(id, new Uint8Array(), 1 << 1);
    let from = 0;
    for (let at = 0; at < pages.length; at += 2) {
      const length = pages[at + 1]!;
      this.putStart.run(id, words.subarray(from, from + length), pages[at]! * 2);
      from += length;
    }
  }

  /**
   * Adds the segments to the index.
   *
   * @param sealId see `CommitState`
   */
  commit(sealId: string): void {
    const { state } = this;
    if (!state) throw new Error('There is no transaction.');
    const written = this.segments.filter(({ pages }) => pages > 0);
    const structure = withSegments(
      state.structure,
      written.map(({ id, origin, pages, texts }) => ({
        id,
        firstPage: 1,
        lastPage: pages,
        firstOrigin: origin,
        lastOrigin: origin,
        tombstonePages: 0,
        tombstones: 0,
        texts,
      })),
    );
    const sum = (of: 'texts' | 'words'): number => this.segments.reduce((all, one) => all + one[of], 0);
    this.segmentCount = structure.levels[0]?.segments.length ?? 0;
    this.putBlock.run(STRUCTURE_ROW, encodeStructure(structure));
    this.putBlock.run(COUNTS_ROW, encodeVarints([state.counts[0] + sum('texts'), state.counts[1] + sum('words')]));
    for (const n of this.sessions) this.statements.run('removeUnindexed', n);
    this.statements.run('state', sealId);
    this.database.exec('COMMIT');
  }

  /** Discards what wasn't committed. */
  close(): void {
    this.database.close();
  }

  private segment(index: number): NewSegment {
    const found = this.segments[index];
    if (!found) throw new RangeError('There is no such segment.');
    return found;
  }

  private readState(): IndexState | undefined {
    const read = prepareRows(this.database, 'SELECT block FROM words_data WHERE id = ?');
    const [structureBlock, countsBlock] = [read.get(STRUCTURE_ROW), read.get(COUNTS_ROW)];
    const structure = structureBlock && decodeStructure(blockRow(structureBlock)[0]);
    const counts = countsBlock && decodeVarints(blockRow(countsBlock)[0]);
    if (!structure || !counts) return undefined;
    const [texts = 0, words = 0] = counts;
    return { structure, counts: [texts, words] };
  }
}

interface NewSegment {
  readonly id: number;
  readonly origin: number;
  pages: number;
  texts: number;
  words: number;
}

/** Gives segments unused ids, and origins after all others. */
function newSegments(structure: IndexStructure, count: number): NewSegment[] {
  const segments = segmentsOf(structure);
  const used = new Set(segments.map(({ id }) => id));
  const origin = segments.reduce((last, { lastOrigin }) => Math.max(last, lastOrigin), 0) + 1;
  const added: NewSegment[] = [];
  for (let id = 1; added.length < count; id++)
    if (!used.has(id)) added.push({ id, origin: origin + added.length, pages: 0, texts: 0, words: 0 });
  return added;
}

const sizes: Uint8Array[] = [];

/** A number of words as FTS5 stores it. Those that are frequent are kept. */
function sizeBytes(words: number): Uint8Array {
  return words < 4096 ? (sizes[words] ??= encodeVarints([words])) : encodeVarints([words]);
}
