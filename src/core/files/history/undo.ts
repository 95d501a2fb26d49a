/**
 * Undoes the newest write that hasn't been undone yet, by writing its inverse under the same guard. Nothing is ever
 * shortened; a file is only removed while it is, byte for byte, what the extension wrote. FORMAT section 6, rule 9.
 */
import { realpath, rename, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname } from 'node:path';
import { defined } from '../../format/entry/defined';
import { SessionError, type SessionErrorCode } from '../../format/entry/problem';
import type { Session } from '../../format/session/session';
import { BRANCH_MARK, pathTo, subtree } from '../../format/session/treeTraversal';
import { exists, isBackup, isRelatedName } from '../trash/relatedPaths';
import { fileError } from '../io/fileErrors';
import type { Journal, StoredJournalEntry } from './journal';
import { digestFile } from '../storage/privateStorage';
import { syncFolder, type FileDigest } from '../io/atomicFile';
import { rootOf, type Root } from '../locate/roots';
import { fileVersion, readSession, type FileVersion } from '../read/sessionFile';
import type { SubmitOptions, Writer } from '../write/sessionWriter';
import type { Trash } from '../trash/trash';
import { changedError, sameVersion } from '../read/compareVersions';
import { createCrossWindowLocks } from '../storage/crossWindowLocks';
import { retryWhileOpen } from '../storage/retryWhileOpen';

/** Result of an undo. */
export interface UndoResult {
  /** `inverse`: a line was appended that restores the former value. `file`: a file was created, removed or replaced. */
  readonly did: 'inverse' | 'file';
  readonly path: string;
  /** The change that was undone. */
  readonly record: StoredJournalEntry;
}

export interface UndoOptions {
  readonly journal: Journal;
  /** These don't record their changes in the journal. */
  readonly writer: Writer;
  readonly trash: Trash;
  /** Returns the known roots, which provide the dialect of files that don't reveal it. */
  readonly roots: () => readonly Root[];
}

type RecordOf<Kind extends StoredJournalEntry['kind']> = Extract<StoredJournalEntry, { readonly kind: Kind }>;
type Undoable = RecordOf<'label' | 'rename' | 'branch' | 'fork' | 'migrate' | 'delete'>;

/** Thrown if a write can no longer be undone. The next undo skips it. */
class NotUndoableError extends Error {
  constructor(readonly reason: SessionError) {
    super(reason.message);
  }
}

/**
 * Returns the write that `undo` would undo: the newest one of this machine that hasn't been undone and has an inverse.
 */
export async function nextUndo(journal: Journal): Promise<Undoable | undefined> {
  const done = new Set<string>();
  for await (const record of journal.records()) {
    if (record.machine !== hostname()) continue;
    if (record.kind === 'undo') done.add(record.undoes);
    else if (record.kind === 'restore') done.add(deletionOf(record));
    else if (record.kind !== 'append' && !done.has(record.id) && !(record.kind === 'delete' && done.has(deletionOf(record)))) return record;
  }
  return undefined;
}

/** Ids of trash without a record can be forged; the path ensures that the same deletion is meant. */
const deletionOf = ({ trashId, path }: RecordOf<'delete' | 'restore'>): string => `${trashId} ${path}`;

/**
 * Undoes the write that `nextUndo` returns.
 *
 * @throws {SessionError} as the writer; then the next call tries the same write again. For a write that can no longer
 * be undone (`changed`, `not-found`, `unknown-entry`, `invalid` …) the error is thrown once, and the next call
 * continues with the write before it.
 */
export async function undo(tools: UndoOptions, { force = false }: { readonly force?: boolean } = {}): Promise<UndoResult> {
  const { journal } = tools;
  return createCrossWindowLocks(journal.folder).withFileLock('undo', async () => {
    const record = await nextUndo(journal);
    if (!record) throw new SessionError('invalid', 'There’s nothing to undo.');
    const note = (failed: boolean) =>
      journal.add({ kind: 'undo', path: record.path, undoes: record.id, ...(failed ? { failed: true as const } : {}) });
    const dialect = rootOf(record.path, tools.roots())?.dialect;
    let did: UndoResult['did'];
    try {
      did = await revert(record, tools, { force, ...defined({ dialect }) });
    } catch (error) {
      const reason = error instanceof NotUndoableError ? error.reason : error;
      if (error instanceof NotUndoableError || (reason instanceof SessionError && PERMANENT_CODES.has(reason.code))) await note(true);
      throw reason;
    }
    await note(false);
    return { did, path: record.path, record };
  });
}

/** Codes of refusals that are permanent. */
const PERMANENT_CODES: ReadonlySet<SessionErrorCode> = new Set([
  'not-found',
  'not-a-session',
  'unknown-entry',
  'version',
  'read-only',
  'invalid',
]);

async function revert(record: Undoable, { writer, trash }: UndoOptions, options: SubmitOptions): Promise<UndoResult['did']> {
  switch (record.kind) {
    case 'label':
    case 'rename':
    case 'branch':
      await writeInverse(record, writer, options);
      return 'inverse';
    case 'fork':
      await trash.delete(record.path, {
        ...options,
        check: () =>
          assertOurs(
            record,
            new SessionError('changed', 'Can’t undo the fork because it was changed since. To remove it, move it to the trash: {path}', {
              path: record.path,
            }),
          ),
      });
      return 'file';
    case 'migrate':
      await writer.guarded(record.path, ({ version }) => restoreBackup(record, version), options);
      return 'file';
    case 'delete':
      await trash.restore(record.trashId).catch(async (error: unknown) => {
        // Already restored, so nothing is left to do.
        if (!(error instanceof SessionError && error.code === 'not-found' && (await exists(record.path)))) throw error;
      });
      return 'file';
  }
}

