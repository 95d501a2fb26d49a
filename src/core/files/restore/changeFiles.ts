/**
 * Changes several files as one: the new contents are complete and synced under hidden names first, and then moved to their places
 * one after the other. If something fails in between, everything is put back.
 */
import { chmod } from 'node:fs/promises';
import { dirname } from 'node:path';
import { defined } from '../../format/values/defined';
import { SessionError } from '../../format/entry/problem';
import type { LeftReason } from '../../format/restore/leftReasons';
import type { PlannedState } from '../../format/restore/restorePlan';
import { forEachConcurrent } from '../concurrency/forEachConcurrent';
import { linkNew, stageFile, syncFolder } from '../io/atomicFile';
import { realDisk, type Disk } from '../io/disk';
import { errorCode, fileError } from '../io/fileErrors';
import { removeName } from '../io/removeName';
import { retryWhileOpen } from '../storage/retryWhileOpen';
import { removeStaleTemporaryFiles } from '../storage/temporaryFiles';
import { readFound } from './foundFile';
import type { RestorePlaces } from './restorePlaces';
import { inverse, type ChangeSet, type FileChange, type FolderMode, type KeptState } from './restoreRecord';

export interface ChangeTools {
  readonly placeOf: RestorePlaces['placeOf'];
  /** Returns the bytes of a state. */
  readonly bytesOf: (state: KeptState) => Promise<Buffer>;
  readonly signal?: AbortSignal | undefined;
  readonly disk?: Disk | undefined;
}

/** A file that was left alone, and why. */
export interface LeftChange {
  readonly change: FileChange;
  readonly reason: LeftReason;
}

export interface ChangedFiles {
  readonly done: readonly FileChange[];
  readonly left: readonly LeftChange[];
}

/** The error if files couldn't be put back after a failure. */
export class HalfDoneError extends SessionError {
  constructor(folder: string, cause: unknown) {
    super(
      'damaged',
      'Some files were changed and couldn’t be put back. What was in them is kept, so undo it once the folder can be written: {path}',
      { path: folder },
      { cause },
    );
  }
}

/**
 * Changes the files that still are as they were before. The others are left.
 *
 * @param folder the session's folder, which an error names
 * @throws the signal's reason, {SessionError} or the system's error, after everything was put back; {HalfDoneError}
 */
export async function changeFiles(folder: string, set: ChangeSet, tools: ChangeTools): Promise<ChangedFiles> {
  const done: FileChange[] = [];
  try {
    return await stageAndPlace(set, tools, done);
  } catch (error) {
    // A file that a person changes in this moment is left as it is.
    await stageAndPlace(inverse({ ...set, changes: done }), { ...tools, signal: undefined }, []).catch((failure: unknown) => {
      throw new HalfDoneError(folder, failure);
    });
    throw error;
  }
}

/** @param done receives the changes, also if it fails */
async function stageAndPlace(set: ChangeSet, tools: ChangeTools, done: FileChange[]): Promise<ChangedFiles> {
  const { disk = realDisk, signal } = tools;
  const staged = new Map<FileChange, string>();
  const left: LeftChange[] = [];
  const made = await makeFolders(set, tools);
  await forEachFolder(set.changes, async (parent) => void (await removeStaleTemporaryFiles(parent, disk)));
  try {
    await untilFailure(set.changes, async (change) => {
      signal?.throwIfAborted();
      const { after, path } = change;
      if (!after || (await wrongPlace(change, tools)) !== undefined) return;
      const bytes = await tools.bytesOf(after);
      staged.set(change, (await stageFile(path, (put) => put(bytes), { mode: after.mode, disk })).temporary);
    });
    await untilFailure(set.changes, async (change) => {
      signal?.throwIfAborted();
      const reason = await retryWhileOpen(() => place(change, staged.get(change), tools)).catch((error: unknown) => {
        throw fileError(error, change.path);
      });
      if (reason !== undefined) left.push({ change, reason });
      else {
        done.push(change);
        // A new file is a link, whose other name may still be there.
        if (change.before) staged.delete(change);
      }
    });
    signal?.throwIfAborted();
  } finally {
    for (const temporary of staged.values()) await disk.unlink(temporary).catch(() => undefined);
  }
  await removeEmptyFolders([...made, ...set.foldersBefore], tools);
  await forEachFolder(set.changes, (parent) => syncFolder(parent, disk));
  return { done, left };
}

