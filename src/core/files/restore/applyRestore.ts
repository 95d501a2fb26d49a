/** Writes the files of a plan, and keeps what was in them. */
import { valueOf } from '../../format/values/lookups';
import { SessionError } from '../../format/entry/problem';
import { isRestorePlan } from '../../format/restore/planChecks';
import type { PlannedFile, RestorePlan } from '../../format/restore/restorePlan';
import { realDisk } from '../io/disk';
import { fileError } from '../io/fileErrors';
import { withLock } from '../storage/crossWindowLocks';
import { beginOperation } from '../storage/operationRecord';
import { makePrivateFolder } from '../storage/privateFolder';
import { timeOrderedId } from '../storage/privateStorage';
import { changeFiles, HalfDoneError, type ChangedFiles } from './changeFiles';
import { leave, recordChanges, type RecordedChanges } from './recordChanges';
import { restorePlaces } from './restorePlaces';
import { keptBytes, recordFolder, removeRecord, writeRecord, type KeptState, type RestoreStorage } from './restoreRecord';
import { assertSessionFolder } from './sessionFolder';

export interface ApplyOptions extends RestoreStorage {
  readonly signal?: AbortSignal;
}

export interface AppliedRestore {
  /** The id that `undoRestore` takes. */
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
  const applyRecorded = async (): Promise<RecordedChanges & { readonly changed: ChangedFiles }> => {
    const recorded = await recordChanges(plan, id, places, { storage, signal, disk });
    const texts = new Map([...recorded.planned].map(([{ after }, { text }]) => [after, text]));
    const bytesOf = async (state: KeptState): Promise<Buffer> => {
      const text = texts.get(state);
      return text === undefined ? keptBytes(storage, id, state) : Buffer.from(text);
    };
    return { ...recorded, changed: await changeFiles(folder, recorded.record, { placeOf: places.placeOf, bytesOf, signal, disk }) };
  };
  return withLock(storage, recordFolder(storage, id), async () => {
    const operation = await beginOperation(storage, 'restoring', { restore: id });
    const { record, planned, left, changed } = await applyRecorded().catch(async (error: unknown) => {
      if (!(error instanceof HalfDoneError)) {
        await removeRecord(storage, id);
        await operation.done();
      }
      throw fileError(error, folder);
    });
    const leftThen = changed.left.map(({ change, reason }) => leave(valueOf(planned, change), reason));
    // Without this, undo would name files that the restore never changed.
    if (leftThen.length > 0) await writeRecord(storage, { ...record, changes: changed.done }).catch(() => undefined);
    await operation.done();
    return { restoreId: id, done: changed.done.map((change) => valueOf(planned, change)), left: [...left, ...leftThen] };
  });
}
