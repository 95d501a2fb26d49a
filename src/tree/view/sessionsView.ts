/** The Sessions view: it holds the rows that the editor shows, and keeps them current. */
import * as vscode from 'vscode';
import { VIEW, type Arrangement, type Row, type RowKey, type SessionRef } from '../../contract';
import type { Filter, UntrustedPaths, Root, SessionStore, StoreChange } from '../../core/index';
import { registerCommand } from '../../ui/registerCommand';
import { createTreeView } from '../../ui/treeView';
import { staleRows } from '../rows/staleRows';
import { dropFiles } from './dropFiles';
import { handleDrag } from './handleDrag';
import { focusedRows } from './focusedRows';
import { SHOW_MORE } from '../items/treeItems';
import { runRowKey } from './keyboardCommands';
import { registerLeafDecoration } from '../items/leafDecoration';
import { Levels } from '../rows/levels';
import { TreeItemCache, type TreeItemCacheDeps } from '../items/treeItemCache';
import { startOfDay } from '../projects/arrangement';
import { ArrangementState } from './arrangementState';
import { ExpandedRows } from './expandedRows';
import { ProjectList } from '../projects/projectList';
import { Refresher } from './refresher';
import { pathToRow } from '../rows/pathToRow';
import { RowRegistry, asRow, type MoreRow, type ViewRow } from '../rows/viewRows';
import { affectsViewSettings, readViewSettings, workspaceFolders, writeFilter, type ViewSettings } from './viewSettings';
import { resolveTreeItem } from '../items/tooltips';
import { STOP_READING, ViewHeader, type ReadingProgress, type ShownSettings } from './viewHeader';

export interface SessionsViewDeps extends Omit<TreeItemCacheDeps, 'arrangement'> {
  readonly store: SessionStore;
  readonly named: UntrustedPaths;
  readonly roots: () => readonly Root[];
  /** The roots that don't respond. */
  readonly silentRoots: () => readonly Root[];
  /** The roots with so many files that they are listed only in part. */
  readonly crowdedRoots: () => readonly Root[];
  /** Returns the URI of the read-only document of a session's file. */
  readonly rawUri: (path: string) => vscode.Uri;
  /** Opens a session file's context; shows its own errors. */
  readonly open: (path: string) => unknown;
  readonly reading: () => ReadingProgress;
  readonly stopReading: () => void;
  /** The cost of a session in dollars, if that is known. */
  readonly cost: (path: string) => number | undefined;
  /** Called with true when rows begin to depend on costs, and with false when they cease to. */
  readonly wantCosts: (wanted: boolean) => void;
  /** The workspace's storage, for expanded rows and the arrangement. */
  readonly state: vscode.Memento;
  readonly onError: (error: unknown, doing: string) => void;
}

/** The interval in milliseconds at which rows update their ages. */
const AGE_REFRESH_INTERVAL = 60_000;

export class SessionsView implements vscode.Disposable {
  private readonly becameVisible = new vscode.EventEmitter<void>();
  readonly onDidBecomeVisible = this.becameVisible.event;
  private readonly rows = new RowRegistry();
  private readonly levels: Levels;
  private readonly projects: ProjectList;
  private readonly refresher: Refresher;
  private readonly expandedRows: ExpandedRows;
  private readonly view: vscode.TreeView<ViewRow>;
  private readonly header: ViewHeader;
  private readonly disposables: readonly { dispose(): unknown }[];
  private readonly itemCache: TreeItemCache;
  private readonly arrangementState: ArrangementState;
  /** The beginning of the day for which sessions are grouped, in milliseconds since 1970. */
  private today = startOfDay(Date.now(), 0);
  private readonly changed = new Set<string>();
  /** The changes that the running refresh takes in. */
  private readonly changedForRefresh = new Set<string>();
  private settings: ViewSettings = readViewSettings();
  private isLoaded = false;
  private filterChanged = false;

