/**
 * A second thread that reads files for the one that writes the database. Both take the next file from a shared counter.
 * Then the second thread reads the words that were left for later, in the order in which they are requested.
 */
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { fileAtIndex, type FileList } from './fileList';
import { serializeError, type SerializedError, type StaleFile } from './workerProtocol';
import { haveWords, type LineWords } from '../index/lineWords';
import { toIndexRecord, createScanBuffers, scanSession, type IndexRecord, type ScanBuffers, type ScanOptions } from '../index/scanSession';
import { wordsOf, type StoredTexts } from '../index/storedTexts';

/** The first message to the second thread. `StoredTexts` follow. */
interface ScanTask extends FreshFiles {
  /** Index of the next file; number of results handed over; number of those that were taken. */
  readonly counters: Int32Array<SharedArrayBuffer>;
  /** See the `index` request. */
  readonly stop: Int32Array<SharedArrayBuffer>;
}

/** The files of a list that have no row yet. */
export interface FreshFiles {
  readonly files: FileList;
  /** Their indexes. */
  readonly fresh: Int32Array<SharedArrayBuffer>;
  /** See `ScanOptions`. */
  readonly leaveWordsFrom: number;
}

export interface ScannedFile {
  /** The file's index in the list. */
  readonly index: number;
  readonly result: { readonly packed: IndexRecord } | { readonly error: SerializedError };
}

/** The words of requested texts; `undefined` if their file isn't the same any more. */
interface ScannedWords {
  readonly words: LineWords | undefined;
}

/** `done`: all files were read. */
type ScanMessage = ScannedFile | ScannedWords | 'done';

const [NEXT, HANDED, TAKEN] = [0, 1, 2];
/** Limit of results that wait to be taken, as their texts are in memory. */
const MAX_UNTAKEN = 16;

/** The writing thread's end. */
export class ScanThread {
  private readonly counters = new Int32Array(new SharedArrayBuffer(12));
  private readonly received: (ScannedFile | ScannedWords)[] = [];
  private isReading = true;
  private running = true;
  private wake: () => void = () => undefined;

  /** @param port the port that `runScanThread` has the other end of */
  constructor(
    private readonly port: MessagePort,
    private readonly task: FreshFiles,
    stop: Int32Array<SharedArrayBuffer>,
  ) {
    port.on('message', (message: ScanMessage) => {
      this.receive(message);
      this.wake();
    });
    port.on('close', () => {
      this.running = this.isReading = false;
      this.wake();
    });
    port.postMessage({ ...task, counters: this.counters, stop } satisfies ScanTask);
  }

  /** Returns a file that the other thread has read, if there is one. */
  takeScanned(): ScannedFile | undefined {
    const scanned = this.take();
    return scanned && 'index' in scanned ? scanned : undefined;
  }

  /** Returns the index of a file for the caller to read; `undefined` if none is left. */
  claimNextFile(): number | undefined {
    return this.task.fresh[Atomics.add(this.counters, NEXT, 1)];
  }

  /** Waits until the other thread has read a file or has ended. Returns true if there may be more from it. */
  async hasMore(): Promise<boolean> {
    if (this.isReading && this.received.length === 0 && !this.isUntaken()) await this.woken();
    return this.isReading || this.received.length > 0;
  }

  /** Requests the words of these texts, once all files were read. */
  request(texts: StoredTexts): void {
    this.port.postMessage(texts);
  }

  /** Waits for the words of the texts that were requested first. `undefined` if the other thread has ended. */
  async nextWords(): Promise<ScannedWords | undefined> {
    for (;;) {
      const scanned = this.take();
      if (scanned && 'words' in scanned) return scanned;
      if (!this.running) return undefined;
      if (!this.isUntaken()) await this.woken();
    }
  }

  /** Keeps the other thread from reading another file. */
  close(): void {
    Atomics.store(this.counters, NEXT, this.task.fresh.length);
    // Wakes it if it waits until more results are taken.
    Atomics.store(this.counters, TAKEN, Atomics.load(this.counters, HANDED) + 1);
    Atomics.notify(this.counters, TAKEN);
    this.port.close();
  }

