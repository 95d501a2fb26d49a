import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { HANDED, NEXT, TAKEN, type FreshFiles, type ScanMessage, type ScanResult, type ScanTask, type ScannedWords } from './scanProtocol';
import type { ScannedFile } from './scannedFile';
import type { StoredTexts } from '../../index/storedTexts';

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
    this.port.postMessage(texts);
  }

  /** Waits for the words of the texts that were requested first. `undefined` if the other thread has ended. */
  async nextWords(): Promise<ScannedWords | undefined> {
    for (;;) {
      const taken = this.take();
      if (taken) return 'words' in taken ? taken : undefined;
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
