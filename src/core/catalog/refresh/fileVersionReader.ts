/**
 * Looks at the state of thousands of files, every few seconds while sessions are shown. Where the thread that answers
 * questions runs, it does this: synchronous calls take a quarter of the time that as many calls through Node's threads
 * take, almost none of it is the calling thread's, and a call that hangs keeps none of Node's threads.
 */
import { statFileVersions, type FileVersionResult } from '../../files/read/statFiles';
import { maxConcurrentCalls } from '../../files/io/maxConcurrentCalls';
import type { SearchWorkerClient } from '../worker/searchWorkerClient';
import type { SyncVersion } from './fileVersionsSync';

/** Fewer files are looked at sooner here. */
const MIN_THREAD_FILES = 200;
/** Files that it looks at for one answer, some milliseconds: then others have their turn. */
const BATCH_SIZE = 500;
/** Milliseconds that an answer may take before the thread counts as one that a disk keeps. */
const TIMEOUT_MS = 2000;

export class FileVersionReader {
  /** It didn't answer in time. */
  private isSlow = false;

  /** `roots`: the folders that all files are below. */
  constructor(
    private readonly thread: Pick<SearchWorkerClient, 'requestIfIdle'>,
    private readonly roots: readonly string[],
  ) {}

  /** As `statFileVersions`, which also looks at what the thread can't tell of. */
  readonly read = async (paths: readonly string[], signal?: AbortSignal): Promise<FileVersionResult[]> => {
    const told = paths.length < MIN_THREAD_FILES ? [] : await this.readOnThread(paths, signal);
    const left = paths.flatMap((_, at) => (at >= told.length || told[at] === null ? [at] : []));
    const versions = left.length === 0 ? [] : await statFileVersions(left.map((at) => paths[at]!), await maxConcurrentCalls(this.roots), signal);
    const found = told as FileVersionResult[];
    left.forEach((at, index) => (found[at] = versions[index]));
    return found;
  };

  /** Of the first files, as far as the thread has the time. */
  private async readOnThread(paths: readonly string[], signal: AbortSignal | undefined): Promise<SyncVersion[]> {
    const told: SyncVersion[] = [];
    while (told.length < paths.length && !this.isSlow) {
      signal?.throwIfAborted();
      const slice = await this.thread.requestIfIdle('versions', paths.slice(told.length, told.length + BATCH_SIZE), TIMEOUT_MS).catch(() => {
        // Of a disk that hangs no other thread is to be kept.
        this.isSlow = true;
        return undefined;
      });
      if (!slice) break;
      told.push(...slice);
    }
    return told;
  }
}
