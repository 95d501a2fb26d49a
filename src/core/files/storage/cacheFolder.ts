/** A folder of small files in the extension's own storage that may be lost at any time, because they can be made again. */
import { readdir, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { WorkQueue } from '../concurrency/workQueue';
import { isMissing } from '../io/fileErrors';
import { readSmallText } from '../io/smallFile';
import { makePrivateFolder } from './privateFolder';
import { writePrivateFile } from './privateStorage';

/** Limits of a {@link CacheFolder}. */
interface CacheLimits {
  /** Bytes of a file. A larger one isn't read. */
  readonly maxBytes: number;
  /** The number of files. When another file is written, the oldest is removed. */
  readonly maxFiles: number;
}

/** One call runs at a time, in the order of the calls, so that `clear` removes everything written before it. */
export class CacheFolder {
  private readonly calls = new WorkQueue();

  constructor(
    private readonly folder: string,
    private readonly limits: CacheLimits,
  ) {}

  /**
   * Reads a file.
   *
   * @returns `undefined` if there is none
   * @throws {SessionError} as `readSmallText`; {NodeJS.ErrnoException} the system's errors
   */
  read(name: string): Promise<string | undefined> {
    return this.calls.add(() =>
      readSmallText(join(this.folder, name), { maxBytes: this.limits.maxBytes, followLink: false }).catch((error: unknown) => {
        if (isMissing(error)) return undefined;
        throw error;
      }),
    );
  }

  /** Writes a file atomically, for this user alone. @throws {SessionError} if the file system refuses */
  write(name: string, text: string): Promise<void> {
    return this.calls.add(async () => {
      await makePrivateFolder(this.folder);
      await writePrivateFile(join(this.folder, name), text);
      await this.removeOldest();
    });
  }

  /** Removes all files. @throws {NodeJS.ErrnoException} the system's errors */
  clear(): Promise<void> {
    return this.calls.add(() => rm(this.folder, { recursive: true, force: true }));
  }

  private async removeOldest(): Promise<void> {
    const names = await readdir(this.folder);
    if (names.length <= this.limits.maxFiles) return;
    const files = await Promise.all(
      // Another window may have removed one meanwhile.
      names.map(async (name) => ({
        name,
        time: await stat(join(this.folder, name)).then(
          ({ mtimeMs }) => mtimeMs,
          () => Infinity,
        ),
      })),
    );
    files.sort((a, b) => b.time - a.time);
    for (const { name } of files.slice(this.limits.maxFiles)) await unlink(join(this.folder, name)).catch(() => undefined);
  }
}
