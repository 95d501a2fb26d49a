/** What the extension keeps of its own writes, opened at its start: journal, queue, trash, and whose turn it is among windows. */
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createWriter, openWrites, SessionError, type Root, type Writer, type WriterOptions, type Writes } from '../core/index';

export interface StorageOptions {
  /** The extension's own folder, on the machine that it runs on. */
  readonly folder: string;
  readonly roots: () => readonly Root[];
  /** By what it is seen that other programs have a session. */
  readonly signs?: WriterOptions['signs'];
  readonly onError: (error: unknown, doing: string) => void;
}

export interface Storage {
  /** Writes at once; where the storage can't be used it writes all the same, under the guard, and nothing is remembered of it. */
  readonly writer: Writer;
  /** @throws {SessionError} `permission` where the storage can't be used. */
  readonly writes: () => Promise<Writes>;
  /** Ends what killed processes left and forgets what is old. To be called at the start, and when other roots are known; `onTouched` hears of each session. */
  readonly tidy: (onTouched: (path: string) => void) => Promise<void>;
  readonly dispose: () => void;
}

/** Milliseconds between two times of forgetting. */
const DAY = 24 * 60 * 60 * 1000;
const KEEP_DAYS = 30;

export function openStorage({ folder, roots, signs = {}, onError }: StorageOptions): Storage {
  const shared = createWriter({ locksDir: join(folder, 'windows'), signs });
  const opening = openWrites({ folder, writer: shared, roots, onProblem: (error) => onError(error, 'keeping what was written') });
  const opened: Promise<{ writer: Writer; writes?: Writes; reason?: unknown }> = opening.then(
    (writes) => ({ writer: writes.writer, writes }),
    (reason: unknown) => {
      onError(reason, 'opening the storage; what is written now can not be undone, and nothing can be deleted or wait');
      return { writer: createWriter({ signs }), reason };
    },
  );

  const writes = async (): Promise<Writes> => {
    const { writes: found, reason } = await opened;
    if (found) return found;
    throw new SessionError('permission', 'The extension can not use its own storage ({reason}), so it can neither undo, delete, restore nor keep a change waiting: {folder}', {
      reason: reason instanceof Error ? reason.message : String(reason),
      folder,
    });
  };

  const prune = async (): Promise<void> => {
    const { writes: found } = await opened;
    await found?.prune(keepDays() * DAY).catch((error: unknown) => onError(error, 'forgetting what is old'));
  };
  const timer = setInterval(() => void prune(), DAY);
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
    tidy: async (onTouched) => {
      const { writes: found } = await opened;
      await found?.recover(onTouched).catch((error: unknown) => onError(error, 'ending what was interrupted'));
      await prune();
    },
    dispose: () => {
      clearInterval(timer);
      setting.dispose();
    },
  };
}

/** What can't be meant counts as the default: a mistake in the settings must not empty the trash. */
function keepDays(): number {
  const days = vscode.workspace.getConfiguration('sessionTree').get<unknown>('keepDays');
  return typeof days === 'number' && days >= 1 && Number.isFinite(days) ? days : KEEP_DAYS;
}
