/** The messages between the thread that writes the database and the second thread, which reads files and words for it. */
import type { FileList } from '../protocol/fileList';
import type { ScannedFile } from './scannedFile';
import type { LineWords } from '../../index/words/lineWords';

/** The first message to the second thread. The `StoredTexts` whose words are requested follow. */
export interface ScanTask extends FreshFiles {
  /** Index of the next file; number of results handed over; number of results taken. */
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

/** Results that the second thread hands over. */
export type ScanResult = ScannedFile | ScannedWords;

/** `done`: all files were read. */
export type ScanMessage = ScanResult | 'done';

/** Indexes of `ScanTask.counters`. */
export const [NEXT, HANDED, TAKEN] = [0, 1, 2];
/** Limit of results that wait to be taken, as their texts are in memory. */
export const MAX_UNTAKEN = 16;
