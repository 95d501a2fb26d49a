/** The thread that writes the database: it reads files, stores them and reports its progress. */
import type { MessagePort } from 'node:worker_threads';
import { yieldToEventLoop } from '../../files/concurrency/eventLoop';
import { DamagedDatabase, mapDatabaseError, isDamage } from '../database/databaseErrors';
import type { DatabaseLocation } from '../database/database';
import type { Indexer } from '../database/indexer';
import { WritableDatabase } from '../database/writableDatabase';
import type { KnownFile } from '../rows/catalogRow';
import { FileIndexer, StoppedError } from './fileIndexer';
import { fileAtIndex, fileCount, type FileList } from './fileList';
import { ProgressReport } from './progressReport';
import { ScanThread, scanNewFile, type ScannedFile } from './scanThread';
import { isLargeBatch, serializeError, type IndexResponse, type IndexRequest } from './workerProtocol';

/** Milliseconds between two commits. */
const COMMIT_INTERVAL_MS = 2000;
/** Limits of bytes that wait to be stored: from the first on this thread stores instead of reading more, from the second on it takes nothing from the other thread. */
const STORE_FIRST_BYTES = 19 * 1024 * 1024;
const MAX_WAITING_BYTES = 32 * 1024 * 1024;

/** The approximate memory of a file's record without its bytes, including V8's garbage until it's collected. */
const RECORD_BYTES = 16 * 1024;

function bytesOf({ result }: ScannedFile): number {
  if (!('packed' in result)) return RECORD_BYTES;
  const { words, lines, touches, heads } = result.packed;
  return RECORD_BYTES + words.bytes.length + lines.length + touches.paths.length + touches.bytes.length + (heads?.bytes?.length ?? 0);
}

export class CatalogWriter {
  private readonly database: WritableDatabase;
  private readonly files = new FileIndexer();

  constructor(
    private readonly location: DatabaseLocation,
    private readonly post: (response: IndexResponse) => void,
  ) {
    this.database = new WritableDatabase(location);
  }

  /** If the database is damaged, rebuilds it and serves the request once more. */
  async serve(request: IndexRequest): Promise<void> {
    for (let first = true; ; first = false) {
      try {
        if (request.kind === 'close') this.database.close();
        else {
          const indexer = this.database.open(() => this.post({ kind: 'checked', id: request.id }));
          if (request.kind === 'index') await this.index(indexer, request, first ? request.reader : undefined);
          else if (request.kind === 'forget') this.forget(indexer, request.paths);
          else if (request.damaged === this.database.ino) throw new DamagedDatabase('A reading thread found damage.');
          else indexer.purge();
        }
        this.post({ kind: 'done', id: request.id, anew: !first });
        this.database.checkpoint();
        return;
      } catch (error) {
        this.database.rollback();
        // Otherwise the reading thread would wait for ever.
        if (request.kind === 'index') request.reader?.close();
        if (first && isDamage(error)) {
          this.files.forgetScans();
          this.database.setAside();
        } else {
          this.post({ kind: 'failed', id: request.id, error: serializeError(mapDatabaseError(error, this.location.cacheDir)) });
          return;
        }
      }
    }
  }

  private async index(
    indexer: Indexer,
    { id, files, gone, stop }: Extract<IndexRequest, { kind: 'index' }>,
    reader: MessagePort | undefined,
  ): Promise<void> {
    const check = (): void => {
      if (Atomics.load(stop, 0) !== 0) throw new StoppedError();
    };
    const count = fileCount(files);
    const report = new ProgressReport(id, count, this.post);
    /** Files that wait to be stored. */
    const read: ScannedFile[] = [];
    indexer.begin();
    let began = performance.now();
    for (const path of gone) indexer.remove(path);
    const reportFile = async (path: string, known: KnownFile | undefined): Promise<void> => {
      report.add(path, known);
      await commitIfDue();
    };
    const commitIfDue = async (): Promise<void> => {
      if (performance.now() - began > COMMIT_INTERVAL_MS) {
        indexer.commit();
        indexer.checkpoints.runIfDue('busy');
        indexer.begin();
        began = performance.now();
      }
      if (report.isDue(read.length > 0)) {
        report.send();
        await yieldToEventLoop();
      }
    };
    const { fresh, bytes } = freshFiles(indexer, files);
    const isLarge = isLargeBatch(fresh.length, bytes);
    indexer.setBulkMode(isLarge);
    indexer.expect(fresh.length, bytes);
    let waitingBytes = 0;
    const store = async (): Promise<void> => {
      const one = read.shift();
      if (!one) return;
      const { index, result } = one;
      waiting[index] = 0;
      waitingBytes -= bytesOf(one);
      if ('packed' in result) indexer.put(fileAtIndex(files, index), result.packed);
      await commitIfDue();
    };
    /** 1 for each fresh file that isn't stored. */
    const waiting = new Uint8Array(count);
    for (const index of fresh) waiting[index] = 1;
    const scanThread = reader && isLarge ? new ScanThread(reader, { files, fresh }, stop) : undefined;
    if (!scanThread) reader?.close();
    try {
      for (let index = 0; index < count; index++) {
        if (scanThread && waiting[index] === 1) continue;
        check();
        const file = fileAtIndex(files, index);
        await reportFile(file.path, this.files.indexFile(indexer, file, check));
      }
      for (let more = true; scanThread && more;) {
        check();
        // Rows first: files that were read are reported at once, and stored when they reach a limit.
        const taken = waitingBytes < MAX_WAITING_BYTES ? scanThread.takeScanned() : undefined;
        const index = taken || waitingBytes >= STORE_FIRST_BYTES ? undefined : scanThread.claimNextFile();
        const one = taken ?? (index === undefined ? undefined : scanNewFile(index, fileAtIndex(files, index), this.files.buffers, check));
        if (one) {
          read.push(one);
          waitingBytes += bytesOf(one);
          const file = fileAtIndex(files, one.index);
          await reportFile(file.path, this.files.knownFile(indexer, file, one));
        } else if (read.length > 0) await store();
        else more = await scanThread.hasMore();
      }
      // Files that the other thread had claimed when it broke down.
      for (const index of scanThread ? fresh : []) {
        if (waiting[index] === 0) continue;
        check();
        const file = fileAtIndex(files, index);
        await reportFile(file.path, this.files.indexFile(indexer, file, check));
      }
    } catch (error) {
      if (!(error instanceof StoppedError)) throw error;
      while (read.length > 0) await store();
    } finally {
      scanThread?.close();
    }
    indexer.commit();
    indexer.setBulkMode(false);
    indexer.purge();
    report.send();
  }

  private forget(indexer: Indexer, paths: readonly string[] | undefined): void {
    this.files.forgetScans();
    if (paths === undefined) indexer.empty();
    else {
      indexer.begin();
      indexer.removeUnder(paths);
      indexer.commit();
      indexer.purge();
    }
  }
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
