/**
 * The trash: a deleted session is kept with everything that belongs to it on its own file system, hidden from all
 * listings, in `<root>/.session-tree-trash/<id>/`, until it's restored or the trash is emptied. All decisions are based
 * on the records in the extension's storage; for other content of such folders see `foundTrash`.
 */
import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { SessionError } from '../../format/entry/problem';
import type { Session } from '../../format/session/session';
import { filesBelow, sizeOf } from './relatedPaths';
import { findTrash, restoreFound, type FoundTrash } from './foundTrash';
import { assertFree } from '../write/writeGuard';
import { withListDeadline, runGrouped } from '../io/runGrouped';
import { readPrivateLines, timeOrderedId } from '../storage/privateStorage';
import { mayBeRunning } from '../storage/processIdentity';
import { isSessionName } from '../locate/listFiles';
import { makePrivateFolder } from '../storage/privateFolder';
import { isNormalAbsolutePath } from '../storage/pathChecks';
import { rootOf, type Root } from '../locate/roots';
import { fileVersion } from '../read/sessionFile';
import type { SubmitOptions, Writer } from '../write/sessionWriter';
import {
  beginDeletion,
  deletePermanently,
  recoverEntry,
  removeEntry,
  restoreFromTrash,
  isComplete,
  moveToTrash,
  filesToTrash,
  type Deletion,
} from './trashEntry';
import { openTrashRecords, entryFolder, TRASH_FOLDER, type TrashItem, type TrashRecord } from './trashRecords';
import { sameVersion } from '../read/compareVersions';
import { createCrossWindowLocks } from '../storage/crossWindowLocks';

export { relatedPaths } from './relatedPaths';
export type { FoundTrash } from './foundTrash';
export { TRASH_FOLDER, type TrashItem } from './trashRecords';

/** Options for deleting a session. */
export interface DeleteOptions extends SubmitOptions {
  /** Runs under the guard before anything is moved; an error refuses the deletion. */
  readonly check?: (path: string) => Promise<void>;
  /** Runs after everything was moved and before the deletion counts as done; see `WhenMoved`. */
  readonly whenMoved?: (item: TrashItem) => Promise<void>;
}

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
  /**
   * Removes sessions permanently, by default all that `list` returns.
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

export interface TrashOptions {
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

/** Largest length of a session's stored name, in UTF-16 units. */
const MAX_NAME = 500;

/**
 * Opens the trash.
 *
 * @param folder the trash's folder in the extension's storage.
 */
