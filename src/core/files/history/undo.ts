/**
 * Undoes the newest write that hasn't been undone yet, by writing its inverse under the same guard. Nothing is ever
 * shortened; a file is only removed if it has exactly the bytes that the extension wrote. FORMAT section 6, rule 9.
 */
import { hostname } from 'node:os';
import { basename } from 'node:path';
import { defined } from '../../format/values/defined';
import { SessionError, type SessionErrorCode } from '../../format/entry/problem';
import type { PlannedFile } from '../../format/restore/restorePlan';
import { ReadOnlyRootError } from '../locate/readOnlyRoots';
import { rootOf, type Root } from '../locate/roots';
import { undoRelink, type RelinkJournalEntry } from './undoRelink';
import { assertInRoot } from '../relink/stepChecks';
import { withLock } from '../storage/crossWindowLocks';
import { exists } from '../io/exists';
import { withTrashedName, type Trash } from '../trash/trash';
import type { SubmitOptions } from '../write/submitChange';
import type { Writer } from '../write/sessionWriter';
import type { Journal, RecordOf, StoredJournalEntry } from './journal';
import type { RestoreStorage } from '../restore/restoreRecord';
import { restoreBackup } from './restoreBackup';
import { undoRestoredFiles } from './restores';
import { assertOurs, NotUndoableError } from './undoChecks';
import { writeInverse } from './writeInverse';

/** Result of an undo. */
export interface UndoResult {
  /** `inverse`: a line was appended that restores the former value. `file`: a file was created, removed or replaced. */
  readonly did: 'inverse' | 'file';
  readonly path: string;
  /** The paths of all files that changed. */
  readonly paths: readonly string[];
  /** The change that was undone. */
  readonly record: StoredJournalEntry;
  /** Restored files that stay, because they were changed since. */
  readonly left?: readonly PlannedFile[];
}

interface UndoOptions {
  readonly journal: Journal;
  /** These don't record their changes in the journal. */
  readonly writer: Writer;
  /** Brings an archived session back, and records that. */
  readonly unarchive: Writer['unarchive'];
  readonly trash: Trash;
  /** The folder in which the texts before restores are kept, and the session folders. */
  readonly restores: RestoreStorage;
  /** Returns the known roots, which provide the dialect of files that don't reveal it. */
  readonly roots: () => readonly Root[];
}

type NewFileKind = 'fork' | 'import' | 'recover';
type Undoable = RecordOf<'label' | 'rename' | 'branch' | NewFileKind | 'migrate' | 'delete' | 'archive' | 'relink' | 'restoreFiles'>;

/**
 * Returns the write that `undo` would undo: the newest one of this machine that hasn't been undone and has an inverse.
 *
 * @param id the id of a certain write's record; `undefined` is returned if that write was undone
 */
export async function nextUndo(journal: Journal, id?: string): Promise<Undoable | undefined> {
  for await (const record of undoable(journal)) if (id === undefined || record.id === id) return record;
  return undefined;
}

async function* undoable(journal: Journal): AsyncGenerator<Undoable> {
  const done = new Set<string>();
  for await (const record of journal.records()) {
    if (record.machine !== hostname()) continue;
    if (record.kind === 'undo') done.add(record.undoes);
    else if (record.kind === 'restore') done.add(deletionOf(record));
    else if (record.kind === 'unarchive') done.add(record.archive);
    else if (record.kind !== 'append' && !done.has(record.id) && !isTakenBack(record, done)) yield record;
  }
}

/** True for a session that was restored or unarchived since. */
const isTakenBack = (record: Undoable, done: ReadonlySet<string>): boolean =>
  (record.kind === 'delete' && done.has(deletionOf(record))) || (record.kind === 'archive' && done.has(record.archive));

/** Ids of trash without a record can be forged; the path ensures that the same deletion is meant. */
const deletionOf = ({ trashId, path }: RecordOf<'delete' | 'restore'>): string => `${trashId} ${path}`;

/**
 * Undoes the write that `nextUndo` returns for the `id`, and with it all others of the same group: of a command with
 * several rows, or the branch that was made together with restored files.
 *
 * @throws {SessionError} as the writer; then the next call tries the same write again. For a write that can no longer
 * be undone (`changed`, `not-found`, `unknown-entry`, `invalid` …) the error is thrown once, and the next call
 * continues with the write before it.
 */
