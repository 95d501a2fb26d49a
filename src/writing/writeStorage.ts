/** Opens the storage of the extension's writes: the journal, the queue, the trash, and the locks between windows. */
import { join } from 'node:path';
import * as vscode from 'vscode';
import { errorsOf, SessionError, type InterruptedRestore, type Root, type Writer, type WriterOptions, type Writes } from '../core/index';
import { loadCode, once } from '../ui/loadCode';

interface WriteStorageOptions {
  /** The extension's storage folder, on the machine that the extension runs on. */
  readonly folder: string;
  readonly roots: () => readonly Root[];
  /** Returns the roots of the settings, which are known before any disk has answered. By default `roots`. */
  readonly configuredRoots?: () => readonly Root[];
  /** Finds signs that other programs have a session. */
  readonly signs?: WriterOptions['signs'];
  readonly onError: (error: unknown, doing: string) => void;
}

export interface WriteStorage {
  /** Writes changes. If the storage can't be used it writes all the same, under the guard, but keeps no record. */
  readonly writer: Writer;
  /** @throws {SessionError} `permission` if the storage can't be used. */
  readonly writes: () => Promise<Writes>;
  /** Fires with problems of the storage, of each kind once, and with sessions that are no longer archived. They should be shown. */
  readonly onProblem: vscode.Event<SessionError>;
  /** Fires with restores of files that were interrupted when a window closed, of each once. */
  readonly onInterruptedRestore: vscode.Event<InterruptedRestore>;
  /** Fires when files of a project may have been restored or given back. */
  readonly onRestored: vscode.Event<void>;
  /** Finishes or takes back the changes of killed processes, and removes old records. To be called at the start and when the roots change; `onTouched` is called for each session. */
  readonly recoverAndPrune: (onTouched: (path: string) => void) => Promise<void>;
  readonly dispose: () => void;
}

/** Milliseconds of a day; old records are removed once a day. */
const DAY_MS = 24 * 60 * 60 * 1000;
const DEFAULT_KEEP_DAYS = 30;

export function openWriteStorage(options: WriteStorageOptions): WriteStorage {
  const { folder, onError } = options;
  const problems = new vscode.EventEmitter<SessionError>();
  const interrupted = new vscode.EventEmitter<InterruptedRestore>();
  const restored = new vscode.EventEmitter<void>();
  const reported = new Set<string>();
  const reportOnce = (error: SessionError): void => {
    if (!reported.has(error.template)) problems.fire(error);
    reported.add(error.template);
  };
  const opened = once(() =>
    open(
      options,
      reportOnce,
      (notice) => problems.fire(notice),
      (restore) => interrupted.fire(restore),
      () => restored.fire(),
    ),
  );

  const unusable = (reason: unknown): SessionError =>
    new SessionError(
      'permission',
      'The extension can’t use its storage ({reason}), so undo, trash and pending changes aren’t available: {folder}',
      { reason: messageOf(reason), folder },
    );
  const openedWriter = async (): Promise<Writer> => (await opened()).writer;
  const writes = async (): Promise<Writes> => {
    const { writes: found, reason } = await opened();
    if (found) return found;
    throw unusable(reason);
  };

  const pruneOpened = async (): Promise<void> => {
    const { writes: found } = await opened();
    await found?.prune(keepDays() * DAY_MS);
  };
  const prune = (): Promise<void> => pruneOpened().catch((error: unknown) => onError(error, 'forgetting what is old'));
  const timer = setInterval(() => void prune(), DAY_MS);
  const setting = vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('sessionTree.keepDays') && void prune());

  return {
    writer: {
      submit: async (...args) => (await openedWriter()).submit(...args),
      migrate: async (...args) => (await openedWriter()).migrate(...args),
      guarded: async (...args) => (await openedWriter()).guarded(...args),
      guardedRemoval: async (...args) => (await openedWriter()).guardedRemoval(...args),
      create: async (...args) => (await openedWriter()).create(...args),
      forkSession: async (...args) => (await openedWriter()).forkSession(...args),
      presence: async (...args) => (await openedWriter()).presence(...args),
      archive: async (...args) => (await openedWriter()).archive(...args),
      unarchive: async (...args) => (await openedWriter()).unarchive(...args),
      endArchiving: async (...args) => (await openedWriter()).endArchiving(...args),
      beginMoves: async (...args) => (await openedWriter()).beginMoves(...args),
      assertChangeable: async (...args) => (await openedWriter()).assertChangeable(...args),
      own: async (...args) => (await openedWriter()).own(...args),
      recover: async () => (await openedWriter()).recover(),
      prune: async (maxAgeMs) => (await openedWriter()).prune(maxAgeMs),
    },
    writes,
    onProblem: problems.event,
    onInterruptedRestore: interrupted.event,
    onRestored: restored.event,
    recoverAndPrune: async (onTouched) => {
      const { writes: found, reason } = await opened();
      if (!found) {
        reportOnce(unusable(reason));
        return;
      }
      const reportUnfinished = (error: unknown): void => {
        for (const cause of errorsOf(error)) onError(cause, 'ending what was interrupted');
        reportOnce(
          new SessionError(
            'invalid',
            'Couldn’t finish or undo a change that was interrupted when a window closed. It will be tried again the next time the window opens. {reason}',
            { reason: messageOf(errorsOf(error)[0]) },
          ),
        );
      };
      // In parallel: a disk that hangs delays the recovery of its own sessions, but not the removal of old records.
      await Promise.all([found.recover(onTouched).catch(reportUnfinished), prune()]);
    },
    dispose: () => {
      problems.dispose();
      interrupted.dispose();
      restored.dispose();
      clearInterval(timer);
      setting.dispose();
    },
  };
}

interface Opened {
  readonly writer: Writer;
  /** Absent if the storage can't be used. */
  readonly writes?: Writes;
  readonly reason?: unknown;
}

/** The receivers of `onExposed`, `onReturned`, `onInterrupted` and `onRestored`. */
type Receivers = [(error: SessionError) => void, (notice: SessionError) => void, (restore: InterruptedRestore) => void, () => void];

/** Loads the code of writes, which the start doesn't need, and opens the storage. @throws as `loadCode` */
async function open(
  { folder, roots, configuredRoots = roots, signs = {}, onError }: WriteStorageOptions,
  ...[onExposed, onReturned, onInterrupted, onRestored]: Receivers
): Promise<Opened> {
  const { createWriter, openWrites } = await loadCode(() => import('../core/index'), onError);
  try {
    const writes = await openWrites({
      folder,
      writer: createWriter({ locksDir: join(folder, 'windows'), signs, roots: configuredRoots }),
      roots,
      onProblem: (error) => onError(error, 'keeping what was written'),
      onExposed,
      onReturned,
      onInterrupted,
      onRestored,
    });
    return { writer: writes.writer, writes };
  } catch (reason) {
    onError(reason, 'opening the storage; what is written now can not be undone, and nothing can be deleted or wait');
    return { writer: createWriter({ signs, roots: configuredRoots }), reason };
  }
}

const messageOf = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason));

/** Returns the setting `sessionTree.keepDays`. Impossible values count as the default, since a mistake in the settings must not empty the trash. */
function keepDays(): number {
  const days = vscode.workspace.getConfiguration('sessionTree').get<unknown>('keepDays');
  return typeof days === 'number' && days >= 1 && Number.isFinite(days) ? days : DEFAULT_KEEP_DAYS;
}
