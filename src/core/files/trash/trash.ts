/**
 * The trash: a deleted session is kept with everything that belongs to it on its own file system, hidden from all
 * listings, in `<root>/.session-tree-trash/<id>/`, until it's restored or the trash is emptied. All decisions are based
 * on the records in the extension's storage; for other content of such folders see `foundTrash`.
 */
import { dirname, join } from 'node:path';
import { deleteSession, type DeleteOptions } from './deleteSession';
import { findTrash, restoreFound, type FoundTrash } from './foundTrash';
import { withListDeadline, runGrouped } from '../concurrency/runGrouped';
import { NotInTrashError } from './notInTrash';
import { isChangeable } from '../locate/readOnlyRoots';
import { type Root } from '../locate/roots';
import type { Writer } from '../write/sessionWriter';
import { deletePermanently, recoverEntry, restoreFromTrash, isComplete } from './trashEntry';
import { openTrashRecords, entryFolder, type TrashItem, type TrashRecord } from './trashRecords';
import { withLock } from '../storage/crossWindowLocks';

export type { DeleteOptions } from './deleteSession';
export { forksOf } from './forksOf';
export { hasOtherFiles, relatedPaths } from './relatedPaths';
export type { FoundTrash } from './foundTrash';
export { withTrashedName } from './notInTrash';
export { TRASH_FOLDER, type TrashItem } from './trashRecords';

/** The trash of this installation. */
export interface Trash {
  /**
   * Moves a session and everything that belongs to it into the trash, completely or not at all.
   *
   * @throws {SessionError} `live`, `unsure`, `changed`, `not-found`, `not-a-session` or `permission`; `invalid` if the
   * trash folder is a link.
   */
  delete(path: string, options?: DeleteOptions): Promise<TrashItem>;
  /**
   * Restores a session to its former path. Never overwrites.
   *
   * @throws {SessionError} `not-found` if the trash doesn't contain it; `invalid` if the path is taken; `permission`.
   */
  restore(trashId: string, whenMoved?: (item: TrashItem) => Promise<void>): Promise<{ readonly path: string }>;
  /** Lists the sessions that this installation deleted and can restore, newest first. */
  list(): Promise<TrashItem[]>;
  /** Lists other content of trash folders; see `findTrash`. */
  found(): Promise<FoundTrash[]>;
  /** Restores an item of `found`; see `restoreFound` in `foundTrash`. */
  restoreFound(place: string): Promise<{ readonly path: string }>;
  /** Lists the sessions of `list` that `empty` removes: all that aren't in read-only roots. */
  removable(): Promise<TrashItem[]>;
  /**
   * Removes sessions permanently, by default all that `removable` returns.
   *
   * @returns the removed ones.
   */
  empty(trashIds?: readonly string[]): Promise<TrashItem[]>;
  /** Permanently removes sessions that were deleted longer ago than `maxAgeMs`, and returns them. */
  prune(maxAgeMs: number): Promise<TrashItem[]>;
  /**
   * Finishes operations whose process is gone, according to the records. Called at start, and when the roots change.
   *
   * @param onEnded receives each outcome at once, since another disk may hang.
   */
  recover(onEnded: (ended: RecoveredDeletion) => Promise<void>): Promise<void>;
}

/** Outcome of recovering an interrupted deletion or restore. */
export interface RecoveredDeletion {
  readonly item: TrashItem;
  readonly outcome: 'deleted' | 'restored';
}

interface TrashOptions {
  readonly writer: Writer;
  /** Returns the known roots. */
  readonly roots: () => readonly Root[];
  /** Receives errors about unusable records and folders. */
  readonly onProblem: (error: unknown) => void;
}

/**
 * Milliseconds since 1970. A deletion that claims to be older was made while the clock was wrong, and is never removed
 * by age.
 */
const EARLIEST = Date.UTC(2020, 0);
/** Milliseconds. A clock that is further ahead of the newest deletion may be wrong, and nothing is removed by age. */
const FAR = 2 * 365 * 24 * 60 * 60 * 1000;

