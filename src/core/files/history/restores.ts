/** Restores files of a session's folder so that the journal can take that back, alone or together with a branch. */
import { defined } from '../../format/values/defined';
import { SessionError } from '../../format/entry/problem';
import type { RestorePlan } from '../../format/restore/restorePlan';
import type { Change } from '../../format/write/change';
import { applyRestore, type AppliedRestore } from '../restore/applyRestore';
import { recoverRestores } from '../restore/recoverRestores';
import { readRecord, timeOfRecord, type RestoreStorage } from '../restore/restoreRecord';
import { undoRestore, type UndoneRestore } from '../restore/undoRestore';
import { timeOrderedId } from '../storage/privateStorage';
import type { SubmitOptions, SubmitResult } from '../write/submitChange';
import type { Writer } from '../write/sessionWriter';
import type { Journal, JournalEntry, RecordOf } from './journal';
import { journalEntryOf } from './journalingWriter';
import { NotUndoableError } from './undoChecks';
import { writeInverse } from './writeInverse';

export interface RestoreTools {
  readonly journal: Journal;
  /** It doesn't record its changes in the journal. */
  readonly writer: Writer;
  /** The folder in which the texts before are kept, and the session folders. */
  readonly storage: RestoreStorage;
  readonly onProblem: (error: unknown) => void;
}

interface RestoreFilesOptions {
  /** Puts everything back when it's aborted. */
  readonly signal?: AbortSignal;
}

/**
 * Applies a plan and records it. A restore that can't be recorded is taken back, since it couldn't be undone later.
 *
 * @throws {SessionError} as `applyRestore`; `permission` or `no-space` if it can't be recorded.
 */
export async function restoreFiles(
  { journal, storage }: Pick<RestoreTools, 'journal' | 'storage'>,
  plan: RestorePlan,
  { signal, group }: RestoreFilesOptions & { readonly group?: string } = {},
): Promise<AppliedRestore> {
  const restored = await applyRestore(plan, { ...storage, ...defined({ signal }) });
  if (restored.done.length === 0) return restored;
  const { restoreId } = restored;
  const { path, entryId } = plan.ref;
  try {
    await journal.add({ kind: 'restoreFiles', path, entryId, folder: plan.folder, restoreId, ...defined({ group }) });
  } catch (error) {
    await undoRestore(restoreId, storage);
    throw error;
  }
  return restored;
}

type BranchChange = Extract<Change, { readonly kind: 'branch' }>;
type BranchEntry = Extract<JournalEntry, { readonly kind: 'branch' }>;

/**
 * Branches and restores files as one change. The branch's line comes first, because its guard refuses more often, and then
 * no file has changed. If the restore fails or is aborted, a line takes the branch back: session files are only appended to.
 * A process that is killed in between leaves a branch that can be undone.
 *
 * @throws {SessionError} as `Writer.submit` and {@link restoreFiles}.
 */
export async function branchWithFiles(
  tools: RestoreTools,
  change: BranchChange,
  plan: RestorePlan,
  options: SubmitOptions & RestoreFilesOptions = {},
): Promise<SubmitResult & { readonly restored: AppliedRestore | undefined }> {
  const { journal, writer, onProblem } = tools;
  const { signal, ...submitOptions } = options;
  const group = timeOrderedId();
  const done = await writer.submit(plan.ref.path, change, submitOptions);
  // The entry of a branch is that of its kind.
  const entry = { ...(journalEntryOf(change, done) as BranchEntry), group };
  let recordId: string | undefined;
  try {
    recordId = (await journal.add(entry)).id;
    const restored = plan.files.length === 0 ? undefined : await restoreFiles(tools, plan, { group, ...defined({ signal }) });
    return { ...done, restored };
  } catch (error) {
    try {
      await writeInverse(entry, writer, submitOptions);
      if (recordId !== undefined) await journal.add({ kind: 'undo', path: entry.path, undoes: recordId });
    } catch (problem) {
      // The branch stays, and can be undone.
      onProblem(problem);
    }
    throw error;
  }
}

/**
 * Gives back the bytes that were there before a restore.
 *
 * @throws {NotUndoableError} if each of its files was changed since.
 */
export async function undoRestoredFiles({ restoreId, folder }: RecordOf<'restoreFiles'>, storage: RestoreStorage): Promise<UndoneRestore> {
  const undone = await undoRestore(restoreId, storage);
  if (undone.done.length === 0 && undone.left.length > 0)
    throw new NotUndoableError(
      new SessionError('changed', 'Can’t undo because the restored files were changed since: {path}', { path: folder }),
    );
  return undone;
}

/** A restore whose process ended half-way: some files are as they were before it, and others aren't. */
export interface InterruptedRestore {
  readonly restoreId: string;
  /** The journal's record, by which `undo` takes it back. */
  readonly recordId: string;
  readonly folder: string;
}

/** Milliseconds in which another window may still be about to record a restore that is whole. */
const RECORDING_TIME = 60_000;

/** Returns the restores that were interrupted. Those that the journal lacks are added to it, so that they can be undone. */
export async function recoverRestoredFiles(
  { journal, storage }: Pick<RestoreTools, 'journal' | 'storage'>,
  now = Date.now(),
): Promise<InterruptedRestore[]> {
  const kept = await recoverRestores(storage);
  const [oldest] = kept;
  if (!oldest) return [];
  const recordIds = new Map<string, string>();
  for await (const record of journal.records(timeOfRecord(oldest.restoreId)))
    if (record.kind === 'restoreFiles') recordIds.set(record.restoreId, record.id);
  const interrupted: InterruptedRestore[] = [];
  for (const { restoreId, state } of kept) {
    const known = recordIds.get(restoreId);
    const isSettled = state === 'whole' && (known !== undefined || now - timeOfRecord(restoreId) < RECORDING_TIME);
    const record = isSettled ? undefined : await readRecord(storage.storage, restoreId);
    if (!record) continue;
    const { ref, folder } = record;
    const recordId = known ?? (await journal.add({ kind: 'restoreFiles', ...ref, folder, restoreId })).id;
    if (state === 'partial') interrupted.push({ restoreId, recordId, folder });
  }
  return interrupted;
}
