/** The entries whose files are on the disk now, as far as restores of ours tell. A guess would be wrong too often. */
import * as vscode from 'vscode';
import { isWithin, type RestoredPoint, type SessionSummary } from '../core/index';

interface FilesHereDeps {
  /** Returns the points of restores whose files are unchanged. */
  readonly points: () => Promise<readonly RestoredPoint[]>;
  readonly sessions: () => Iterable<Pick<SessionSummary, 'path' | 'cwd' | 'modified'>>;
  /** Called with the sessions whose entry differs. */
  readonly onChange: (paths: readonly string[]) => void;
  readonly onError: (error: unknown, doing: string) => void;
}

/** Milliseconds after a restore in which its own branch may still be written. */
const OWN_WRITE = 5000;
/** Milliseconds between a change and the look at the files. */
const DELAY = 300;

export class FilesHere implements vscode.Disposable {
  private byPath: ReadonlyMap<string, string> = new Map();
  private timer: NodeJS.Timeout | undefined;
  private isDisposed = false;
  private readonly subscriptions = [
    vscode.workspace.onDidSaveTextDocument(() => this.byPath.size > 0 && this.update()),
    vscode.window.onDidChangeWindowState(({ focused }) => focused && this.byPath.size > 0 && this.update()),
  ];

  constructor(private readonly deps: FilesHereDeps) {}

  /** Returns the entry of a session whose files are on the disk. */
  get(path: string): string | undefined {
    return this.byPath.get(path);
  }

  /** Called when sessions went on. */
  sessionsChanged(): void {
    if (this.byPath.size > 0) this.update();
  }

  /** Looks at the files soon. */
  update(): void {
    if (this.isDisposed) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.read().catch((error: unknown) => this.deps.onError(error, 'looking at restored files')), DELAY);
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    for (const one of this.subscriptions) one.dispose();
  }

  private async read(): Promise<void> {
    const points = await this.deps.points();
    const found = new Map<string, string>();
    for (const { path, entryId, folder, at } of points) if (!this.wentOn(folder, at)) found.set(path, entryId);
    const before = this.byPath;
    this.byPath = found;
    const changed = [...new Set([...before.keys(), ...found.keys()])].filter((path) => before.get(path) !== found.get(path));
    if (changed.length > 0 && !this.isDisposed) this.deps.onChange(changed);
  }

  /** True if a session around the folder has gone on since, which may have changed files that the restore didn't. */
  private wentOn(folder: string, at: number): boolean {
    for (const { cwd, modified } of this.deps.sessions())
      if (modified > at + OWN_WRITE && cwd !== '' && (isWithin(cwd, folder, process.platform) || isWithin(folder, cwd, process.platform)))
        return true;
    return false;
  }
}
