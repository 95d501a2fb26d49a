/**
 * Keeps the store, and whoever shows sessions, true to the disk: looks where events point, and now and
 * then by itself, since events are merged, lost, or never come (network folders, roots that appear later).
 */
import type * as vscode from 'vscode';
import type { SessionStore, StoreChange } from '../core/index';
import { AdaptiveInterval } from './adaptiveInterval';
import { GrowingFiles } from './growingFiles';
import { OutsideFiles } from './outsideFiles';
import type { PresenceList } from './presenceList';
import type { RootList } from './rootList';
import { RootWatcher } from './rootWatcher';

export interface DiskWatchDeps {
  readonly roots: RootList;
  readonly store: SessionStore;
  readonly presence: PresenceList;
  /** Whether anybody looks: without, nothing is polled. */
  readonly isObserved: () => boolean;
  /** Sessions whose rows can be seen. */
  readonly visiblePaths: () => readonly string[];
  /** Sessions that are open in a view of their own. */
  readonly openPaths: () => readonly string[];
  /** The roots are known, or others than before are. */
  readonly onRootsChanged: () => void;
  /** All roots were looked at, whatever was found. */
  readonly onRefreshed: () => void;
  readonly onPresenceChanged: (paths: readonly string[]) => void;
  /** Looks what other windows did to what all of them share. */
  readonly checkOtherWindows: () => Promise<void>;
  /** Whether changes wait for sessions to be free, and what writes them: also while nobody looks. */
  readonly hasPendingChanges: () => boolean;
  readonly writePendingChanges: () => Promise<void>;
  /** Of files outside the roots; the others are reported by the store. */
  readonly onOutsideChanged: (change: StoreChange) => void;
  readonly onError: (error: unknown, doing: string) => void;
}

/** Files that may be growing if they changed together. */
const MAX_GROWING_TOGETHER = 8;
/** Milliseconds between looks at everything, where no event comes; where looking is slow, at most so many. */
const FULL_REFRESH_DELAYS = [3000, 30_000] as const;
/** The same for what is open or visible. */
const OPEN_REFRESH_DELAYS = [1500, 3000] as const;

export class DiskWatch implements vscode.Disposable {
  private readonly watcher = new RootWatcher((paths) => void this.reportErrors('looking at what changed', () => this.deps.store.refresh(paths)));
  private readonly growing = new GrowingFiles((path) => this.watcher.schedule(path));
  private readonly outside = new OutsideFiles();
  private readonly timers: readonly AdaptiveInterval[];

  constructor(private readonly deps: DiskWatchDeps) {
    this.timers = [
      new AdaptiveInterval(...FULL_REFRESH_DELAYS, () => this.reportErrors('looking for changed sessions', () => this.ifObserved(() => this.refreshAll()))),
      new AdaptiveInterval(...OPEN_REFRESH_DELAYS, () => this.reportErrors('looking at open sessions', () => this.ifObserved(() => this.refreshOpen()))),
      new AdaptiveInterval(...OPEN_REFRESH_DELAYS, () => this.reportErrors('writing what waited', () => this.writePendingChanges())),
    ];
  }

  /** Finds the roots, and shows what is known of them. */
  async start(): Promise<void> {
    await this.findRoots();
    await this.deps.store.open();
  }

  /** Finds the roots anew and looks at all of them. */
  async refreshAll(signal?: AbortSignal): Promise<void> {
    await this.findRoots();
    await this.deps.store.refresh(undefined, signal);
    this.deps.onRefreshed();
  }

  /** What the store found. */
  storeChanged({ changed, removed }: StoreChange): void {
    // Many at once are a listing's, not an agent's.
    if (changed.length <= MAX_GROWING_TOGETHER) this.growing.changed(changed);
    this.watcher.sessionsFound(changed);
    this.growing.removed(removed);
  }

  dispose(): void {
    this.watcher.dispose();
    this.growing.dispose();
    for (const timer of this.timers) timer.dispose();
  }

  private async findRoots(): Promise<void> {
    if (!(await this.deps.roots.refresh())) return;
    this.watcher.watch(this.deps.roots.existing());
    this.deps.onRootsChanged();
  }

  private async refreshOpen(): Promise<void> {
    const { store, presence, visiblePaths, openPaths, onPresenceChanged: onPresence, onOutsideChanged: onOutside } = this.deps;
    await this.deps.checkOtherWindows();
    const known = store.files();
    const open = openPaths();
    const change = await this.outside.refresh(open.filter((path) => !known.has(path)));
    if (change.changed.length + change.removed.length > 0) onOutside(change);
    const visible = visiblePaths();
    await store.refresh([...visible, ...open].filter((path) => known.has(path)));
    const changed = await presence.refresh(visible);
    if (changed.length > 0) onPresence(changed);
  }

  private async writePendingChanges(): Promise<void> {
    if (this.deps.isObserved() || this.deps.hasPendingChanges()) await this.deps.writePendingChanges();
  }

  private async ifObserved(work: () => Promise<void>): Promise<void> {
    if (this.deps.isObserved()) await work();
  }

  private async reportErrors(doing: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.deps.onError(error, doing);
    }
  }
}