/**
 * Opens the trash.
 *
 * @param folder the trash's folder in the extension's storage.
 */
export async function openTrash(folder: string, { writer, roots, onProblem }: TrashOptions): Promise<Trash> {
  const records = await openTrashRecords(folder, onProblem);

  /** Runs `work` on the current record of a deletion, under its lock. */
  const inTurn = <T>(trashId: string, work: (record: TrashRecord | undefined) => Promise<T>): Promise<T> =>
    withLock(folder, join(folder, trashId), async () => work(await records.read(trashId)));

  const deleted = async (): Promise<TrashRecord[]> => {
    const found: TrashRecord[] = [];
    await runGrouped(
      await records.all(),
      ({ folder: place }) => place,
      async (record) => {
        if (await isComplete(record)) found.push(record);
      },
      withListDeadline,
    ).catch(onProblem);
    return [...found].sort((a, b) => b.at - a.at || (a.trashId < b.trashId ? 1 : -1));
  };

  const isRemovable = (record: TrashRecord): Promise<boolean> => isChangeable(writer.assertChangeable, entryFolder(record));

  const remove = async (chosen: readonly TrashRecord[]): Promise<TrashItem[]> => {
    const removed: TrashItem[] = [];
    await runGrouped(
      chosen,
      ({ folder: place }) => place,
      ({ trashId }) =>
        inTurn(trashId, async (record) => {
          if (!record || !(await isRemovable(record))) return;
          await deletePermanently(records, record);
          removed.push(itemOf(record));
        }),
    );
    return removed;
  };

  /** Folders that may contain a trash folder: the folders of roots and of records. */
  const bases = (known: readonly TrashRecord[]): string[] => [
    ...new Set([...roots().map(({ path }) => path), ...known.map((record) => dirname(record.folder))]),
  ];

  return {
    delete: (given, options = {}) => deleteSession(given, options, { records, writer, roots }),
    restore: (trashId, whenMoved) =>
      inTurn(trashId, async (record) => {
        if (!record) throw new NotInTrashError();
        for (const path of [record.path, entryFolder(record)]) await writer.assertChangeable(path);
        await restoreFromTrash(records, record, () => whenMoved?.(itemOf(record)) ?? Promise.resolve());
        return { path: record.path };
      }),
    list: async () => (await deleted()).map(itemOf),
    found: async () => {
      const ours = [...(await records.underWay()), ...(await deleted())];
      return findTrash(bases(await records.all()), new Set(ours.map(entryFolder)), onProblem);
    },
    restoreFound: (place) => withLock(folder, place, () => restoreFound(place, writer.assertChangeable)),
    removable: async () => {
      const all = await deleted();
      const are = await Promise.all(all.map(isRemovable));
      return all.filter((_, at) => are[at]).map(itemOf);
    },
    empty: async (trashIds) => remove((await deleted()).filter(({ trashId }) => trashIds?.includes(trashId) ?? true)),
    prune: async (maxAgeMs) => {
      // The files of a task that no start could end in all that time stay in the trash folder, and are listed as found trash.
      await records.prune(maxAgeMs);
      const all = await records.all();
      const newest = all.reduce((time, { at }) => Math.max(time, at), 0);
      if (Date.now() > newest + FAR) return [];
      return remove(all.filter(({ at }) => at >= EARLIEST && at < Date.now() - maxAgeMs));
    },
    recover: (onEnded) =>
      records.recover((task, record) =>
        inTurn(record.trashId, async () => {
          if (!(await isChangeable(writer.assertChangeable, record.path, entryFolder(record)))) return false;
          const outcome = await recoverEntry(records, task, record);
          if (outcome === 'deleted' || outcome === 'restored') await onEnded({ item: itemOf(record), outcome });
          return outcome !== undefined;
        }),
      ),
  };
}

const itemOf = ({ trashId, path, name, at, size }: TrashItem): TrashItem => ({ trashId, path, name, at, size });
