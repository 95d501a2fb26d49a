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
  type FileAt,
  type FileChange,
  type Session,
} from '../core/index';
import { loadCode } from '../ui/loadCode';
import { localizeProblem, localizeTitle } from '../ui/localize';
import { ReadOnlyFileSystem, type DocumentStats } from './readOnlyFileSystem';

export interface ChangeDocumentsOptions {
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
  /** `at`: the whole file as it was after the entry. `prior`: just before the entry changed it. */
  readonly side: 'before' | 'after' | 'at' | 'prior';
}

/** A read-only document of a file. */
export interface FileDocument {
  readonly uri: string;
  /** True if it's the file's text for certain. */
  readonly exact: boolean;
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

  /** Opens all changes at once. @throws {SessionError} `not-found` if there are none; the errors of reading the session */
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
   * Returns a document of a file as it was after an entry, without opening it.
   *
   * @throws {SessionError} `not-found` if nothing is known about it; `unknown-entry`; the errors of reading the session
   */
  async fileAt(ref: EntryRef, file: string): Promise<FileDocument> {
    const { exact } = await this.textAt(ref, file, 'at');
    return { uri: documentUri({ ref, file, side: 'at' }, exact ? undefined : certaintyNote('commands')).toString(), exact };
  }

  /** Like {@link fileAt}, of the file just before the entry changed it. */
  async fileBefore(ref: EntryRef, file: string): Promise<FileDocument> {
    const { text, exact } = await this.textAt(ref, file, 'prior');
    const note = certaintyNote(text === '' ? 'unknown-before' : 'commands');
    return { uri: documentUri({ ref, file, side: 'prior' }, exact ? undefined : note).toString(), exact };
  }

  private async changesIn(session: Session, entryId: string | null): Promise<readonly FileChange[]> {
    const { branchChanges } = await loadCode(() => import('../core/index'), this.options.onError);
    return branchChanges(session, entryId);
  }

  private async textAt({ path, entryId }: SessionRef, file: string, side: 'at' | 'prior'): Promise<FileAt> {
    const { fileAt, fileBefore } = await loadCode(() => import('../core/index'), this.options.onError);
    const catalog = await this.options.catalog();
    const textOf = side === 'at' ? fileAt : fileBefore;
    const found = entryId === undefined ? undefined : await textOf(catalog, file, { path, entryId }, { git: vscode.workspace.isTrusted });
    if (!found) throw new SessionError('not-found', 'No session had written this file by that entry: {path}', { path: file });
    return found;
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const document = parseUri(uri);
    if (!document) throw vscode.FileSystemError.FileNotFound(uri);
    try {
      const { ref, file, side } = document;
      if (side === 'at' || side === 'prior') return new TextEncoder().encode((await this.textAt(ref, file, side)).text);
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

  /** The size isn't known before the text is made, so it's 0. */
  protected statsOf(): DocumentStats {
    return { mtime: this.startTime, size: 0 };
  }
}

/** The editor shows the folder beside the file's name, so the folder's name says what isn't exact. */
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
  if (side !== 'before' && side !== 'after' && side !== 'at' && side !== 'prior') return undefined;
  return { ref: typeof entryId === 'string' ? { path, entryId } : { path }, file, side };
}
