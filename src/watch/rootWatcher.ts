/**
 * Notices that something happened under the roots: many events become one "look again at these paths".
 * Events are a hint and never the truth: a file made right after its folder gives none, network folders
 * give none at all, so whoever listens also looks by itself now and then.
 *
 * Settings may name any folder as a root, `/usr` too. So no folder is watched with all that is below it: only the roots
 * themselves, and the folders below them that hold sessions, which are no more than `MOST` at a time.
 */
import { lstat } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { rootOf, type Root } from '../core/index';

/** The first event is looked at at once, those of the following milliseconds together. */
const MERGE_DELAY = 40;
/** A folder that is new is looked at once more after this time: its first files come without events. */
const NEW_FOLDER_RECHECK_DELAY = 400;
/** Folders below the roots that are watched at a time: those that changed last. */
const MAX_WATCHED_FOLDERS = 1000;

/** Files that lie among sessions and are none; a busy log must cost nothing. Folders may have dots in their names. */
const OTHER_FILE = /(^|[\\/])\.[^\\/]*$|\.(lock|tmp|bak|log|txt|json|md|gz|png|jpe?g|webp)$/i;

const isSession = (path: string): boolean => path.endsWith('.jsonl');

export class RootWatcher implements vscode.Disposable {
  private roots: readonly Root[] = [];
  private readonly watchedRoots = new Map<string, vscode.Disposable>();
  /** The one that changed longest ago first. */
  private readonly watchedFolders = new Map<string, vscode.Disposable>();
  private readonly changedPaths = new Set<string>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private mergeTimer: NodeJS.Timeout | undefined;
  private lastReport = 0;

  constructor(private readonly onChange: (paths: readonly string[]) => void) {}

  /** Watches these roots, each of which exists, instead of those before. */
  watch(roots: readonly Root[]): void {
    this.roots = roots;
    const paths = new Set(roots.map(({ path }) => path));
    for (const path of this.watchedRoots.keys()) if (!paths.has(path)) stopWatching(this.watchedRoots, path);
    for (const path of this.watchedFolders.keys()) if (paths.has(path) || !rootOf(path, roots)) stopWatching(this.watchedFolders, path);
    for (const path of paths) if (!this.watchedRoots.has(path)) this.watchedRoots.set(path, this.createWatcher(path));
  }

  /** These session files are there, so the folders that hold them are watched. */
  sessionsFound(paths: readonly string[]): void {
    for (const folder of new Set(paths.map(dirname))) this.watchFolder(folder);
  }

  dispose(): void {
    for (const watched of [this.watchedRoots, this.watchedFolders]) for (const path of [...watched.keys()]) stopWatching(watched, path);
    for (const timer of this.timers) clearTimeout(timer);
    clearTimeout(this.mergeTimer);
    this.roots = [];
  }

  /** Something happened at a path. */
  schedule(path: string): void {
    this.changedPaths.add(path);
    this.mergeTimer ??= setTimeout(() => {
      this.lastReport = performance.now();
      const paths = [...this.changedPaths];
      this.changedPaths.clear();
      this.mergeTimer = undefined;
      this.onChange(paths);
    }, Math.max(0, this.lastReport + MERGE_DELAY - performance.now()));
  }

  /** Watches a folder below a root. */
  private watchFolder(folder: string): void {
    if (this.watchedRoots.has(folder) || !rootOf(folder, this.roots)) return;
    const watched = this.watchedFolders.get(folder) ?? this.createWatcher(folder);
    this.watchedFolders.delete(folder);
    this.watchedFolders.set(folder, watched);
    const [oldest] = this.watchedFolders.keys();
    if (this.watchedFolders.size > MAX_WATCHED_FOLDERS) stopWatching(this.watchedFolders, oldest!);
  }

  /** Watches what is in a folder, and nothing below that. */
  private createWatcher(folder: string): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(folder), '*'));
    // Right below a root stand the projects' folders, whatever their names end in.
    const matters = ({ fsPath }: vscode.Uri): boolean => isSession(fsPath) || this.isProject(fsPath) || !OTHER_FILE.test(fsPath);
    const touched = (uri: vscode.Uri): void => {
      if (matters(uri)) this.schedule(uri.fsPath);
    };
    const created = (uri: vscode.Uri): void => {
      touched(uri);
      if (!matters(uri) || isSession(uri.fsPath)) return;
      this.delay(NEW_FOLDER_RECHECK_DELAY, () => this.schedule(uri.fsPath));
      // Its first session may come much later.
      if (this.isProject(uri.fsPath)) void isFolder(uri.fsPath).then((is) => is && this.watchFolder(uri.fsPath));
    };
    const deleted = (uri: vscode.Uri): void => {
      stopWatching(this.watchedFolders, uri.fsPath);
      touched(uri);
    };
    return vscode.Disposable.from(watcher, watcher.onDidCreate(created), watcher.onDidChange(touched), watcher.onDidDelete(deleted));
  }

  /** Whether a path is right below a root whose sessions lie in folders. */
  private isProject(path: string): boolean {
    const folder = dirname(path);
    return this.roots.some((root) => !root.flat && root.path === folder);
  }

  private delay(milliseconds: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      work();
    }, milliseconds);
    this.timers.add(timer);
  }
}

function stopWatching(watched: Map<string, vscode.Disposable>, path: string): void {
  watched.get(path)?.dispose();
  watched.delete(path);
}

const isFolder = (path: string): Promise<boolean> => lstat(path).then((stats) => stats.isDirectory(), () => false);
