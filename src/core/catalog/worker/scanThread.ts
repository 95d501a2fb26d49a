/** A second thread that reads files for the one that writes the database. Both take the next file from a shared counter. */
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { fileAtIndex, type FileList } from './fileList';
import { serializeError, type SerializedError, type StaleFile } from './workerProtocol';
import { toIndexRecord, createScanBuffers, scanSession, type IndexRecord, type ScanBuffers } from '../index/scanSession';

/** The only message to the second thread. */
interface ScanTask extends FreshFiles {
  /** Index of the next file; number of files handed over; number of those that were taken. */
  readonly counters: Int32Array<SharedArrayBuffer>;
  /** See the `index` request. */
  readonly stop: Int32Array<SharedArrayBuffer>;
}

/** The files of a list that have no row yet. */
export interface FreshFiles {
  readonly files: FileList;
  /** Their indexes. */
  readonly fresh: Int32Array<SharedArrayBuffer>;
}

export interface ScannedFile {
  /** The file's index in the list. */
  readonly index: number;
  readonly result: { readonly packed: IndexRecord } | { readonly error: SerializedError };
}

const [NEXT, HANDED, TAKEN] = [0, 1, 2];
/** Limit of files that wait to be taken, as their texts are in memory. */
const MAX_UNTAKEN_FILES = 16;

/** The writing thread's end. */
export class ScanThread {
  private readonly counters = new Int32Array(new SharedArrayBuffer(12));
  private readonly received: ScannedFile[] = [];
  private running = true;
  private wake: () => void = () => undefined;

  /** @param port the port that `runScanThread` has the other end of */
  constructor(
    private readonly port: MessagePort,
    private readonly task: FreshFiles,
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
    port.postMessage({ ...task, counters: this.counters, stop } satisfies ScanTask);
  }

  /** Returns a file that the other thread has read, if there is one. */
  takeScanned(): ScannedFile | undefined {
    // The other end posts nothing else.
    const posted: { readonly message: ScannedFile } | undefined = this.received.length > 0 ? undefined : receiveMessageOnPort(this.port);
    const scanned = this.received.shift() ?? posted?.message;
    if (!scanned) return undefined;
    Atomics.add(this.counters, TAKEN, 1);
    Atomics.notify(this.counters, TAKEN);
    return scanned;
  }

  /** Returns the index of a file for the caller to read; `undefined` if none is left. */
  claimNextFile(): number | undefined {
    return this.task.fresh[Atomics.add(this.counters, NEXT, 1)];
  }

  /** Waits until the other thread has read a file or has ended. Returns true if there may be more from it. */
  async hasMore(): Promise<boolean> {
    if (this.running && this.received.length === 0 && Atomics.load(this.counters, HANDED) === Atomics.load(this.counters, TAKEN))
      await new Promise<void>((resolve) => (this.wake = resolve));
    return this.running || this.received.length > 0;
  }

  /** Keeps the other thread from reading another file. */
  close(): void {
    Atomics.store(this.counters, NEXT, this.task.fresh.length);
    // Wakes it if it waits until more files are taken.
    Atomics.store(this.counters, TAKEN, Atomics.load(this.counters, HANDED) + 1);
    Atomics.notify(this.counters, TAKEN);
    this.port.close();
  }
}

/** Reads a file that isn't in the database. @throws the errors of `check` */
export function scanNewFile(
  index: number,
  { path, dialect }: Pick<StaleFile, 'path' | 'dialect'>,
  buffers: ScanBuffers,
  check: () => void,
): ScannedFile {
  try {
    return { index, result: { packed: toIndexRecord(scanSession(path, { dialect, check, buffers }), false) } };
  } catch (error) {
    check();
    return { index, result: { error: serializeError(error) } };
  }
}

/** Runs in the second thread, which ends when all files are read or the port is closed. */
export function runScanThread(port: MessagePort): void {
  const buffers = createScanBuffers();
  port.once('message', (task: ScanTask) => {
    scanFiles(task, buffers, port);
    port.close();
  });
}

function scanFiles({ files, fresh, counters, stop }: ScanTask, buffers: ScanBuffers, port: MessagePort): void {
  const isStopped = (): boolean => Atomics.load(stop, 0) !== 0;
  const check = (): void => {
    if (isStopped()) throw new Error('stopped');
  };
  const claim = (): number | undefined => fresh[Atomics.add(counters, NEXT, 1)];
  for (let index = claim(); index !== undefined && !isStopped(); index = claim()) {
    let scanned: ScannedFile;
    try {
      scanned = scanNewFile(index, fileAtIndex(files, index), buffers, check);
    } catch {
      return;
    }
    const { result } = scanned;
    // None of these arrays is in shared memory.
    const transfer =
      'packed' in result
        ? ([result.packed.words.bytes.buffer, result.packed.lines.buffer, result.packed.touches.bytes.buffer] as ArrayBuffer[])
        : [];
    port.postMessage(scanned, transfer);
    Atomics.add(counters, HANDED, 1);
    for (
      let taken = Atomics.load(counters, TAKEN);
      Atomics.load(counters, HANDED) - taken >= MAX_UNTAKEN_FILES && !isStopped();
      taken = Atomics.load(counters, TAKEN)
    )
      Atomics.wait(counters, TAKEN, taken, 100);
  }
}
