/**
 * Watches the files that changed last one by one, because they will probably change again. That is faster than the editor's
 * watchers, which gather events. If the system can't watch a file, the editor's events and polling remain.
 */
import { watch, type FSWatcher } from 'node:fs';
import { databaseOf } from '../core/index';

/** Limit of watched files. */
const MAX_WATCHED_FILES = 32;

export class GrowingFiles {
  /** In the order of their last changes, oldest first. */
  private readonly watchers = new Map<string, FSWatcher>();

  constructor(private readonly onEvent: (path: string) => void) {}

  /** Watches files that have just changed. */
  changed(paths: readonly string[]): void {
    for (const path of paths.slice(-MAX_WATCHED_FILES)) {
      const watcher = this.watchers.get(path) ?? this.open(path);
      this.watchers.delete(path);
      if (watcher) this.watchers.set(path, watcher);
    }
    for (const oldest of this.watchers.keys()) {
      if (this.watchers.size <= MAX_WATCHED_FILES) break;
      this.removed([oldest]);
    }
  }

  removed(paths: Iterable<string>): void {
    for (const path of paths) {
      this.watchers.get(path)?.close();
      this.watchers.delete(path);
    }
  }

  dispose(): void {
    this.removed([...this.watchers.keys()]);
  }

  private open(path: string): FSWatcher | undefined {
    try {
      const database = databaseOf(path);
      // Commits to a database go to its log first.
      const watcher = watch(database === undefined ? path : `${database}-wal`, { persistent: false }, (event) => {
        // Another file may have taken its place. It is watched once it changes.
        if (event === 'rename') this.removed([path]);
        this.onEvent(path);
      });
      watcher.on('error', () => this.removed([path]));
      return watcher;
    } catch {
      // Too many watchers, or the file is gone.
      return undefined;
    }
  }
}
