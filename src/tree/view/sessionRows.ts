/** The rows of the Sessions view: provides them to the editor, and refreshes the rows that differ from what it shows. */
import type * as vscode from 'vscode';
import type { Arrangement } from '../../contract';
import { settledWithin, type SessionStore, type SessionSummary, type UntrustedPaths } from '../../core/index';
import { isRunning } from '../items/isRunning';
import { TreeItemCache, type TreeItemCacheDeps } from '../items/treeItemCache';
import { resolveTreeItem } from '../tooltips/tooltips';
import { startOfDay } from '../projects/arrangement';
import { ProjectList } from '../projects/projectList';
import { Levels } from '../rows/levels';
import { LostRows } from '../rows/lostRows';
import { staleRows } from '../rows/staleRows';
import { RowRegistry, type MoreRow, type ViewRow } from '../rows/viewRows';
import type { FirstScreen } from '../screen/firstScreen';
import { ExpandedRows } from './stored/expandedRows';
import { Refresher } from './refresher';
import { RestoredScreen } from './restoredScreen';
import type { TagsAndNote } from './stored/ownMarks';
import type { ViewSettings } from './stored/viewSettings';

/**
 * The longest time in milliseconds for which the editor waits for the rows that are stored, from its first request on. It
 * would show an empty answer, and request the rows again only some hundred milliseconds after they are reported.
 */
const MAX_FIRST_WAIT = 1000;

export interface SessionRowsDeps extends TreeItemCacheDeps {
  readonly store: SessionStore;
  readonly named: UntrustedPaths;
  /** Resolves when the store has the rows that are stored. */
  readonly rowsKnown: () => Promise<void>;
  /** The stored rows of the last window. */
  readonly screen: Pick<FirstScreen, 'load' | 'rowsChanged'>;
  /** The cost of a session in dollars, if that is known. */
  readonly cost: (path: string) => number | undefined;
  /** The cost of a session with all sessions of subagents below it. */
  readonly familyCost: (path: string) => number | undefined;
  /** True for a session that was pinned in the view. */
  readonly isPinned: (session: SessionSummary) => boolean;
  /** Returns whether the query finds a session; `undefined` without a query. */
  readonly isFound: () => ((path: string) => boolean) | undefined;
  /** The tags and the note that a person gave a session. */
  readonly marksOf: (session: SessionSummary) => TagsAndNote;
  readonly settings: () => ViewSettings;
  readonly arrangement: () => Arrangement;
  /** The workspace's storage, for expanded rows. */
  readonly state: vscode.Memento;
  /** While the view is hidden, changes wait until it is shown again. */
  readonly isVisible: () => boolean;
  /** Called when the groups may have changed, before their rows are shown. */
  readonly onGroups: () => void;
  readonly onError: (error: unknown, doing: string) => void;
}

export class SessionRows implements vscode.TreeDataProvider<ViewRow> {
  readonly projects: ProjectList;
  readonly levels: Levels;
  readonly registry = new RowRegistry();
  private readonly lost = new LostRows(this.registry);
  private readonly refresher: Refresher;
  private readonly expandedRows: ExpandedRows;
  private readonly itemCache: TreeItemCache;
  readonly restored: RestoredScreen;
  /** The beginning of the day for which sessions are grouped, in milliseconds since 1970. */
  private today = startOfDay(Date.now(), 0);
  /** Settles when the first request for rows may be answered. All requests share it, so that none waits again. */
  private firstWait: Promise<void> | undefined;
  /** Resolves when the editor has been given rows, and has taken their items. */
  readonly firstRows: Promise<void>;
  private resolveFirstRows: () => void = () => undefined;
  private readonly changed = new Set<string>();
  /** The changes that the running refresh takes in. */
  private readonly changedForRefresh = new Set<string>();
  private filterChanged = false;

  constructor(private readonly deps: SessionRowsDeps) {
    this.firstRows = new Promise((resolve) => (this.resolveFirstRows = resolve));
    this.projects = new ProjectList({
      named: deps.named,
      files: () => deps.store.files(),
      settings: () => ({
        ...deps.settings(),
        ...deps.arrangement(),
        cost: deps.cost,
        familyCost: deps.familyCost,
        isPinned: deps.isPinned,
        marksOf: deps.marksOf,
        isFound: deps.isFound(),
        isRunning: (path) => isRunning(deps.presence(path)),
        now: Date.now(),
      }),
      onFoldersResolved: () => this.refresher.schedule(),
    });
    this.levels = new Levels({
      groups: () => this.projects.current(),
      session: (path) => deps.store.session(path),
      filter: () => deps.settings().filter,
      pendingChanges: (path) => deps.pendingChanges(path),
    });
    this.refresher = new Refresher({ markLoaded: () => this.prepareRefresh(), run: () => this.refresh(), onError: deps.onError });
    this.expandedRows = new ExpandedRows(deps.state);
    this.itemCache = new TreeItemCache(deps, this.expandedRows);
    this.restored = new RestoredScreen({
      load: () => deps.screen.load(),
      firstRows: this.firstRows,
      rowsKnown: deps.rowsKnown,
      prepare: () => this.projects.updatedWithFolders(),
      isExpanded: (row) => this.itemCache.isExpanded(row),
      replace: (without) => this.update(without),
      onError: deps.onError,
    });
  }

  get onDidChangeTreeData(): vscode.Event<ViewRow | ViewRow[] | undefined> {
    return this.refresher.event;
  }

