/**
 * The second pass with two threads: each collects the words of some sessions in a segment of its own, and this one stores
 * both, which takes less time than FTS5 needs for the words.
 */
import { SegmentBuilder } from '../../format/scanner/segmentBuilder';
import type { Indexer } from '../database/indexer';
import { WORD_PAGE_BYTES } from '../database/schema';
import type { SegmentWriter } from '../database/segments/segmentWriter';
import { collectWords } from '../index/collectWords';
import type { CollectedWords } from './scanProtocol';
import type { ScanThreadClient } from './scanThreadClient';
import type { WordPassOptions } from './wordPass';

/** Sessions that the other thread has to do at most. */
const REQUESTED = 4;
/** The bytes of a segment's words in memory from which on it's stored. */
export const MAX_SEGMENT_BYTES = 24 * 1024 * 1024;
/** Milliseconds after which what was collected is stored: other windows wait for that. */
const MAX_COLLECTING_MS = 2000;
/** The number of new segments from which on they're merged. */
export const MAX_SEGMENTS = 16;
/** The segments of a transaction. */
const [OWN, OTHER] = [0, 1];

interface SegmentPassOptions extends WordPassOptions {
  readonly scanThread: ScanThreadClient;
}

/**
 * Adds the words of sessions. Must be called without a transaction.
 *
 * @param sessions their numbers, from `Indexer.unindexed`
 * @returns false if it isn't possible here, or not any more; what was stored until then stays
 */
export async function addSegments(indexer: Indexer, sessions: readonly number[], options: SegmentPassOptions): Promise<boolean> {
  const writer = indexer.openSegmentWriter();
  if (!writer) return false;
  try {
    const segment = createSegmentBuilder();
    return segment !== undefined && (await new SegmentPass(indexer, writer, segment, options).run(sessions));
  } finally {
    writer.close();
  }
}

/** `undefined` where there is no WebAssembly. */
export function createSegmentBuilder(): SegmentBuilder | undefined {
  try {
    return new SegmentBuilder();
  } catch {
    return undefined;
  }
}

class SegmentPass {
  /** The sessions that the other thread has to do. */
  private readonly requested: number[] = [];
  private otherSize = 0;
  private began = 0;

  constructor(
    private readonly indexer: Indexer,
    private readonly writer: SegmentWriter,
    private readonly segment: SegmentBuilder,
    private readonly options: SegmentPassOptions,
  ) {}

  async run(sessions: readonly number[]): Promise<boolean> {
    const { check, onWords } = this.options;
    if (!this.begin()) return false;
    for (const [index, n] of sessions.entries()) {
      check();
      if (this.isDue() && !((await this.store()) && this.begin())) return false;
      this.addNext(n);
      this.takeResults();
      await onWords(sessions.length - index);
    }
    if (!(await this.store())) return false;
    await onWords(0);
    return true;
  }

  private begin(): boolean {
    this.began = performance.now();
    this.otherSize = 0;
    return this.writer.begin(2);
  }

  private isDue(): boolean {
    return Math.max(this.segment.size, this.otherSize) >= MAX_SEGMENT_BYTES || performance.now() - this.began >= MAX_COLLECTING_MS;
  }

  /** Gives a session to the other thread, unless that has enough to do. */
  private addNext(n: number): void {
    const { scanThread, buffers, check } = this.options;
    // Another window may have added its words before this transaction.
    const texts = this.indexer.isUnindexed(n) ? this.indexer.textsOf(n) : undefined;
    const range = this.indexer.rangeOf(n);
    if (!texts || !range) return;
    if (this.requested.length < REQUESTED) {
      this.requested.push(n);
      scanThread.collect({ texts, range });
    } else {
      const sizes = collectWords({ texts, range }, this.segment, buffers, check);
      if (sizes) this.writer.addSession(n, OWN, sizes);
    }
  }

  private takeResults(): void {
    for (let taken; this.requested.length > 0 && (taken = this.options.scanThread.takeCollected());) this.addCollected(taken);
  }

  private addCollected({ sizes, collected }: CollectedWords): void {
    const n = this.requested.shift();
    if (n !== undefined && sizes) this.writer.addSession(n, OTHER, sizes);
    this.otherSize = collected;
  }

  /** Stores both segments. Returns false if the other thread has ended. */
  private async store(): Promise<boolean> {
    const { scanThread } = this.options;
    const { writer, indexer } = this;
    scanThread.finishSegment(WORD_PAGE_BYTES);
    writer.addStarts(
      OWN,
      this.segment.finish(WORD_PAGE_BYTES, (pages) => writer.addPages(OWN, pages)),
    );
    while (this.requested.length > 0) {
      const collected = await scanThread.nextCollected();
      if (!collected) return false;
      this.addCollected(collected);
    }
    const starts = await scanThread.takeSegment((pages) => writer.addPages(OTHER, pages));
    if (!starts) return false;
    writer.addStarts(OTHER, starts);
    writer.commit(indexer.checkpoints.sealId);
    if (writer.segmentCount >= MAX_SEGMENTS) indexer.mergeSegments();
    indexer.checkpoints.runIfDue('busy');
    return true;
  }
}