  constructor(private readonly deps: SessionsViewDeps) {
    this.projects = new ProjectList({
      named: deps.named,
      files: () => deps.store.files(),
      settings: () => ({ ...this.settings, ...this.arrangement(), cost: deps.cost, now: Date.now() }),
      onFoldersResolved: () => this.refresher.schedule(),
    });
    this.levels = new Levels({
      groups: () => this.projects.current(),
      session: (path) => deps.store.session(path),
      filter: () => this.settings.filter,
      pendingChanges: (path) => deps.pendingChanges(path),
    });
    this.refresher = new Refresher({ markLoaded: () => this.prepareRefresh(), run: () => this.refresh(), onError: deps.onError });
    this.arrangementState = new ArrangementState(deps.state);
    deps.wantCosts(this.arrangement().sort === 'cost');
    this.expandedRows = new ExpandedRows(deps.state);
    this.itemCache = new TreeItemCache({ ...deps, arrangement: () => this.arrangement() }, this.expandedRows);
    this.view = createTreeView<ViewRow>(VIEW, {
      showCollapseAll: true,
      canSelectMany: true,
      treeDataProvider: {
        onDidChangeTreeData: this.refresher.event,
        getChildren: (parent) => this.getChildren(parent),
        getTreeItem: (row) => this.itemCache.treeItem(row),
        getParent: (row) => this.rows.parentOf(row),
        resolveTreeItem: (item, row) => resolveTreeItem(item, row, { ...deps, session: (path) => deps.store.session(path) }),
      },
      dragAndDropController: {
        dragMimeTypes: ['text/uri-list'],
        dropMimeTypes: ['text/uri-list', 'files'],
        handleDrag: (rows, transfer) => handleDrag(rows, transfer, deps.rawUri),
        handleDrop: (_, transfer) => dropFiles(transfer, deps.open),
      },
    });
    this.header = new ViewHeader(this.view, deps.reading, deps.onError);
    const clock = setInterval(() => this.refreshAges(), AGE_REFRESH_INTERVAL);
    this.disposables = [
      this.view,
      this.refresher,
      this.becameVisible,
      registerLeafDecoration(),
      { dispose: () => clearInterval(clock) },
      this.view.onDidChangeVisibility(() => this.visibilityChanged()),
      this.view.onDidExpandElement(({ element }) => this.expansionChanged(element, true)),
      this.view.onDidCollapseElement(({ element }) => this.expansionChanged(element, false)),
      vscode.workspace.onDidChangeConfiguration((event) => affectsViewSettings(event) && this.settingsChanged()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => void this.projects.setWorkspaceFolders(workspaceFolders())),
      registerCommand(SHOW_MORE, (row: MoreRow) => this.showMore(row)),
      registerCommand(STOP_READING, () => deps.stopReading()),
    ];
    void this.projects.setWorkspaceFolders(workspaceFolders());
  }

  /** Called when the store has listed all roots once. Until then, an empty view doesn't say why it is empty. */
  ready(): void {
    this.isLoaded = true;
    this.rootsRefreshed();
  }

  isVisible(): boolean {
    return this.view.visible;
  }

  /** Called when roots may have appeared or disappeared, with or without sessions in them. */
  rootsRefreshed(): void {
    if (!this.isLoaded || !this.view.visible) return;
    void this.projects
      .updated()
      .then(() =>
        this.header.updateWelcome(
          { roots: this.deps.roots(), silent: this.deps.silentRoots(), crowded: this.deps.crowdedRoots() },
          this.deps.store.files().size,
          this.projects.current().length,
        ),
      );
  }

  /** Called when reading sessions has progressed or ended. */
  readingChanged(): void {
    if (this.header.updateDescription(this.shownSettings())) this.rootsRefreshed();
  }

  /** Called when files changed. */
  storeChanged(change: StoreChange): void {
    for (const path of change.changed) this.changed.add(path);
    const files = this.deps.store.files();
    // Files outside the roots have no row.
    this.projects.invalidate([...change.changed.filter((path) => files.has(path)), ...change.removed]);
    this.refresher.schedule();
  }

  /** Called when the costs of sessions became known or changed. */
  costsChanged(paths: readonly string[]): void {
    if (this.arrangement().sort !== 'cost') return;
    this.projects.invalidate(paths);
    this.refresher.schedule();
  }

  arrangement(): Arrangement {
    return this.arrangementState.get();
  }

  /** Resolves when the rows are current. */
  async arrange(change: Partial<Arrangement>): Promise<void> {
    await this.arrangementState.set(change);
    this.deps.wantCosts(this.arrangement().sort === 'cost');
    this.projects.invalidate();
    this.refresher.refreshNow();
    await this.settled();
    this.rootsRefreshed();
  }

  /** Called when programs opened or released these sessions. */
  presenceChanged(paths: readonly string[]): void {
    if (paths.length > 0) this.refresher.schedule();
  }

  /** Called when the changes that wait for these sessions changed. */
  pendingChangesChanged(paths: readonly string[]): void {
    for (const path of paths) this.changed.add(path);
    this.refresher.schedule();
  }

  /**
   * Expands everything above a session or an entry (or its nearest visible ancestor), and selects its row.
   *
   * @param focus true to move the keyboard's focus there too
   * @param expand false to leave the row of a session as it is
   * @returns false if there is no such row
   */
  async reveal(
    ref: SessionRef,
    { focus = false, expand = true }: { readonly focus?: boolean; readonly expand?: boolean } = {},
  ): Promise<boolean> {
    await this.projects.updated();
    const steps = await pathToRow(ref, this.projects.current(), this.levels);
    if (!steps) return false;
    let row: ViewRow | undefined;
    for (const step of steps) {
      if (this.levels.ensureShown(step.list, step.rows, step.id, step.end)) this.fire([row]);
      await this.loadChildren(row);
      row = this.rows.get(step.id);
      if (!row) return false;
    }
    await this.settled();
    if (row) await this.view.reveal(row, { select: true, focus, expand: expand && row.row === 'session' });
    return row !== undefined;
  }

