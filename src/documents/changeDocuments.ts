/** The files that a branch changed, in the editor's multi-file diff: read-only documents with the recorded texts. No file on the disk is read. */
import * as vscode from 'vscode';
import { CHANGE_SCHEME, type ChangesRef, type EntryRef, type SessionRef } from '../contract';
import { SessionError, uiError, uiLine, type Catalog, type FileChange, type FileState, type Session } from '../core/index';
import { loadCode } from '../ui/loadCode';
import { localizeProblem } from '../ui/localize';
import { certaintyNote, changeUri, parseChangeUri, type ChangeDocument, type Side } from './changeUri';
import { branchName, entryName, sessionName } from './documentNames';
import { ReadOnlyFileSystem, type DocumentStats } from './readOnlyFileSystem';

interface ChangeDocumentsOptions {
  readonly session: (path: string) => Promise<Session>;
  readonly catalog: () => Promise<Catalog>;
  readonly onError: (error: unknown, doing: string) => void;
}

/** A read-only document of a file. */
interface FileDocument {
  readonly uri: string;
  /** True if it's the file's text for certain. */
  readonly exact: boolean;
  /** False if only the changed parts of the file are known. */
  readonly isWhole: boolean;
}

/** Documents of a file before and after a message. */
interface ChangeOfFile {
  readonly before: FileDocument;
  readonly after: FileDocument;
}

/** Characters of a name on a tab. */
const MAX_NAME_LENGTH = 60;

interface ReadChanges {
  readonly session: Session;
  readonly entryId: string | null;
  readonly since: string | undefined;
  readonly changes: Promise<readonly FileChange[]>;
}

export class ChangeDocuments extends ReadOnlyFileSystem {
  private readonly startTime = Date.now();
  /** The changes that were read last: the editor reads the documents of a difference one by one. */
  private last: ReadChanges | undefined;

  constructor(private readonly options: ChangeDocumentsOptions) {
    super(CHANGE_SCHEME);
  }

  /** Returns the changes up to an entry, by default on the active branch, and after `since`. @throws the errors of reading the session */
  async changes({ path, entryId, since }: ChangesRef): Promise<readonly FileChange[]> {
    const session = await this.options.session(path);
    const end = entryId ?? session.leafId;
    if (this.last?.session !== session || this.last.entryId !== end || this.last.since !== since) {
      this.last = { session, entryId: end, since, changes: this.changesIn(session, end, since) };
    }
    return this.last.changes;
  }

  /** Opens all changes together. @throws {SessionError} `not-found` if there are none; the errors of reading the session */
  async open(ref: ChangesRef): Promise<readonly FileChange[]> {
    const changes = await this.changes(ref);
    if (changes.length === 0) throw new SessionError('not-found', 'This branch has no recorded edits or writes.');
    const resources = changes.map((change) => {
      const [before, after] = (['before', 'after'] as const).map((side) =>
        changeUri({ ref, file: change.file, side }, change.certainty === 'exact' ? undefined : certaintyNote(change.certainty)),
      );
      return [after, before, after];
    });
    const title = changesTitle(await this.options.session(ref.path), ref);
    await vscode.commands.executeCommand('vscode.changes', title, resources);
    return changes;
  }

  /**
   * Returns a document with the text of a file after an entry, without opening it.
   *
   * @throws {SessionError} `not-found` if nothing is known about it; `unknown-entry`; the errors of reading the session
   */
  async fileAt(ref: EntryRef, file: string): Promise<FileDocument> {
    return fileDocument({ ref, file, side: 'at' }, await this.stateOf(ref, file, 'at'));
  }

  /** Like {@link fileAt}, of the file just before the entry changed it. */
  async fileBefore(ref: EntryRef, file: string): Promise<FileDocument> {
    return fileDocument({ ref, file, side: 'prior' }, await this.stateOf(ref, file, 'prior'));
  }

  /** Returns the file before and after the entry, or only the changed parts if one of the two isn't known completely. */
  async fileChange(ref: EntryRef, file: string): Promise<ChangeOfFile> {
    const [before, after] = [await this.fileBefore(ref, file), await this.fileAt(ref, file)];
    if (before.isWhole && after.isWhole) return { before, after };
    const partsOf = (side: Side): FileDocument => {
      const uri = changeUri({ ref, file, side }, certaintyNote('parts')).toString();
      return { uri, exact: false, isWhole: false };
    };
    return { before: partsOf('oldParts'), after: partsOf('newParts') };
  }

