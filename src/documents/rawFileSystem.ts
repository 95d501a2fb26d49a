/** Session files as read-only documents that show the file's own bytes. */
import * as vscode from 'vscode';
import { RAW_SCHEME } from '../contract';
import { isArray, SessionError, uiError, type Root, type StoreChange } from '../core/index';
import { localizeProblem } from '../ui/localize';
import { isSessionFilePath, RawAccess } from './rawAccess';
import { pathOfRawUri, rawUri } from './rawUri';
import { ReadOnlyFileSystem, type DocumentStats } from './readOnlyFileSystem';
import { ReadPacer } from './readPacer';

export interface RawFileSystemOptions {
  /** Resolves when the session folders are known. */
  readonly rootsReady: () => Promise<void>;
  readonly roots: () => readonly Root[];
  /** Reads a session. @throws if the file can't be read as one. */
  readonly session: (path: string) => Promise<unknown>;
  /** The workspace's state, which keeps the files outside the session folders that the person opened. */
  readonly state: vscode.Memento;
}

/** Number of opened files that are remembered. */
const MAX_OPENED = 100;
const OPENED_KEY = 'rawFiles';

export class RawFileSystem extends ReadOnlyFileSystem {
  private readonly access: RawAccess;
  private readonly pacer = new ReadPacer();
  /** Open documents whose file is gone. */
  private readonly deleted = new Set<string>();
  private readonly closing: vscode.Disposable;

  constructor(private readonly options: RawFileSystemOptions) {
    super(
      RAW_SCHEME,
      new vscode.MarkdownString(
        vscode.l10n.t(
          'Session files open as read-only, because an agent may be writing to this one and editing it could break the session. Use the commands in the Sessions view instead.',
        ),
      ),
    );
    const { rootsReady, roots, session } = options;
    this.access = new RawAccess({
      rootsReady,
      roots,
      isOpened: (path) => this.opened().includes(path),
      isSession: (path) =>
        session(path).then(
          () => true,
          () => false,
        ),
    });
    this.closing = vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri));
  }

  override dispose(): void {
    super.dispose();
    this.closing.dispose();
    this.pacer.dispose();
  }

  /** Returns the URI of a file's document and allows the file to be read wherever it is. Call it when the person asked for this file. */
  grantAccess(path: string): vscode.Uri {
    const others = this.opened().filter((other) => other !== path);
    void this.options.state.update(OPENED_KEY, [...others.slice(1 - MAX_OPENED), path]);
    return rawUri(path);
  }

  /** Returns the URI under which a file opens: for a session file, the URI of its read-only document. */
  fileUri(path: string): vscode.Uri {
    return isSessionFilePath(path, this.options.roots()) ? rawUri(path) : vscode.Uri.file(path);
  }

  /** To be called when session files changed or were removed: makes the editor read their documents again. */
  sessionsChanged({ changed, removed }: StoreChange): void {
    for (const uri of openUris()) {
      const path = pathOfRawUri(uri);
      if (path === undefined) continue;
      if (removed.has(path)) this.fireDeleted(uri);
      else if (changed.has(path)) this.pacer.schedule(uri.toString(), () => this.fireChanged(uri));
    }
  }

  /** Returns the files that open documents show. */
  paths(): string[] {
    return openUris().flatMap((uri) => pathOfRawUri(uri) ?? []);
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const bytes = await withFileSystemErrors(uri, (path) => this.access.read(path));
    this.pacer.recordRead(uri.toString(), bytes.length);
    return bytes;
  }

  protected statsOf(uri: vscode.Uri): Promise<DocumentStats> {
    return withFileSystemErrors(uri, (path) => this.access.stats(path));
  }

  /** Paths that the person opened, oldest first. */
  private opened(): readonly string[] {
    const kept = this.options.state.get<unknown>(OPENED_KEY);
    return isArray(kept) ? kept.filter((path) => typeof path === 'string') : [];
  }

  private fireDeleted(uri: vscode.Uri): void {
    this.deleted.add(uri.toString());
    this.fireChanges([{ type: vscode.FileChangeType.Deleted, uri }]);
  }

  private fireChanged(uri: vscode.Uri): void {
    const type = this.deleted.delete(uri.toString()) ? vscode.FileChangeType.Created : vscode.FileChangeType.Changed;
    this.fireChanges([{ type, uri }]);
  }

  private forget(uri: vscode.Uri): void {
    this.pacer.forget(uri.toString());
    this.deleted.delete(uri.toString());
  }
}

const openUris = (): vscode.Uri[] => vscode.workspace.textDocuments.map(({ uri }) => uri).filter(({ scheme }) => scheme === RAW_SCHEME);

/** Maps errors to file system errors, with a sentence that the editor shows. */
async function withFileSystemErrors<T>(uri: vscode.Uri, work: (path: string) => Promise<T>): Promise<T> {
  const path = pathOfRawUri(uri);
  if (path === undefined) throw vscode.FileSystemError.FileNotFound(vscode.l10n.t('This address doesn’t name a session.'));
  try {
    return await work(path);
  } catch (error) {
    if (!(error instanceof SessionError)) throw uiError(error);
    const sentence = localizeProblem(error);
    throw error.code === 'not-found' ? vscode.FileSystemError.FileNotFound(sentence) : vscode.FileSystemError.Unavailable(sentence);
  }
}
