/** A writer that records its writes in the journal. */
import { resolve } from 'node:path';
import { defined } from '../../format/values/defined';
import { unarchivedPath } from '../../format/session/archivedSession';
import type { Change } from '../../format/write/change';
import type { JournalEntry, Journal } from './journal';
import { digestFile } from '../storage/privateStorage';
import type { SubmitResult } from '../write/submitChange';
import type { Writer } from '../write/sessionWriter';
import { archivePathOf } from '../archive/archivePaths';
import { beginArchiving } from './archivingRecord';
import { beginRelink } from './relinkLog';
import { beginMigration } from './migrationRecovery';

/**
 * Wraps a writer so that each of its writes is recorded. If recording fails, the error is passed to `onProblem` and the
 * write still counts.
 */
export function withJournal(writer: Writer, journal: Journal, onProblem: (error: unknown) => void): Writer {
  const note = async (entry: () => JournalEntry | Promise<JournalEntry>): Promise<void> => {
    try {
      await journal.add(await entry());
    } catch (error) {
      onProblem(error);
    }
  };
  return {
    ...writer,
    submit: async (path, change, options) => {
      const done = await writer.submit(path, change, options);
      await note(() => journalEntryOf(change, done, options?.group));
      return done;
    },
    forkSession: async (path, options) => {
      const fork = await writer.forkSession(path, options);
      const { size, sha256 } = fork.written;
      await note(() => ({ kind: 'fork', path: fork.path, source: path, sizeAfter: size, sha256, ...defined({ group: options?.group }) }));
      return fork;
    },
    archive: async (given, options = {}) => {
      const path = resolve(given);
      const archiving = {
        kind: 'archive',
        path,
        archive: archivePathOf(path, options.compression),
        ...defined({ group: options.group }),
      } as const;
      const end = await beginArchiving(journal, archiving, options.force);
      try {
        const archived = await writer.archive(path, options);
        await note(() => archiving);
        return archived;
      } finally {
        await end();
      }
    },
    unarchive: async (given) => {
      const archive = resolve(given);
      const archiving = { kind: 'unarchive', path: unarchivedPath(archive), archive } as const;
      const end = await beginArchiving(journal, archiving);
      try {
        const unarchived = await writer.unarchive(archive);
        await note(() => archiving);
        return unarchived;
      } finally {
        await end();
      }
    },
    beginMoves: (roots) => beginRelink(journal, roots, onProblem),
    create: async (kind, source, make) => {
      const created = await writer.create(kind, source, make);
      const { path, written } = created;
      await note(() => ({ kind, path, source, sizeAfter: written.size, sha256: written.sha256 }));
      return created;
    },
    migrate: async (path, options) => {
      const end = await beginMigration(journal, path).catch((error: unknown) => {
        onProblem(error);
        return undefined;
      });
      try {
        const migrated = await writer.migrate(path, options);
        await note(async () => {
          const backup = await digestFile(migrated.backupPath);
          const { written } = migrated;
          return {
            kind: 'migrate',
            path: migrated.path,
            backupPath: migrated.backupPath,
            sizeBefore: backup.size,
            sizeAfter: written.size,
            sha256: written.sha256,
            backupSha256: backup.sha256,
          };
        });
        return migrated;
      } finally {
        await end?.();
      }
    },
  };
}

/** Returns the record of a change. @param group of labels that are changed together */
export function journalEntryOf(change: Change, { entryId, before, session }: SubmitResult, group?: string): JournalEntry {
  const { path } = session;
  const sizes = { sizeBefore: before.size, sizeAfter: session.size };
  switch (change.kind) {
    case 'label': {
      const targetId = change.entryId;
      return {
        kind: 'label',
        path,
        entryId,
        targetId,
        from: before.labels.get(targetId) ?? '',
        to: session.labels.get(targetId) ?? '',
        ...sizes,
        ...defined({ group }),
      };
    }
    case 'rename':
      return { kind: 'rename', path, entryId, from: before.name ?? '', to: session.name ?? '', ...sizes };
    case 'branch':
      return { kind: 'branch', path, entryId, from: before.leafId, ...sizes };
    case 'append':
      return { kind: 'append', path, entryId, ...sizes };
  }
}