  /** The editor requests the children of an expanded row. */
  getChildren(parent: ViewRow | undefined): Promise<ViewRow[]> {
    if (parent) this.registry.setExpanded(parent, true);
    return this.refresher.trackRequest(
      parent,
      async () => {
        try {
          const stored = await this.restored.level(parent);
          if (stored) return this.registry.setLevel(parent, stored);
          if (!parent) await (this.firstWait ??= settledWithin(this.deps.rowsKnown(), MAX_FIRST_WAIT));
          return await this.loadChildren(parent);
        } finally {
          if (!parent) setImmediate(this.resolveFirstRows);
        }
      },
      (id) => this.registry.get(id) !== undefined,
    );
  }

  getTreeItem(row: ViewRow): vscode.TreeItem {
    this.lost.requested(row);
    return this.itemCache.treeItem(row);
  }

  getParent(row: ViewRow): ViewRow | undefined {
    return this.registry.parentOf(row);
  }

  async resolveTreeItem(item: vscode.TreeItem, row: ViewRow, token?: vscode.CancellationToken): Promise<vscode.TreeItem> {
    await this.restored.current;
    const stop = new AbortController();
    const listener = token?.onCancellationRequested(() => stop.abort());
    try {
      return await resolveTreeItem(item, row, { ...this.deps, session: (path) => this.deps.store.session(path) }, stop.signal);
    } finally {
      listener?.dispose();
    }
  }

  /** Reads the children of a row, or the first rows of the view. */
  async loadChildren(parent: ViewRow | undefined): Promise<ViewRow[]> {
    if (!parent) {
      await this.projects.updated();
      this.deps.onGroups();
    }
    return this.registry.setLevel(parent, await this.levels.children(parent));
  }

  /** Lets the editor request the children of these rows again. */
  fire(rows: readonly (ViewRow | undefined)[]): void {
    const now = performance.now();
    const stale = this.registry.topmost(rows.map((row) => row && this.lost.rowToReport(row, now)));
    this.refresher.fire(stale, this.registry.expandedAtOrBelow(stale));
  }

  expansionChanged(row: ViewRow, open: boolean): void {
    this.registry.setExpanded(row, open);
    this.expandedRows.set(row, open);
  }

  /**
   * Shows more rows next to a "Show more" row.
   *
   * @returns the row that was next to it.
   */
  async showMore(more: MoreRow): Promise<ViewRow | undefined> {
    await this.restored.current;
    const parent = this.registry.parentOf(more);
    const siblings = this.registry.level(parent) ?? [];
    const neighbour = siblings[siblings.indexOf(more.id) + (more.side === 'earlier' ? 1 : -1)];
    this.levels.showMore(more);
    this.fire([parent]);
    await this.settled();
    return neighbour === undefined ? undefined : this.registry.get(neighbour);
  }

  /** Refreshes the rows of changed sessions soon. */
  sessionsChanged(paths: ReadonlySet<string>): void {
    // Sessions without a row are read when they get one.
    for (const row of this.registry.all()) if (row.row === 'session' && paths.has(row.path)) this.changed.add(row.path);
    this.refresher.schedule();
  }

  /** Another program began or ceased to have these sessions: while it works on a turn, that isn't unfinished. */
  presenceChanged(paths: readonly string[]): void {
    const files = this.deps.store.files();
    const unanswered = paths.filter((path) => {
      const file = files.get(path);
      return file?.kind === 'session' && file.summary.unfinished === 'unanswered';
    });
    if (unanswered.length > 0) this.projects.invalidate(unanswered);
    this.refresher.schedule();
  }

  /** Groups all sessions again, or only these, and refreshes soon. */
  regroup(paths?: readonly string[]): void {
    this.projects.invalidate(paths);
    this.refresher.schedule();
  }

  /** Groups all sessions again, and refreshes immediately. */
  regroupNow({ filterChanged = false }: { readonly filterChanged?: boolean } = {}): void {
    this.filterChanged ||= filterChanged;
    this.projects.invalidate();
    this.refresher.refreshNow();
  }

  refreshSoon(): void {
    this.refresher.schedule();
  }

  refreshNow(): void {
    this.refresher.refreshNow();
  }

  /** Updates ages, which change without any event. */
  refreshAges(): void {
    if (!this.deps.isVisible()) return;
    this.regroupByDay();
    this.fire([...this.registry.all()].filter(this.itemCache.changedSinceShown()));
  }

  /** Resolves when the rows are current; immediately while the view is hidden. */
  async settled(): Promise<void> {
    if (this.deps.isVisible()) await this.refresher.settled();
  }

  dispose(): void {
    this.refresher.dispose();
  }

  /** Groups the sessions again if the day has changed. */
  private regroupByDay(): void {
    const today = startOfDay(Date.now(), 0);
    if (today === this.today) return;
    this.today = today;
    this.regroup();
  }

  /** Changes that are reported after this belong to the next refresh. */
  private async prepareRefresh(): Promise<void> {
    if (!this.deps.isVisible()) return;
    await this.restored.current;
    for (const path of this.changed) this.changedForRefresh.add(path);
    this.changed.clear();
    await this.projects.updated();
  }

  /** Refreshes rows that differ. */
  private refresh(): void {
    if (this.deps.isVisible() && !this.restored.isShown) this.update();
  }

  /** @param others rows whose children the editor has to request again, whether they differ or not */
  private update(others: readonly ViewRow[] = []): void {
    this.deps.onGroups();
    const stale = staleRows({
      rows: this.registry,
      levels: this.levels,
      differs: this.itemCache.changedSinceShown(),
      hasNewEntries: (path) => this.filterChanged || this.changedForRefresh.has(path),
    });
    this.changedForRefresh.clear();
    this.filterChanged = false;
    this.fire([...stale, ...others]);
    this.deps.screen.rowsChanged(this.levels, (row) => this.itemCache.isExpanded(row));
  }
}
