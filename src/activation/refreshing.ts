/** Keeps session data and the views of it current: at the start, with the disk, on request, and after writes. */
import { setImmediate as turn } from 'node:timers/promises';
import * as vscode from 'vscode';
import { updateInstalledKey } from '../commands/terminal/installedPrograms';
import { VIEW } from '../contract';
import { findFileVersion, settledWithin, type SessionSummary, type StoreChange } from '../core/index';
import { isRunning } from '../tree/items/isRunning';
import { loadCode, once } from '../ui/loadCode';
import type { Log } from '../ui/log';
import { withProgress } from '../ui/safe/messages';
import { windowTurn } from '../ui/windowTurn';
import { DiskWatch } from '../watch/diskWatch';
import { IdleTime } from '../watch/idleTime';
import type { RunningSessions } from '../watch/runningSessions';
import type { SessionData } from './sessionData';
import type { Views } from './views';

interface RefreshingDeps {
  readonly data: SessionData;
  readonly views: Views;
  /** The extension's state, which all windows share. */
  readonly globalState: vscode.Memento;
  readonly log: Log;
  readonly onError: (error: unknown, doing: string) => void;
}

/** The longest time in milliseconds for which other work waits for the first rows, which the editor requests only if they're visible. */
const MAX_ROWS_WAIT = 1000;
/** Milliseconds that a window has to draw stored rows. A view that isn't visible draws none. */
const MAX_STORED_WAIT = 500;

export class Refreshing implements vscode.Disposable {
  private readonly idle = new IdleTime();
  private readonly disk: DiskWatch;
  private running: RunningSessions | undefined;
  private readonly settings: vscode.Disposable;
  /**
   * Finds the roots when it's first called, and resolves when they are known. The catalog's rows show immediately and
   * are refreshed in the background.
   */
  readonly rootsReady = once(() => this.disk.start().catch((error: unknown) => this.deps.onError(error, 'looking for sessions')));
  /** Resolves when other work no longer delays the first rows. */
  private readonly rowsShown: Promise<void>;

  constructor(private readonly deps: RefreshingDeps) {
    const { data, views, onError } = deps;
    this.disk = new DiskWatch({
      roots: data.roots,
      store: data.store,
      presence: data.presence,
      idle: this.idle,
      isObserved: () => views.sessions.isVisible() || views.openPaths().length > 0,
      visiblePaths: () => views.sessions.visiblePaths(),
      openPaths: views.openPaths,
      onRootsChanged: () => void this.recoverStorage(),
      onRefreshed: () => {
        views.sessions.rootsRefreshed();
        this.updateWelcome();
      },
      onPresenceChanged: (paths) => this.presenceChanged(paths),
      checkOtherWindows: () => data.catalog.checkOtherWindows(),
      hasPendingChanges: () => !views.pendingChanges.isEmpty(),
      writePendingChanges: () => views.pendingChanges.settle(),
      onOutsideChanged: (change) => this.sessionsChanged(change),
      onError,
    });
    this.settings = vscode.Disposable.from(
      vscode.workspace.onDidChangeConfiguration((event) => this.settingsChanged(event)),
      vscode.workspace.onDidChangeWorkspaceFolders(() => void this.refreshAll()),
    );
    // Without stored rows, reading begins while the editor prepares the view.
    this.rowsShown = turn()
      .then(() => settledWithin(views.sessions.rows.restored.drawn(), MAX_STORED_WAIT))
      .then(() => this.rootsReady())
      .then(() => settledWithin(this.currentRows(), MAX_ROWS_WAIT));
  }

  /** Reads everything once the rows are shown that are known. */
  start(): void {
    const { views, globalState, onError } = this.deps;
    const showWalkthrough = async (): Promise<void> => {
      if (this.hasNoFiles()) return;
      const { openWalkthroughOnce } = await loadCode(() => import('../commands/open/walkthrough'), onError);
      await openWalkthroughOnce(globalState);
    };
    void this.rowsShown
      .then(() => this.refreshAll())
      .then(showWalkthrough)
      .catch((error: unknown) => onError(error, 'looking for sessions'));
    const show = async (): Promise<void> => {
      await this.rowsShown;
      views.sessions.ready();
      await views.pendingChanges.refresh();
      await this.showRunning();
    };
    show().catch((error: unknown) => onError(error, 'starting'));
    void this.recoverStorage();
  }

  /** Finds the roots when it's first called, without reading sessions. */
  rootsFound(): Promise<void> {
    return this.disk.rootsFound();
  }

