/**
 * A single deletion: its files are moved to a folder in the trash and back, based on its record only. The process may
 * be killed after any step; the record of the operation says what was under way.
 */
import { mkdir, open, realpath, rename, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { SessionError } from '../../format/entry/problem';
import { withoutSessionSuffix } from '../../format/session/archivedSession';
import { exists } from '../io/exists';
import { relatedPaths } from './relatedPaths';
import { fileError } from '../io/fileErrors';
import { sameVersion } from '../read/versions/compareVersions';
import { fileVersion, type FileVersion } from '../read/sessionFile';
import type { Operation } from '../storage/operationRecord';
import { retryWhileOpen } from '../storage/retryWhileOpen';
import { syncFolder } from '../io/atomicFile';
import {
  checkEntryFolder,
  removeEntryFolder,
  inodeAt,
  statsAt,
  pathTakenError,
  NOTE_FILE,
  ensureFolderAt,
  moveBack,
  moveError,
} from './trashMoves';
import { entryFolder, type TrashedFile, type TrashRecord, type TrashRecords, type TrashTask } from './trashRecords';

/**
 * Runs after everything was moved and before the move counts as done. If the process is killed in between, the next
 * start runs it again.
 */
type WhenMoved = () => Promise<void>;
const noop: WhenMoved = () => Promise.resolve();

const pathInTrash = (record: TrashRecord, { as }: TrashedFile): string => join(entryFolder(record), as);
const originalPath = ({ parent }: TrashRecord, { name }: TrashedFile): string => join(parent, name);

/** Returns the files to move for a session, and their current places. @param keepFolder see `DeleteOptions` */
export async function filesToTrash(path: string, keepFolder = false): Promise<Pick<TrashRecord, 'parent' | 'things'>> {
  const things: TrashedFile[] = [];
  const folder = withoutSessionSuffix(path);
  for (const file of await relatedPaths(path)) {
    if (keepFolder && file === folder) continue;
    things.push({ name: basename(file), as: String(things.length), stats: await statsAt(file) });
  }
  return { parent: await realpath(dirname(path)), things };
}

/** Records an imminent deletion, then creates its folder. If that fails, the record is removed again. */
export async function beginDeletion(records: TrashRecords, deletion: TrashRecord, makeFolder: () => Promise<void>): Promise<Operation> {
  const operation = await records.begin('delete', deletion);
  let isMade = false;
  try {
    await makeFolder();
    await mkdir(entryFolder(deletion), { mode: 0o700 });
    isMade = true;
    await writeNote(deletion);
  } catch (error) {
    await (isMade ? removeEntryFolder(entryFolder(deletion)) : rmdir(deletion.folder).catch(() => undefined));
    await operation.done();
    throw fileError(error, entryFolder(deletion));
  }
  await syncFolder(deletion.folder);
  return operation;
}

async function writeNote(deletion: TrashRecord): Promise<void> {
  const { trashId, path, name, at, size, things } = deletion;
  const note = { trashId, path, name, at, size, things: things.map(({ name: own, as }) => ({ from: join(dirname(path), own), as })) };
  const file = await open(join(entryFolder(deletion), NOTE_FILE), 'wx', 0o600);
  try {
    await file.writeFile(JSON.stringify(note, undefined, 2));
  } finally {
    await file.close();
  }
}

/**
 * Moves the files into the trash, the session first. If one fails, all are moved back and the deletion is discarded.
 *
 * @param version the session's version when the deletion was decided.
 * @throws {SessionError} `changed` if the session has another version; `invalid` if a file is on another file system.
 */
export async function moveToTrash(
  records: TrashRecords,
  { deletion, operation, version }: { readonly deletion: TrashRecord; readonly operation: Operation; readonly version: FileVersion },
  whenMoved = noop,
): Promise<void> {
  const moved: TrashedFile[] = [];
  try {
    const ino = await inodeAt(deletion.path);
    const now = await stat(deletion.path, { bigint: true }).then(fileVersion, () => undefined);
    if (!now || !sameVersion(now, version)) throw changedMeanwhile(deletion.path);
    for (const file of deletion.things) {
      await retryWhileOpen(() => rename(originalPath(deletion, file), pathInTrash(deletion, file)));
      moved.push(file);
      if (moved.length === 1 && (await inodeAt(pathInTrash(deletion, file))) !== ino) throw changedMeanwhile(deletion.path);
      await syncFolder(deletion.parent);
    }
    await whenMoved();
    await records.write(deletion);
  } catch (error) {
    for (const file of moved.reverse()) await moveBack(pathInTrash(deletion, file), originalPath(deletion, file));
    await removeEntryFolder(entryFolder(deletion));
    await operation.done();
    throw moveError(error, deletion.path);
  }
  await operation.done();
}

/** Removes the folder and the record of a deletion. */
async function removeEntry(records: TrashRecords, record: TrashRecord): Promise<void> {
  await removeEntryFolder(entryFolder(record));
  await records.remove(record.trashId);
}

/** True if something else is in the place of a file that was moved. */
async function isReplaced(record: TrashRecord, file: TrashedFile): Promise<boolean> {
  const { stats } = file;
  if (!stats) return false;
  const now = await statsAt(pathInTrash(record, file));
  return now?.ino !== stats.ino && (now?.size !== stats.size || now.mtime !== stats.mtime);
}

/** True if everything that was moved is still in the trash. */
export async function isComplete(record: TrashRecord): Promise<boolean> {
  if (!(await checkEntryFolder(entryFolder(record)))) return false;
  for (const file of record.things) if (!(await exists(pathInTrash(record, file))) || (await isReplaced(record, file))) return false;
  return true;
}

/**
 * Moves everything back, the session last.
 *
 * @throws {SessionError} `not-found` if the trash no longer contains the files that were moved there; `invalid` if a
 * path is taken, or the folder leads elsewhere now. Then everything stays in the trash.
 */
export async function restoreFromTrash(records: TrashRecords, record: TrashRecord, whenMoved = noop): Promise<void> {
  if (!(await isComplete(record))) throw incompleteError(entryFolder(record));
  for (const { name } of record.things) {
    const from = join(dirname(record.path), name);
    if (await exists(from)) throw pathTakenError(from);
  }
  await ensureFolderAt(dirname(record.path), record.parent);
  const operation = await records.begin('restore', record);
  const moved: TrashedFile[] = [];
  try {
    for (const file of [...record.things].reverse()) {
      await moveBack(pathInTrash(record, file), originalPath(record, file));
      moved.push(file);
    }
  } catch (error) {
    for (const file of moved.reverse()) await retryWhileOpen(() => rename(originalPath(record, file), pathInTrash(record, file)));
    await operation.done();
    throw moveError(error, record.path);
  }
  await whenMoved();
  await removeEntry(records, record);
  await operation.done();
}

/**
 * Ends a task whose process is gone: a deletion whose session was already moved is completed, any other is reverted; a
 * restore or a removal is continued.
 *
 * @returns `undefined` if the disk isn't mounted.
 */
export async function recoverEntry(
  records: TrashRecords,
  task: TrashTask,
  record: TrashRecord,
): Promise<'deleted' | 'restored' | 'discarded' | undefined> {
  if (!(await exists(dirname(record.folder)))) return undefined;
  if (task === 'discard') {
    await removeFiles(records, record);
    return 'discarded';
  }
  await checkEntryFolder(entryFolder(record));
  const { session, rest } = await locateFiles(record);
  // In both places: the process was moving everything back, the session last.
  if (task === 'restore' || !session?.inTrash || session.outside) return revertDeletion(records, record);
  const stillOutside = rest.filter(({ inTrash, outside }) => !inTrash && outside);
  if (stillOutside.length > 0) await ensureFolderAt(dirname(record.path), record.parent);
  for (const { file } of stillOutside) await retryWhileOpen(() => rename(originalPath(record, file), pathInTrash(record, file)));
  await records.write(record);
  return 'deleted';
}

/** Moves back the files whose paths are free. The others stay in the trash and can be restored later. */
async function revertDeletion(records: TrashRecords, record: TrashRecord): Promise<'deleted' | 'restored'> {
  const left: TrashedFile[] = [];
  const { session, rest } = await locateFiles(record);
  if (session?.inTrash || rest.some(({ inTrash }) => inTrash)) await ensureFolderAt(dirname(record.path), record.parent);
  for (const { file, inTrash, outside } of [...rest].reverse().concat(session ?? [])) {
    if (!inTrash) continue;
    if (outside) await unlink(pathInTrash(record, file));
    else if (await exists(originalPath(record, file))) left.unshift(file);
    else await moveBack(pathInTrash(record, file), originalPath(record, file));
  }
  if (left.length > 0) {
    await records.write({ ...record, things: left });
    return 'deleted';
  }
  await removeEntry(records, record);
  return 'restored';
}

interface FileLocation {
  readonly file: TrashedFile;
  readonly inTrash: boolean;
  /** True if the path outside has the same file, or the only one. */
  readonly outside: boolean;
}

async function locateFiles(record: TrashRecord): Promise<{ session: FileLocation | undefined; rest: FileLocation[] }> {
  const found: FileLocation[] = [];
  for (const file of record.things) {
    const [kept, from] = [await inodeAt(pathInTrash(record, file)), await inodeAt(originalPath(record, file))];
    found.push({ file, inTrash: kept !== undefined, outside: from !== undefined && (kept === undefined || kept === from) });
  }
  const isSession = ({ file }: FileLocation): boolean => file.name === basename(record.path);
  return { session: found.find(isSession), rest: found.filter((one) => !isSession(one)) };
}

/** Removes a deletion's files permanently. Files that its record doesn't name stay, and those in the place of others. */
export async function deletePermanently(records: TrashRecords, record: TrashRecord): Promise<void> {
  const operation = await records.begin('discard', record);
  await removeFiles(records, record);
  await operation.done();
}

async function removeFiles(records: TrashRecords, record: TrashRecord): Promise<void> {
  if (await checkEntryFolder(entryFolder(record))) {
    for (const file of record.things) {
      const kept = pathInTrash(record, file);
      // A link is removed, without following it.
      if ((await statsAt(kept)) && (await isReplaced(record, file))) continue;
      await rm(kept, { recursive: true, force: true }).catch((error: unknown) => {
        throw fileError(error, kept);
      });
    }
  }
  await removeEntry(records, record);
}

const changedMeanwhile = (path: string): SessionError =>
  new SessionError('changed', 'The session was changed at the same time, so it wasn’t moved to the trash. Refresh and try again: {path}', {
    path,
  });

const incompleteError = (place: string): SessionError =>
  new SessionError('not-found', 'Nothing was restored because the files in the trash were moved or replaced. Check what’s there: {path}', {
    path: place,
  });
