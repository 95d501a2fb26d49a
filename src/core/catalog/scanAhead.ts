/**
 * A second thread that reads files for the one that writes the database. Both take the next file from the same counter,
 * so that neither waits while there is something to read.
 */
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';
import { plainError, type PlainError, type StaleFile } from './protocol';
import { pack, roomToScan, scanSession, type Packed } from './scanSession';

export interface ScanData {
  readonly kind: 'scan';
  readonly files: readonly StaleFile[];
  /** The next file's place in the list; how many were handed over, and how many of them were taken. */
  readonly counters: Int32Array<SharedArrayBuffer>;
  /** As in the request. */
  readonly stop: Int32Array<SharedArrayBuffer>;
  readonly port: MessagePort;
}

export interface ScannedFile {
  readonly file: StaleFile;
  readonly result: { readonly packed: Packed } | { readonly error: PlainError };
}

const [NEXT, HANDED, TAKEN] = [0, 1, 2];
/** Files that may wait to be taken: their texts are in memory. */
const AHEAD = 16;

export class ScanAhead {
  private readonly counters = new Int32Array(new SharedArrayBuffer(12));
  private readonly port: MessagePort;
  private readonly worker: Worker;
  private running = true;
  private wake: () => void = () => undefined;

  constructor(
    private readonly files: readonly StaleFile[],
    stop: Int32Array<SharedArrayBuffer>,
    script: string,
  ) {
    const { port1, port2 } = new MessageChannel();
    this.port = port1;
    const workerData: ScanData = { kind: 'scan', files, counters: this.counters, stop, port: port2 };
    this.worker = new Worker(script, { workerData, transferList: [port2], name: 'session-tree scan' });
    const ended = (): void => {
      this.running = false;
      this.wake();
    };
    this.worker.on('error', ended);
    this.worker.on('exit', ended);
    this.worker.on('message', () => this.wake());
  }

  /** A file that the other thread has read, if one waits. */
  taken(): ScannedFile | undefined {
    const message = receiveMessageOnPort(this.port) as { message: ScannedFile } | undefined;
    if (!message) return undefined;
    Atomics.add(this.counters, TAKEN, 1);
    Atomics.notify(this.counters, TAKEN);
    return message.message;
  }

  /** A file to be read by the caller; `undefined` if all are being read. */
  next(): StaleFile | undefined {
    return this.files[Atomics.add(this.counters, NEXT, 1)];
  }

  /** Whether more may come from the other thread; waits until it has something or has ended. */
  async more(): Promise<boolean> {
    if (!this.running) return false;
    if (Atomics.load(this.counters, HANDED) === Atomics.load(this.counters, TAKEN)) await new Promise<void>((resolve) => (this.wake = resolve));
    return true;
  }

  async close(): Promise<void> {
    this.port.close();
    await this.worker.terminate();
  }
}

/** The other thread's part. `notify` wakes the one that writes. */
export function scanFiles({ files, counters, stop, port }: ScanData, notify: () => void): void {
  const check = (): void => {
    if (Atomics.load(stop, 0) !== 0) throw new Error('stopped');
  };
  const room = roomToScan();
  for (let file = files[Atomics.add(counters, NEXT, 1)]; file; file = files[Atomics.add(counters, NEXT, 1)]) {
    let result: ScannedFile['result'];
    try {
      result = { packed: pack(scanSession(file.path, { dialect: file.dialect, check, room }), false) };
    } catch (error) {
      if (Atomics.load(stop, 0) !== 0) break;
      result = { error: plainError(error) };
    }
    const transfer = 'packed' in result ? [result.packed.words.bytes.buffer, result.packed.lines.buffer, result.packed.touches.bytes.buffer] as ArrayBuffer[] : [];
    port.postMessage({ file, result } satisfies ScannedFile, transfer);
    Atomics.add(counters, HANDED, 1);
    notify();
    for (let taken = Atomics.load(counters, TAKEN); Atomics.load(counters, HANDED) - taken >= AHEAD && Atomics.load(stop, 0) === 0; taken = Atomics.load(counters, TAKEN)) Atomics.wait(counters, TAKEN, taken, 100);
  }
  port.close();
}
