/** Base class of the file systems whose documents can be read and never written. */
import * as vscode from 'vscode';

/** The part of `vscode.FileStat` that differs between documents. `mtime` in milliseconds since 1970, `size` in bytes. */
export interface DocumentStats {
  readonly mtime: number;
  readonly size: number;
}

/**
 * Registers itself for a scheme. Every call that would write is refused, so the documents are read-only in every editor,
 * also in a tab that is restored after a reload of the window.
 */
export abstract class ReadOnlyFileSystem implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly didChange = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.didChange.event;
  private readonly registration: vscode.Disposable;

  /** @param isReadonly a message that replaces the editor's own when someone types into a document */
  constructor(scheme: string, isReadonly: true | vscode.MarkdownString = true) {
    this.registration = vscode.workspace.registerFileSystemProvider(scheme, this, { isReadonly, isCaseSensitive: true });
  }

  dispose(): void {
    this.registration.dispose();
    this.didChange.dispose();
  }

  abstract readFile(uri: vscode.Uri): Promise<Uint8Array>;

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { mtime, size } = await this.statsOf(uri);
    return { type: vscode.FileType.File, ctime: 0, mtime, size, permissions: vscode.FilePermission.Readonly };
  }

  /** Does nothing: subclasses report the changes of all their documents by `fireChanges`. */
  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
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

  protected abstract statsOf(uri: vscode.Uri): DocumentStats | Promise<DocumentStats>;

  protected fireChanges(changes: readonly vscode.FileChangeEvent[]): void {
    this.didChange.fire([...changes]);
  }
}
