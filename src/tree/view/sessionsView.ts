/** The Sessions view: it holds the rows that the editor shows, and keeps them current. */
import * as vscode from 'vscode';
import { VIEW, type Arrangement, type Row, type RowKey, type SavedView, type SessionRef } from '../../contract';
import { settledWithin, type Filter, type Root, type StoreChange } from '../../core/index';
import { registerCommand } from '../../ui/safe/registerCommand';
import { AGE_REFRESH_INTERVAL } from '../../ui/rowAges';
import { workspaceFolderPaths } from '../../ui/workspaceFolders';
import { registerRowBadges } from '../items/rowBadges';
import { SHOW_MORE } from '../items/treeItems';
import { prepareTimes } from '../items/rowText';
import { asRow, type MoreRow, type ViewRow } from '../rows/viewRows';
import { startOfDay } from '../projects/arrangement';
import { recentSubagents } from '../projects/familyCounts';
import { MAX_INCREMENTAL_FILES } from '../projects/updateProjects';
import { FirstScreen, type FirstScreenDeps } from '../screen/firstScreen';
import { ArrangementState } from './stored/arrangementState';
import { dragAndDropController, type DragAndDropDeps } from './dragAndDrop';
import type { TreeParts } from './earlyTree';
import { focusedRows } from './focusedRows';
import { runRowKey } from './keyboardCommands';
import { hasRow, loadRow } from './loadRow';
import { rememberPlace } from './rememberPlace';
import { SessionRows, type SessionRowsDeps } from './sessionRows';
import { CLEAR_FILTERS, STOP_READING, ViewHeader, type ReadingProgress, type ShownSettings } from './viewHeader';
import { affectsViewSettings, clearFilterSettings, readViewSettings, writeFilter, type ViewSettings } from './stored/viewSettings';

/** Milliseconds for notifying the window of the view, before the formats of times take the processor. */
const TIMES_DELAY = 10;
/** Milliseconds until the editor's report that the view is shown counts as lost. */
const MAX_SHOW_WAIT = 1000;

interface SessionsViewDeps
  extends Omit<SessionRowsDeps, 'arrangement' | 'settings' | 'isFound' | 'isVisible' | 'onGroups' | 'screen'>, DragAndDropDeps {
  /** The view, which the editor knows already. */
  readonly view: vscode.TreeView<ViewRow>;
  readonly screen: FirstScreenDeps;
  readonly roots: () => readonly Root[];
  /** The roots that don't respond. */
  readonly silentRoots: () => readonly Root[];
  /** Roots that are listed only in part, because they have too many files. */
  readonly truncatedRoots: () => readonly Root[];
  readonly reading: () => ReadingProgress;
  readonly stopReading: () => void;
  readonly savedViews: () => readonly SavedView[];
  readonly query: ListQuery;
  /** Called with true when rows begin to depend on costs, and with false when they cease to. */
  readonly wantCosts: (wanted: boolean) => void;
}

/** Finds the sessions that the list is limited to. */
interface ListQuery {
  /** Resolves when the sessions of the query are known. */
  readonly set: (query: string) => Promise<void>;
  readonly filter: () => ((path: string) => boolean) | undefined;
  /** Searches sessions again whose state, tags or pin have changed; by default all. */
  readonly refresh: (paths?: readonly string[]) => void;
}

export class SessionsView implements vscode.Disposable {
  private readonly becameVisible = new vscode.EventEmitter<void>();
  /** Doesn't fire if the view is shown to reveal a row: the active item mustn't be selected instead. */
  readonly onDidBecomeVisible = this.becameVisible.event;
  readonly rows: SessionRows;
  private readonly screen: FirstScreen;
  private readonly view: vscode.TreeView<ViewRow>;
  private readonly header: ViewHeader;
  private readonly disposables: readonly { dispose(): unknown }[];
  private readonly arrangementState: ArrangementState;
  private settings: ViewSettings = readViewSettings();
  private isLoaded = false;
  /** The mark of a passed budget; empty for none. */
  private budget = '';
  /** True while the view is being shown to reveal a row. */
  private isShowing = false;

