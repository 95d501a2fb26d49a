/** What the extension keeps of its own writes, opened at its start: journal, queue, trash, and whose turn it is among windows. */
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createWriter, errorsOf, openWrites, SessionError, type Root, type Writer, type WriterOptions, type Writes } from '../core/index';

export interface WriteStorageOptions {
  /** The extension's own folder, on the machine that it runs on. */
  readonly folder: string;
  readonly roots: () => readonly Root[];
  /** By what it is seen that other programs have a session. */
  readonly signs?: WriterOptions['signs'];
  readonly onError: (error: unknown, doing: string) => void;
}

export interface WriteStorage {
  /** Writes at once; where the storage can't be used it writes all the same, under the guard, and nothing is remembered of it. */
  readonly writer: Writer;
  /** @throws {SessionError} `permission` where the storage can't be used. */
  readonly writes: () => Promise<Writes>;
  /** What a person should know of the storage itself; each kind is said once. */
  readonly onProblem: vscode.Event<SessionError>;
  /** Ends what killed processes left and forgets what is old. To be called at the start, and when other roots are known; `onTouched` hears of each session. */
  readonly recoverAndPrune: (onTouched: (path: string) => void) => Promise<void>;
  readonly dispose: () => void;
}

/** Milliseconds between two times of forgetting. */
const DAY_MS = 24 * 60 * 60 * 1000;
const DEFAULT_KEEP_DAYS = 30;

export function openWriteStorage({ folder, roots, signs = {}, onError }: WriteStorageOptions): WriteStorage {
  const trouble = new vscode.EventEmitter<SessionError>();
  const told = new Set<string>();
  const tell = (error: SessionError): void => {
    if (!told.has(error.template)) trouble.fire(error);
    told.add(error.template);
  };
  const shared = createWriter({ locksDir: join(folder, 'windows'), signs });
  const opening = openWrites({ folder, writer: shared, roots, onProblem: (error) => onError(error, 'keeping what was written'), onExposed: tell });
  const opened: Promise<{ writer: Writer; writes?: Writes; reason?: unknown }> = opening.then(
    (writes) => ({ writer: writes.writer, writes }),
    (reason: unknown) => {
      onError(reason, 'opening the storage; what is written now can not be undone, and nothing can be deleted or wait');
      return { writer: createWriter({ signs }), reason };
    },
  );

  const unusable = (reason: unknown): SessionError =>
    new SessionError('permission', 'The extension can not use its own storage ({reason}), so it can neither undo, delete, restore nor keep a change waiting: {folder}', { reason: textOf(reason), folder });
  const writes = async (): Promise<Writes> => {
    const { writes: found, reason } = await opened;
    if (found) return found;
    throw unusable(reason);
  };

  const prune = async (): Promise<void> => {
    const { writes: found } = await opened;
    await found?.prune(keepDays() * DAY_MS).catch((error: unknown) => onError(error, 'forgetting what is old'));
  };
  const timer = setInterval(() => void prune(), DAY_MS);
  const setting = vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration('sessionTree.keepDays') && void prune());

  return {
    writer: {
      submit: async (...args) => (await opened).writer.submit(...args),
      migrate: async (...args) => (await opened).writer.migrate(...args),
      guarded: async (...args) => (await opened).writer.guarded(...args),
      forkSession: async (...args) => (await opened).writer.forkSession(...args),
      presence: async (...args) => (await opened).writer.presence(...args),
      own: async (...args) => (await opened).writer.own(...args),
      recover: async () => (await opened).writer.recover(),
      prune: async (maxAgeMs) => (await opened).writer.prune(maxAgeMs),
    },
    writes,
    onProblem: trouble.event,
    recoverAndPrune: async (onTouched) => {
      const { writes: found, reason } = await opened;
      if (!found) {
        tell(unusable(reason));
        return;
      }
      const notEnded = (error: unknown): void => {
        for (const one of errorsOf(error)) onError(one, 'ending what was interrupted');
        tell(new SessionError('invalid', 'A change that was interrupted when a window closed couldn’t be finished or taken back; the next start tries again. {reason}', { reason: textOf(errorsOf(error)[0]) }));
      };
      // A disk that hangs keeps what lies on it from being ended, and nothing else from being forgotten.
      await Promise.all([found.recover(onTouched).catch(notEnded), prune()]);
    },
    dispose: () => {
      trouble.dispose();
      clearInterval(timer);
      setting.dispose();
    },
  };
}

const textOf = (reason: unknown): string => (reason instanceof Error ? reason.message : String(reason));

/** What can't be meant counts as the default: a mistake in the settings must not empty the trash. */
function keepDays(): number {
  const days = vscode.workspace.getConfiguration('sessionTree').get<unknown>('keepDays');
  return typeof days === 'number' && days >= 1 && Number.isFinite(days) ? days : DEFAULT_KEEP_DAYS;
}
