/** Combines everything that writes to sessions and records it. The extension opens it at start. */
import { basename, join } from 'node:path';
import { defined } from '../../format/values/defined';
import { SessionError } from '../../format/entry/problem';
import { settleAll } from '../concurrency/runGrouped';
import { openJournal, type Journal } from './journal';
import { withJournal } from './journalingWriter';
import { assertOwnFolder, makePrivateFolder } from '../storage/privateFolder';
import { openPendingChanges, type PendingChanges } from './pendingChanges';
import type { Root } from '../locate/roots';
import { pruneOperations, recoverOperations } from '../storage/operationRecord';
import type { Writer } from '../write/sessionWriter';
import { openTrash, type RecoveredDeletion, type Trash, type TrashItem } from '../trash/trash';
import type { RestoreStorage } from '../restore/restoreRecord';
import { pruneRestores } from '../restore/recoverRestores';
import { finishRestore } from '../restore/undoRestore';
import { branchWithFiles, recoverRestoredFiles, restoreFiles, type InterruptedRestore } from './restores';
import { nextUndo, undo, type UndoResult } from './undo';
import { archivingHandler } from './archivingRecord';
import { relinkHandler } from './relinkRecovery';
import { migrationHandler } from './migrationRecovery';

/** Options of {@link openWrites}. */
export interface WritesOptions {
  /**
   * The extension's storage. It contains the journal, the pending changes and the trash records, readable by this user
   * only.
   */
  readonly folder: string;
  readonly writer: Writer;
  /** Returns the known roots. */
  readonly roots: () => readonly Root[];
  /** Receives failures of side effects of a write that succeeded. */
  readonly onProblem: (error: unknown) => void;
  /** Receives a warning if other users can write to the folder, on a file system where that can't be changed. */
  readonly onExposed?: (error: SessionError) => void;
  /** Receives a sentence about each archived session that is back: a program continued it, or its archive was removed. */
  readonly onReturned?: (notice: SessionError) => void;
  /** Called when files were restored or given back, or when that failed. */
  readonly onRestored?: () => void;
  /** Receives each restore of files whose process ended half-way, once. */
  readonly onInterrupted?: (restore: InterruptedRestore) => void;
}

/** The parameters after the first. */
type Tail<Args extends readonly unknown[]> = Args extends readonly [unknown, ...infer Rest] ? Rest : never;

/** Changes of sessions that are recorded, and can be undone. */
export interface Writes {
  /** Changes sessions, and records each change in the journal. */
  readonly writer: Writer;
  /** Deletes and restores sessions, and records that in the journal. */
  readonly trash: Trash;
  /** Changes that wait until their sessions are free. */
  readonly queue: PendingChanges;
  readonly journal: Journal;
  /** Returns the folder in which the texts before restores are kept, and all session folders, in which nothing is restored. */
  restoreStorage(): RestoreStorage;
  /** Restores files; see `restoreFiles` in `history/restores`. */
  restoreFiles(...args: Tail<Parameters<typeof restoreFiles>>): ReturnType<typeof restoreFiles>;
  /** Finishes an interrupted restore; see `finishRestore` in `restore/undoRestore`. */
  finishRestore(restoreId: string): ReturnType<typeof finishRestore>;
  /** Branches and restores files as one change; see `branchWithFiles` in `history/restores`. */
  branchWithFiles(...args: Tail<Parameters<typeof branchWithFiles>>): ReturnType<typeof branchWithFiles>;
  /**
   * Undoes the newest change, or the one with this id; see `undo` in `history/undo`. FORMAT section 6, rule 9.
   *
   * @throws {SessionError} as {@link Writer.submit}; `invalid` if there is nothing to undo.
   */
  undo(options?: { readonly force?: boolean; readonly id?: string }): Promise<UndoResult>;
  /** Returns the change that `undo` would undo; `undefined` if there is none. */
  nextUndo(): ReturnType<typeof nextUndo>;
  /**
   * Cleans up after killed processes. Called at start, and when the roots change.
   *
   * @param onTouched receives each affected session at once, since a network folder may hang.
   * @throws all failures, after everything else is done; see {@link errorsOf}.
   */
  recover(onTouched?: (path: string) => void): Promise<void>;
  /** Permanently removes records and trash that are older than `maxAgeMs`. */
  prune(maxAgeMs: number): Promise<void>;
}

/**
 * Opens the records in `folder`, which is created for this user only if it's missing.
 *
 * @throws {SessionError} `invalid` or `permission` if the folder is a link or belongs to another user, who would then
 * control its records.
 */
