/**
 * A second thread that reads files for the one that writes the database. Both take the next file from a shared counter.
 * Then the second thread reads the words that were left for later, in the order in which they are requested.
 */
import type { MessagePort } from 'node:worker_threads';
import { fileAtIndex } from '../protocol/fileList';
import { HANDED, MAX_UNTAKEN, NEXT, TAKEN, type ScanMessage, type ScanResult, type ScanTask } from './scanProtocol';
import { scanNewFile, type ScannedFile } from './scannedFile';
import { haveWords } from '../../index/words/lineWords';
import { createScanBuffers, type ScanBuffers } from '../../index/scanSession';
import type { PulseMemory } from '../../../files/concurrency/pulse';
import { wordsOf, type StoredTexts } from '../../index/storedTexts';

/** Runs in the second thread, which ends when the port is closed. */
export function runScanThread(port: MessagePort, pulse: PulseMemory): void {
  const buffers = createScanBuffers(pulse);
  port.once('message', (task: ScanTask) => {
    const { counters, stop } = task;
    const isStopped = (): boolean => Atomics.load(stop, 0) !== 0;
    const check = (): void => {
      if (isStopped()) throw new StoppedScan();
    };
    const handOver = (result: ScanResult): void => {
      port.postMessage(result, transferable(result));
      Atomics.add(counters, HANDED, 1);
      for (
        let taken = Atomics.load(counters, TAKEN);
        Atomics.load(counters, HANDED) - taken >= MAX_UNTAKEN && !isStopped();
        taken = Atomics.load(counters, TAKEN)
      )
        Atomics.wait(counters, TAKEN, taken, 100);
    };
    const unlessStopped = async (work: () => void | Promise<void>): Promise<void> => {
      try {
        await work();
      } catch (error) {
        port.close();
        if (!(error instanceof StoppedScan)) throw error;
      }
    };
    let work = unlessStopped(() => scanFiles(task, buffers, check, handOver)).then(() => port.postMessage('done' satisfies ScanMessage));
    port.on('message', (texts: StoredTexts) => {
      work = work.then(() => unlessStopped(() => handOver({ words: wordsOf(texts, buffers, check) })));
    });
  });
}

class StoppedScan extends Error {}

async function scanFiles(
  { files, fresh, counters, leaveWordsFrom }: ScanTask,
  buffers: ScanBuffers,
  check: () => void,
  handOver: (scanned: ScannedFile) => void,
): Promise<void> {
  const claim = (): number | undefined => fresh[Atomics.add(counters, NEXT, 1)];
  for (let index = claim(); index !== undefined; index = claim()) {
    check();
    handOver(await scanNewFile(index, fileAtIndex(files, index), { buffers, check, leaveWordsFrom }));
  }
}

/** The arrays that are passed on without a copy. */
function transferable(scanned: ScanResult): ArrayBuffer[] {
  const arrays: (Uint8Array | undefined)[] = [];
  if ('words' in scanned) arrays.push(scanned.words?.bytes);
  else if ('packed' in scanned.result) {
    const { words, lines, touches } = scanned.result.packed;
    arrays.push(haveWords(words) ? words.bytes : undefined, lines, touches.bytes);
  }
  // None of them is in shared memory.
  return arrays.flatMap((array) => (array ? [array.buffer as ArrayBuffer] : []));
}
