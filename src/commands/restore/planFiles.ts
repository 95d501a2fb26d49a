/** Plans of restores, with what only the editor knows: the workspace's trust, and what isn't saved. */
import * as vscode from 'vscode';
import type { EntryRef } from '../../contract';
import { pathKey, planRestore, requireEntry, SessionError, type PlannedFile, type RestorePlan } from '../../core/index';
import type { CommandDeps } from '../handler/commandDeps';
import { settledCatalog } from '../handler/settledCatalog';

/** The services that planning needs. */
export interface PlanDeps extends Pick<CommandDeps, 'session' | 'untrustedPaths' | 'writes'> {
  readonly catalog: Parameters<typeof settledCatalog>[0];
}

interface PlanOptions {
  /** Absolute paths; by default all files in the session's folder that sessions changed. */
  readonly files?: readonly string[];
  /** By default only files whose state is certain. */
  readonly include?: 'exact' | 'likely';
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  /** See `PlanRestoreOptions`. */
  readonly onWrittenAfter?: (folder: string) => void;
  /** Called with each file as soon as it's planned, and the session's folder. */
  readonly onPlanned?: (file: PlannedFile, folder: string) => void;
}

/** @throws {SessionError} `invalid`: a workspace that nobody trusts may have brought the sessions that name its files */
export function assertMayRestore(): void {
  if (!vscode.workspace.isTrusted)
    throw new SessionError('invalid', 'Files aren’t restored in untrusted workspaces. Trust this workspace first.');
}

/**
 * Plans which files change so that they are as they were after an entry.
 *
 * @throws {SessionError} `invalid` in an untrusted workspace; `permission` for a folder that may be on another computer; `unknown-entry`;
 * as `planRestore`
 */
export async function planFiles(deps: PlanDeps, ref: EntryRef, { onPlanned, ...options }: PlanOptions = {}): Promise<RestorePlan> {
  assertMayRestore();
  const session = await deps.session(ref.path);
  requireEntry(session, ref.entryId);
  await assertLocal(deps, session.header.cwd);
  const catalog = await settledCatalog(deps.catalog);
  const unsaved = unsavedFiles();
  const plan = await planRestore(catalog, ref, {
    ...options,
    ...(onPlanned && { onPlanned: (file, folder) => onPlanned(unlessUnsaved(file, unsaved), folder) }),
    ...(await deps.writes()).restoreStorage(),
  });
  return withoutUnsaved(plan);
}

async function assertLocal({ untrustedPaths }: PlanDeps, cwd: string): Promise<void> {
  if (await untrustedPaths.isRefused(cwd))
    throw new SessionError('permission', 'This session’s folder may be on another computer, so no files are restored in it: {path}', {
      path: cwd,
    });
}

/** Leaves the files that have unsaved changes in an editor: saving them later would undo the restore, or lose the changes. */
export function withoutUnsaved(plan: RestorePlan): RestorePlan {
  const unsaved = unsavedFiles();
  return { ...plan, files: plan.files.map((file) => unlessUnsaved(file, unsaved)) };
}

const unsavedFiles = (): ReadonlySet<string> =>
  new Set([...unsavedUris()].filter(({ scheme }) => scheme === 'file').map(({ fsPath }) => keyOf(fsPath)));

const unlessUnsaved = (file: PlannedFile, unsaved: ReadonlySet<string>): PlannedFile =>
  unsaved.has(keyOf(file.file)) ? leftUnsaved(file) : file;

const keyOf = (path: string): string => pathKey(path, process.platform);

function leftUnsaved(file: PlannedFile): PlannedFile {
  if (file.action === 'none' || file.action === 'left') return file;
  const { text: _text, ...rest } = file;
  return { ...rest, action: 'left', reason: TEMPLATES.unsaved };
}

const TEMPLATES: Readonly<Record<'unsaved', string>> = { unsaved: 'It has unsaved changes in an editor.' };

/** The documents with unsaved changes; those of notebooks and custom editors are known by their tabs only. */
function* unsavedUris(): Iterable<vscode.Uri> {
  for (const { isDirty, uri } of vscode.workspace.textDocuments) if (isDirty) yield uri;
  for (const { isDirty, input } of vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs))
    if (isDirty && (input instanceof vscode.TabInputCustom || input instanceof vscode.TabInputNotebook)) yield input.uri;
}

/** True for a file that a restore changes. */
export const isChanged = ({ action }: PlannedFile): boolean =>
  action === 'write' || action === 'create' || action === 'delete' || action === 'merge';

/** True for a file that a person would miss among the restored ones. The others that stay have no known state. */
export const isMissed = ({ action, reason }: PlannedFile): boolean => action === 'conflict' || reason === TEMPLATES.unsaved;
