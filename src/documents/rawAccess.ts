/**
 * The bytes of session files for documents that show them as they are. An address can come from anywhere, so it is
 * checked here before anything is read: it may name a session file below the session folders, or a file that the
 * person has opened by a command. Nothing in here writes.
 */
import { lstat, stat } from 'node:fs/promises';
import { basename, relative, resolve, sep } from 'node:path';
import { MAX_DOCUMENT } from '../contract';
import { isSessionName, readSmallFile, rootOf, SessionError, type Root } from '../core/index';

export interface RawAccessOptions {
  /** Resolves when the session folders are known. */
  readonly rootsReady: Promise<void>;
  readonly roots: () => readonly Root[];
  /** Whether the person has opened this file by a command. */
  readonly isOpened: (path: string) => boolean;
  /** Whether the file can be read as a session. */
  readonly isSession: (path: string) => Promise<boolean>;
}

/** `mtime` in milliseconds since 1970, `size` in bytes. */
export interface RawStats {
  readonly mtime: number;
  readonly size: number;
}

/** Milliseconds that reading may take; a large file on a network needs some. */
const READ_TIMEOUT = 30_000;

export class RawAccess {
  constructor(private readonly options: RawAccessOptions) {}

  /** @throws {SessionError} `not-found`, or `invalid` with the reason why the file isn't read. */
  async stats(path: string): Promise<RawStats> {
    return (await this.checkAccess(path)).stats;
  }

  /** The file's bytes. @throws {SessionError} as `stats`, and `invalid` if it is larger than the editor opens. */
  async read(path: string): Promise<Buffer> {
    const { stats, followLink } = await this.checkAccess(path);
    if (stats.size > MAX_DOCUMENT) throw new SessionError('invalid', 'The file has {size} MB, and the editor opens none above 50 MB: {path}', { size: Math.round(stats.size / 1024 / 1024), path });
    return readSmallFile(path, { maxBytes: MAX_DOCUMENT, deadline: READ_TIMEOUT, followLink });
  }

  private async checkAccess(path: string): Promise<{ stats: RawStats; followLink: boolean }> {
    const { rootsReady: looked, roots, isOpened } = this.options;
    await looked;
    if (resolve(path) !== path || path.includes('\0') || !(isOpened(path) || isSessionFilePath(path, roots()))) {
      throw new SessionError('invalid', 'This file isn’t in a session folder, so it isn’t shown. To see it, open the session and choose Open Raw File: {path}', { path });
    }
    const found = await lstat(path).catch((error: unknown) => {
      throw new SessionError('not-found', 'There is no such session file: {path}', { path }, { cause: error });
    });
    const followLink = found.isSymbolicLink() && (await this.assertMayFollow(path));
    const { mtimeMs, size } = followLink ? await stat(path) : found;
    return { stats: { mtime: Math.floor(mtimeMs), size }, followLink };
  }

  /** A link among sessions may lead anywhere, so it's only followed to a session. */
  private async assertMayFollow(path: string): Promise<boolean> {
    if (this.options.isOpened(path) || (await this.options.isSession(path))) return true;
    throw new SessionError('invalid', 'This is a link to a file that isn’t a session, so it isn’t shown: {path}', { path });
  }
}

/** Whether a path is a session file's, below a session folder; hidden folders, for example a trash folder, hold none. */
export function isSessionFilePath(path: string, roots: readonly Root[]): boolean {
  const root = rootOf(path, roots);
  return root !== undefined && isSessionName(basename(path)) && !relative(root.path, path).split(sep).some((part) => part.startsWith('.'));
}
