/**
 * One request to index files. Of a large batch it first stores everything but the words, so that all rows are complete
 * soon; then it adds the words.
 */
import type { MessagePort } from 'node:worker_threads';
import { yieldToEventLoop } from '../../../files/concurrency/eventLoop';
import type { Indexer } from '../../database/indexer';
import { haveWords, textCount } from '../../index/words/lineWords';
import type { KnownFile } from '../../rows/catalogRow';
import { StoppedError, type FileIndexer } from './fileIndexer';
import { fileAtIndex, fileCount, type FileList } from '../protocol/fileList';
import { ProgressReport } from './progressReport';
import { ScanThreadClient } from './scanThreadClient';
import { scanNewFile, type ScannedFile } from './scannedFile';
import { addWords } from './wordPass';
import { deserializeError } from '../../../files/concurrency/threadErrors';
import { isLargeBatch, type IndexRequest, type IndexResponse } from '../protocol/workerProtocol';

/** Milliseconds between two commits. */
const COMMIT_INTERVAL_MS = 2000;
/** Limits of bytes that wait to be stored: from the first on this thread stores instead of reading more, from the second on it takes nothing from the other thread. */
const STORE_FIRST_BYTES = 19 * 1024 * 1024;
const MAX_WAITING_BYTES = 32 * 1024 * 1024;

/** The size of a file from which on it's worth being opened once more for its words. */
const LEAVING_BYTES = 32 * 1024;

/** The approximate memory of a file's record without its bytes, including V8's garbage until it's collected. */
const RECORD_BYTES = 16 * 1024;

type Request = Extract<IndexRequest, { kind: 'index' }>;

interface IndexRunDeps {
  readonly indexer: Indexer;
  readonly fileIndexer: FileIndexer;
  readonly post: (response: IndexResponse) => void;
}

export class IndexRun {
  private readonly report: ProgressReport;
  /** Files that wait to be stored. */
  private readonly read: ScannedFile[] = [];
  private waitingBytes = 0;
  /** 1 for each fresh file that isn't stored. */
  private readonly waiting: Uint8Array;
  private began = 0;

  constructor(
    private readonly deps: IndexRunDeps,
    private readonly request: Request,
  ) {
    const count = fileCount(request.files);
    this.report = new ProgressReport(request.id, count, deps.post);
    this.waiting = new Uint8Array(count);
  }

  /** @param reader port of a thread that waits for files to read */
  async run(reader: MessagePort | undefined): Promise<void> {
    const { indexer } = this.deps;
    const { files, gone, stop, isComplete } = this.request;
    this.begin();
    for (const path of gone) indexer.remove(path);
    this.storeLeftOut();
    const { fresh, bytes } = freshFiles(indexer, files);
    const isLarge = isLargeBatch(fresh.length, bytes);
    const left = isComplete ? indexer.unindexed().length : 0;
    this.report.addUnindexed(left);
    indexer.setBulkMode(isLarge || left > 0);
    indexer.expect(fresh.length, bytes);
    for (const index of fresh) this.waiting[index] = 1;
    const leaveWordsFrom = isComplete && isLarge ? LEAVING_BYTES : Infinity;
    const scanThread = reader && isLarge ? new ScanThreadClient(reader, { files, fresh, leaveWordsFrom }, stop) : undefined;
    if (!scanThread) reader?.close();
    try {
      await this.indexFiles((index) => !scanThread || this.waiting[index] === 0);
      if (scanThread) await this.indexFreshFiles(scanThread, leaveWordsFrom);
      // Files that the other thread had claimed when it broke down.
      await this.indexFiles((index) => this.waiting[index] === 1);
      if (isComplete) await this.addWords(scanThread);
    } catch (error) {
      if (!(error instanceof StoppedError)) throw error;
      while (this.read.length > 0) await this.store();
    } finally {
      scanThread?.close();
    }
    indexer.commit();
    indexer.setBulkMode(false);
    indexer.purge();
    this.report.send();
  }

  private readonly check = (): void => {
    if (Atomics.load(this.request.stop, 0) !== 0) throw new StoppedError();
  };

  /** Stores the problems of files that another thread couldn't finish, also of files that only lack their words. */
  private storeLeftOut(): void {
    const { indexer, fileIndexer } = this.deps;
    for (const [path, problem] of this.request.leftOut ?? []) {
      const known = indexer.find(path)?.known;
      if (known) fileIndexer.storeUnreadable(indexer, { ...known, dialect: known.row.summary.dialect }, deserializeError(problem));
    }
  }