/** Writes a line that restores the former value. Writes nothing if the session already has it. */
async function writeInverse(record: RecordOf<'label' | 'rename' | 'branch'>, writer: Writer, options: SubmitOptions): Promise<void> {
  const { path } = record;
  const session = await readSession(path, options.dialect ? { dialect: options.dialect } : {});
  if (record.kind === 'branch') {
    const place = formerLeaf(session, record);
    if (place === undefined) return;
    const data = { from: session.leafId, at: place };
    await writer.submit(path, { kind: 'append', lines: [{ type: 'custom', parentId: place, customType: BRANCH_MARK, data }] }, options);
    return;
  }
  const now = (record.kind === 'label' ? session.labels.get(record.targetId) : session.name) ?? '';
  if (now === record.from) return;
  if (now !== record.to) {
    throw new NotUndoableError(
      record.kind === 'label'
        ? new SessionError('changed', 'Can’t undo because the label was changed again (to “{now}”): {path}', {
            now,
            path,
          })
        : new SessionError('changed', 'Can’t undo because the session was renamed again (to “{now}”): {path}', {
            now,
            path,
          }),
    );
  }
  await writer.submit(
    path,
    record.kind === 'label' ? { kind: 'label', entryId: record.targetId, label: record.from } : { kind: 'rename', name: record.from },
    options,
  );
}

/**
 * Returns the leaf to restore when a branch is undone; `undefined` if the session is already there or continued from
 * there.
 */
function formerLeaf(session: Session, { entryId, from, path }: RecordOf<'branch'>): string | null | undefined {
  const active = pathTo(session, session.leafId);
  const at = active.findIndex((head) => head.id === entryId);
  const since = active[at]?.offset ?? 0;
  if (active.some((head) => head.id === from)) {
    // The branch began at the leaf itself: then only its summary is undone, and only if nothing was said after it.
    const isSummary = active[at]?.type === 'branch_summary' && !active.slice(at + 1).some((head) => CONTEXT_TYPES.has(head.type));
    return isSummary ? from : undefined;
  }
  if (at < 0)
    throw new NotUndoableError(new SessionError('changed', 'Can’t undo because the session moved to another branch: {path}', { path }));
  if (from === null) return null;
  // A program that didn't notice the branch may have continued from the old leaf. Then the leaf moves to the newest
  // entry there.
  const later = subtree(session, from).filter((head) => head.offset > since);
  return later.reduce<string>((place, head) => (head.offset > (session.byId.get(place)?.offset ?? 0) ? head.id : place), from);
}

/** Types that change the context. */
const CONTEXT_TYPES: ReadonlySet<string> = new Set([
  'message',
  'custom_message',
  'compaction',
  'branch_summary',
  'context_edit',
  'reset_boundary',
]);

async function assertOurs({ path, sizeAfter, sha256 }: RecordOf<'fork' | 'migrate'>, reason: SessionError): Promise<void> {
  if (!(await hasContent(path, { size: sizeAfter, sha256 }))) throw new NotUndoableError(reason);
}

/** True if the file has exactly this content. */
async function hasContent(path: string, { size, sha256 }: FileDigest): Promise<boolean> {
  const stats = await stat(path).catch((error: unknown) => {
    throw fileError(error, path);
  });
  return stats.size === size && (await digestFile(path)).sha256 === sha256;
}

/** Moves the backup back into the file's place, in one step. Both must be, byte for byte, what the migration left. */
async function restoreBackup(record: RecordOf<'migrate'>, version: FileVersion): Promise<void> {
  const { path, backupPath } = record;
  // For a link its target was migrated, and the backup is beside the target.
  const file = await realpath(path).catch((error: unknown) => {
    throw fileError(error, path);
  });
  // Already restored by a process that was killed before it could record that.
  if (await hasContent(file, { size: record.sizeBefore, sha256: record.backupSha256 })) return;
  await assertOurs(
    record,
    new SessionError(
      'changed',
      'Can’t undo the migration because the file was changed since. The original is in the backup next to it: {path}',
      { path },
    ),
  );
  const isBeside =
    dirname(backupPath) === dirname(file) && isBackup(basename(backupPath)) && isRelatedName(basename(file), basename(backupPath));
  if (!isBeside)
    throw new NotUndoableError(
      new SessionError('changed', 'Can’t undo the migration because the session links to another file now: {path}', { path }),
    );
  const backup = await digestFile(backupPath).catch((error: unknown) => {
    if (error instanceof SessionError && error.code === 'not-found')
      throw new NotUndoableError(
        new SessionError('changed', 'Can’t undo the migration because its backup no longer exists: {path}', { path: backupPath }),
      );
    throw error;
  });
  if (backup.size !== record.sizeBefore || backup.sha256 !== record.backupSha256)
    throw new NotUndoableError(
      new SessionError('changed', 'Can’t undo the migration because its backup was changed: {path}', { path: backupPath }),
    );
  const now = fileVersion(await stat(file, { bigint: true }));
  if (!sameVersion(now, version)) throw changedError(path);
  try {
    await retryWhileOpen(() => rename(backupPath, file));
  } catch (error) {
    throw fileError(error, path);
  }
  await syncFolder(dirname(file));
}
