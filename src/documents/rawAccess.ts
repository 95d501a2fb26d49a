/**
 * Reads session files for raw documents, and decides which files may be read. A document's URI can come from anywhere
 * (a restored tab, another extension), so only two kinds of files are read: session files below the session folders,
 * and files that the person opened by a command. This module never writes.
 */
import { lstat, stat } from 'node:fs/promises';
import { basename, relative, resolve, sep } from 'node:path';
import { MAX_DOCUMENT } from '../contract';
import {
  findFileVersion,
  isArchivedName,
  isArchivedSession,
  isSessionName,
  readSmallFile,
  readWholeSession,
  rootOf,
  SessionError,
  type Root,
} from '../core/index';

interface RawAccessOptions {
  /** Resolves when the session folders are known. */
  readonly rootsReady: () => Promise<void>;
  readonly roots: () => readonly Root[];
  /** Returns whether the person opened this file by a command. */
  readonly isOpened: (path: string) => boolean;
  /** Returns whether the file can be read as a session. */
  readonly isSession: (path: string) => Promise<boolean>;
}

/** `mtime` in milliseconds since 1970, `size` in bytes. */
interface RawStats {
  readonly mtime: number;
  readonly size: number;
}

/** Milliseconds that reading may take; a large file on a network needs many. */
const READ_TIMEOUT = 30_000;

export class RawAccess {
  constructor(private readonly options: RawAccessOptions) {}

  /** Returns the file's size and time. @throws {SessionError} `not-found`, or `invalid` with the reason why the file isn't read. */
  async stats(path: string): Promise<RawStats> {
    return (await this.checkAccess(path)).stats;
  }

  /** Returns the file's bytes. @throws {SessionError} as `stats`, and `invalid` if the file is larger than the editor opens. */
  async read(path: string): Promise<Buffer> {
    const { stats, followLink, isFile } = await this.checkAccess(path);
    if (stats.size > MAX_DOCUMENT)
      throw new SessionError('invalid', 'The file is too large to open ({size} MB; the limit is 50 MB): {path}', {
        size: Math.round(stats.size / 1024 / 1024),
        path,
      });
    return isFile
      ? readSmallFile(path, { maxBytes: MAX_DOCUMENT, deadline: READ_TIMEOUT, followLink })
      : readWholeSession(path, MAX_DOCUMENT);
  }

  /** `isFile`: the file's bytes are the session's, neither compressed nor rows of a database. */
  private async checkAccess(path: string): Promise<{ stats: RawStats; followLink: boolean; isFile: boolean }> {
    const { rootsReady, roots, isOpened } = this.options;
    await rootsReady();
    if (resolve(path) !== path || path.includes('\0') || !(isOpened(path) || isSessionFilePath(path, roots()))) {
      throw new SessionError(
        'invalid',
        'Can’t show this file because it isn’t in a session folder. Open the session and run “Open Raw File”: {path}',
        { path },
      );
    }
    const found = await lstat(path).catch(async (error: unknown) => {
      // A session in a database isn't a separate file.
      const version = await findFileVersion(path).catch(() => undefined);
      if (version) return version;
      throw new SessionError('not-found', 'This session file doesn’t exist: {path}', { path }, { cause: error });
    });
    if (!('isSymbolicLink' in found))
      return { stats: { mtime: Math.floor(found.mtimeMs), size: found.size }, followLink: false, isFile: false };
    const followLink = found.isSymbolicLink() && (await this.assertMayFollow(path));
    const { mtimeMs, size } = followLink ? await stat(path) : found;
    return { stats: { mtime: Math.floor(mtimeMs), size }, followLink, isFile: !isArchivedSession(path) };
  }

  /** A symbolic link in a session folder may lead anywhere, so it's only followed to a session. Returns true. @throws {SessionError} `invalid` */
  private async assertMayFollow(path: string): Promise<boolean> {
    if (this.options.isOpened(path) || (await this.options.isSession(path))) return true;
    throw new SessionError('invalid', 'Can’t show this file because it links to a file that isn’t a session: {path}', { path });
  }
}

/** Returns whether a path has a session file's name and is below a session folder. Hidden folders, such as a trash folder, hold no sessions. */
export function isSessionFilePath(path: string, roots: readonly Root[]): boolean {
  const root = rootOf(path, roots);
  return (
    root !== undefined &&
    (isSessionName(basename(path)) || isArchivedName(basename(path))) &&
    !relative(root.path, path)
      .split(sep)
      .some((part) => part.startsWith('.'))
  );
}
