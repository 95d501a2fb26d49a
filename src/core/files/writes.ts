/** All that writes to sessions and remembers it, as one: what the extension opens at its start. */
import { join } from 'node:path';
import { openJournal, type Journal } from './journal';
import { journalled } from './journalled';
import { openQueue, type Queue } from './queue';
import type { Root } from './roots';
import type { Writer } from './submit';
import { openTrash, type Trash, type TrashItem } from './trash';
import { nextUndo, undo, type Undone } from './undo';
import { recoverMigrations } from './unfinished';

export interface WritesOptions {
  /** The extension's storage; journal, queue and trash list lie in it, for this person alone. */
  readonly folder: string;
  readonly writer: Writer;
  /** The roots that are known now. */
  readonly roots: () => readonly Root[];
  /** What went wrong beside a write that itself went well. */
  readonly onProblem: (error: unknown) => void;
}

export interface Writes {
  /** Writes, and notes in the journal what it wrote. */
  readonly writer: Writer;
  /** Deletes and restores, and notes it. */
  readonly trash: Trash;
  readonly queue: Queue;
  readonly journal: Journal;
  /** See `undo`. */
  undo(options?: { readonly force?: boolean }): Promise<Undone>;
  /** What `undo` would take back. */
  nextUndo(): ReturnType<typeof nextUndo>;
  /** Clears up what killed processes left; returns the sessions that it touched. To be called at the start. */
  recover(): Promise<string[]>;
  /** Forgets what is older, for good. */
  prune(maxAgeMs: number): Promise<void>;
}

export async function openWrites({ folder, writer, roots, onProblem }: WritesOptions): Promise<Writes> {
  const journal = await openJournal(join(folder, 'journal'));
  const queue = await openQueue(join(folder, 'queue'));
  const trash = await openTrash(join(folder, 'trash'), { writer, roots });
  const note = async (deed: Parameters<Journal['add']>[0]): Promise<void> => {
    await journal.add(deed).catch(onProblem);
  };
  const noteDeleted = ({ path, trashId }: TrashItem): Promise<void> => note({ kind: 'delete', path, trashId });
  return {
    writer: journalled(writer, journal, onProblem),
    trash: {
      ...trash,
      delete: async (path, options) => {
        const item = await trash.delete(path, options);
        await noteDeleted(item);
        return item;
      },
      restore: async (trashId) => {
        const restored = await trash.restore(trashId);
        await note({ kind: 'restore', path: restored.path, trashId });
        return restored;
      },
    },
    queue,
    journal,
    undo: (options) => undo({ journal, writer, trash, roots }, options),
    nextUndo: () => nextUndo(journal),
    recover: async () => {
      await writer.recover();
      await queue.recover();
      const migrated = await recoverMigrations(journal);
      const { deleted, restored } = await trash.recover();
      for (const item of deleted) await noteDeleted(item);
      return [...migrated, ...deleted.map(({ path }) => path), ...restored.map(({ path }) => path)];
    },
    prune: async (maxAgeMs) => {
      await journal.prune(maxAgeMs);
      await queue.prune(maxAgeMs);
      await trash.prune(maxAgeMs);
    },
  };
}