  private isUntaken(): boolean {
    return Atomics.load(this.counters, HANDED) !== Atomics.load(this.counters, TAKEN);
  }

  private woken(): Promise<void> {
    return new Promise((resolve) => (this.wake = resolve));
  }

  private receive(message: ScanMessage): void {
    if (message === 'done') this.isReading = false;
    else this.received.push(message);
  }

  private take(): ScannedFile | ScannedWords | undefined {
    // The other end posts nothing else. Node breaks down if a closed port is asked.
    const posted: { readonly message: ScanMessage } | undefined =
      this.running && this.received.length === 0 ? receiveMessageOnPort(this.port) : undefined;
    if (posted) this.receive(posted.message);
    const taken = this.received.shift();
    if (!taken) return undefined;
    Atomics.add(this.counters, TAKEN, 1);
    Atomics.notify(this.counters, TAKEN);
    return taken;
  }
}

/** Reads a file that isn't in the database. @throws the errors of `check` */
export function scanNewFile(
  index: number,
  { path, dialect }: Pick<StaleFile, 'path' | 'dialect'>,
  options: Omit<ScanOptions, 'dialect' | 'previous'>,
): ScannedFile {
  try {
    return { index, result: { packed: toIndexRecord(scanSession(path, { ...options, dialect }), false) } };
  } catch (error) {
    options.check();
    return { index, result: { error: serializeError(error) } };
  }
}

/** Runs in the second thread, which ends when the port is closed. */
export function runScanThread(port: MessagePort): void {
  const buffers = createScanBuffers();
  port.once('message', (task: ScanTask) => {
    const { counters, stop } = task;
    const isStopped = (): boolean => Atomics.load(stop, 0) !== 0;
    const check = (): void => {
      if (isStopped()) throw new StoppedScan();
    };
    const handOver = (result: ScannedFile | ScannedWords): void => {
      port.postMessage(result, transferable(result));
      Atomics.add(counters, HANDED, 1);
      for (
        let taken = Atomics.load(counters, TAKEN);
        Atomics.load(counters, HANDED) - taken >= MAX_UNTAKEN && !isStopped();
        taken = Atomics.load(counters, TAKEN)
      )
        Atomics.wait(counters, TAKEN, taken, 100);
    };
    const unlessStopped = (work: () => void): void => {
      try {
        work();
      } catch (error) {
        port.close();
        if (!(error instanceof StoppedScan)) throw error;
      }
    };
    unlessStopped(() => scanFiles(task, buffers, check, handOver));
    port.on('message', (texts: StoredTexts) => unlessStopped(() => handOver({ words: wordsOf(texts, buffers, check) })));
    port.postMessage('done' satisfies ScanMessage);
  });
}

class StoppedScan extends Error {}

function scanFiles(
  { files, fresh, counters, leaveWordsFrom }: ScanTask,
  buffers: ScanBuffers,
  check: () => void,
  handOver: (scanned: ScannedFile) => void,
): void {
  const claim = (): number | undefined => fresh[Atomics.add(counters, NEXT, 1)];
  for (let index = claim(); index !== undefined; index = claim()) {
    check();
    handOver(scanNewFile(index, fileAtIndex(files, index), { buffers, check, leaveWordsFrom }));
  }
}

/** The arrays that are passed on without a copy. */
function transferable(scanned: ScannedFile | ScannedWords): ArrayBuffer[] {
  const arrays: (Uint8Array | undefined)[] = [];
  if ('words' in scanned) arrays.push(scanned.words?.bytes);
  else if ('packed' in scanned.result) {
    const { words, lines, touches } = scanned.result.packed;
    arrays.push(haveWords(words) ? words.bytes : undefined, lines, touches.bytes);
  }
  // None of them is in shared memory.
  return arrays.flatMap((array) => (array ? [array.buffer as ArrayBuffer] : []));
}
