/**
 * Session files as documents that show the file's own bytes and can't be written. As the documents of a file system
 * that is read-only they are so for every editor, also for a tab that is restored after a reload of the window.
 */
import * as vscode from 'vscode';
import { RAW_SCHEME } from '../contract';
import { SessionError, uiError, type Root } from '../core/index';
import { localizeProblem } from '../ui/localize';
import { isSessionFilePath, RawAccess } from './rawAccess';
import { pathOfRawUri, rawUri } from './rawUri';

export interface RawFileSystemOptions {
  /** Resolves when the session folders are known. */
  readonly rootsReady: Promise<void>;
  readonly roots: () => readonly Root[];
  /** @throws what keeps the file from being read as a session */
  readonly session: (path: string) => Promise<unknown>;
  /** Of the workspace: the files outside the session folders that the person opened. */
  readonly state: vscode.Memento;
}

/** Files outside the session folders that are remembered. */
const MAX_OPENED = 100;
const OPENED_KEY = 'rawFiles';
/** Bytes that are read again in a millisecond at most, so that a large file which grows all the time costs little. */
const BYTES_PER_MS = 5000;

export class RawFileSystem implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly didChange = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.didChange.event;
  private readonly access: RawAccess;
  private readonly documents = new Map<string, OpenDocument>();
  private readonly subscriptions: readonly vscode.Disposable[];

  constructor(private readonly options: RawFileSystemOptions) {
    const { rootsReady: looked, roots, session } = options;
    this.access = new RawAccess({ rootsReady: looked, roots, isOpened: (path) => this.opened().includes(path), isSession: (path) => session(path).then(() => true, () => false) });
    const isReadonly = new vscode.MarkdownString(vscode.l10n.t('Session files open read-only, because an agent may be writing to this one and a changed line can break it. To change a session, use the commands of the Sessions view.'));
    this.subscriptions = [
      vscode.workspace.registerFileSystemProvider(RAW_SCHEME, this, { isReadonly, isCaseSensitive: true }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.forget(uri)),
    ];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    for (const { timer } of this.documents.values()) clearTimeout(timer);
    this.didChange.dispose();
  }

  /** The address of a file's document. The person wants to see this file, so it may be read wherever it is. */
  grantAccess(path: string): vscode.Uri {
    const others = this.opened().filter((other) => other !== path);
    void this.options.state.update(OPENED_KEY, [...others.slice(1 - MAX_OPENED), path]);
    return rawUri(path);
  }

  /** The address under which a file opens: a session file's is that of its read-only document. */
  fileUri(path: string): vscode.Uri {
    return isSessionFilePath(path, this.options.roots()) ? rawUri(path) : vscode.Uri.file(path);
  }

  /** To be called when session files changed or went away: the editor reads their documents again. */
  sessionsChanged(changed: readonly string[], removed: readonly string[]): void {
    for (const uri of openUris()) {
      const path = pathOfRawUri(uri);
      if (path === undefined) continue;
      if (removed.includes(path)) this.fire(uri, vscode.FileChangeType.Deleted);
      else if (changed.includes(path)) this.schedule(uri);
    }
  }

  /** The files that open documents show. */
  paths(): string[] {
    return openUris().flatMap((uri) => pathOfRawUri(uri) ?? []);
  }

  watch(): vscode.Disposable {
    // Changes are told by `sessionsChanged`.
    return new vscode.Disposable(() => undefined);
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { mtime, size } = await withFileSystemErrors(uri, (path) => this.access.stats(path));
    return { type: vscode.FileType.File, ctime: 0, mtime, size, permissions: vscode.FilePermission.Readonly };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const bytes = await withFileSystemErrors(uri, (path) => this.access.read(path));
    this.documentOf(uri).next = performance.now() + bytes.length / BYTES_PER_MS;
    return bytes;
  }

  readDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.FileNotADirectory(uri);
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  private opened(): readonly string[] {
    const kept = this.options.state.get<unknown>(OPENED_KEY);
    return Array.isArray(kept) ? (kept as unknown[]).filter((path) => typeof path === 'string') : [];
  }

  private schedule(uri: vscode.Uri): void {
    const document = this.documentOf(uri);
    document.timer ??= setTimeout(() => {
      document.timer = undefined;
      this.fire(uri, document.isGone ? vscode.FileChangeType.Created : vscode.FileChangeType.Changed);
    }, Math.max(0, document.next - performance.now()));
  }

  private fire(uri: vscode.Uri, type: vscode.FileChangeType): void {
    this.documentOf(uri).isGone = type === vscode.FileChangeType.Deleted;
    this.didChange.fire([{ type, uri }]);
  }

  private documentOf(uri: vscode.Uri): OpenDocument {
    const key = uri.toString();
    const document = this.documents.get(key) ?? { next: 0, isGone: false, timer: undefined };
    this.documents.set(key, document);
    return document;
  }

  private forget(uri: vscode.Uri): void {
    clearTimeout(this.documents.get(uri.toString())?.timer);
    this.documents.delete(uri.toString());
  }
}

interface OpenDocument {
  /** When it may be read again, as `performance.now`. */
  next: number;
  isGone: boolean;
  timer: NodeJS.Timeout | undefined;
}

const openUris = (): vscode.Uri[] => vscode.workspace.textDocuments.map(({ uri }) => uri).filter(({ scheme }) => scheme === RAW_SCHEME);

/** Errors as the editor shows them: with the sentence that says what to do. */
async function withFileSystemErrors<T>(uri: vscode.Uri, work: (path: string) => Promise<T>): Promise<T> {
  const path = pathOfRawUri(uri);
  if (path === undefined) throw vscode.FileSystemError.FileNotFound(vscode.l10n.t('This address names no session.'));
  try {
    return await work(path);
  } catch (error) {
    if (!(error instanceof SessionError)) throw uiError(error);
    const sentence = localizeProblem(error);
    throw error.code === 'not-found' ? vscode.FileSystemError.FileNotFound(sentence) : vscode.FileSystemError.Unavailable(sentence);
  }
}
