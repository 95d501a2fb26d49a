/**
 * Moves one session: writes it to its new path with another header and the same bytes after it, and then removes the old
 * file. At each moment one of the two files is complete; the old one has a hidden name until the end. FORMAT section 6,
 * rule 12.
 */
import type { BigIntStats } from 'node:fs';
import { realpath, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SessionError } from '../../format/entry/problem';
import { assertPlaced, placeInstead, placeNewFile, type PlacedFile, type Put } from '../io/atomicFile';
import { copyRange } from '../io/copyFile';
import { realDisk, type Disk } from '../io/disk';
import { errorCode, fileError } from '../io/fileErrors';
import { isSameFile } from '../io/assertInPlace';
import { openRegularFile } from '../io/regularFile';
import { changedError, sameVersion } from '../read/versions/compareVersions';
import { fileVersion, type FileVersion } from '../read/versions/fileVersion';
import { exists } from '../io/exists';
import { relatedPaths } from '../trash/relatedPaths';
import { moveBack, pathTakenError } from '../trash/trashMoves';
import { assertWritable } from '../write/assertWritable';
import { isUnchanged, NotAtPathError, removeOriginal } from '../write/removeOriginal';
import type { MoveLog, MoveStep } from '../write/moveLog';
import { findHeader, type HeaderPlace } from './headerPlace';

/** The new path and header of a session. */
export interface Relocation {
  readonly path: string;
  /** The same as `path` if only the header changes. */
  readonly newPath: string;
  /** Returns the header's new text; the same one if it doesn't change. May throw to refuse. */
  readonly headerOf: (header: HeaderPlace) => string;
}

/** A file that no other program used when it was checked. */
interface FreeFile {
  readonly version: FileVersion;
  /** Throws `live` if another program has the file open, by the name that it has now. */
  readonly assertClosed: (path: string) => Promise<void>;
}

/** An open file, with its state when it was checked. */
interface Source {
  readonly path: string;
  readonly file: FileHandle;
  readonly stats: BigIntStats;
  readonly version: FileVersion;
  /** Writes the bytes of the file with the new header. */
  readonly write: (put: Put) => Promise<void>;
}

/**
 * Carries out a relocation under the guard of the writer.
 *
 * @returns false if nothing had to change.
 * @throws {SessionError} `changed`, `invalid`, `permission`, `no-space` or `not-found`: nothing was changed. `damaged`:
 *   the sentence names where the session is.
 */
export async function relocate(relocation: Relocation, free: FreeFile, log: MoveLog, disk: Disk = realDisk): Promise<boolean> {
  const { path, newPath, headerOf } = relocation;
  const { version, assertClosed } = free;
  const { file, stats } = await openRegularFile(path, { followLink: false, refusal: linkedError }).catch((error: unknown) => {
    throw errorCode(error) === 'ELOOP' ? linkedError(path) : fileError(error, path);
  });
  try {
    assertWritable(path, Number(stats.mode));
    const found = fileVersion(stats);
    if (!sameVersion(found, version)) throw changedError(path);
    const header = await findHeader(file, found.size);
    if (!header?.isExact) throw headerError(path);
    const after = headerOf(header);
    if (newPath === path && after === header.text) return false;
    const step: MoveStep = { path, newPath, before: header.text, after };
    const write = async (put: Put): Promise<void> => {
      await copyRange(file, 0, header.offset, put);
      await put(Buffer.from(after));
      await copyRange(file, header.offset + header.length, Infinity, put);
    };
    const source: Source = { path, file, stats, version: found, write };
    if (newPath !== path) await assertPathFree(path, newPath);
    await log.begin(step);
    await (newPath === path ? rewrite(source, disk) : move(source, newPath, assertClosed, disk));
    await log.done(step);
    return true;
  } catch (error) {
    throw errorCode(error) === 'EXDEV' ? otherDiskError(path, error) : fileError(error, path);
  } finally {
    await file.close();
  }
}

