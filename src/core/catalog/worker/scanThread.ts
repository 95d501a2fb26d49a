/**
 * A second thread that reads files for the one that writes the database. Both take the next file from the same counter.
 */
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { serializeError, type SerializedError, type StaleFile } from './workerProtocol';
import { toIndexRecord, createScanBuffers, scanSession, type IndexRecord, type ScanBuffers } from '../index/scanSession';

/** What the second thread is told, once. */
interface ScanTask {
  readonly files: readonly StaleFile[];
  /** The next file's place in the list; how many were handed over, and how many of them were taken. */
  readonly counters: Int32Array<SharedArrayBuffer>;
  /** As in the request. */
  readonly stop: Int32Array<SharedArrayBuffer>;
}

export interface ScannedFile {
  readonly file: StaleFile;
  readonly result: { readonly packed: IndexRecord } | { readonly error: SerializedError };
}

const [NEXT, HANDED, TAKEN] = [0, 1, 2];
/** Files that may wait to be taken: their texts are in memory. */
const MAX_UNTAKEN_FILES = 16;

/** The writing thread's part. */
export class ScanThread {
  private readonly counters = new Int32Array(new SharedArrayBuffer(12));
  private readonly received: ScannedFile[] = [];
  private running = true;
  private wake: () => void = () => undefined;

  /** `port`: where `runScanThread` waits. */
  constructor(
    private readonly port: MessagePort,
    private readonly files: readonly StaleFile[],
    stop: Int32Array<SharedArrayBuffer>,
  ) {
    port.on('message', (scanned: ScannedFile) => {
      this.received.push(scanned);
      this.wake();
    });
    port.on('close', () => {
      this.running = false;
      this.wake();
    });
    port.postMessage({ files, counters: this.counters, stop } satisfies ScanTask);
  }

  /** A file that the other thread has read, if one waits. */
  takeScanned(): ScannedFile | undefined {
    const scanned = this.received.shift() ?? (receiveMessageOnPort(this.port) as { message: ScannedFile } | undefined)?.message;
    if (!scanned) return undefined;
    Atomics.add(this.counters, TAKEN, 1);
    Atomics.notify(this.counters, TAKEN);
    return scanned;
  }

  /** A file to be read by the caller; `undefined` if all are being read. */
  claimNextFile(): StaleFile | undefined {
    return this.files[Atomics.add(this.counters, NEXT, 1)];
  }

  /** Whether more may come from the other thread; waits until it has something or has ended. */
  async hasMore(): Promise<boolean> {
    if (this.running && this.received.length === 0 && Atomics.load(this.counters, HANDED) === Atomics.load(this.counters, TAKEN)) await new Promise<void>((resolve) => (this.wake = resolve));
    return this.running || this.received.length > 0;
  }

  /** The other thread reads no further file. */
  close(): void {
    Atomics.store(this.counters, NEXT, this.files.length);
    // It may be waiting until more is taken.
    Atomics.store(this.counters, TAKEN, Atomics.load(this.counters, HANDED) + 1);
    Atomics.notify(this.counters, TAKEN);
    this.port.close();
  }
}

/** Reads a file of which nothing is known. @throws what `check` throws */
export function scanNewFile(file: StaleFile, room: ScanBuffers, check: () => void): ScannedFile {
  try {
    return { file, result: { packed: toIndexRecord(scanSession(file.path, { dialect: file.dialect, check, buffers: room }), false) } };
  } catch (error) {
    check();
    return { file, result: { error: serializeError(error) } };
  }
}

/** The other thread's part: it ends when all was read, or the port is closed. */
export function runScanThread(port: MessagePort): void {
  const room = createScanBuffers();
  port.once('message', (work: ScanTask) => {
    scanFiles(work, room, port);
    port.close();
  });
}

function scanFiles({ files, counters, stop }: ScanTask, room: ScanBuffers, port: MessagePort): void {
  const isStopped = (): boolean => Atomics.load(stop, 0) !== 0;
  const check = (): void => {
    if (isStopped()) throw new Error('stopped');
  };
  for (let file = files[Atomics.add(counters, NEXT, 1)]; file && !isStopped(); file = files[Atomics.add(counters, NEXT, 1)]) {
    let scanned: ScannedFile;
    try {
      scanned = scanNewFile(file, room, check);
    } catch {
      return;
    }
    const { result } = scanned;
    const transfer = 'packed' in result ? [result.packed.words.bytes.buffer, result.packed.lines.buffer, result.packed.touches.bytes.buffer] as ArrayBuffer[] : [];
    port.postMessage(scanned, transfer);
    Atomics.add(counters, HANDED, 1);
    for (let taken = Atomics.load(counters, TAKEN); Atomics.load(counters, HANDED) - taken >= MAX_UNTAKEN_FILES && !isStopped(); taken = Atomics.load(counters, TAKEN)) Atomics.wait(counters, TAKEN, taken, 100);
  }
}