  /** The selected rows; none while the view is hidden. */
  selection(): readonly Row[] {
    return this.view.visible ? this.view.selection.map(asRow) : [];
  }

  /** The paths of the sessions that have rows, while the view is visible. */
  visiblePaths(): readonly string[] {
    if (!this.view.visible) return [];
    return [...this.rows.all()].flatMap((row) => (row.row === 'session' || row.row === 'unreadable' ? [row.path] : []));
  }

  /** Runs the command of a key on the rows that have the focus. */
  async runKey(key: RowKey): Promise<void> {
    await runRowKey(key, await focusedRows(this.view));
  }

  /** Resolves when the rows are current. */
  async setFilter(filter: Filter): Promise<void> {
    if (filter !== this.settings.filter) await writeFilter(filter);
    this.settingsChanged();
    await this.settled();
  }

  /** Resolves when the rows are current; at once while the view is hidden. */
  async settled(): Promise<void> {
    if (this.view.visible) await this.refresher.settled();
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  /** The editor requests the children of an expanded row. */
  private getChildren(parent: ViewRow | undefined): Promise<ViewRow[]> {
    if (parent) this.rows.setExpanded(parent, true);
    return this.refresher.trackRequest(
      parent,
      () => this.loadChildren(parent),
      (id) => this.rows.get(id) !== undefined,
    );
  }

  private visibilityChanged(): void {
    this.refresher.refreshNow();
    this.rootsRefreshed();
    if (this.view.visible) this.becameVisible.fire();
  }

  private expansionChanged(row: ViewRow, open: boolean): void {
    this.rows.setExpanded(row, open);
    this.expandedRows.set(row, open);
  }

  private fire(rows: readonly (ViewRow | undefined)[]): void {
    const stale = this.rows.topmost(rows);
    this.refresher.fire(stale, this.rows.expandedAtOrBelow(stale));
  }

  private async loadChildren(parent: ViewRow | undefined): Promise<ViewRow[]> {
    if (!parent) {
      await this.projects.updated();
      this.updateHeader();
    }
    return this.rows.setLevel(parent, await this.levels.children(parent));
  }

  /** Updates the texts around the rows together with the rows. */
  private updateHeader(): void {
    this.header.updateDescription(this.shownSettings());
    if (this.header.countsChanged(this.deps.store.files().size, this.projects.current().length)) this.rootsRefreshed();
  }

  private shownSettings(): ShownSettings {
    return { ...this.settings, workspaceOnly: this.arrangement().workspaceOnly && workspaceFolders().length > 0 };
  }

  /** Changes that are reported after this belong to the next refresh. */
  private async prepareRefresh(): Promise<void> {
    if (!this.view.visible) return;
    for (const path of this.changed) this.changedForRefresh.add(path);
    this.changed.clear();
    await this.projects.updated();
  }

  /** Refreshes rows that differ. While the view is hidden, changes wait until it is shown again. */
  private refresh(): void {
    if (!this.view.visible) return;
    this.updateHeader();
    const stale = staleRows({
      rows: this.rows,
      levels: this.levels,
      differs: this.itemCache.changedSinceShown(),
      hasNewEntries: (path) => this.filterChanged || this.changedForRefresh.has(path),
    });
    this.changedForRefresh.clear();
    this.filterChanged = false;
    this.fire(stale);
  }

  /** Updates ages, which change without any event. */
  private refreshAges(): void {
    if (!this.view.visible) return;
    this.regroupByDay();
    const differs = this.itemCache.changedSinceShown();
    this.fire([...this.rows.all()].filter((row) => this.itemCache.wasShown(row) && differs(row)));
  }

  /** Groups the sessions again if the day has changed. */
  private regroupByDay(): void {
    const today = startOfDay(Date.now(), 0);
    if (today === this.today) return;
    this.today = today;
    this.projects.invalidate();
    this.refresher.schedule();
  }

  private settingsChanged(): void {
    const before = this.settings;
    this.settings = readViewSettings();
    this.filterChanged ||= before.filter !== this.settings.filter;
    this.projects.invalidate();
    this.refresher.refreshNow();
  }

  private async showMore(more: MoreRow): Promise<void> {
    const parent = this.rows.parentOf(more);
    const siblings = this.rows.level(parent) ?? [];
    const neighbour = siblings[siblings.indexOf(more.id) + (more.side === 'earlier' ? 1 : -1)];
    this.levels.showMore(more);
    this.fire([parent]);
    await this.settled();
    // Keeps the row beside the "Show more" row in sight.
    const row = neighbour === undefined ? undefined : this.rows.get(neighbour);
    if (row) await this.view.reveal(row, { select: true, focus: true });
  }
}
