/** The second pass: adds the words that were left for later when rows were read. */
import type { Indexer } from '../../database/indexer';
import type { ScanBuffers } from '../../index/scanSession';
import { wordsOf, type StoredTexts } from '../../index/storedTexts';
import type { ScanThreadClient } from './scanThreadClient';

/** Sessions whose words are requested before they are needed: few, as all of their words are in memory. */
const REQUESTED = 4;

interface WordPassOptions {
  /** Reads the words, once it has read all files. Without it this thread reads them. */
  readonly scanThread: ScanThreadClient | undefined;
  readonly buffers: ScanBuffers;
  /** Called often; may throw to end the pass. What was added until then stays. */
  readonly check: () => void;
  /** Called after each of the sessions, with the number of sessions whose words aren't stored. */
  readonly onWords: (left: number) => Promise<void>;
}

/** @param sessions their numbers, from `Indexer.unindexed` */
export async function addWords(
  indexer: Indexer,
  sessions: readonly number[],
  { scanThread, buffers, check, onWords }: WordPassOptions,
): Promise<void> {
  const requested: (StoredTexts | undefined)[] = [];
  for (const [index, n] of sessions.entries()) {
    check();
    while (requested.length < Math.min(index + REQUESTED, sessions.length)) {
      const texts = indexer.textsOf(sessions[requested.length]!);
      requested.push(texts);
      if (texts) scanThread?.request(texts);
    }
    const texts = requested[index];
    requested[index] = undefined;
    if (texts) {
      const scanned = (await scanThread?.nextWords()) ?? { words: wordsOf(texts, buffers, check) };
      if (scanned.words) indexer.addWords(n, texts, scanned.words);
    }
    await onWords(sessions.length - index - 1);
  }
}
