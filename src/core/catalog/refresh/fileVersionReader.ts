/**
 * Reads the versions of thousands of files, which happens every few seconds while sessions are shown. If the search
 * thread is running and idle, it does the work: its synchronous calls take a quarter of the time of the same calls
 * through Node's threads, take almost no time on the calling thread, and a call that hangs occupies none of Node's threads.
 */
import { Yielder } from '../../files/concurrency/eventLoop';
import { databaseOf } from '../../files/database/databaseSession';
import { statFileVersions, type FileVersionResult } from '../../files/read/versions/statFiles';
import { MAX_CONCURRENT } from '../../files/concurrency/forEachConcurrent';
import { maxConcurrentCalls } from '../../files/concurrency/maxConcurrentCalls';
import { sameVersion } from '../../files/read/versions/compareVersions';
import type { FileVersion } from '../../files/read/sessionFile';
import { elementAt } from '../../format/values/lookups';
import { MIN_START_FILES, MIN_THREAD_FILES, type InspectionThread } from './inspectionThread';
import { versionAt } from '../worker/protocol/versionNumbers';

/** Files per request to the thread: some milliseconds, so that other requests get their turn. */
const BATCH_SIZE = 500;

/** Files that are read concurrently on this thread, which then takes the results in one go. */
const SLICE_LENGTH = 2000;

export class FileVersionReader {
  /** @param folders the folders that contain all files */
  constructor(
    private readonly folders: () => readonly string[],
    private readonly thread: InspectionThread,
  ) {}

  /** See `statFileVersions`. @param before returns an earlier version of a file, which is returned if it's still the same */
  async read(
    paths: readonly string[],
    signal?: AbortSignal,
    before: (path: string) => FileVersion | undefined = () => undefined,
  ): Promise<FileVersionResult[]> {
    const found = new Array<FileVersionResult>(paths.length);
    // All sessions of a database are read together, and on this thread, which knows the earlier results of reading it.
    const files: number[] = [];
    const rows: number[] = [];
    const pause = new Yielder(signal);
    for (let at = 0; at < paths.length; at++) {
      (databaseOf(elementAt(paths, at)) === undefined ? files : rows).push(at);
      if (pause.isDue()) await pause.yieldIfDue();
    }
    const left = files.length < MIN_THREAD_FILES ? files : await this.readOnThread(paths, files, found, signal, before);
    for (const rest of [...slices(left), rows]) {
      if (rest.length === 0) continue;
      const versions = await statFileVersions(
        rest.map((at) => elementAt(paths, at)),
        await this.concurrency(left.length),
        signal,
        before,
      );
      rest.forEach((at, index) => {
        const [version, known] = [versions[index], before(elementAt(paths, at))];
        found[at] = version && known && !(version instanceof Error) && sameVersion(version, known) ? known : version;
      });
      await pause.yieldIfDue();
    }
    return found;
  }

  /** A few files don't wait for what kind of disk all the folders are on. */
  private concurrency(files: number): number | Promise<number> {
    return files < MIN_THREAD_FILES ? MAX_CONCURRENT : maxConcurrentCalls(this.folders());
  }

  /** Sets the versions of files, by their indexes. @returns the indexes that are left: the thread had no time, or only `statFileVersions` gives the reason */
  private async readOnThread(
    paths: readonly string[],
    files: readonly number[],
    found: FileVersionResult[],
    signal: AbortSignal | undefined,
    before: (path: string) => FileVersion | undefined,
  ): Promise<number[]> {
    const left: number[] = [];
    let done = 0;
    while (done < files.length) {
      signal?.throwIfAborted();
      const batch = files.slice(done, done + BATCH_SIZE);
      const numbers = await this.thread.request(
        'versions',
        batch.map((at) => elementAt(paths, at)),
        files.length >= MIN_START_FILES,
      );
      if (!numbers) break;
      for (const [index, at] of batch.entries()) {
        const version = versionAt(numbers, index, before(elementAt(paths, at)));
        if (version === null) left.push(at);
        else found[at] = version;
      }
      done += batch.length;
    }
    return [...left, ...files.slice(done)];
  }
}

function slices(indexes: readonly number[]): number[][] {
  const count = Math.ceil(indexes.length / SLICE_LENGTH);
  return Array.from({ length: count }, (_, at) => indexes.slice(at * SLICE_LENGTH, (at + 1) * SLICE_LENGTH));
}
