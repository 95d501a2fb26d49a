/** Takes a restore back, or finishes one whose process ended. */
import { SessionError } from '../../format/entry/problem';
import { leftReason } from '../../format/restore/leftReasons';
import type { PlannedFile } from '../../format/restore/restorePlan';
import { realDisk } from '../io/disk';
import { fileError } from '../io/fileErrors';
import { withLock } from '../storage/crossWindowLocks';
import { beginOperation } from '../storage/operationRecord';
import type { RestoreStorage } from './applyRestore';
import { changeFiles, HalfDoneError, stateProblem } from './changeFiles';
import { endOperations } from './recoverRestores';
import { restorePlaces, type RestorePlaces } from './restorePlaces';
import { inverse, keptBytes, readRecord, recordFolder, type ChangeSet, type FileChange, type KeptState } from './restoreRecord';
import { assertSessionFolder } from './sessionFolder';

export interface UndoneRestore {
  /** The files as they were found, with what was done; `none` for those that had nothing to be changed. */
  readonly done: PlannedFile[];
  readonly left: PlannedFile[];
}

/**
 * Gives back the bytes that were there before a restore. A file that was changed since is left. May be repeated, and takes back a
 * restore whose process ended half-way.
 *
 * @throws {SessionError} `not-found` if there is no such restore, `permission`, `no-space`, `live` while it's under way; then
 *   nothing is changed
 */
export const undoRestore = (restoreId: string, storage: RestoreStorage): Promise<UndoneRestore> => carryOut(restoreId, storage, inverse);

/** Writes what a restore whose process ended half-way had left to write. @throws as {@link undoRestore} */
export const finishRestore = (restoreId: string, storage: RestoreStorage): Promise<UndoneRestore> =>
  carryOut(restoreId, storage, (set) => set);

async function carryOut(
  id: string,
  { storage, roots = [], disk = realDisk }: RestoreStorage,
  direction: (set: ChangeSet) => ChangeSet,
): Promise<UndoneRestore> {
  if (!(await readRecord(storage, id))) throw unknownRestore(id);
  return withLock(storage, recordFolder(storage, id), async () => {
    const record = await readRecord(storage, id);
    if (!record) throw unknownRestore(id);
    const { ref, folder } = record;
    // The session may have been deleted since.
    await assertSessionFolder(folder, ref.path, roots).catch((error: unknown) => {
      if (!(error instanceof SessionError && error.code === 'not-found')) throw error;
    });
    const places = await restorePlaces(folder, { session: ref.path, storage, roots });
    const { set, already } = await open(direction(record), places);
    const operation = await beginOperation(storage, 'restoring', { restore: id });
    const bytesOf = (state: KeptState): Promise<Buffer> => keptBytes(storage, id, state);
    try {
      const { done, left } = await changeFiles(folder, set, { placeOf: places.placeOf, bytesOf, disk });
      await endOperations(storage, id);
      return {
        done: [...already.map((change) => planned(change, 'none')), ...done.map((change) => planned(change))],
        left: left.map(({ change, reason }) => ({ ...planned(change, 'left'), reason: leftReason(reason) })),
      };
    } catch (error) {
      if (!(error instanceof HalfDoneError)) await operation.done();
      throw fileError(error, folder);
    }
  });
}

/** Separates the changes that are already made. */
async function open(set: ChangeSet, { placeOf }: RestorePlaces): Promise<{ set: ChangeSet; already: FileChange[] }> {
  const already: FileChange[] = [];
  const changes: FileChange[] = [];
  for (const change of set.changes) {
    const place = await placeOf(change.file);
    const isMade = place.path === change.path && (await stateProblem(change.path, change.after)) === undefined;
    (isMade ? already : changes).push(change);
  }
  return { set: { ...set, changes }, already };
}

function planned({ file, before, after }: FileChange, action?: PlannedFile['action']): PlannedFile {
  const was = action === 'none' ? after : before;
  return {
    file,
    action: action ?? (after ? (before ? 'write' : 'create') : 'delete'),
    certainty: 'exact',
    was: was && { sha256: was.sha256, mode: was.mode },
  };
}

const unknownRestore = (id: string): SessionError =>
  new SessionError('not-found', 'There is no record of this restore, or it’s no longer kept: {id}', { id });
