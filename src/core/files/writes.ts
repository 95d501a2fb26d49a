/** All that writes to sessions and remembers it, as one: what the extension opens at its start. */
import { join } from 'node:path';
import { openJournal, type Journal } from './journal';
import { journalled } from './journalled';
import { openQueue, type Queue } from './queue';
import type { Root } from './roots';
import { isClockSteady } from './steadyClock';
import type { Writer } from './submit';
import { openTrash, type Ended, type Trash, type TrashItem } from './trash';
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
  /**
   * Clears up what killed processes left. To be called at the start, and when other roots are known; `onTouched`
   * hears of the sessions as they come, since a folder on a network may hang.
   */
  recover(onTouched?: (path: string) => void): Promise<void>;
  /** Forgets what is older, for good; nothing while the clock is in doubt (see `isClockSteady`). */
  prune(maxAgeMs: number): Promise<void>;
}

export async function openWrites({ folder, writer, roots, onProblem }: WritesOptions): Promise<Writes> {
  const journal = await openJournal(join(folder, 'journal'));
  const queue = await openQueue(join(folder, 'queue'));
  const trash = await openTrash(join(folder, 'trash'), { writer, roots });
  const note = async (deed: Parameters<Journal['add']>[0]): Promise<void> => {
    await journal.add(deed).catch(onProblem);
  };
  const noteTrash = async (kind: 'delete' | 'restore', { path, trashId }: TrashItem): Promise<void> => note({ kind, path, trashId });
  return {
    writer: journalled(writer, journal, onProblem),
    trash: {
      ...trash,
      // Before it counts as done: a process that is killed in between leaves it to the next start.
      delete: async (path, options) => {
        let noted: TrashItem | undefined;
        const whenMoved = (item: TrashItem): Promise<void> => noteTrash('delete', (noted = item));
        try {
          return await trash.delete(path, { ...options, whenMoved });
        } catch (error) {
          if (noted) await noteTrash('restore', noted);
          throw error;
        }
      },
      restore: (trashId) => trash.restore(trashId, (item) => noteTrash('restore', item)),
    },
    queue,
    journal,
    undo: (options) => undo({ journal, writer, trash, roots }, options),
    nextUndo: () => nextUndo(journal),
    recover: async (onTouched = () => undefined) => {
      const onEnded = async ({ item, became }: Ended): Promise<void> => {
        const kind = became === 'deleted' ? 'delete' : 'restore';
        const noted = await lastNoted(journal, item);
        // What was not noted as deleted is not to be noted as restored.
        if (noted !== kind && (kind === 'delete' || noted !== undefined)) await noteTrash(kind, item);
        onTouched(item.path);
      };
      await all([writer.recover(), queue.recover(), recoverMigrations(journal).then((paths) => paths.forEach((path) => onTouched(path))), trash.recover(onEnded)]);
    },
    prune: async (maxAgeMs) => {
      if (await isClockSteady(folder)) await all([journal.prune(maxAgeMs), queue.prune(maxAgeMs), writer.prune(maxAgeMs), trash.prune(maxAgeMs)]);
    },
  };
}

/** Side by side; what fails says so when all have ended. */
async function all(works: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(works)).find((work) => work.status === 'rejected');
  if (failed) throw failed.reason;
}

/** What the journal says last of a deletion. */
async function lastNoted(journal: Journal, { trashId, at }: TrashItem): Promise<'delete' | 'restore' | undefined> {
  for await (const record of journal.records()) {
    if ((record.kind === 'delete' || record.kind === 'restore') && record.trashId === trashId) return record.kind;
    if (Date.parse(record.at) < at) return undefined;
  }
  return undefined;
}
