/**
 * Notices that something happened under the roots: many events become one "look again at these paths".
 * Events are a hint and never the truth: a file made right after its folder gives none, network folders
 * give none at all, so whoever listens also looks by itself now and then.
 */
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import type { Root } from '../core/index';

/** The first event is looked at at once, those of the following milliseconds together. */
const MERGE = 40;
/** A folder that is new is looked at once more after this time: its first files come without events. */
const NEW_FOLDER_AGAIN = 400;

/** Files that lie among sessions and are none; a busy log must cost nothing. Folders may have dots in their names. */
const OTHER_FILE = /(^|[\\/])\.[^\\/]*$|\.(lock|tmp|bak|log|txt|json|md|gz|png|jpe?g|webp)$/i;

const isSession = (path: string): boolean => path.endsWith('.jsonl');

export class RootWatcher implements vscode.Disposable {
  private watchers: vscode.Disposable[] = [];
  private readonly waiting = new Set<string>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private merging: NodeJS.Timeout | undefined;
  private last = 0;

  constructor(private readonly lookAgain: (paths: readonly string[]) => void) {}

  /** Watches these roots, each of which exists, instead of those before. */
  watch(roots: readonly Root[]): void {
    this.stop();
    this.watchers = [...new Set(roots.map(({ path }) => path))].flatMap((root) => {
      // `**` and not `**/*.jsonl`: with the latter new folders go unnoticed.
      const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(root), '**'));
      // Right below a root stand the projects' folders, whatever their names end in.
      const matters = ({ fsPath }: vscode.Uri): boolean => isSession(fsPath) || dirname(fsPath) === root || !OTHER_FILE.test(fsPath);
      const touched = (uri: vscode.Uri): void => {
        if (matters(uri)) this.note(uri.fsPath);
      };
      const created = (uri: vscode.Uri): void => {
        touched(uri);
        if (matters(uri) && !isSession(uri.fsPath)) this.after(NEW_FOLDER_AGAIN, () => this.note(uri.fsPath));
      };
      return [watcher, watcher.onDidCreate(created), watcher.onDidChange(touched), watcher.onDidDelete(touched)];
    });
  }

  dispose(): void {
    this.stop();
    for (const timer of this.timers) clearTimeout(timer);
    clearTimeout(this.merging);
  }

  private stop(): void {
    for (const watcher of this.watchers) watcher.dispose();
    this.watchers = [];
  }

  /** Something happened at a path. */
  note(path: string): void {
    this.waiting.add(path);
    this.merging ??= setTimeout(() => {
      this.last = performance.now();
      const paths = [...this.waiting];
      this.waiting.clear();
      this.merging = undefined;
      this.lookAgain(paths);
    }, Math.max(0, this.last + MERGE - performance.now()));
  }

  private after(milliseconds: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      work();
    }, milliseconds);
    this.timers.add(timer);
  }
}