  constructor(private readonly deps: SessionsViewDeps) {
    this.arrangementState = new ArrangementState(deps.state);
    const queryKnown = deps.query.set(this.arrangement().query ?? '');
    this.screen = new FirstScreen(deps.screen, () => ({
      folders: workspaceFolderPaths(),
      others: [this.settings, this.arrangement(), this.arrangement().group === 'day' && startOfDay(Date.now(), 0)],
    }));
    this.rows = new SessionRows({
      ...deps,
      screen: this.screen,
      rowsKnown: () => deps.rowsKnown().then(() => queryKnown),
      isFound: () => deps.query.filter(),
      settings: () => this.settings,
      arrangement: () => this.arrangement(),
      isVisible: () => this.view.visible,
      onGroups: () => {
        deps.wantCosts(this.showsCosts());
        this.updateHeader();
      },
    });
    this.view = deps.view;
    this.header = new ViewHeader(this.view, deps.reading, deps.onError);
    const clock = setInterval(() => this.rows.refreshAges(), AGE_REFRESH_INTERVAL);
    this.disposables = [
      this.rows,
      this.screen,
      this.becameVisible,
      registerRowBadges(),
      { dispose: () => clearInterval(clock) },
      this.view.onDidChangeVisibility(() => this.visibilityChanged()),
      this.view.onDidExpandElement(({ element }) => this.rows.expansionChanged(element, true)),
      this.view.onDidCollapseElement(({ element }) => this.rows.expansionChanged(element, false)),
      vscode.workspace.onDidChangeConfiguration((event) => affectsViewSettings(event) && this.settingsChanged()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => void this.rows.projects.setWorkspaceFolders(workspaceFolderPaths())),
      registerCommand(SHOW_MORE, (row: MoreRow) => this.showMore(row)),
      registerCommand(STOP_READING, () => deps.stopReading()),
      registerCommand(CLEAR_FILTERS, () => this.clearFilters()),
    ];
    void this.rows.projects.setWorkspaceFolders(workspaceFolderPaths());
    // The editor is about to request rows, and nothing else is to be done.
    setImmediate(() => void this.screen.load());
    setTimeout(() => void prepareTimes(), TIMES_DELAY);
  }

  /** Returns what the editor's view shows. */
  parts(): TreeParts {
    return { rows: this.rows, dragAndDrop: dragAndDropController(this.deps) };
  }

  /** Called when the store has listed all roots once. Until then, an empty view doesn't say why it is empty. */
  ready(): void {
    this.isLoaded = true;
    this.rootsRefreshed();
  }

  /** Removes the stored rows of all windows, so that no data of deleted sessions stays in them. */
  clearStoredRows(): Promise<void> {
    return this.screen.clear();
  }

  isVisible(): boolean {
    return this.view.visible;
  }

  /** Called when roots may have appeared or disappeared, with or without sessions in them. */
  rootsRefreshed(): void {
    if (!this.isLoaded || !this.view.visible) return;
    void this.rows.projects
      .updated()
      .then(() =>
        this.header.updateWelcome(
          { roots: this.deps.roots(), silent: this.deps.silentRoots(), truncated: this.deps.truncatedRoots() },
          this.deps.store.files().size,
          this.rows.projects.current().length,
        ),
      );
  }

  /** Called when reading sessions has progressed or ended. */
  readingChanged(): void {
    if (this.header.updateDescription(this.shownSettings())) this.rootsRefreshed();
  }

  /** Called when files changed. */
  storeChanged(change: StoreChange): void {
    const files = this.deps.store.files();
    const { changed, removed } = change;
    if (removed.size > 0) void this.clearStoredRows();
    this.rows.sessionsChanged(changed);
    // Files outside the roots have no row.
    const isIncremental = changed.size + removed.size <= MAX_INCREMENTAL_FILES;
    this.rows.regroup(isIncremental ? [...[...changed].filter((path) => files.has(path)), ...removed] : undefined);
  }

  /** Called when the costs of sessions became known or changed. */
  costsChanged(paths: readonly string[]): void {
    if (this.showsCosts()) this.rows.regroup(paths);
  }

  /** Rows of families have their costs in any order. */
  private showsCosts(): boolean {
    return this.arrangement().sort === 'cost' || this.rows.projects.hasFamilies;
  }

  arrangement(): Arrangement {
    return this.arrangementState.get();
  }

  /** Returns the saved view that is shown. */
  private savedView(): SavedView | undefined {
    const { filter, program } = this.settings;
    const shown = keyOfView({ arrangement: this.arrangement(), filter, program });
    return this.deps.savedViews().find((view) => keyOfView(view) === shown);
  }

  /** Called when views were saved or deleted. */
  savedViewsChanged(): void {
    this.header.updateDescription(this.shownSettings());
  }

  /** Resolves when the rows are current. */
  async arrange(change: Partial<Arrangement>): Promise<void> {
    await this.arrangementState.set(change);
    await this.deps.query.set(this.arrangement().query ?? '');
    this.deps.wantCosts(this.showsCosts());
    await this.regroup();
    this.rootsRefreshed();
  }

  /** Called when the query finds other sessions. */
  foundChanged(): void {
    this.rows.regroup();
  }

  /** Called when pins, tags or notes have changed. Resolves when the rows are current. */
  async marksChanged(): Promise<void> {
    this.deps.query.refresh();
    await this.regroup();
  }

  /** Groups all sessions again. Resolves when the rows are current. */
  private async regroup(): Promise<void> {
    this.rows.regroupNow();
    await this.settled();
  }

  /** Shows at the view's icon how many sessions need input. */
  showBadge(count: number): void {
    this.header.showBadge(count);
  }

