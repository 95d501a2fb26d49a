/**
 * Keeps the store and the views current with the disk: refreshes what events point to, and polls as well, since events are
 * merged, lost, or never sent (network folders, roots that appear later).
 */
import type * as vscode from 'vscode';
import { pinFilesOf, type SessionStore, type StoreChange } from '../core/index';
import { once } from '../ui/loadCode';
import { AdaptiveInterval } from './adaptiveInterval';
import { GrowingFiles } from './growingFiles';
import type { IdleTime } from './idleTime';
import { OutsideFiles } from './outsideFiles';
import type { PresenceList } from './presenceList';
import type { RootList } from './rootList';
import { RootWatcher } from './rootWatcher';

interface DiskWatchDeps {
  readonly roots: RootList;
  readonly store: SessionStore;
  readonly presence: PresenceList;
  readonly idle: IdleTime;
  /** Returns true while sessions are shown. Otherwise nothing is polled. */
  readonly isObserved: () => boolean;
  /** Sessions whose rows are visible. */
  readonly visiblePaths: () => readonly string[];
  /** Sessions that are open in an editor. */
  readonly openPaths: () => readonly string[];
  /** Called at the first refresh of everything, and when the roots change. */
  readonly onRootsChanged: () => void;
  /** Called when all roots were inspected, whether anything changed or not. */
  readonly onRefreshed: () => void;
  readonly onPresenceChanged: (paths: readonly string[]) => void;
  /** Checks the catalog's database, which all windows share. */
  readonly checkOtherWindows: () => Promise<void>;
  /** Returns true while changes wait for their sessions to be free. They are written even if no sessions are shown. */
  readonly hasPendingChanges: () => boolean;
  readonly writePendingChanges: () => Promise<void>;
  /** Called with open files outside the roots; the store reports the others. */
  readonly onOutsideChanged: (change: StoreChange) => void;
  readonly onError: (error: unknown, doing: string) => void;
}

/** Larger changes come from a listing, not from programs that write. */
const MAX_GROWING_TOGETHER = 8;
/** Shortest and longest pause between inspections of everything, in milliseconds. */
const FULL_REFRESH_DELAYS = [3000, 30_000] as const;
/** Shortest and longest pause between inspections of open and visible sessions, in milliseconds. */
const OPEN_REFRESH_DELAYS = [1500, 3000] as const;

export class DiskWatch implements vscode.Disposable {
  private readonly watcher = new RootWatcher(
    (paths) => void this.reportErrors('looking at what changed', () => this.deps.store.refresh(paths)),
  );
  private readonly growing = new GrowingFiles((path) => this.watcher.schedule(path));
  private readonly outside = new OutsideFiles();
  private readonly timers: readonly AdaptiveInterval[];
  private isWatching = false;

  constructor(private readonly deps: DiskWatchDeps) {
    const repeat = (delays: readonly [number, number], doing: string, work: () => Promise<void>, idle?: IdleTime): AdaptiveInterval =>
      new AdaptiveInterval(...delays, () => this.reportErrors(doing, work), idle);
    const { idle } = deps;
    this.timers = [
      repeat(FULL_REFRESH_DELAYS, 'looking for changed sessions', () => this.ifObserved(() => this.refreshAll()), idle),
      repeat(OPEN_REFRESH_DELAYS, 'looking at open sessions', () => this.ifObserved(() => this.refreshOpen()), idle),
      // Also in idle time: another window may have added a change, or its session may be free.
      repeat(OPEN_REFRESH_DELAYS, 'writing what waited', () => this.writePendingChanges()),
    ];
  }

  /** Finds the roots when it's first called. */
  readonly rootsFound = once(async () => void (await this.deps.roots.refresh()));

  /** Finds the roots and shows the rows that are known. The first refresh watches the roots, because that isn't needed for rows. */
  async start(): Promise<void> {
    await this.rootsFound();
    await this.deps.store.open();
  }

  /** Finds the roots again and refreshes everything. */
  async refreshAll(): Promise<void> {
    await this.findRoots();
    await this.deps.store.refresh();
    this.deps.onRefreshed();
  }

  /** To be called with every change that the store reports. */
  storeChanged({ changed, removed }: StoreChange): void {
    if (changed.size <= MAX_GROWING_TOGETHER) this.growing.changed([...changed]);
    if (this.isWatching) void this.reportErrors('looking at what changed', () => this.watcher.sessionsFound(changed));
    this.growing.removed(removed);
  }

  dispose(): void {
    this.watcher.dispose();
    this.growing.dispose();
    for (const timer of this.timers) timer.dispose();
  }

  private async findRoots(): Promise<void> {
    const { roots, store } = this.deps;
    const hasChanged = await roots.refresh();
    if (!hasChanged && this.isWatching) return;
    const existing = roots.existing();
    // oh-my-pi may keep its pins at home, and the sessions elsewhere.
    const mayHavePins = roots.current().filter((root) => root.dialect === 'omp' || existing.includes(root));
    this.watcher.watch(existing, pinFilesOf(mayHavePins));
    const files = store.files();
    if (!this.isWatching) await this.watcher.sessionsFound(files.keys(), (path) => files.get(path)?.version.mtimeMs ?? 0);
    this.isWatching = true;
    this.deps.onRootsChanged();
  }

  private async refreshOpen(): Promise<void> {
    const { store, presence, visiblePaths, openPaths, onPresenceChanged: onPresence, onOutsideChanged: onOutside } = this.deps;
    await this.deps.checkOtherWindows();
    const known = store.files();
    const open = openPaths();
    const change = await this.outside.refresh(open.filter((path) => !known.has(path)));
    if (change.changed.size + change.removed.size > 0) onOutside(change);
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

  private async reportErrors(doing: string, work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.deps.onError(error, doing);
    }
  }
}