/** Replaces the file by one with the new header. */
async function rewrite({ path, file, stats, version, write }: Source, disk: Disk): Promise<void> {
  const options = { mode: Number(stats.mode) & 0o777, mtimeMs: version.mtimeMs, disk };
  const check = async (): Promise<void> => {
    if (!sameVersion(version, fileVersion(await disk.stat(path, { bigint: true })))) throw changedError(path);
  };
  let placed = await placeInstead(path, write, check, options);
  if (!(await isUnchanged(file, version))) {
    // Another program wrote to the old file after the last check. The file is written again, with those bytes.
    const mine = placed;
    placed = await placeInstead(path, write, () => assertPlaced(path, mine, disk), options);
  }
  await assertPlaced(path, placed, disk);
}

/** Creates the new file, moves what belongs to the session, and removes the old file last. */
async function move(source: Source, newPath: string, assertClosed: FreeFile['assertClosed'], disk: Disk): Promise<void> {
  const { path, file, stats, version, write } = source;
  const isFolderNew = await makeRealFolder(dirname(newPath), disk);
  const options = { mode: Number(stats.mode) & 0o777, mtimeMs: version.mtimeMs, disk };
  const placed = await placeNewFile(newPath, write, options).catch((error: unknown) => {
    throw errorCode(error) === 'EEXIST' ? pathTakenError(newPath) : error;
  });
  const moved: string[] = [];
  try {
    for (const related of (await relatedPaths(path)).slice(1)) {
      await moveBack(related, join(dirname(newPath), basename(related)));
      moved.push(basename(related));
    }
    const there = await disk.stat(path, { bigint: true });
    if (!isSameFile(stats, there) || !sameVersion(version, fileVersion(there))) throw changedError(path);
    await removeOriginal({ path, hidden: movingPath(path), file, version, mode: options.mode }, { assertClosed, disk });
  } catch (error) {
    if (error instanceof NotAtPathError) throw error;
    for (const name of moved.reverse()) await moveBack(join(dirname(newPath), name), join(dirname(path), name));
    await removePlaced(newPath, placed, disk);
    if (isFolderNew) await disk.rmdir(dirname(newPath)).catch(() => undefined);
    throw error;
  }
  await assertPlaced(newPath, placed, disk);
}

/** Returns the hidden path, in the old folder, that a file has until it's removed. */
export const movingPath = (path: string): string => join(dirname(path), `.${basename(path)}.moving`);

/** Removes a file that was just created, unless something else is at its path. */
export async function removePlaced(path: string, placed: PlacedFile, disk: Disk): Promise<void> {
  const there = await disk.stat(path, { bigint: true }).catch(() => undefined);
  if (there && isSameFile(placed.stats, there) && there.size === placed.stats.size) await disk.unlink(path);
}

/** @throws {SessionError} `invalid` if something has the name of the session, or of what belongs to it, in the new folder. */
export async function assertPathFree(path: string, newPath: string): Promise<void> {
  for (const related of [newPath, ...(await relatedPaths(path)).slice(1).map((one) => join(dirname(newPath), basename(one)))])
    if (await exists(related)) throw pathTakenError(related);
}

/**
 * Creates the folder if it's missing, in an existing one.
 *
 * @returns false if it was there.
 * @throws {SessionError} `invalid` if it's a link: the session would leave the session folder.
 */
async function makeRealFolder(folder: string, disk: Disk): Promise<boolean> {
  const made = await disk.mkdir(folder, { recursive: true });
  if ((await realpath(folder)) !== join(await realpath(dirname(folder)), basename(folder))) throw linkedError(folder);
  return made !== undefined;
}

export const linkedError = (path: string): SessionError =>
  new SessionError('invalid', 'This is a link, so nothing is moved there or from there: {path}', { path });

export const otherDiskError = (path: string, cause?: unknown): SessionError =>
  new SessionError(
    'invalid',
    'Some of this session’s files are on another file system than its session folder, so nothing was moved: {path}',
    { path },
    { cause },
  );

export const headerError = (path: string): SessionError =>
  new SessionError('invalid', 'The first line of this session can’t be rewritten without changing more of it: {path}', { path });
