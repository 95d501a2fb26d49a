/**
 * Reads the versions of thousands of files, which happens every few seconds while sessions are shown. If the search
 * thread is running and idle, it does the work: its synchronous calls take a quarter of the time of the same calls
 * through Node's threads, take almost no time on the calling thread, and a call that hangs occupies none of Node's threads.
 */
import { databaseOf } from '../../files/database/databaseSession';
import { statFileVersions, type FileVersionResult } from '../../files/read/statFiles';
import { MAX_CONCURRENT } from '../../files/io/forEachConcurrent';
import { maxConcurrentCalls } from '../../files/io/maxConcurrentCalls';
import type { SearchWorkerClient } from '../worker/searchWorkerClient';
import type { SyncVersion } from './fileVersionsSync';

/** Below this number of files the calling thread is faster. */
const MIN_THREAD_FILES = 200;
/** Files per request to the thread: some milliseconds, so that other requests get their turn. */
const BATCH_SIZE = 500;
/** Milliseconds for one request before the thread counts as blocked by a disk. */
const TIMEOUT_MS = 2000;

export type VersionThread = Pick<SearchWorkerClient, 'requestIfIdle'>;

export class FileVersionReader {
  private thread: VersionThread | undefined;

  /** @param folders the folders that contain all files */
  constructor(private readonly folders: () => readonly string[]) {}

  useThread(thread: VersionThread): void {
    this.thread = thread;
  }

  /** Does nothing if another thread is in use. */
  releaseThread(thread: VersionThread): void {
    if (this.thread === thread) this.thread = undefined;
  }

  /** See `statFileVersions`. */
  async read(paths: readonly string[], signal?: AbortSignal): Promise<FileVersionResult[]> {
    const files = paths.filter((path) => databaseOf(path) === undefined);
    // All sessions of a database are read together, and here what was read of it before is known.
    if (files.length < paths.length) return this.readBoth(paths, files, signal);
    const fromThread = paths.length < MIN_THREAD_FILES ? [] : await this.readOnThread(paths, signal);
    // `null`: only `statFileVersions` gives the reason why a file can't be read.
    const left = paths.flatMap((_, at) => (at >= fromThread.length || fromThread[at] === null ? [at] : []));
    const versions =
      left.length === 0
        ? []
        : await statFileVersions(
            left.map((at) => paths[at]!),
            await this.concurrency(left.length),
            signal,
          );
    const found = fromThread as FileVersionResult[];
    left.forEach((at, index) => (found[at] = versions[index]));
    return found;
  }

  /** @param files those of the paths that aren't in a database */
  private async readBoth(
    paths: readonly string[],
    files: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<FileVersionResult[]> {
    const rest = paths.filter((path) => databaseOf(path) !== undefined);
    const [ofFiles, ofRest] = [await this.read(files, signal), await statFileVersions(rest, MAX_CONCURRENT, signal)];
    let [file, other] = [0, 0];
    return paths.map((path) => (databaseOf(path) === undefined ? ofFiles[file++] : ofRest[other++]));
  }

  /** A few files don't wait for what kind of disk all the folders are on. */
  private concurrency(files: number): number | Promise<number> {
    return files < MIN_THREAD_FILES ? MAX_CONCURRENT : maxConcurrentCalls(this.folders());
  }

  /** @returns the versions of the first files, as many as the thread had time for. */
  private async readOnThread(paths: readonly string[], signal: AbortSignal | undefined): Promise<SyncVersion[]> {
    const found: SyncVersion[] = [];
    while (found.length < paths.length && this.thread) {
      signal?.throwIfAborted();
      const { thread } = this;
      const batch = await thread.requestIfIdle('versions', paths.slice(found.length, found.length + BATCH_SIZE), TIMEOUT_MS).catch(() => {
        // A disk that hangs must not block the next thread, too.
        this.releaseThread(thread);
        return undefined;
      });
      if (!batch) break;
      found.push(...batch);
    }
    return found;
  }
}
