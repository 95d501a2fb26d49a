/**
 * A second thread that reads files for the one that writes the database. Both take the next file from a shared counter.
 * Then the second thread reads the words that were left for later, in the order in which they are requested, or adds them
 * to a segment of the full-text index.
 */
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { fileAtIndex, type FileList } from './fileList';
import { serializeError, type SerializedError, type StaleFile } from './workerProtocol';
import { haveWords, type LineWords } from '../index/lineWords';
import { toIndexRecord, createScanBuffers, scanSession, type IndexRecord, type ScanBuffers, type ScanOptions } from '../index/scanSession';
import { SegmentBuilder, type SegmentPages, type SegmentStarts } from '../../format/scanner/segmentBuilder';
import { collectWords, type UnindexedTexts } from '../index/collectWords';
import { wordsOf, type StoredTexts } from '../index/storedTexts';

/** The first message to the second thread. {@link WordRequest}s follow. */
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
type ScanResult = ScannedFile | ScannedWords | CollectedWords | SegmentPart;

/** `done`: all files were read. */
type ScanMessage = ScanResult | 'done';

type WordRequest =
  | { readonly read: StoredTexts }
  | { readonly collect: UnindexedTexts }
  /** Finishes the segment. See `SegmentBuilder.finish`. */
  | { readonly pageSize: number };

const [NEXT, HANDED, TAKEN] = [0, 1, 2];
/** Limit of results that wait to be taken, as their texts are in memory. */
const MAX_UNTAKEN = 16;

/** The writing thread's end. */
export class ScanThread {
  private readonly counters = new Int32Array(new SharedArrayBuffer(12));
  private readonly received: ScanResult[] = [];
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
    this.post({ read: texts });
  }

  /** Waits for the words of the texts that were requested first. `undefined` if the other thread has ended. */
  async nextWords(): Promise<ScannedWords | undefined> {
    const next = await this.next();
    return next && 'words' in next ? next : undefined;
  }

  /** Requests that these texts are added to the other thread's segment, once all files were read. */
  collect(texts: UnindexedTexts): void {
    this.post({ collect: texts });
  }

  /** Returns what was added for the texts that were requested first, if that is done. */
  takeCollected(): CollectedWords | undefined {
    const taken = this.take();
    return taken && 'collected' in taken ? taken : undefined;
  }

  /** Waits for the same. `undefined` if the other thread has ended. */
  async nextCollected(): Promise<CollectedWords | undefined> {
    const next = await this.next();
    return next && 'collected' in next ? next : undefined;
  }

  /** Requests the pages of the segment; another one begins. */
  finishSegment(pageSize: number): void {
    this.post({ pageSize });
  }

  /** Waits for the segment's pages. @returns `undefined` if the other thread has ended */
  async takeSegment(take: (pages: SegmentPages) => void): Promise<SegmentStarts | undefined> {
    for (;;) {
      const next = await this.next();
      if (next && 'pages' in next) take(next.pages);
      else return next && 'starts' in next ? next.starts : undefined;
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

  private post(request: WordRequest): void {
    this.port.postMessage(request);
  }

  /** Waits for the next result. `undefined` if the other thread has ended. */
  private async next(): Promise<ScanResult | undefined> {
    for (;;) {
      const taken = this.take();
      if (taken ?? !this.running) return taken;
      if (!this.isUntaken()) await this.woken();
    }
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

  private take(): ScanResult | undefined {
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
export async function scanNewFile(
  index: number,
  { path, dialect }: Pick<StaleFile, 'path' | 'dialect'>,
  options: Omit<ScanOptions, 'dialect' | 'previous'>,
): Promise<ScannedFile> {
  try {
    return { index, result: { packed: toIndexRecord(await scanSession(path, { ...options, dialect }), false) } };
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
    const words = new WordReader(buffers, check, handOver);
    port.on('message', (request: WordRequest) => {
      work = work.then(() => unlessStopped(() => words.serve(request)));
    });
  });
}

class StoppedScan extends Error {}

/** Reads words that were left for later. */
class WordReader {
  private segment: SegmentBuilder | undefined;

  constructor(
    private readonly buffers: ScanBuffers,
    private readonly check: () => void,
    private readonly handOver: (result: ScanResult) => void,
  ) {}

  serve(request: WordRequest): void {
    const { buffers, check, handOver } = this;
    if ('read' in request) handOver({ words: wordsOf(request.read, buffers, check) });
    else if ('collect' in request) {
      const segment = (this.segment ??= new SegmentBuilder());
      const sizes = collectWords(request.collect, segment, buffers, check);
      handOver({ sizes, collected: segment.size });
    } else {
      const segment = (this.segment ??= new SegmentBuilder());
      handOver({ starts: segment.finish(request.pageSize, (pages) => handOver({ pages })) });
    }
  }
}

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
  const arrays: (Uint8Array | Int32Array | undefined)[] = [];
  if ('words' in scanned) arrays.push(scanned.words?.bytes);
  else if ('collected' in scanned) arrays.push(scanned.sizes);
  else if ('pages' in scanned) arrays.push(scanned.pages.bytes);
  else if ('starts' in scanned) arrays.push(scanned.starts.words);
  else if ('packed' in scanned.result) {
    const { words, texts, lines, touches } = scanned.result.packed;
    arrays.push(haveWords(words) ? words.bytes : texts?.bytes, lines, touches.bytes);
  }
  // None of them is in shared memory.
  return arrays.flatMap((array) => (array ? [array.buffer as ArrayBuffer] : []));
}