export async function openTrash(folder: string, { writer, roots, onProblem }: TrashOptions): Promise<Trash> {
  const records = await openTrashRecords(join(folder, 'records'), onProblem);
  const windows = createCrossWindowLocks(folder);
  const ending = new Set<string>();

  /** Runs `work` on the current record of a deletion, under its lock. */
  const inTurn = <T>(trashId: string, work: (record: TrashRecord | undefined) => Promise<T>): Promise<T> =>
    windows.withFileLock(join(folder, trashId), async () => work(await records.read(trashId)));

  const deleted = async (): Promise<TrashRecord[]> => {
    const found: TrashRecord[] = [];
    await runGrouped(
      (await records.all()).filter(({ state }) => state === 'deleted'),
      ({ folder: place }) => place,
      async (record) => {
        if (await isComplete(record)) found.push(record);
      },
      withListDeadline,
    ).catch(onProblem);
    return [...found].sort((a, b) => b.at - a.at || (a.trashId < b.trashId ? 1 : -1));
  };

  const remove = async (chosen: readonly TrashRecord[]): Promise<TrashItem[]> => {
    const removed: TrashItem[] = [];
    await runGrouped(
      chosen,
      ({ folder: place }) => place,
      ({ trashId }) =>
        inTurn(trashId, async (record) => {
          if (record?.state !== 'deleted') return;
          await deletePermanently(records, record);
          removed.push(itemOf(record));
        }),
    );
    return removed;
  };

  /**
   * Folders that may contain a trash folder: those of roots, of records, and of the list that earlier versions kept.
   */
  const bases = async (known: readonly TrashRecord[]): Promise<string[]> => {
    const earlier = (await readPrivateLines(join(folder, 'trash.places')))
      .filter(isNormalAbsolutePath)
      .filter((path) => basename(path) === TRASH_FOLDER);
    return [
      ...new Set([
        ...roots().map(({ path }) => path),
        ...[...known.map((record) => record.folder), ...earlier].map((path) => dirname(path)),
      ]),
    ];
  };

  return {
    delete: (given, options = {}) =>
      writer.guarded(
        given,
        async ({ path, version, session }) => {
          if (!isSessionName(basename(path)))
            throw new SessionError('not-a-session', 'Only session files can be deleted: {path}', { path });
          await options.check?.(path);
          const { parent, things } = await filesToTrash(path);
          const paths = things.map(({ name }) => join(parent, name));
          await assertSubagentsFree(paths, writer, options.force === true);
          const item: TrashItem = {
            trashId: timeOrderedId(),
            path,
            name: nameOf(path, session),
            at: Date.now(),
            size: await sizeOf(paths),
          };
          const deletion = await firstPermitted(await trashFolders(path, roots()), async (place) => {
            const begun: Deletion = { ...item, folder: place, parent, things };
            await beginDeletion(records, begun, () => makePrivateFolder(place));
            return begun;
          });
          const now = await stat(path, { bigint: true }).then(fileVersion, () => undefined);
          if (!now || !sameVersion(now, version)) {
            await removeEntry(records, deletion);
            throw new SessionError(
              'changed',
              'The session was changed at the same time, so it wasn’t moved to the trash. Refresh and try again: {path}',
              { path },
            );
          }
          await moveToTrash(records, deletion, () => options.whenMoved?.(item) ?? Promise.resolve());
          return item;
        },
        options,
      ),
    restore: (trashId, whenMoved) =>
      inTurn(trashId, async (record) => {
        if (record?.state !== 'deleted')
          throw new SessionError(
            'not-found',
            'This session is no longer in the trash. Run “Restore from Trash…” to see what can be restored.',
          );
        await restoreFromTrash(records, record, () => whenMoved?.(itemOf(record)) ?? Promise.resolve());
        return { path: record.path };
      }),
    list: async () => (await deleted()).map(itemOf),
    found: async () => {
      const known = await records.all();
      const whole = new Set((await deleted()).map(({ trashId }) => trashId));
      const ours = known.filter(({ state, trashId }) => state !== 'deleted' || whole.has(trashId));
      return findTrash(await bases(known), new Set(ours.map(entryFolder)), onProblem);
    },
    restoreFound: (place) => windows.withFileLock(place, () => restoreFound(place)),
    empty: async (trashIds) => remove((await deleted()).filter(({ trashId }) => trashIds?.includes(trashId) ?? true)),
    prune: async (maxAgeMs) => {
      const old = (await records.all()).filter(({ at }) => at >= EARLIEST && at < Date.now() - maxAgeMs);
      // A deletion that no start could finish in all that time stays in the trash folder, and is listed as found trash.
      for (const { state, doer, trashId } of old) if (state !== 'deleted' && !mayBeRunning(doer)) await records.remove(trashId);
      return remove(old);
    },
    recover: async (onEnded) => {
      const interrupted = (await records.all()).filter(({ state, trashId }) => state !== 'deleted' && !ending.has(trashId));
      for (const { trashId } of interrupted) ending.add(trashId);
      const end = async ({ trashId }: TrashRecord): Promise<void> => {
        try {
          await inTurn(trashId, async (record) => {
            const became = record && (await recoverEntry(records, record));
            if (record && became && became !== 'discarded') await onEnded({ item: itemOf(record), outcome: became });
          });
        } finally {
          ending.delete(trashId);
        }
      };
      await runGrouped(interrupted, ({ folder: place }) => place, end);
      await windows.recoverLocks(() => Promise.resolve());
    },
  };
}

/**
 * Returns the sessions that were forked from a session. oh-my-pi's forks name their parent by its id, others by path.
 * FORMAT section 1.
 */
export function forksOf<Other extends { readonly path: string; readonly parentSession?: string }>(
  session: { readonly path: string; readonly id: string },
  sessions: Iterable<Other>,
): Other[] {
  const path = resolve(session.path);
  return [...sessions].filter(
    ({ path: other, parentSession: parent }) =>
      parent !== undefined && resolve(other) !== path && (parent === session.id || resolve(parent) === path),
  );
}

/**
 * Returns candidates for the trash folder: that of the root if it's on the same file system, then one beside the
 * session, for a root without write permission.
 */
async function trashFolders(path: string, roots: readonly Root[]): Promise<string[]> {
  const root = rootOf(path, roots)?.path;
  const [ofRoot, ofFile] = await Promise.all([root === undefined ? undefined : stat(root), stat(dirname(path))]);
  const folders = root !== undefined && ofRoot?.dev === ofFile.dev ? [root, dirname(path)] : [dirname(path)];
  return [...new Set(folders.map((folder) => join(folder, TRASH_FOLDER)))];
}

/** Tries the next folder only if there is no permission for the one before. A link in its place is refused. */
async function firstPermitted<T>([first, ...others]: readonly string[], work: (folder: string) => Promise<T>): Promise<T> {
  try {
    return await work(first!);
  } catch (error) {
    const isNoPlace = error instanceof SessionError && error.code === 'permission';
    if (!isNoPlace || others.length === 0) throw error;
    return firstPermitted(others, work);
  }
}

async function assertSubagentsFree(things: readonly string[], writer: Writer, force: boolean): Promise<void> {
  const sessions: string[] = [];
  for await (const file of filesBelow(things.slice(1))) if (isSessionName(basename(file))) sessions.push(file);
  for (const [path, found] of await writer.presence(sessions)) assertFree(path, found, force);
}

function nameOf(path: string, session: Session | undefined): string {
  const first = session?.entries.find((head) => head.role === 'user' && head.hasText);
  // A row's text begins with the role.
  return (session?.name ?? first?.text.replace(/^user: /, '') ?? basename(path)).slice(0, MAX_NAME);
}

const itemOf = ({ trashId, path, name, at, size }: TrashItem): TrashItem => ({ trashId, path, name, at, size });
