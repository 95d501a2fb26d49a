/**
 * Watches the roots and merges many events into one report of paths. Events are only hints: a file that is created right
 * after its folder sends none, and network folders send none at all, so the listener must poll as well.
 *
 * Settings may name any folder as a root, even `/usr`. So no folder is watched recursively: only the roots themselves, and
 * up to `MAX_WATCHED_FOLDERS` folders below them that contain sessions.
 */
import { lstat } from 'node:fs/promises';
import { basename, dirname, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { databaseOf, isArchivedSession, rootOf, sortSteps, Yielder, type Root } from '../core/index';

/** The first event is reported immediately, the events of the following milliseconds together. */
const MERGE_DELAY = 40;
/** Milliseconds after which a new folder is reported again, because its first files may come without events. */
const NEW_FOLDER_RECHECK_DELAY = 400;
/** Limit of watched folders below the roots: the most recently changed ones. */
const MAX_WATCHED_FOLDERS = 1000;

/** Other files in the folders of sessions; a busy log must cost nothing. Folders may have dots in their names. */
const OTHER_FILE = /(^|[\\/])\.[^\\/]*$|\.(lock|tmp|bak|log|txt|json|md|gz|png|jpe?g|webp)$/i;

const isSession = (path: string): boolean => path.endsWith('.jsonl') || isArchivedSession(path);

export class RootWatcher implements vscode.Disposable {
  private roots: readonly Root[] = [];
  private readonly watchedRoots = new Map<string, vscode.Disposable>();
  /** In the order of their last changes, oldest first. */
  private readonly watchedFolders = new Map<string, vscode.Disposable>();
  private readonly watchedFiles = new Map<string, vscode.Disposable>();
  private readonly changedPaths = new Set<string>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private mergeTimer: NodeJS.Timeout | undefined;
  private lastReport = 0;

  constructor(private readonly onChange: (paths: readonly string[]) => void) {}

  /**
   * Replaces the watched roots.
   *
   * @param roots each of them must exist.
   * @param files further single files that matter, existing or not.
   */
  watch(roots: readonly Root[], files: readonly string[] = []): void {
    this.roots = roots;
    for (const path of this.watchedFiles.keys()) if (!files.includes(path)) stopWatching(this.watchedFiles, path);
    for (const path of files) if (!this.watchedFiles.has(path)) this.watchedFiles.set(path, this.watchFile(path, basename(path)));
    const paths = new Set(roots.map(({ path }) => path));
    for (const path of this.watchedRoots.keys()) if (!paths.has(path)) stopWatching(this.watchedRoots, path);
    for (const path of this.watchedFolders.keys()) if (paths.has(path) || !rootOf(path, roots)) stopWatching(this.watchedFolders, path);
    for (const path of paths) if (!this.watchedRoots.has(path)) this.watchedRoots.set(path, this.createWatcher(path));
  }

  /**
   * Watches the folders of these session files. Thousands of files take several turns.
   *
   * @param changedAt returns when a file changed last, in milliseconds since 1970; by default they changed just now
   */
  async sessionsFound(paths: Iterable<string>, changedAt: (path: string) => number = () => 0): Promise<void> {
    const pause = new Yielder(undefined);
    /** When a file of each folder changed last. */
    const times = new Map<string, number>();
    for (const path of paths) {
      if (pause.isDue()) await pause.yieldIfDue();
      const time = changedAt(path);
      for (const folder of this.foldersAbove(path)) times.set(folder, Math.max(times.get(folder) ?? 0, time));
    }
    const folders = await pause.run(sortSteps([...times], ([, a], [, b]) => a - b));
    for (const [folder] of folders.slice(-MAX_WATCHED_FOLDERS)) this.watchFolder(folder);
  }

  dispose(): void {
    for (const watched of [this.watchedRoots, this.watchedFolders, this.watchedFiles])
      for (const path of [...watched.keys()]) stopWatching(watched, path);
    for (const timer of this.timers) clearTimeout(timer);
    clearTimeout(this.mergeTimer);
    this.roots = [];
  }

  /** Adds a path to the next report. */
  schedule(path: string): void {
    this.changedPaths.add(path);
    this.mergeTimer ??= setTimeout(
      () => {
        this.lastReport = performance.now();
        const paths = [...this.changedPaths];
        this.changedPaths.clear();
        this.mergeTimer = undefined;
        this.onChange(paths);
      },
      Math.max(0, this.lastReport + MERGE_DELAY - performance.now()),
    );
  }

  /** Returns the folder of a session, and for a subagent's session also the folders above up to the first session's. */
  private foldersAbove(path: string): string[] {
    const root = rootOf(path, this.roots);
    let folder = dirname(path);
    const folders = [folder];
    if (!root) return folders;
    const levels = relative(root.path, folder).split(sep).length - (root.flat ? 0 : 1);
    for (let level = 1; level < levels; level++) folders.push((folder = dirname(folder)));
    return folders;
  }

  /** Watches a folder below a root. */
  private watchFolder(folder: string): void {
    if (this.watchedRoots.has(folder) || !rootOf(folder, this.roots)) return;
    const watched = this.watchedFolders.get(folder) ?? this.createWatcher(folder);
    this.watchedFolders.delete(folder);
    this.watchedFolders.set(folder, watched);
    const [oldest] = this.watchedFolders.keys();
    if (oldest !== undefined && this.watchedFolders.size > MAX_WATCHED_FOLDERS) stopWatching(this.watchedFolders, oldest);
  }

  /** Watches the direct children of a folder, or a database and its log. */
  private createWatcher(folder: string): vscode.Disposable {
    return databaseOf(folder) === folder ? this.watchFile(folder, `${basename(folder)}{,-wal}`) : this.watchChildren(folder);
  }

  /** @param pattern the names of the files in its folder that are reported as this file */
  private watchFile(path: string, pattern: string): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(dirname(path)), pattern));
    const touched = (): void => this.schedule(path);
    return vscode.Disposable.from(watcher, watcher.onDidCreate(touched), watcher.onDidChange(touched), watcher.onDidDelete(touched));
  }

  private watchChildren(folder: string): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(vscode.Uri.file(folder), '*'));
    // Directly below a root are the projects' folders, which may have any name.
    const matters = ({ fsPath }: vscode.Uri): boolean => isSession(fsPath) || this.isProject(fsPath) || !OTHER_FILE.test(fsPath);
    const touched = (uri: vscode.Uri): void => {
      if (matters(uri)) this.schedule(uri.fsPath);
    };
    const created = (uri: vscode.Uri): void => {
      touched(uri);
      if (!matters(uri) || isSession(uri.fsPath)) return;
      this.delay(NEW_FOLDER_RECHECK_DELAY, () => this.schedule(uri.fsPath));
      // The first session of a project, or of a subagent, may come much later.
      if (rootOf(uri.fsPath, this.roots)) void isFolder(uri.fsPath).then((is) => is && this.watchFolder(uri.fsPath));
    };
    const deleted = (uri: vscode.Uri): void => {
      stopWatching(this.watchedFolders, uri.fsPath);
      touched(uri);
    };
    return vscode.Disposable.from(watcher, watcher.onDidCreate(created), watcher.onDidChange(touched), watcher.onDidDelete(deleted));
  }

  /** Returns true if the path is directly below a root that has a folder for each project. */
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

const isFolder = (path: string): Promise<boolean> =>
  lstat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
