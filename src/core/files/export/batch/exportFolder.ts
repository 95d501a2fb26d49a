/** The new folder of an export of several sessions. */
import { mkdir, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SessionError } from '../../../format/entry/problem';
import { createFile } from '../../io/atomicFile';
import { errorCode, fileError } from '../../io/fileErrors';
import type { FolderPage } from '../exportFormat';

export class ExportFolder {
  /** Paths of the files that are complete. */
  private readonly written: string[] = [];

  private constructor(private readonly folder: string) {}

  /**
   * Creates the folder. Only the person can read its content, until they hand it on.
   *
   * @throws {SessionError} `invalid` if there's anything at the path; `permission` or `no-space`.
   */
  static async create(folder: string): Promise<ExportFolder> {
    await mkdir(dirname(folder), { recursive: true });
    await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
      if (errorCode(error) !== 'EEXIST') throw fileError(error, folder);
      throw new SessionError('invalid', 'There’s already something with this name: {path}', { path: folder });
    });
    return new ExportFolder(folder);
  }

  pathOf(name: string): string {
    return join(this.folder, name);
  }

  /** Registers a file that was written into the folder. */
  add(path: string): void {
    this.written.push(path);
  }

  /** Writes pages. @returns the path of the last one */
  async addPages(pages: readonly FolderPage[]): Promise<string | undefined> {
    let last: string | undefined;
    for (const { name, text } of pages) {
      last = this.pathOf(name);
      await createFile(last, (to) => to.text(text), { mode: 0o600 });
      this.add(last);
    }
    return last;
  }

  /** Removes the files and the folder, as far as possible. Files of others, and a folder with such files, stay. */
  async remove(): Promise<void> {
    for (const path of this.written) await unlink(path).catch(() => undefined);
    await rmdir(this.folder).catch(() => undefined);
  }
}
