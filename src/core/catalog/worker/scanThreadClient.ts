import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import {
  HANDED,
  NEXT,
  TAKEN,
  type CollectedWords,
  type FreshFiles,
  type ScanMessage,
  type ScanResult,
  type ScanTask,
  type ScannedWords,
  type WordRequest,
} from './scanProtocol';
import type { ScannedFile } from './scannedFile';
import type { UnindexedTexts } from '../index/collectWords';
import type { StoredTexts } from '../index/storedTexts';
import type { SegmentPages, SegmentStarts } from '../../format/scanner/segmentBuilder';

/** The writing thread's end of the second thread. */
export class ScanThreadClient {
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
