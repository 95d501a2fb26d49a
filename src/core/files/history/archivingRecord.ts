/** Records of sessions that are being archived or unarchived, and the completion of changes whose process was killed. */
import { dirname } from 'node:path';
import { defined } from '../../format/values/defined';
import { isFlag, isObjectOf, isOneOf, isOptional } from '../../format/values/checks';
import { SessionError } from '../../format/entry/problem';
import { archivingPath } from '../archive/archivePaths';
import type { Root } from '../locate/roots';
import { isInRoot } from '../relink/stepChecks';
import { beginOperation, type OperationHandler } from '../storage/operationRecord';
import { isNormalAbsolutePath } from '../storage/pathChecks';
import { isTimeOrderedId } from '../storage/privateStorage';
import { mayBeRunning } from '../storage/processIdentity';
import { exists } from '../io/exists';
import type { ArchivePaths } from '../archive/archiver';
import type { Writer } from '../write/sessionWriter';
import { hasRecordSince, type Journal, type JournalEntry } from './journal';

/** The journal's record of the change. */
type Archiving = Extract<JournalEntry, { readonly kind: 'archive' | 'unarchive' }>;

interface ArchivingSubject extends ArchivePaths {
  readonly kind: Archiving['kind'];
  readonly group?: string;
  /** The original is kept for a while, since another program may still have it open. */
  readonly isKept?: boolean;
}

/** Milliseconds. If a program has the session open for longer than that after it was archived, its later writes are lost. */
const KEEP_MS = 24 * 60 * 60 * 1000;

/**
 * Records that a session is about to be archived or unarchived.
 *
 * @param isKept true if the original is kept for a while.
 * @returns a function that removes the record, unless the change couldn't be ended or the original is kept.
 * @throws {SessionError} `permission` or `no-space`.
 */
export async function beginArchiving(journal: Journal, archiving: Archiving, isKept = false): Promise<() => Promise<void>> {
  const subject: ArchivingSubject = { ...archiving, isKept };
  const operation = await beginOperation(journal.folder, 'archiving', subject);
  return async () => {
    if (!(await exists(archivingPath(archiving.path)))) await operation.done();
  };
}

interface ArchivingRecoveryTools {
  readonly journal: Journal;
  /** It doesn't record its changes in the journal. */
  readonly writer: Writer;
  readonly roots: () => readonly Root[];
  /** Receives a sentence about each archived session that is back: a program continued it, or its archive was removed. */
  readonly onReturned: (notice: SessionError) => void;
}

/**
 * Returns a handler that ends a change whose process is gone, and one whose original was kept for long enough. An original
 * that grew since becomes the session again.
 *
 * @param onFound receives each path that may have changed.
 */
export function archivingHandler(tools: ArchivingRecoveryTools, onFound: (path: string) => void): OperationHandler {
  const { journal, writer, roots, onReturned } = tools;
  return async ({ subject, process }) => {
    if (!isArchivingSubject(subject)) return false;
    const { kind, path, archive, isKept = false } = subject;
    const isAtWork = mayBeRunning(process);
    if (isAtWork && !isKept) return false;
    // The roots may not be known yet. A record that leads elsewhere changes nothing.
    if (!(await isInRoot({ path, newPath: archive }, { writer, roots }))) return false;
    // The disk that has the folder may not be mounted. The session may have its hidden name there.
    if (!(await exists(dirname(path)))) return false;
    const wasHidden = await exists(archivingPath(path));
    const hadArchive = await exists(archive);
    const left = await writer.endArchiving({ path, archive }, isKept ? KEEP_MS : 0);
    const isJournalNoted = await hasRecordSince(journal, process.since, (record) => record.kind === kind && record.path === path);
    if (wasHidden && left === 'session' && isJournalNoted && !(await exists(archive))) {
      await journal.add({ kind: 'unarchive', path, archive });
      onReturned(hadArchive ? continuedNotice(path) : archiveGoneNotice(path));
    } else if (isAtWork && !(left === 'archive' && isJournalNoted)) return false;
    else if (left === (kind === 'archive' ? 'archive' : 'session') && !isJournalNoted) await journal.add(entryOf(subject));
    onFound(path);
    onFound(archive);
    return !(await exists(archivingPath(path)));
  };
}

const continuedNotice = (path: string): SessionError =>
  new SessionError('changed', 'A program continued this session after it was archived, so it’s no longer archived: {path}', { path });

const archiveGoneNotice = (path: string): SessionError =>
  new SessionError(
    'changed',
    'The archive of this session was removed while its original was still kept, so it’s no longer archived: {path}',
    {
      path,
    },
  );

const entryOf = ({ kind, path, archive, group }: ArchivingSubject): JournalEntry =>
  kind === 'unarchive' ? { kind, path, archive } : { kind, path, archive, ...defined({ group }) };

const isArchivingSubject = isObjectOf<ArchivingSubject>({
  kind: isOneOf(['archive', 'unarchive']),
  path: isNormalAbsolutePath,
  archive: isNormalAbsolutePath,
  group: isOptional(isTimeOrderedId),
  isKept: isOptional(isFlag),
});
