/** Finds restores whose process ended half-way, and removes old records. */
import { dirname } from 'node:path';
import { SessionError } from '../../format/entry/problem';
import { isTimeOrderedId } from '../storage/privateStorage';
import { withFreeLock } from '../storage/crossWindowLocks';
import { readOperations, type OperationRecord } from '../storage/operationRecord';
import { ageOf } from '../storage/processIdentity';
import { removeStaleTemporaryFiles } from '../storage/temporaryFiles';
import type { RestoreStorage } from './applyRestore';
import { stateProblem } from './changeFiles';
import { restorePlaces } from './restorePlaces';
import { readRecord, recordFolder, recordIds, removeRecord, timeOfRecord, type RestoreRecord } from './restoreRecord';

/** A restore whose record is kept. */
export interface KeptRestore {
  readonly restoreId: string;
  /** `partial`: some files are as they were before it and others aren't, because its process or that of its undo ended. */
  readonly state: 'whole' | 'partial';
}

/**
 * Looks at all kept restores. Those that were interrupted before the first file or after the last one end by this. A restore that
 * another process is working on isn't among them.
 */
export async function recoverRestores({ storage, roots = [] }: RestoreStorage): Promise<KeptRestore[]> {
  const operations = await readOperations(storage, 'restoring');
  const interrupted = new Set(operations.flatMap((one) => restoreOf(one) ?? []));
  const found: KeptRestore[] = [];
  for (const restoreId of await recordIds(storage)) {
    await withFreeLock(storage, recordFolder(storage, restoreId), async () => {
      const record = await readRecord(storage, restoreId);
      // Nothing changes before a record is complete.
      if (!record) await removeRecord(storage, restoreId);
      const isPartial = record !== undefined && interrupted.has(restoreId) && (await isHalfDone(record, storage, roots));
      if (record) found.push({ restoreId, state: isPartial ? 'partial' : 'whole' });
      if (!isPartial) await endOperations(storage, restoreId);
    });
  }
  return found;
}

/**
 * Removes the records of restores, with the texts before, that are older than `maxAgeMs`. They can't be undone any more, whether
 * they were interrupted or not.
 */
export async function pruneRestores({ storage }: RestoreStorage, maxAgeMs: number): Promise<void> {
  for (const id of await recordIds(storage)) {
    if (ageOf(timeOfRecord(id)) <= maxAgeMs) continue;
    await withFreeLock(storage, recordFolder(storage, id), async () => {
      await removeRecord(storage, id);
      await endOperations(storage, id);
    });
  }
}

/** Removes the records of interrupted work on a restore. The caller has its lock. */
export async function endOperations(storage: string, id: string): Promise<void> {
  for (const operation of await readOperations(storage, 'restoring')) if (restoreOf(operation) === id) await operation.done();
}

const restoreOf = ({ subject }: OperationRecord): string | undefined => {
  const { restore } = subject;
  return isTimeOrderedId(restore) ? restore : undefined;
};

/** True unless all files are as they were before, or all as they were after. A file that was changed since counts as neither. */
async function isHalfDone({ ref, folder, changes }: RestoreRecord, storage: string, roots: RestoreStorage['roots']): Promise<boolean> {
  const states = { before: 0, after: 0 };
  const folders = new Set<string>();
  try {
    const { placeOf } = await restorePlaces(folder, { session: ref.path, storage, roots });
    for (const { file, path, before, after } of changes) {
      if ((await placeOf(file)).path !== path) continue;
      if ((await stateProblem(path, before)) === undefined) states.before++;
      else if ((await stateProblem(path, after)) === undefined) states.after++;
      folders.add(dirname(path));
    }
  } catch (error) {
    // The folder may be away, or closed for a while.
    if (error instanceof SessionError) return true;
    throw error;
  }
  for (const one of folders) await removeStaleTemporaryFiles(one);
  return states.before > 0 && states.after > 0;
}
