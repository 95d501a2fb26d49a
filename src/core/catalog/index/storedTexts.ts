/** The texts of a session that is stored without its words, and how they're read. */
import { sameVersion } from '../../files/read/versions/compareVersions';
import type { FileVersion } from '../../files/read/versions/fileVersion';
import { openSessionBytesSync, type SessionBytesSync } from '../../files/sync/sessionBytesSync';
import type { LineWords } from './words/lineWords';
import { readLineWords } from './readLineWords';
import type { ScanBuffers } from './scanSession';

/** A session's lines with text, and the file that has them. Plain data. */
export interface StoredTexts {
  readonly path: string;
  /** The version of the file that has the lines. */
  readonly version: FileVersion;
  /** The session's title, which counts as line 0. */
  readonly title: string;
  /** See `LineTable.textLines`. */
  readonly lines: readonly number[];
}

/**
 * Reads the words. Synchronous, for worker threads.
 *
 * @param check called between reads; may throw to end them
 * @returns `undefined` if the file isn't the same any more, or can't be read: the next comparison with the disk finds that, too
 */
export function wordsOf(texts: StoredTexts, buffers: ScanBuffers, check: () => void): LineWords | undefined {
  const { path, version } = texts;
  const { pulse } = buffers;
  const step = (): void => {
    pulse.step();
    check();
  };
  let opened: SessionBytesSync | undefined;
  pulse.begin(path);
  try {
    opened = openSessionBytesSync(path);
    return sameVersion(opened.version, version) ? readLineWords(opened.file, texts, buffers, step) : undefined;
  } catch {
    check();
    return undefined;
  } finally {
    opened?.file.close();
    pulse.end();
  }
}