  private async changesIn(session: Session, entryId: string | null, since: string | undefined): Promise<readonly FileChange[]> {
    const { branchChanges } = await loadCode(() => import('../core/index'), this.options.onError);
    return branchChanges(session, entryId, since);
  }

  private async stateOf({ path, entryId }: SessionRef, file: string, side: 'at' | 'prior'): Promise<FileState> {
    const { fileStateAt, fileStateBefore } = await loadCode(() => import('../core/index'), this.options.onError);
    const find = side === 'at' ? fileStateAt : fileStateBefore;
    const catalog = await this.options.catalog();
    const found = entryId === undefined ? undefined : await find(catalog, file, { path, entryId }, { git: vscode.workspace.isTrusted });
    if (!found) throw new SessionError('not-found', 'No session had written this file by that entry: {path}', { path: file });
    return found;
  }

  private async partsOf({ path, entryId }: SessionRef, file: string, side: 'before' | 'after'): Promise<string> {
    const { fileParts } = await loadCode(() => import('../core/index'), this.options.onError);
    const catalog = await this.options.catalog();
    const options = { git: vscode.workspace.isTrusted };
    const found = entryId === undefined ? undefined : await fileParts(catalog, file, { path, entryId }, options);
    return found?.[side] ?? '';
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const document = parseChangeUri(uri);
    if (!document) throw vscode.FileSystemError.FileNotFound(uri);
    try {
      const { ref, file, side } = document;
      if (side === 'at' || side === 'prior') return new TextEncoder().encode((await this.stateOf(ref, file, side)).text);
      if (side === 'oldParts') return new TextEncoder().encode(await this.partsOf(ref, file, 'before'));
      if (side === 'newParts') return new TextEncoder().encode(await this.partsOf(ref, file, 'after'));
      const change = (await this.changes(ref)).find((one) => one.file === file);
      return new TextEncoder().encode(change?.[side] ?? '');
    } catch (error) {
      if (error instanceof SessionError) return new TextEncoder().encode(localizeProblem(error));
      throw uiError(error);
    }
  }

  /** Returns the session and the file that a document of ours shows; `undefined` for other URIs. */
  fileOf(uri: vscode.Uri): { readonly ref: ChangesRef; readonly file: string } | undefined {
    return parseChangeUri(uri);
  }

  /** The size is 0, because it isn't known until the text is made. */
  protected statsOf(): DocumentStats {
    return { mtime: this.startTime, size: 0 };
  }
}

/** Names the session, or the branch and the entry after which it's different. */
function changesTitle(session: Session, { entryId, since }: ChangesRef): string {
  const short = (name: string): string => uiLine(name, MAX_NAME_LENGTH);
  const end = entryId ?? session.leafId ?? '';
  if (since !== undefined)
    return vscode.l10n.t('Changes: {0} (since “{1}”)', short(branchName(session, end, since)), short(entryName(session, since)));
  const name = short(sessionName(session));
  return end === session.leafId
    ? vscode.l10n.t('Changes: {0}', name)
    : vscode.l10n.t('Changes: {0} (up to “{1}”)', name, short(entryName(session, end)));
}

function fileDocument(document: ChangeDocument, state: FileState): FileDocument {
  // A file that was written as a whole may have been a new one.
  const isAbsent = document.side === 'prior' && state.text === '';
  const uri = changeUri(document, stateNote(state, isAbsent)).toString();
  return { uri, exact: state.certainty === 'exact', isWhole: state.certainty !== 'parts' || isAbsent };
}

function stateNote(state: FileState, isAbsent: boolean): string | undefined {
  if (state.certainty === 'exact') return undefined;
  if (state.certainty === 'parts') return certaintyNote(isAbsent ? 'unknown-before' : 'parts');
  if (state.reason === 'record') return vscode.l10n.t('not recorded in every detail');
  return state.reason === 'commands' ? certaintyNote('commands') : vscode.l10n.t('may include changes that no session recorded');
}
