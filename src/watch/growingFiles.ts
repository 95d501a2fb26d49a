/**
 * Files that grew will grow again: those that did last are watched one by one, which tells of them sooner than the
 * editor does, which gathers events. Where the system can't, the editor's events and the looks now and then are left.
 */
import { watch, type FSWatcher } from 'node:fs';

/** Files that are watched at a time: those that changed last. */
const MAX_WATCHED_FILES = 32;

export class GrowingFiles {
  /** The one that changed longest ago first. */
  private readonly watchers = new Map<string, FSWatcher>();

  constructor(private readonly onEvent: (path: string) => void) {}

  /** These files changed just now. */
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

  removed(paths: readonly string[]): void {
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
      const watcher = watch(path, { persistent: false }, (event) => {
        // Another file may be there now: it is watched when it changes.
        if (event === 'rename') this.removed([path]);
        this.onEvent(path);
      });
      watcher.on('error', () => this.removed([path]));
      return watcher;
    } catch {
      // Too many watchers, or a file that is gone: others tell of it.
      return undefined;
    }
  }
}