export async function openWrites(options: WritesOptions): Promise<Writes> {
  const {
    folder,
    writer,
    roots,
    onProblem,
    onExposed,
    onReturned = () => undefined,
    onInterrupted = () => undefined,
    onRestored,
  } = options;
  await makePrivateFolder(folder);
  if (process.getuid && ((await assertOwnFolder(folder)) & 0o022) !== 0)
    onExposed?.(new SessionError('permission', OPEN_TO_OTHERS, { folder }));
  const journal = await openJournal(join(folder, 'journal'));
  const queue = await openPendingChanges(join(folder, 'queue'), { roots, onProblem });
  // Opened roots may be more by the time of a restore.
  const restores = (): RestoreStorage => ({ storage: join(folder, 'files'), roots: roots() });
  const trash = await openTrash(join(folder, 'trash'), { writer, roots, onProblem });
  const note = async (entry: Parameters<Journal['add']>[0]): Promise<void> => {
    await journal.add(entry).catch(onProblem);
  };
  const noteTrash = async (
    kind: 'delete' | 'restore',
    { path, trashId }: Pick<TrashItem, 'path' | 'trashId'>,
    group?: string,
  ): Promise<void> => note(kind === 'delete' ? { kind, path, trashId, ...defined({ group }) } : { kind, path, trashId });
  let movesEnded: Promise<void> | undefined;
  const endMoves = (onTouched: (path: string) => void): Promise<void> =>
    (movesEnded = recoverOperations(journal.folder, { relinking: relinkHandler({ journal, writer, roots }, onTouched) }));
  // An old record is removed only after a start has tried to end its move: the disk may have been away all the time.
  const pruneMoves = async (maxAgeMs: number): Promise<void> => {
    await (movesEnded ?? endMoves(() => undefined)).catch(onProblem);
    await pruneOperations(journal.folder, 'relinking', maxAgeMs);
  };
  const reported = new Set<string>();
  const recoverFiles = async (): Promise<void> => {
    for (const restore of await recoverRestoredFiles({ journal, storage: restores() })) {
      if (!reported.has(restore.restoreId)) onInterrupted(restore);
      reported.add(restore.restoreId);
    }
  };
  const recording = withJournal(writer, journal, onProblem);
  return {
    writer: recording,
    trash: {
      ...trash,
      // Recorded before it counts as done: if the process is killed in between, the next start handles it.
      delete: async (path, options) => {
        let noted: TrashItem | undefined;
        const whenMoved = (item: TrashItem): Promise<void> => noteTrash('delete', (noted = item), options?.group);
        try {
          return await trash.delete(path, { ...options, whenMoved });
        } catch (error) {
          if (noted) await noteTrash('restore', noted);
          throw error;
        }
      },
      restore: (trashId) => trash.restore(trashId, (item) => noteTrash('restore', item)),
      restoreFound: async (place) => {
        const restored = await trash.restoreFound(place);
        // The journal may have its deletion, which can no longer be undone now.
        await noteTrash('restore', { path: restored.path, trashId: basename(place) });
        return restored;
      },
    },
    queue,
    journal,
    restoreStorage: restores,
    restoreFiles: (plan, options) => restoreFiles({ journal, storage: restores() }, plan, options).finally(onRestored),
    finishRestore: (restoreId) => finishRestore(restoreId, restores()).finally(onRestored),
    branchWithFiles: (...args) => branchWithFiles({ journal, writer, storage: restores(), onProblem }, ...args).finally(onRestored),
    undo: (options) =>
      undo({ journal, writer, unarchive: (archive) => recording.unarchive(archive), trash, roots, restores: restores() }, options).finally(
        onRestored,
      ),
    nextUndo: () => nextUndo(journal),
    recover: async (onTouched = () => undefined) => {
      const onEnded = async ({ item, outcome: became }: RecoveredDeletion): Promise<void> => {
        const kind = became === 'deleted' ? 'delete' : 'restore';
        const noted = await lastJournaled(journal, item);
        // A deletion that wasn't recorded must not be recorded as restored.
        if (noted !== kind && (kind === 'delete' || noted !== undefined)) await noteTrash(kind, item);
        onTouched(item.path);
      };
      await settleAll([
        writer.recover(),
        recoverOperations(journal.folder, {
          migrating: migrationHandler(journal, writer, onTouched),
          archiving: archivingHandler({ journal, writer, roots, onReturned }, onTouched),
        }),
        endMoves(onTouched),
        recoverFiles(),
        trash.recover(onEnded),
      ]);
    },
    prune: async (maxAgeMs) => {
      await settleAll([
        recoverOperations(journal.folder, { archiving: archivingHandler({ journal, writer, roots, onReturned }, () => undefined) }),
        journal.prune(maxAgeMs),
        pruneMoves(maxAgeMs),
        queue.prune(maxAgeMs),
        writer.prune(maxAgeMs),
        trash.prune(maxAgeMs),
        pruneRestores(restores(), maxAgeMs),
      ]);
    },
  };
}

const OPEN_TO_OTHERS =
  'Other users can write to the extension’s storage and could change what it undoes, restores or deletes. Remove their write permission: {folder}';

/** Returns the last journal record of a deletion. */
async function lastJournaled(journal: Journal, { trashId, at }: TrashItem): Promise<'delete' | 'restore' | undefined> {
  for await (const record of journal.records(at)) {
    if ((record.kind === 'delete' || record.kind === 'restore') && record.trashId === trashId) return record.kind;
  }
  return undefined;
}
