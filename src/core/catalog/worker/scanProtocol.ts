/** The messages between the thread that writes the database and the second thread, which reads files and words for it. */
import type { FileList } from './fileList';
import type { ScannedFile } from './scannedFile';
import type { LineWords } from '../index/lineWords';
import type { SegmentPages, SegmentStarts } from '../../format/scanner/segmentBuilder';
import type { UnindexedTexts } from '../index/collectWords';
import type { StoredTexts } from '../index/storedTexts';

/** The first message to the second thread. {@link WordRequest}s follow. */
export interface ScanTask extends FreshFiles {
  /** Index of the next file; number of results handed over; number of those that were taken. */
  readonly counters: Int32Array<SharedArrayBuffer>;
  /** See the `index` request. */
  readonly stop: Int32Array<SharedArrayBuffer>;
}

/** The files of a list that have no row yet. */
export interface FreshFiles {
  readonly files: FileList;
  /** The indexes of these files in the list. */
  readonly fresh: Int32Array<SharedArrayBuffer>;
  /** See `ScanOptions`. */
  readonly leaveWordsFrom: number;
}

/** The words of requested texts; `undefined` if their file isn't the same any more. */
export interface ScannedWords {
  readonly words: LineWords | undefined;
}

/** Words that were added to the second thread's segment. */
export interface CollectedWords {
  /** See `collectWords`. */
  readonly sizes: Int32Array<ArrayBuffer> | undefined;
  /** The bytes of memory of all words so far. */
  readonly collected: number;
}

/** A part of the segment; the last one has its `starts`. */
type SegmentPart = { readonly pages: SegmentPages } | { readonly starts: SegmentStarts };

/** Results that the second thread hands over. */
export type ScanResult = ScannedFile | ScannedWords | CollectedWords | SegmentPart;

/** `done`: all files were read. */
export type ScanMessage = ScanResult | 'done';

export type WordRequest =
  | { readonly read: StoredTexts }
  | { readonly collect: UnindexedTexts }
  /** Finishes the segment. See `SegmentBuilder.finish`. */
  | { readonly pageSize: number };

/** Indexes of `ScanTask.counters`. */
export const [NEXT, HANDED, TAKEN] = [0, 1, 2];
/** Limit of results that wait to be taken, as their texts are in memory. */
export const MAX_UNTAKEN = 16;