  /** Reads and stores files one by one. */
  private async indexFiles(isWanted: (index: number) => boolean): Promise<void> {
    const { indexer, fileIndexer } = this.deps;
    const { files, leftOut } = this.request;
    for (let index = 0; index < fileCount(files); index++) {
      if (!isWanted(index)) continue;
      this.check();
      const file = fileAtIndex(files, index);
      const problem = leftOut?.get(file.path);
      await this.reportFile(
        index,
        problem
          ? fileIndexer.storeUnreadable(indexer, file, deserializeError(problem))
          : await fileIndexer.indexFile(indexer, file, this.check),
      );
      this.waiting[index] = 0;
    }
  }

  /** Reads new files with another thread. */
  private async indexFreshFiles(scanThread: ScanThreadClient, leaveWordsFrom: number): Promise<void> {
    const { indexer, fileIndexer } = this.deps;
    const { files } = this.request;
    for (let more = true; more;) {
      this.check();
      // Rows first: files that were read are reported immediately, and stored when they reach a limit.
      const taken = this.waitingBytes < MAX_WAITING_BYTES ? scanThread.takeScanned() : undefined;
      const index = taken || this.waitingBytes >= STORE_FIRST_BYTES ? undefined : scanThread.claimNextFile();
      const one =
        taken ??
        (index === undefined
          ? undefined
          : await scanNewFile(index, fileAtIndex(files, index), { buffers: fileIndexer.buffers, check: this.check, leaveWordsFrom }));
      if (one) {
        this.read.push(one);
        this.waitingBytes += bytesOf(one);
        const file = fileAtIndex(files, one.index);
        await this.reportFile(one.index, fileIndexer.knownFile(indexer, file, one), hasLeftWords(one));
      } else if (this.read.length > 0) await this.store();
      else more = await scanThread.hasMore();
    }
  }

  /** Adds all words that were left for later, by earlier requests, too. */
  private async addWords(scanThread: ScanThreadClient | undefined): Promise<void> {
    const { indexer, fileIndexer } = this.deps;
    const sessions = indexer.unindexed();
    this.report.setUnindexed(sessions.length);
    if (sessions.length === 0) return;
    this.commit();
    this.report.send();
    const onWords = async (left: number): Promise<void> => {
      this.report.setUnindexed(left);
      await this.commitIfDue();
    };
    await addWords(indexer, sessions, { scanThread, buffers: fileIndexer.buffers, check: this.check, onWords });
  }

  private async reportFile(index: number, known: KnownFile | undefined, isUnindexed = false): Promise<void> {
    this.report.add(index, known, isUnindexed);
    await this.commitIfDue();
  }

  private async store(): Promise<void> {
    const one = this.read.shift();
    if (!one) return;
    const { index, result } = one;
    this.waiting[index] = 0;
    this.waitingBytes -= bytesOf(one);
    if ('packed' in result) this.deps.indexer.put(fileAtIndex(this.request.files, index), result.packed);
    await this.commitIfDue();
  }

  private async commitIfDue(): Promise<void> {
    if (performance.now() - this.began > COMMIT_INTERVAL_MS) this.commit();
    if (!this.report.isDue(this.read.length > 0)) return;
    this.report.send();
    await yieldToEventLoop();
  }

  private commit(): void {
    this.deps.indexer.commit();
    this.begin();
  }

  private begin(): void {
    this.deps.indexer.begin();
    this.began = performance.now();
  }
}

/** True if the words of the file must be added later. */
const hasLeftWords = ({ result }: ScannedFile): boolean =>
  'packed' in result && textCount(result.packed.words) > 0 && !haveWords(result.packed.words);

function bytesOf({ result }: ScannedFile): number {
  if (!('packed' in result)) return RECORD_BYTES;
  const { words, lines, touches } = result.packed;
  const sizes = [haveWords(words) ? words.bytes : undefined, lines, touches.bytes].map((bytes) => bytes?.length ?? 0);
  return RECORD_BYTES + touches.paths.length + sizes.reduce((sum, size) => sum + size, 0);
}

/** Returns the files that the database doesn't have, and their size. */
function freshFiles(indexer: Indexer, files: FileList): { fresh: Int32Array<SharedArrayBuffer>; bytes: number } {
  const fresh: number[] = [];
  let bytes = 0;
  for (let index = 0; index < fileCount(files); index++) {
    const { path, version } = fileAtIndex(files, index);
    if (indexer.has(path)) continue;
    fresh.push(index);
    bytes += version.size;
  }
  const shared = new Int32Array(new SharedArrayBuffer(fresh.length * Int32Array.BYTES_PER_ELEMENT));
  shared.set(fresh);
  return { fresh: shared, bytes };
}
