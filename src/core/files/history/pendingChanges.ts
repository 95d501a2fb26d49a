/**
 * Changes that wait until no other program uses their session. Each is stored in a separate file, so that it survives
 * the window. They're written under the session's lock, so that each is written once, by whichever window is first.
 */
import { readdir, rename, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { writeRefusal } from '../../format/write/change';
import { SessionError, type SessionErrorCode } from '../../format/entry/problem';
import { assertEntry } from '../../format/session/requireEntry';
import { isTimeOrderedId, writePrivateFile, readPrivateJson, MAX_VALUE_BYTES, timeOrderedId } from '../storage/privateStorage';
import { makePrivateFolder } from '../storage/privateFolder';
import { createRootGuard, ReadOnlyRootError, readOnlyRootOf } from '../locate/readOnlyRoots';
import { rootOf, type Root } from '../locate/roots';
import { readSession } from '../read/sessionFile';
import type { SubmitOptions, SubmitResult } from '../write/submitChange';
import type { Writer } from '../write/sessionWriter';
import {
  isStoredPendingChange,
  toPendingChange,
  type StoredPendingChange,
  type PendingChange,
  type DeferrableChange,
} from './pendingChangeRecord';
import { assertStillApplies, changeTarget, findWrittenEntry } from './pendingChangeChecks';
import { withLock } from '../storage/crossWindowLocks';
import { retryWhileOpen } from '../storage/retryWhileOpen';

export type { PendingChange, DeferrableChange } from './pendingChangeRecord';

/** Result of writing a session's pending changes. */
export interface SettleResult {
  /** The changes that were written, with the ids of their lines. */
  readonly written: readonly { readonly item: PendingChange; readonly entryId: string }[];
  /** The changes of this session that still wait. */
  readonly waiting: readonly PendingChange[];
}

/** The queue of changes that wait until their sessions are free. They survive the window. */
export interface PendingChanges {
  /**
   * Stores a change. Replaces one with the same target that is already waiting.
   *
   * @throws {SessionError} `unknown-entry`, `version`, `read-only`, `not-found` or `invalid`, if it could never be
   * written.
   */
  enqueue(path: string, change: DeferrableChange, options?: Pick<SubmitOptions, 'dialect'>): Promise<PendingChange>;
  /** Returns the pending changes of a session, or of all, in the order of the requests. */
  list(path?: string): Promise<PendingChange[]>;
  /**
   * Removes a change.
   *
   * @returns false if there is none with this id.
   */
  drop(id: string): Promise<boolean>;
  /** Writes the pending changes of a session if it's free. Changes that no longer apply stay, with the reason. */
  settle(path: string, writer: Writer, options?: Pick<SubmitOptions, 'dialect'>): Promise<SettleResult>;
  /** Removes changes that were requested longer ago than `maxAgeMs`, and returns them. */
  prune(maxAgeMs: number): Promise<PendingChange[]>;
}

interface PendingChangesOptions {
  /** Returns the known roots. */
  readonly roots: () => readonly Root[];
  /** Receives errors about unreadable records. */
  readonly onProblem: (error: unknown) => void;
}

/** Largest number of stored changes that are read. */
const MAX_WAITING = 1000;

/** Opens the queue in a folder, which is created if it's missing. */
export async function openPendingChanges(folder: string, { roots, onProblem }: PendingChangesOptions): Promise<PendingChanges> {
  await makePrivateFolder(folder);
  const assertChangeable = createRootGuard(roots);
  /** Ids of the changes that this window enqueued. */
  const ownIds = new Set<string>();

  /**
   * A record alone never leads to a write outside the session folders. There, this window must have enqueued the
   * change.
   */
  const isOurs = ({ id, path }: PendingChange): boolean => ownIds.has(id) || rootOf(path, roots()) !== undefined;
  /** The reason that a change can't be written now. It depends on the roots, so it isn't stored. */
  const currentReason = (item: PendingChange): SessionError | undefined => {
    if (readOnlyRootOf(item.path, roots())) return new ReadOnlyRootError(item.path);
    return isOurs(item) ? undefined : outsideRootsError(item.path);
  };
  const shown = (item: StoredPendingChange): PendingChange => {
    const reason = item.stuck ?? currentReason(item);
    return toPendingChange(reason ? { ...item, stuck: reasonOf(reason) } : item);
  };

  const all = async (path?: string): Promise<QueuedFile[]> => {
    const files: QueuedFile[] = [];
    const names = (await readdir(folder)).filter((name) => STATE.test(name)).sort();
    for (const name of names.slice(0, MAX_WAITING)) {
      const [, id, state] = STATE.exec(name) ?? [];
      const item = isTimeOrderedId(id) ? await readPrivateJson(join(folder, name)).catch(onProblem) : undefined;
      if (isStoredPendingChange(item) && item.id === id && (path === undefined || item.path === path))
        files.push({ item, name: join(folder, name), begun: state === 'begun' });
    }
    return files;
  };

  const take = async (path: string, change: DeferrableChange, options: SubmitOptions): Promise<PendingChange> => {
    await assertChangeable(path);
    const session = await readSession(path, options);
    const refusal = writeRefusal(session);
    // A session whose program is writing may have a torn last line.
    if (refusal && refusal.code !== 'torn') throw refusal;
    if (change.kind !== 'rename') assertEntry(session, change.entryId);
    const label = change.kind === 'label' ? (session.labels.get(change.entryId) ?? '') : '';
    const item: StoredPendingChange = { id: timeOrderedId(), path, at: Date.now(), change, leafId: session.leafId, label };
    const replaced = (await all(path)).filter((file) => !file.begun && changeTarget(file.item.change) === changeTarget(change));
    const text = JSON.stringify(item);
    if (Buffer.byteLength(text) > MAX_VALUE_BYTES / 2)
      throw new SessionError('invalid', 'This text is too long for a pending change. Close the session first: {path}', { path });
    await writePrivateFile(join(folder, `${item.id}.waiting`), text);
    ownIds.add(item.id);
    for (const { name } of replaced) await unlink(name);
    return shown(item);
  };

  const writeAll = async (path: string, writer: Writer, options: SubmitOptions): Promise<SettleResult['written']> => {
    const written: { item: PendingChange; entryId: string }[] = [];
    for (const file of await all(path)) {
      if (shown(file.item).stuck) continue;
      try {
        const done = await writeOne(file, writer, options);
        written.push({ item: shown(file.item), entryId: done });
      } catch (error) {
        if (!(error instanceof SessionError)) throw error;
        // Temporary refusals are retried at the next `settle`, and later changes keep their order.
        if (TRANSIENT_CODES.has(error.code) || error instanceof ReadOnlyRootError) break;
        await writePrivateFile(file.name, JSON.stringify({ ...file.item, stuck: reasonOf(error) }));
        await retryWhileOpen(() => rename(file.name, join(folder, `${file.item.id}.waiting`)));
      }
    }
    return written;
  };

  const writeOne = async ({ item, name, begun }: QueuedFile, writer: Writer, options: SubmitOptions): Promise<string> => {
    const session = await readSession(item.path, options);
    const earlier = begun ? findWrittenEntry(session, item) : undefined;
    const mark = join(folder, `${item.id}.begun`);
    let done = earlier;
    if (done === undefined) {
      assertStillApplies(session, item);
      await retryWhileOpen(() => rename(name, mark));
      done = await submitOrRestore(item, writer, options, () => retryWhileOpen(() => rename(mark, join(folder, `${item.id}.waiting`))));
    }
    await unlink(mark);
    return done;
  };

  return {
    enqueue: (given, change, options = {}) => withLock(folder, resolve(given), () => take(resolve(given), change, options)),
    list: async (path) => (await all(path === undefined ? undefined : resolve(path))).map(({ item }) => shown(item)),
    drop: async (id) => {
      const file = (await all()).find(({ item }) => item.id === id);
      if (!file) return false;
      // Under the lock no other window writes it: a change that had been begun was left by a process that is gone.
      return withLock(folder, file.item.path, async () => {
        const left = (await all(file.item.path)).find(({ item }) => item.id === id);
        return (
          left !== undefined &&
          unlink(left.name).then(
            () => true,
            () => false,
          )
        );
      });
    },
    settle: async (given, writer, options = {}) => {
      const path = resolve(given);
      if ((await all(path)).length === 0) return { written: [], waiting: [] };
      return withLock(folder, path, async () => {
        const written = await writeAll(path, writer, options);
        return { written, waiting: (await all(path)).map(({ item }) => shown(item)) };
      });
    },
    prune: async (maxAgeMs) => {
      const old = (await all()).filter(({ item, begun }) => !begun && item.at < Date.now() - maxAgeMs);
      for (const { name } of old) await unlink(name).catch(() => undefined);
      return old.map(({ item }) => shown(item));
    },
  };
}

interface QueuedFile {
  readonly item: StoredPendingChange;
  readonly name: string;
  /**
   * True if a process began to write the change. Seen under the lock, that process no longer holds the lock, so it's
   * gone.
   */
  readonly begun: boolean;
}

/** Codes of refusals that are temporary. */
const TRANSIENT_CODES: ReadonlySet<SessionErrorCode> = new Set(['live', 'unsure', 'torn', 'changed', 'permission', 'no-space']);

async function submitOrRestore(
  item: StoredPendingChange,
  writer: Writer,
  options: SubmitOptions,
  back: () => Promise<void>,
): Promise<string> {
  let done: SubmitResult;
  try {
    done = await writer.submit(item.path, item.change, options);
  } catch (error) {
    // After a disk error the change may be in the file; then the next `settle` searches for it.
    if (error instanceof SessionError) await back();
    throw error;
  }
  return done.entryId;
}

/** Name of a stored change: its id, and whether a process began to write it. */
const STATE = /^(.+)\.(waiting|begun)$/;

const reasonOf = ({ code, template, args }: NonNullable<PendingChange['stuck']>): NonNullable<PendingChange['stuck']> => ({
  code,
  template,
  args,
});

const outsideRootsError = (path: string): SessionError =>
  new SessionError(
    'invalid',
    'This change is for a session outside your session folders, and the window that requested it is closed. Discard it, or make the change again: {path}',
    { path },
  );
