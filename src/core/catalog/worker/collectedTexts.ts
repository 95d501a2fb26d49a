/**
 * The words of sessions that would have to be unpacked again for them: their texts come with their rows, and are collected in a
 * segment of the full-text index, which is stored between two transactions. What isn't stored stays left for the second pass.
 */
import type { SegmentBuilder } from '../../format/scanner/segmentBuilder';
import type { FileVersion } from '../../files/read/fileVersion';
import { sameVersion } from '../../files/read/compareVersions';
import { documentOf, type DocumentRange } from '../database/documents';
import type { Indexer } from '../database/indexer';
import { WORD_PAGE_BYTES } from '../database/schema';
import type { LineWords } from '../index/lineWords';
import { createSegmentBuilder, MAX_SEGMENT_BYTES, MAX_SEGMENTS } from './segmentPass';

/** A session whose words are in the segment. */
interface CollectedSession {
  readonly n: number;
  readonly path: string;
  readonly version: FileVersion;
  readonly range: DocumentRange;
  /** See `SegmentBuilder.addTexts`. */
  readonly sizes: Int32Array;
}

/** The segments of a transaction. */
const ONLY = 0;

export class CollectedTexts {
  private readonly sessions: CollectedSession[] = [];
  private segment: SegmentBuilder | undefined;
  /** The last document in the segment. */
  private last = -Infinity;

  constructor(private readonly indexer: Indexer) {}

  get isFull(): boolean {
    return (this.segment?.size ?? 0) >= MAX_SEGMENT_BYTES;
  }

  /** Adds the words of a session that was just stored without them. */
  add(path: string, version: FileVersion, texts: LineWords): void {
    const { indexer } = this;
    const n = indexer.find(path)?.n;
    const range = n === undefined || !indexer.isUnindexed(n) ? undefined : indexer.rangeOf(n);
    // A segment takes documents in ascending order. Numbers fall when those that were set aside are used up.
    if (n === undefined || !range || range.first <= this.last) return;
    const segment = (this.segment ??= createSegmentBuilder());
    if (!segment) return;
    const sizes = segment.addTexts(texts, (line) => documentOf(range, line));
    this.sessions.push({ n, path, version, range, sizes });
    this.last = range.first + range.count - 1;
  }

  /** Stores the segment. Must be called without a transaction. */
  store(): void {
    const { segment, indexer } = this;
    const sessions = this.sessions.splice(0);
    this.segment = undefined;
    this.last = -Infinity;
    if (!segment || sessions.length === 0) return;
    const writer = indexer.openSegmentWriter();
    try {
      // Another window may have read a session anew since, or removed it.
      if (!writer?.begin(1) || !sessions.every((one) => this.isCurrent(one))) return;
      for (const { n, sizes } of sessions) writer.addSession(n, ONLY, sizes);
      writer.addStarts(
        ONLY,
        segment.finish(WORD_PAGE_BYTES, (pages) => writer.addPages(ONLY, pages)),
      );
      writer.commit(indexer.checkpoints.sealId);
      if (writer.segmentCount >= MAX_SEGMENTS) indexer.mergeSegments();
    } finally {
      writer?.close();
    }
  }

  private isCurrent({ n, path, version, range }: CollectedSession): boolean {
    const now = this.indexer.find(path);
    return (
      now?.n === n &&
      sameVersion(now.known.version, version) &&
      this.indexer.isUnindexed(n) &&
      this.indexer.rangeOf(n)?.first === range.first
    );
  }
}
