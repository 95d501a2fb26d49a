/** Records of sessions that are being archived or unarchived, and ending those whose process was killed. */
import { unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { defined } from '../../format/entry/defined';
import { isObject } from '../../format/entry/jsonValues';
import { SessionError } from '../../format/entry/problem';
import { areArchivePaths, archivingPath } from '../archive/archivePaths';
import type { Root } from '../locate/roots';
import { assertInRoot, type StepTools } from '../relink/stepChecks';
import { endRecords } from '../storage/records';
import { makePrivateFolder } from '../storage/privateFolder';
import { readPrivateJson, timeOrderedId, writePrivateFile } from '../storage/privateStorage';
import { currentProcess, isProcessIdentity, mayBeRunning, type ProcessIdentity } from '../storage/processIdentity';
import { exists } from '../io/exists';
import type { ArchivePaths } from '../archive/archiver';
import type { Writer } from '../write/sessionWriter';
import type { Journal, JournalEntry } from './journal';

/** The journal's record of the change. */
type Archiving = Extract<JournalEntry, { readonly kind: 'archive' | 'unarchive' }>;

interface ArchivingRecord extends ProcessIdentity, ArchivePaths {
  readonly kind: Archiving['kind'];
  readonly group?: string;
  /** The original is kept for a while, since another program may still have it open. */
  readonly isKept?: boolean;
}

/** Milliseconds. A program that had the session open for longer than that after it was archived loses what it writes then. */
const KEEP_MS = 24 * 60 * 60 * 1000;

const folderOf = (journal: Journal): string => join(journal.folder, 'archiving');

/**
 * Records that a session is about to be archived or unarchived. Without a record nothing may change.
 *
 * @param isKept true if the original is kept for a while.
 * @returns a function that removes the record, unless the change couldn't be ended or the original is kept.
 * @throws {SessionError} `permission` or `no-space`.
 */
export async function beginArchiving(journal: Journal, archiving: Archiving, isKept = false): Promise<() => Promise<void>> {
  await makePrivateFolder(folderOf(journal));
  const note = join(folderOf(journal), `${timeOrderedId()}.json`);
  const begun: ArchivingRecord = { ...currentProcess(), ...archiving, isKept };
  await writePrivateFile(note, JSON.stringify(begun));
  return async () => {
    if (!(await exists(archivingPath(archiving.path)))) await unlink(note).catch(() => undefined);
  };
}

export interface ArchivingRecoveryTools {
  readonly journal: Journal;
  /** It doesn't record its changes in the journal. */
  readonly writer: Writer;
  readonly roots: () => readonly Root[];
  /** Receives a sentence about each archived session that is back: a program continued it, or its archive was removed. */
  readonly onReturned: (notice: SessionError) => void;
}

/**
 * Ends the changes whose process is gone, and those whose original was kept for long enough, according to the records in the
 * extension's storage. An original that grew since becomes the session again.
 *
 * @param onFound receives each path that may have changed.
 * @throws all failures, after the other records are handled; they're tried again at the next start.
 */
export async function recoverArchiving(tools: ArchivingRecoveryTools, onFound: (path: string) => void): Promise<void> {
  const { journal, writer, roots, onReturned } = tools;
  const end = async (note: string): Promise<void> => {
    const begun = await readPrivateJson(note);
    if (!isArchivingRecord(begun)) return;
    const { kind, path, archive, since, isKept = false } = begun;
    const isAtWork = mayBeRunning(begun);
    if (isAtWork && !isKept) return;
    // The roots may not be known yet. A record that leads elsewhere changes nothing.
    if (!(await isInRoots({ path, archive }, { writer, roots }))) return;
    // The disk that has the folder may not be mounted. The session may have its hidden name there.
    if (!(await exists(dirname(path)))) return;
    const wasHidden = await exists(archivingPath(path));
    const hadArchive = await exists(archive);
    const left = await writer.endArchiving({ path, archive }, isKept ? KEEP_MS : 0);
    const isJournalNoted = await isJournaled(journal, begun, since);
    if (wasHidden && left === 'session' && isJournalNoted && !(await exists(archive))) {
      await journal.add({ kind: 'unarchive', path, archive });
      onReturned(hadArchive ? continuedNotice(path) : archiveGoneNotice(path));
    } else if (isAtWork && !(left === 'archive' && isJournalNoted)) return;
    else if (left === (kind === 'archive' ? 'archive' : 'session') && !isJournalNoted) await journal.add(entryOf(begun));
    if (!(await exists(archivingPath(path)))) await unlink(note).catch(() => undefined);
    onFound(path);
    onFound(archive);
  };
  await endRecords(folderOf(journal), journal.folder, end);
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

const entryOf = ({ kind, path, archive, group }: ArchivingRecord): JournalEntry =>
  kind === 'unarchive' ? { kind, path, archive } : { kind, path, archive, ...defined({ group }) };

async function isInRoots({ path, archive }: ArchivePaths, tools: StepTools): Promise<boolean> {
  try {
    await assertInRoot({ path, newPath: archive }, tools);
    return true;
  } catch (error) {
    if (error instanceof SessionError) return false;
    throw error;
  }
}

async function isJournaled(journal: Journal, { kind, path }: ArchivingRecord, since: number): Promise<boolean> {
  for await (const record of journal.records()) {
    if (record.kind === kind && record.path === path) return true;
    if (Date.parse(record.at) < since) return false;
  }
  return false;
}

function isArchivingRecord(value: unknown): value is ArchivingRecord {
  if (!isProcessIdentity(value) || !isObject(value)) return false;
  const { kind, path, archive } = value;
  return (kind === 'archive' || kind === 'unarchive') && areArchivePaths({ path, archive });
}
