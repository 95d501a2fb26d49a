/**
 * Looks at the state of thousands of files, every few seconds while sessions are shown. Where the thread that answers
 * questions runs, it does this: synchronous calls take a quarter of the time that as many calls through Node's threads
 * take, almost none of it is the calling thread's, and a call that hangs keeps none of Node's threads.
 */
import { fileVersionsAt, type FoundVersion } from '../files/fileVersions';
import { callsAtOnce } from '../files/localDisk';
import type { AskLink } from './askLink';
import type { ToldVersion } from './versionsNow';

/** Fewer files are looked at sooner here. */
const MANY = 200;
/** Files that it looks at for one answer, some milliseconds: then others have their turn. */
const SLICE = 500;
/** Milliseconds that an answer may take before the thread counts as one that a disk keeps. */
const PATIENCE = 2000;

export class VersionLooks {
  /** It didn't answer in time. */
  private isSlow = false;

  /** `roots`: the folders that all files are below. */
  constructor(
    private readonly thread: Pick<AskLink, 'askIdle'>,
    private readonly roots: readonly string[],
  ) {}

  /** As `fileVersionsAt`, which also looks at what the thread can't tell of. */
  readonly at = async (paths: readonly string[], signal?: AbortSignal): Promise<FoundVersion[]> => {
    const told = paths.length < MANY ? [] : await this.told(paths, signal);
    const left = paths.flatMap((_, at) => (at >= told.length || told[at] === null ? [at] : []));
    const versions = left.length === 0 ? [] : await fileVersionsAt(left.map((at) => paths[at]!), await callsAtOnce(this.roots), signal);
    const found = told as FoundVersion[];
    left.forEach((at, index) => (found[at] = versions[index]));
    return found;
  };

  /** Of the first files, as far as the thread has the time. */
  private async told(paths: readonly string[], signal: AbortSignal | undefined): Promise<ToldVersion[]> {
    const told: ToldVersion[] = [];
    while (told.length < paths.length && !this.isSlow) {
      signal?.throwIfAborted();
      const slice = await this.thread.askIdle('versions', paths.slice(told.length, told.length + SLICE), PATIENCE).catch(() => {
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