/** Makes the change unless the file isn't as it was, or isn't where it was. Returns the reason why it's left. */
async function place(change: FileChange, temporary: string | undefined, tools: ChangeTools): Promise<LeftReason | undefined> {
  const { path, before, after } = change;
  const { disk = realDisk } = tools;
  const reason = (await wrongPlace(change, tools)) ?? (await stateProblem(path, before));
  if (reason !== undefined) return reason;
  try {
    if (!after) await removeName(path, disk);
    else if (temporary === undefined) return 'changed';
    else if (before) await disk.rename(temporary, path);
    else await linkNew(temporary, path, disk);
    return undefined;
  } catch (error) {
    if (!before && errorCode(error) === 'EEXIST') return 'changed';
    // A network file system may report an error for what it has done.
    if ((await stateProblem(path, after).catch(() => 'unreadable')) === undefined) return undefined;
    throw error;
  }
}

async function wrongPlace({ file, path }: FileChange, { placeOf }: ChangeTools): Promise<LeftReason | undefined> {
  const found = await placeOf(file);
  return found.reason ?? (found.path === path ? undefined : 'wayThere');
}

/** Returns why a file isn't in a state; `undefined` if it is. @throws {SessionError} `permission` if it can't be read */
export async function stateProblem(path: string, state: PlannedState | null): Promise<LeftReason | undefined> {
  try {
    const found = await readFound(path);
    return found?.sha256 === state?.sha256 && found?.mode === state?.mode ? undefined : 'changed';
  } catch (error) {
    if (error instanceof SessionError && error.code !== 'permission') return 'notRegular';
    throw fileError(error, path);
  }
}

/** Makes the missing folders around files that are written. Returns those that it made. */
async function makeFolders({ changes, foldersAfter }: ChangeSet, { placeOf, disk = realDisk }: ChangeTools): Promise<FolderMode[]> {
  const made: FolderMode[] = [];
  const needed = new Set<string>();
  for (const { path, after } of changes) for (let at = dirname(path); after && !needed.has(at); at = dirname(at)) needed.add(at);
  for (const folder of [...foldersAfter].sort((a, b) => a.path.length - b.path.length)) {
    const { path, mode } = folder;
    if (!needed.has(path) || (await placeOf(path)).path !== path) continue;
    try {
      await disk.mkdir(path, defined({ mode }));
      // The process's umask may have cleared some bits.
      if (mode !== undefined) await chmod(path, mode);
      made.push(folder);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw fileError(error, path);
    }
  }
  return made;
}

/** Removes the folders that are empty. One that can't be removed does no harm. */
async function removeEmptyFolders(folders: readonly FolderMode[], { placeOf, disk = realDisk }: ChangeTools): Promise<void> {
  for (const { path } of [...folders].sort((a, b) => b.path.length - a.path.length)) {
    const found = await placeOf(path);
    if (found.reason === undefined && found.path === path) await disk.rmdir(path).catch(() => undefined);
  }
}

const forEachFolder = (changes: readonly FileChange[], work: (folder: string) => Promise<void>): Promise<void> =>
  untilFailure([...new Set(changes.map(({ path }) => dirname(path)))], work);

/** Runs `work` for each item. After a failure no further one begins, and it's thrown when the running ones have ended. */
async function untilFailure<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  await forEachConcurrent(items, async (item) => {
    if (failures.length === 0) await work(item).catch((error: unknown) => failures.push(error));
  });
  if (failures.length > 0) throw failures[0];
}