  /** Shows in the view's title that a budget is passed; empty for none. */
  showBudget(mark: string): void {
    this.budget = mark;
    this.header.updateDescription(this.shownSettings());
  }

  /** Called when programs opened or released these sessions. */
  presenceChanged(paths: readonly string[]): void {
    if (paths.length === 0) return;
    this.deps.query.refresh(paths);
    this.rows.presenceChanged(paths);
  }

  /** Called when the changes that wait for these sessions changed. */
  pendingChangesChanged(paths: readonly string[]): void {
    this.rows.sessionsChanged(new Set(paths));
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
    if (!this.view.visible) {
      if (!(await hasRow(ref, this.rows))) return false;
      await this.show();
    }
    const row = await loadRow(ref, this.rows);
    if (!row) return false;
    await this.settled();
    await this.view.reveal(row, { select: true, focus, expand: expand && row.row === 'session' });
    return true;
  }

  /** The selected rows; none while the view is hidden. */
  selection(): readonly Row[] {
    return this.view.visible ? this.view.selection.map(asRow) : [];
  }

  /** Like {@link selection}, without the rows below collapsed ones, which stay selected although nothing shows it. */
  selectionInSight(): readonly Row[] {
    return this.view.visible ? this.view.selection.filter((row) => this.rows.registry.isInSight(row)).map(asRow) : [];
  }

  /** Remembers the place of a row that a command may remove. The function that it returns moves the focus there. */
  rememberPlace(row: Row | undefined): () => Promise<void> {
    const goThere = rememberPlace(row, this.rows, this.view);
    return () => goThere().catch((error: unknown) => this.deps.onError(error, 'moving the focus'));
  }

  /** The paths of the sessions that have rows, while the view is visible. */
  visiblePaths(): readonly string[] {
    if (!this.view.visible) return [];
    const now = Date.now();
    const paths = [...this.rows.registry.all()].flatMap((row) =>
      row.row === 'session' ? [row.path, ...recentSubagents(row.item, now)] : row.row === 'unreadable' ? [row.path] : [],
    );
    return [...new Set(paths)];
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

  /** Resolves when the rows are current; immediately while the view is hidden. */
  async settled(): Promise<void> {
    await this.rows.settled();
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  /**
   * Shows the view without moving the focus, and waits until its rows are current. The editor doesn't find rows that came while
   * the view was hidden, and loses rows whose parent is refreshed while it reveals them.
   */
  private async show(): Promise<void> {
    let listener: vscode.Disposable | undefined;
    const shown = new Promise<void>((resolve) => {
      listener = this.view.onDidChangeVisibility(({ visible }) => visible && resolve());
    });
    this.isShowing = true;
    try {
      await vscode.commands.executeCommand(`${VIEW}.focus`, { preserveFocus: true });
      await settledWithin(shown, MAX_SHOW_WAIT);
    } finally {
      this.isShowing = false;
      listener?.dispose();
    }
    await this.settled();
  }

  private visibilityChanged(): void {
    this.rows.refreshNow();
    this.rootsRefreshed();
    if (this.view.visible && !this.isShowing) this.becameVisible.fire();
  }

  /** Updates the texts around the rows together with the rows. */
  private updateHeader(): void {
    const isStale = this.header.updateDescription(this.shownSettings());
    const isOther = this.header.countsChanged(this.deps.store.files().size, this.rows.projects.current().length);
    if (isStale || isOther) this.rootsRefreshed();
  }

  private shownSettings(): ShownSettings {
    const { workspaceOnly, tag = '', query = '', unfinishedOnly = false } = this.arrangement();
    return {
      ...this.settings,
      workspaceOnly: workspaceOnly && workspaceFolderPaths().length > 0,
      tag,
      query,
      unfinishedOnly,
      unfinished: this.rows.projects.unfinishedCount(),
      savedView: this.savedView()?.name,
      budget: this.budget,
    };
  }

  private settingsChanged(): void {
    const before = this.settings;
    this.settings = readViewSettings();
    this.rows.regroupNow({ filterChanged: before.filter !== this.settings.filter });
  }

  /** Shows everything that filters hide. */
  private async clearFilters(): Promise<void> {
    await clearFilterSettings();
    await this.arrange({ workspaceOnly: false, unfinishedOnly: false, tag: '', query: '' });
    this.settingsChanged();
    await this.settled();
  }

  private async showMore(more: MoreRow): Promise<void> {
    const row = await this.rows.showMore(more);
    // Keeps the row next to the "Show more" row in sight.
    if (row) await this.view.reveal(row, { select: true, focus: true });
  }
}

const keyOfView = ({
  arrangement: { sort, group, workspaceOnly, unfinishedOnly = false, tag = '', query = '' },
  filter,
  program,
}: Omit<SavedView, 'name'>): string => JSON.stringify([sort, group, workspaceOnly, unfinishedOnly, tag, query, filter, program]);