  /** Lists the disk again. The Sessions view shows progress until its rows are current. */
  refreshAll(): Thenable<void> {
    return withProgress({ location: { viewId: VIEW } }, async () => {
      await this.disk.refreshAll();
      await this.deps.views.sessions.settled();
    });
  }

  /** Resolves when the rows of sessions that were written are current. */
  async refreshAfterWrite(paths: readonly string[]): Promise<void> {
    const { data, views } = this.deps;
    await data.store.refresh(paths);
    // The store doesn't report files outside the roots.
    const outside = paths.filter((path) => !data.store.files().has(path));
    const exists = await Promise.all(
      outside.map((path) =>
        findFileVersion(path).then(
          (version) => version !== undefined,
          () => false,
        ),
      ),
    );
    this.sessionsChanged({
      changed: new Set(outside.filter((_, at) => exists[at])),
      removed: new Set(outside.filter((_, at) => !exists[at])),
    });
    await views.sessions.settled();
  }

  /** Passes changes of files to everything that depends on them. */
  sessionsChanged(change: StoreChange): void {
    this.idle.sessionsChanged();
    this.deps.views.sessionsChanged(change);
    this.disk.storeChanged(change);
    if (change.removed.size > 0) this.updateWelcome();
  }

  /** Returns the running sessions of the window's folders, newest first. */
  runningSessions(): readonly SessionSummary[] {
    return this.running?.running() ?? [];
  }

  dispose(): void {
    this.disk.dispose();
    this.settings.dispose();
    this.running?.dispose();
    this.idle.dispose();
  }

  /** Resolves when the editor shows rows, and not only stored ones. */
  private async currentRows(): Promise<void> {
    const { rows } = this.deps.views.sessions;
    await rows.firstRows;
    await rows.restored.current;
    await windowTurn();
  }

  private presenceChanged(paths: readonly string[]): void {
    const { sessions, contexts } = this.deps.views;
    sessions.presenceChanged(paths);
    contexts.presenceChanged(paths);
  }

  private async showRunning(): Promise<void> {
    const { data, views, onError } = this.deps;
    // Loaded now, because nothing needs it before the sessions are known.
    const { RunningSessions } = await loadCode(() => import('../watch/runningSessions'), onError);
    const { TurnNotifications } = await loadCode(() => import('../watch/turnNotifications'), onError);
    const running = (path: string): boolean => isRunning(data.presence.get(path)) || data.presence.needsInput(path);
    this.running = new RunningSessions({
      sessions: data.summaries,
      check: async (paths) => this.presenceChanged(await data.presence.refresh(paths)),
      isRunning: (path) => isRunning(data.presence.get(path)),
      needsInput: (path) => data.presence.needsInput(path),
      showBadge: (count) => views.sessions.showBadge(count),
      turns: new TurnNotifications({
        folder: data.claimsFolder,
        isRunning: running,
        isSubagent: data.isSubagent,
        isInSight: (path) => vscode.window.state.focused && views.contexts.active()?.path === path,
        onError,
      }),
      shown: () => views.contexts.paths().flatMap((path) => data.summary(path) ?? []),
      idle: this.idle,
      onError,
    });
    await this.running.check();
  }

  /**
   * Finishes or takes back changes of processes that are gone. Runs at the start after the first rows, but without waiting
   * long for the roots, since a folder on a network may take long to be listed; and again when the roots change, as their
   * disks may be available then.
   */
  private async recoverStorage(): Promise<void> {
    const { data, log, onError } = this.deps;
    await settledWithin(this.rowsShown, MAX_ROWS_WAIT);
    const onTouched = (path: string): void => {
      log.info(`finished or took back the change of a process that is gone: ${path}`);
      void this.rootsReady()
        .then(() => this.refreshAfterWrite([path]))
        .catch((error: unknown) => onError(error, 'refreshing a recovered session'));
    };
    await data.storage.recoverAndPrune(onTouched).catch((error: unknown) => onError(error, 'ending what was interrupted'));
    this.deps.views.points.update();
  }

  /** Only the view without sessions says which programs are installed. */
  private updateWelcome(): void {
    if (this.hasNoFiles()) updateInstalledKey().catch((error: unknown) => this.deps.onError(error, 'looking for programs'));
  }

  private hasNoFiles(): boolean {
    return this.deps.data.store.files().size === 0;
  }

  private settingsChanged(event: vscode.ConfigurationChangeEvent): void {
    if (event.affectsConfiguration('sessionTree.roots')) void this.refreshAll();
    if (event.affectsConfiguration('sessionTree.programs')) this.updateWelcome();
    if (['sessionTree.statusBar', 'sessionTree.badge', 'sessionTree.notifications'].some((name) => event.affectsConfiguration(name)))
      void this.running?.check();
  }
}
