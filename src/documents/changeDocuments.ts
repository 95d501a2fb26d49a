/** The files that a branch changed, in the editor's multi-file diff: read-only documents with the recorded texts. No file on the disk is read. */
import * as vscode from 'vscode';
import { CHANGE_SCHEME, type EntryRef, type SessionRef } from '../contract';
import {
  firstWords,
  isArray,
  SessionError,
  sessionTitle,
  uiError,
  uiLine,
  type Catalog,
  type ChangeCertainty,
  type FileChange,
  type FileState,
  type Session,
} from '../core/index';
import { loadCode } from '../ui/loadCode';
import { localizeProblem, localizeTitle } from '../ui/localize';
import { ReadOnlyFileSystem, type DocumentStats } from './readOnlyFileSystem';

interface ChangeDocumentsOptions {
  readonly session: (path: string) => Promise<Session>;
  readonly catalog: () => Promise<Catalog>;
  readonly onError: (error: unknown, doing: string) => void;
}

/** Characters of a path in the address of a document. */
const MAX_PATH_LENGTH = 300;
/** Characters of a session's title on a tab. */
const MAX_TITLE_LENGTH = 60;

interface Document {
  readonly ref: SessionRef;
  readonly file: string;
  readonly side: Side;
}

/**
 * `before`, `after`: the file before and after all changes of a branch. `at`: the file after the entry. `prior`: the file just
 * before the entry changed it. `oldParts`, `newParts`: only the parts that the entry changed.
 */
const SIDES = ['before', 'after', 'at', 'prior', 'oldParts', 'newParts'] as const;
type Side = (typeof SIDES)[number];

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

interface ReadChanges {
  readonly session: Session;
  readonly entryId: string | null;
  readonly changes: Promise<readonly FileChange[]>;
}

export class ChangeDocuments extends ReadOnlyFileSystem {
  private readonly startTime = Date.now();
  /** The changes that were read last: the editor reads the documents of a difference one by one. */
  private last: ReadChanges | undefined;

  constructor(private readonly options: ChangeDocumentsOptions) {
    super(CHANGE_SCHEME);
  }

  /** Returns the changes up to an entry, by default on the active branch. @throws the errors of reading the session */
  async changes({ path, entryId }: SessionRef): Promise<readonly FileChange[]> {
    const session = await this.options.session(path);
    const end = entryId ?? session.leafId;
    if (this.last?.session !== session || this.last.entryId !== end) {
      this.last = { session, entryId: end, changes: this.changesIn(session, end) };
    }
    return this.last.changes;
  }

  /** Opens all changes together. @throws {SessionError} `not-found` if there are none; the errors of reading the session */
  async open(ref: SessionRef): Promise<readonly FileChange[]> {
    const changes = await this.changes(ref);
    if (changes.length === 0) throw new SessionError('not-found', 'This branch has no recorded edits or writes.');
    const { name, entries } = await this.options.session(ref.path);
    const resources = changes.map((change) => {
      const [before, after] = (['before', 'after'] as const).map((side) =>
        documentUri({ ref, file: change.file, side }, change.certainty === 'exact' ? undefined : certaintyNote(change.certainty)),
      );
      return [after, before, after];
    });
    const title = uiLine(localizeTitle(sessionTitle(name, firstWords(entries))), MAX_TITLE_LENGTH);
    await vscode.commands.executeCommand('vscode.changes', uiLine(vscode.l10n.t('Changes: {0}', title)), resources);
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
      const uri = documentUri({ ref, file, side }, certaintyNote('parts')).toString();
      return { uri, exact: false, isWhole: false };
    };
    return { before: partsOf('oldParts'), after: partsOf('newParts') };
  }

  private async changesIn(session: Session, entryId: string | null): Promise<readonly FileChange[]> {
    const { branchChanges } = await loadCode(() => import('../core/index'), this.options.onError);
    return branchChanges(session, entryId);
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
    const document = parseUri(uri);
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
  fileOf(uri: vscode.Uri): { readonly ref: SessionRef; readonly file: string } | undefined {
    return parseUri(uri);
  }

  /** The size is 0, because it isn't known until the text is made. */
  protected statsOf(): DocumentStats {
    return { mtime: this.startTime, size: 0 };
  }
}

function fileDocument(document: Document, state: FileState): FileDocument {
  // A file that was written as a whole may have been a new one.
  const isAbsent = document.side === 'prior' && state.text === '';
  const uri = documentUri(document, stateNote(state, isAbsent)).toString();
  return { uri, exact: state.certainty === 'exact', isWhole: state.certainty !== 'parts' || isAbsent };
}

function stateNote(state: FileState, isAbsent: boolean): string | undefined {
  if (state.certainty === 'exact') return undefined;
  if (state.certainty === 'parts') return certaintyNote(isAbsent ? 'unknown-before' : 'parts');
  return state.reason === 'record'
    ? vscode.l10n.t('not recorded in every detail')
    : vscode.l10n.t('may include changes that no session recorded');
}

/** The editor shows the folder next to the file's name, so the folder's name says what isn't exact. */
function documentUri({ ref, file, side }: Document, certaintyText: string | undefined): vscode.Uri {
  const shown = uiLine(file, MAX_PATH_LENGTH)
    .split(/[\\/]/)
    .filter((part) => part !== '' && part !== '.' && part !== '..');
  const name = shown.pop() ?? '';
  if (certaintyText !== undefined) shown.push(`${shown.pop() ?? ''} (${certaintyText})`.trim());
  return vscode.Uri.from({
    scheme: CHANGE_SCHEME,
    path: `/${[...shown, name].join('/')}`,
    query: JSON.stringify([ref.path, ref.entryId ?? null, file, side]),
  });
}

function certaintyNote(certainty: Exclude<ChangeCertainty, 'exact'>): string {
  switch (certainty) {
    case 'commands':
      return vscode.l10n.t('may include changes by commands');
    case 'unknown-before':
      return vscode.l10n.t('earlier text not recorded');
    case 'parts':
      return vscode.l10n.t('changed parts only');
  }
}

/** Anything can be in a URI, so each part is checked. */
function parseUri({ scheme, query }: vscode.Uri): Document | undefined {
  if (scheme !== CHANGE_SCHEME) return undefined;
  let parts: unknown;
  try {
    parts = JSON.parse(query);
  } catch {
    return undefined;
  }
  const [path, entryId, file, side] = isArray(parts) ? parts : [];
  if (typeof path !== 'string' || typeof file !== 'string') return undefined;
  const known = SIDES.find((one) => one === side);
  if (known === undefined) return undefined;
  return { ref: typeof entryId === 'string' ? { path, entryId } : { path }, file, side: known };
}
