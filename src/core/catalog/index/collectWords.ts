/** Adds the words of stored sessions to a segment of the full-text index. */
import type { SegmentBuilder } from '../../format/scanner/segmentBuilder';
import { documentOf, type DocumentRange } from '../database/documents';
import type { ScanBuffers } from './scanSession';
import { textsOf, type StoredTexts } from './storedTexts';

/** A session whose words are to be added. Plain data. */
export interface UnindexedTexts {
  readonly texts: StoredTexts;
  /** The numbers of the texts. */
  readonly range: DocumentRange;
}

/**
 * Synchronous, for worker threads. The documents of one segment must be added in ascending order.
 *
 * @param check called between reads; may throw to end them
 * @returns pairs of a document and its number of words; `undefined`, and nothing is added, if the file can't be read as it was
 */
export function collectWords(
  { texts, range }: UnindexedTexts,
  segment: SegmentBuilder,
  buffers: ScanBuffers,
  check: () => void,
): Int32Array<ArrayBuffer> | undefined {
  const read = textsOf(texts, buffers, check);
  return read && segment.addTexts(read, (line) => documentOf(range, line));
}
