/**
 * Keeps the store, and whoever shows sessions, true to the disk: looks where events point, and now and
 * then by itself, since events are merged, lost, or never come (network folders, roots that appear later).
 */
import type * as vscode from 'vscode';
import type { SessionStore, StoreChange } from '../core/index';
import { Every } from './every';
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
  readonly watched: () => boolean;
  /** Sessions whose rows can be seen. */
  readonly visiblePaths: () => readonly string[];
  /** Sessions that are open in a view of their own. */
  readonly openPaths: () => readonly string[];
  /** The roots are known, or others than before are. */
  readonly onRoots: () => void;
  /** All roots were looked at, whatever was found. */
  readonly onLooked: () => void;
  readonly onPresence: (paths: readonly string[]) => void;
  /** Looks what other windows did to what all of them share. */
  readonly lookAtOthers: () => Promise<void>;
  /** Whether changes wait for sessions to be free, and what writes them: also while nobody looks. */
  readonly waits: () => boolean;
  readonly settle: () => Promise<void>;
  /** Of files outside the roots; the others are reported by the store. */
  readonly onOutside: (change: StoreChange) => void;
  readonly onError: (error: unknown, doing: string) => void;
}

/** Files that may be growing if they changed together. */
const FEW = 8;
/** Milliseconds between looks at everything, where no event comes; where looking is slow, at most so many. */
const LOOK_AT_ALL = [3000, 30_000] as const;
/** The same for what is open or visible. */
const LOOK_AT_OPEN = [1500, 3000] as const;

export class DiskWatch implements vscode.Disposable {
  private readonly watcher = new RootWatcher((paths) => void this.try('looking at what changed', () => this.deps.store.refresh(paths)));
  private readonly growing = new GrowingFiles((path) => this.watcher.note(path));
  private readonly outside = new OutsideFiles();
  private readonly timers: readonly Every[];

  constructor(private readonly deps: DiskWatchDeps) {
    this.timers = [
      new Every(...LOOK_AT_ALL, () => this.try('looking for changed sessions', () => this.whenWatched(() => this.lookAtAll()))),
      new Every(...LOOK_AT_OPEN, () => this.try('looking at open sessions', () => this.whenWatched(() => this.lookAtOpen()))),
      new Every(...LOOK_AT_OPEN, () => this.try('writing what waited', () => this.settle())),
    ];
  }

  /** Finds the roots, and shows what is known of them. */
  async begin(): Promise<void> {
    await this.findRoots();
    await this.deps.store.open();
  }

  /** Finds the roots anew and looks at all of them. */
  async lookAtAll(signal?: AbortSignal): Promise<void> {
    await this.findRoots();
    await this.deps.store.refresh(undefined, signal);
    this.deps.onLooked();
  }

  /** What the store found. */
  storeChanged({ changed, removed }: StoreChange): void {
    // Many at once are a listing's, not an agent's.
    if (changed.length <= FEW) this.growing.changed(changed);
    this.watcher.sessionsFound(changed);
    this.growing.removed(removed);
  }

  dispose(): void {
    this.watcher.dispose();
    this.growing.dispose();
    for (const timer of this.timers) timer.dispose();
  }

  private async findRoots(): Promise<void> {
    if (!(await this.deps.roots.look())) return;
    this.watcher.watch(this.deps.roots.present());
    this.deps.onRoots();
  }

  private async lookAtOpen(): Promise<void> {
    const { store, presence, visiblePaths, openPaths, onPresence, onOutside } = this.deps;
    await this.deps.lookAtOthers();
    const known = store.files();
    const open = openPaths();
    const change = await this.outside.look(open.filter((path) => !known.has(path)));
    if (change.changed.length + change.removed.length > 0) onOutside(change);
    const visible = visiblePaths();
    await store.refresh([...visible, ...open].filter((path) => known.has(path)));
    const changed = await presence.look(visible);
    if (changed.length > 0) onPresence(changed);
  }

  private async settle(): Promise<void> {
    if (this.deps.watched() || this.deps.waits()) await this.deps.settle();
  }

  private async whenWatched(work: () => Promise<void>): Promise<void> {
    if (this.deps.watched()) await work();
  }

  private async try(doing: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.deps.onError(error, doing);
    }
  }
}
