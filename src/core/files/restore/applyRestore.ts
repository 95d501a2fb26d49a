/** Writes the files of a plan, and keeps what was in them. */
import { valueOf } from '../../format/entry/lookups';
import { SessionError } from '../../format/entry/problem';
import { isRestorePlan } from '../../format/restore/planChecks';
import type { PlannedFile, RestorePlan } from '../../format/restore/restorePlan';
import { realDisk, type Disk } from '../io/disk';
import { fileError } from '../io/fileErrors';
import type { Root } from '../locate/roots';
import { withLock } from '../storage/crossWindowLocks';
import { beginOperation } from '../storage/operationRecord';
import { makePrivateFolder } from '../storage/privateFolder';
import { timeOrderedId } from '../storage/privateStorage';
import { changeFiles, HalfDoneError } from './changeFiles';
import { leave, recordChanges } from './recordChanges';
import { restorePlaces } from './restorePlaces';
import { keptBytes, recordFolder, removeRecord, type KeptState } from './restoreRecord';
import { assertSessionFolder } from './sessionFolder';

/** Options of restores. */
export interface RestoreStorage {
  /** A private folder for the records of restores and the texts before. */
  readonly storage: string;
  /** Session folders beside those that this machine's programs have. Nothing is written in them. */
  readonly roots?: readonly Root[];
  readonly disk?: Disk;
}

export interface ApplyOptions extends RestoreStorage {
  readonly signal?: AbortSignal;
}

export interface AppliedRestore {
  /** What `undoRestore` takes. */
  readonly restoreId: string;
  readonly done: PlannedFile[];
  /** Files that weren't as they were planned any more, or that may not be written, with the reason. */
  readonly left: PlannedFile[];
}

/**
 * Writes, creates and deletes the files of a plan. The bytes before are on the disk before the first file changes; each file is
 * replaced in one step. A file that isn't as it was planned is left. If anything fails, everything is put back.
 *
 * @throws the signal's reason, after everything was put back; {SessionError} `invalid` for a plan that isn't one, or isn't of the
 *   session's folder; `not-found`, `permission`, `no-space`; `damaged` if files couldn't be put back
 */
export async function applyRestore(
  plan: RestorePlan,
  { storage, roots = [], signal, disk = realDisk }: ApplyOptions,
): Promise<AppliedRestore> {
  if (!isRestorePlan(plan)) throw new SessionError('invalid', 'This isn’t a plan for restoring files.');
  signal?.throwIfAborted();
  const { ref, folder } = plan;
  await assertSessionFolder(folder, ref.path, roots);
  await makePrivateFolder(storage);
  const places = await restorePlaces(folder, { session: ref.path, storage, roots });
  const id = timeOrderedId();
  return withLock(storage, recordFolder(storage, id), async () => {
    const operation = await beginOperation(storage, 'restoring', { restore: id });
    try {
      const { set, planned, left } = await recordChanges(plan, id, places, { storage, signal, disk });
      const bytesOf = (state: KeptState): Promise<Buffer> => keptBytes(storage, id, state);
      const changed = await changeFiles(folder, set, { placeOf: places.placeOf, bytesOf, signal, disk });
      await operation.done();
      const leftThen = changed.left.map(({ change, reason }) => leave(valueOf(planned, change), reason));
      return { restoreId: id, done: changed.done.map((change) => valueOf(planned, change)), left: [...left, ...leftThen] };
    } catch (error) {
      if (!(error instanceof HalfDoneError)) {
        await removeRecord(storage, id);
        await operation.done();
      }
      throw fileError(error, folder);
    }
  });
}
