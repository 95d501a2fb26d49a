/** The comments of the repositories whose files this window has shown, as they are on the disk. */
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { changeComments, readComments, repositoryOf, type KeptComment } from '../../core/index';
import { Turns } from '../handler/turns';

export class KeptComments implements vscode.Disposable {
  private readonly known = new Map<string, readonly KeptComment[]>();
  private readonly repositories = new Map<string, Promise<string>>();
  private readonly emitter = new vscode.EventEmitter<void>();
  readonly onDidChange = this.emitter.event;
  /** Readings and changes follow each other, so that nothing read before a change replaces it. */
  private readonly turns = new Turns();

  constructor(private readonly folder: string) {}

  all(): readonly KeptComment[] {
    return [...this.known.values()].flat();
  }

  get(id: string): KeptComment | undefined {
    return this.all().find((comment) => comment.id === id);
  }

  /** Reads the comments of a file's repository, unless they're known. @throws {SessionError} */
  async load(file: string): Promise<void> {
    const repository = await this.repositoryFor(file);
    await this.turns.take(async () => {
      if (!this.known.has(repository)) this.set(repository, await readComments(this.folder, repository));
    });
  }

  /** Reads all again: another window may have changed them. @throws {SessionError} */
  async reload(): Promise<void> {
    await this.turns.take(async () => {
      for (const repository of this.known.keys()) this.set(repository, await readComments(this.folder, repository));
    });
  }

  /** @throws {SessionError} */
  async add(comment: KeptComment): Promise<void> {
    await this.load(comment.file);
    await this.change(comment.file, (all) => [...all, comment]);
  }

  /** Changes comments by their ids; those that `change` returns nothing for are removed. @throws {SessionError} */
  async update(ids: readonly string[], change: (comment: KeptComment) => KeptComment | undefined): Promise<void> {
    for (const file of this.filesOf(ids))
      await this.change(file, (all) => all.flatMap((one) => (ids.includes(one.id) ? (change(one) ?? []) : one)));
  }

  dispose(): void {
    this.emitter.dispose();
  }

  /** Returns a file of each repository that has some of the comments. */
  private filesOf(ids: readonly string[]): string[] {
    return [...this.known.values()].flatMap((comments) => comments.find(({ id }) => ids.includes(id))?.file ?? []);
  }

  private async change(file: string, change: (comments: readonly KeptComment[]) => readonly KeptComment[]): Promise<void> {
    const repository = await this.repositoryFor(file);
    await this.turns.take(async () => this.set(repository, await changeComments(this.folder, repository, change)));
  }

  private set(repository: string, comments: readonly KeptComment[]): void {
    const isSame = JSON.stringify(this.known.get(repository) ?? []) === JSON.stringify(comments);
    this.known.set(repository, comments);
    if (!isSame) this.emitter.fire();
  }

  /** Returns the repository of a file; without one, the workspace's folder or the file's own. */
  private repositoryFor(file: string): Promise<string> {
    const folder = dirname(file);
    const known = this.repositories.get(folder) ?? repositoryOf(file).then((found) => found ?? workspaceFolderOf(file) ?? folder);
    this.repositories.set(folder, known);
    return known;
  }
}

const workspaceFolderOf = (file: string): string | undefined => vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file))?.uri.fsPath;