export async function undo(
  tools: UndoOptions,
  { force = false, id }: { readonly force?: boolean; readonly id?: string } = {},
): Promise<UndoResult> {
  const { journal } = tools;
  return withLock(journal.folder, 'undo', async () => {
    const record = await nextUndo(journal, id);
    if (!record) throw new SessionError('invalid', id === undefined ? 'There’s nothing to undo.' : 'This change was already undone.');
    if (record.kind === 'relink') {
      const paths = await undoRelink(record.group, tools);
      return { did: 'file', path: paths.at(-1) ?? record.path, paths, record };
    }
    const records = await recordsWith(record, journal);
    if (record.kind === 'restoreFiles') return undoFilesAndBranch(records, record, tools, force);
    const problems: unknown[] = [];
    let did: UndoResult['did'] = 'file';
    for (const each of records) {
      try {
        ({ did } = await undoOne(each, tools, force));
      } catch (error) {
        problems.push(error);
      }
    }
    if (problems.length > 0) throw problems[0];
    return { did, path: record.path, paths: records.flatMap(pathsOf), record };
  });
}

/**
 * Undoes restored files, and before them the branch that was made with them: if the branch is refused, the files stay as
 * well. If it can't be taken back any more, the next undo is that of the files.
 */
async function undoFilesAndBranch(
  records: readonly Single[],
  record: RecordOf<'restoreFiles'>,
  tools: UndoOptions,
  force: boolean,
): Promise<UndoResult> {
  let left: Undone['left'];
  for (const each of [...records].reverse()) ({ left } = await undoOne(each, tools, force));
  return { did: 'file', path: record.path, paths: [record.path], record, ...defined({ left }) };
}

type Single = Exclude<Undoable, RelinkJournalEntry>;

const groupOf = (record: Undoable): string | undefined => (record.kind !== 'relink' && 'group' in record ? record.group : undefined);

/** Returns the records that are undone together: all of one command with several rows, or of one restore with its branch, newest first. */
async function recordsWith(record: Single, journal: Journal): Promise<Single[]> {
  const group = groupOf(record);
  if (group === undefined) return [record];
  const found: Single[] = [];
  for await (const each of undoable(journal)) {
    // The group's id was made before its records.
    if (each.id < group) break;
    if (each.kind !== 'relink' && groupOf(each) === group) found.push(each);
  }
  return found;
}

const pathsOf = (record: Single): string[] => (record.kind === 'archive' ? [record.archive, record.path] : [record.path]);

type Undone = Pick<UndoResult, 'did' | 'left'>;

async function undoOne(record: Single, tools: UndoOptions, force: boolean): Promise<Undone> {
  const note = (failed: boolean) =>
    tools.journal.add({ kind: 'undo', path: record.path, undoes: record.id, ...defined({ failed: failed || undefined }) });
  const dialect = rootOf(record.path, tools.roots())?.dialect;
  let undone: Undone;
  try {
    undone = await revert(record, tools, { force, ...defined({ dialect }) });
  } catch (error) {
    const reason = error instanceof NotUndoableError ? error.reason : error;
    if (error instanceof NotUndoableError || isPermanent(reason)) await note(true);
    throw reason;
  }
  await note(false);
  return undone;
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

const isPermanent = (reason: unknown): boolean =>
  reason instanceof SessionError && PERMANENT_CODES.has(reason.code) && !(reason instanceof ReadOnlyRootError);

async function revert(record: Single, { writer, unarchive, roots, trash, restores }: UndoOptions, options: SubmitOptions): Promise<Undone> {
  switch (record.kind) {
    case 'label':
    case 'rename':
    case 'branch':
      await writeInverse(record, writer, options);
      return { did: 'inverse' };
    case 'fork':
    case 'import':
    case 'recover':
      await trash.delete(record.path, { ...options, check: () => assertOurs(record, continuedError(record)) });
      return { did: 'file' };
    case 'migrate':
      await writer.guarded(record.path, ({ version }) => restoreBackup(record, version), options);
      return { did: 'file' };
    case 'archive':
      await assertInRoot({ path: record.path, newPath: record.archive }, { writer, roots });
      await unarchive(record.archive);
      return { did: 'file' };
    case 'delete':
      await trash.restore(record.trashId).catch(async (error: unknown) => {
        // Already restored, so nothing is left to do.
        if (!(error instanceof SessionError && error.code === 'not-found' && (await exists(record.path))))
          throw withTrashedName(error, basename(record.path));
      });
      return { did: 'file' };
    case 'restoreFiles':
      return { did: 'file', left: (await undoRestoredFiles(record, restores)).left };
  }
}

/** The reason why a new session stays: it was continued. */
function continuedError({ kind, path }: RecordOf<NewFileKind>): SessionError {
  return kind === 'fork'
    ? new SessionError('changed', 'Can’t undo the fork because it was changed since. To remove it, move it to the trash: {path}', { path })
    : new SessionError('changed', 'Can’t undo because the new session was changed since. To remove it, move it to the trash: {path}', {
        path,
      });
}
