/** The Sessions view: holds the rows that the editor knows of, and keeps them true. */
import * as vscode from 'vscode';
import { VIEW, type Row, type SessionRef } from '../contract';
import type { Filter, NamedPaths, Root, SessionStore, StoreChange } from '../core/index';
import { registerCommand } from '../ui/commands';
import { createTreeView } from '../ui/treeView';
import { staleRows } from './compare';
import { handleDrag } from './drag';
import { focusedRows } from './focused';
import { SHOW_MORE } from './items';
import { registerKeys } from './keys';
import { markLeaves } from './leafMark';
import { Levels } from './levels';
import { Looks, type LooksDeps } from './looks';
import { OpenRows } from './openRows';
import { ProjectList } from './projectList';
import { Refresher } from './refresher';
import { wayTo } from './reveal';
import { KnownRows, asRow, type MoreRow, type ViewRow } from './rows';
import { affectsView, viewSettings, workspaceFolders, writeFilter, type ViewSettings } from './settings';
import { resolveItem } from './tooltips';
import { STOP_READING, ViewHead, type Reading } from './viewHead';

export interface SessionsViewDeps extends LooksDeps {
  readonly store: SessionStore;
  readonly named: NamedPaths;
  readonly roots: () => readonly Root[];
  /** Roots that don't answer. */
  readonly silentRoots: () => readonly Root[];
  /** Roots with so many files that only a part is looked at. */
  readonly crowdedRoots: () => readonly Root[];
  /** The address of the read-only document of a session's file. */
  readonly rawUri: (path: string) => vscode.Uri;
  readonly reading: () => Reading;
  readonly stopReading: () => void;
  /** Of the workspace: which rows were opened and closed. */
  readonly state: vscode.Memento;
  readonly onError: (error: unknown, doing: string) => void;
}

/** Milliseconds between two looks at the rows that say how long ago something was. */
const CLOCK = 60_000;

export class SessionsView implements vscode.Disposable {
  private readonly rows = new KnownRows();
  private readonly levels: Levels;
  private readonly projects: ProjectList;
  private readonly refresher: Refresher;
  private readonly openRows: OpenRows;
  private readonly view: vscode.TreeView<ViewRow>;
  private readonly head: ViewHead;
  private readonly disposables: readonly { dispose(): unknown }[];
  private readonly looks: Looks;
  private readonly changed = new Set<string>();
  /** What changed until the refresh that is going on. */
  private readonly due = new Set<string>();
  private settings: ViewSettings = viewSettings();
  private isLoaded = false;
  private filterChanged = false;

  constructor(private readonly deps: SessionsViewDeps) {
    this.projects = new ProjectList({ named: deps.named, files: () => deps.store.files(), settings: () => this.settings, onNews: () => this.refresher.schedule() });
    this.levels = new Levels({ projects: () => this.projects.current(), session: (path) => deps.store.session(path), filter: () => this.settings.filter, waiting: (path) => deps.waiting(path) });
    this.refresher = new Refresher({ ready: () => this.told(), run: () => this.refresh(), onError: deps.onError });
    this.openRows = new OpenRows(deps.state);
    this.looks = new Looks(deps, this.openRows);
    this.view = createTreeView<ViewRow>(VIEW, {
      showCollapseAll: true,
      canSelectMany: true,
      treeDataProvider: {
        onDidChangeTreeData: this.refresher.event,
        getChildren: (parent) => this.children(parent),
        getTreeItem: (row) => this.looks.item(row),
        getParent: (row) => this.rows.parentOf(row),
        resolveTreeItem: (item, row) => resolveItem(item, row, (path) => deps.store.session(path)),
      },
      dragAndDropController: { dragMimeTypes: ['text/uri-list'], dropMimeTypes: [], handleDrag: (rows, transfer) => handleDrag(rows, transfer, deps.rawUri) },
    });
    this.head = new ViewHead(this.view, deps.reading, deps.onError);
    const clock = setInterval(() => this.tick(), CLOCK);
    this.disposables = [
      this.view,
      this.refresher,
      markLeaves(),
      registerKeys(() => focusedRows(this.view)),
      { dispose: () => clearInterval(clock) },
      this.view.onDidChangeVisibility(() => this.shown()),
      this.view.onDidExpandElement(({ element }) => this.opened(element, true)),
      this.view.onDidCollapseElement(({ element }) => this.opened(element, false)),
      vscode.workspace.onDidChangeConfiguration((event) => affectsView(event) && this.settingsChanged()),
      vscode.workspace.onDidChangeWorkspaceFolders(() => void this.projects.learnWorkspace(workspaceFolders())),
      registerCommand(SHOW_MORE, (row: MoreRow) => this.showMore(row)),
      registerCommand(STOP_READING, () => deps.stopReading()),
    ];
    void this.projects.learnWorkspace(workspaceFolders());
  }

  /** The store has looked at all roots once. Until then an empty view does not say why it is empty. */
  ready(): void {
    this.isLoaded = true;
    this.rootsLookedAt();
  }

  isVisible(): boolean {
    return this.view.visible;
  }

  /** Folders may be there now that were not, or the other way round, without any session in them. */
  rootsLookedAt(): void {
    if (!this.isLoaded || !this.view.visible) return;
    void this.projects.updated().then(() => this.head.welcomes({ roots: this.deps.roots(), silent: this.deps.silentRoots(), crowded: this.deps.crowdedRoots() }, this.deps.store.files().size, this.projects.current().length));
  }

  /** Reading sessions has come further, or to an end. */
  readingChanged(): void {
    if (this.head.describe(this.settings)) this.rootsLookedAt();
  }

  /** Files are other than they were. */
  storeChanged(change: StoreChange): void {
    for (const path of change.changed) this.changed.add(path);
    const files = this.deps.store.files();
    // What is outside the roots has no row.
    this.projects.outdate([...change.changed.filter((path) => files.has(path)), ...change.removed]);
    this.refresher.schedule();
  }

  /** Programs took these sessions, or let them go. */
  presenceChanged(paths: readonly string[]): void {
    if (paths.length > 0) this.refresher.schedule();
  }

  /** What waits for these sessions is other than it was. */
  waitingChanged(paths: readonly string[]): void {
    for (const path of paths) this.changed.add(path);
    this.refresher.schedule();
  }

  /** Opens all that is above a session or an entry (or the nearest entry above it that has a row), and selects its row; whether there is one. `focus`: the keyboard goes there, too. */
  async reveal(ref: SessionRef, { focus = false }: { readonly focus?: boolean } = {}): Promise<boolean> {
    await this.projects.updated();
    const way = await wayTo(ref, this.projects.current(), this.levels);
    if (!way) return false;
    let row: ViewRow | undefined;
    for (const step of way) {
      if (this.levels.show(step.list, step.rows, step.id, step.end)) this.fire([row]);
      await this.below(row);
      row = this.rows.get(step.id);
      if (!row) return false;
    }
    await this.settled();
    if (row) await this.view.reveal(row, { select: true, focus, expand: row.row === 'session' });
    return row !== undefined;
  }

  /** The selected rows; those of a view that can't be seen are not meant by anybody. */
  selection(): readonly Row[] {
    return this.view.visible ? this.view.selection.map(asRow) : [];
  }

  /** Paths of the sessions whose rows the editor has, while they can be seen. */
  visiblePaths(): readonly string[] {
    if (!this.view.visible) return [];
    return [...this.rows.all()].flatMap((row) => (row.row === 'session' || row.row === 'unreadable' ? [row.path] : []));
  }

  /** Resolves once the rows are current. */
  async setFilter(filter: Filter): Promise<void> {
    if (filter !== this.settings.filter) await writeFilter(filter);
    this.settingsChanged();
    await this.settled();
  }

  /** Resolves once the rows are current. A view that can't be seen is. */
  async settled(): Promise<void> {
    if (this.view.visible) await this.refresher.settled();
  }

  dispose(): void {
    for (const disposable of this.disposables) disposable.dispose();
  }

  /** The editor asks for the rows below one that is open. */
  private children(parent: ViewRow | undefined): Promise<ViewRow[]> {
    if (parent) this.rows.setOpen(parent, true);
    return this.refresher.asked(parent, () => this.below(parent), (id) => this.rows.get(id) !== undefined);
  }

  private shown(): void {
    this.refresher.now();
    this.rootsLookedAt();
  }

  private opened(row: ViewRow, open: boolean): void {
    this.rows.setOpen(row, open);
    this.openRows.set(row, open);
  }

  private fire(rows: readonly (ViewRow | undefined)[]): void {
    const stale = this.rows.topmost(rows);
    this.refresher.fire(stale, this.rows.openBelow(stale));
  }

  private async below(parent: ViewRow | undefined): Promise<ViewRow[]> {
    if (!parent) {
      await this.projects.updated();
      this.describe();
    }
    return this.rows.setLevel(parent, await this.levels.below(parent));
  }

  /** What stands around the rows is as true as they are. */
  private describe(): void {
    this.head.describe(this.settings);
    if (this.head.isOtherwise(this.deps.store.files().size, this.projects.current().length)) this.rootsLookedAt();
  }

  /** What is told after this is for the next refresh. */
  private async told(): Promise<void> {
    if (!this.view.visible) return;
    for (const path of this.changed) this.due.add(path);
    this.changed.clear();
    await this.projects.updated();
  }

  /** Refreshes what differs. What happens out of sight is seen when the view comes back. */
  private refresh(): void {
    if (!this.view.visible) return;
    this.describe();
    const stale = staleRows({
      rows: this.rows,
      levels: this.levels,
      differs: this.looks.differences(),
      grew: (path) => this.filterChanged || this.due.has(path),
    });
    this.due.clear();
    this.filterChanged = false;
    this.fire(stale);
  }

  /** Times grow old without anything happening. */
  private tick(): void {
    if (!this.view.visible) return;
    const differs = this.looks.differences();
    this.fire([...this.rows.all()].filter((row) => this.looks.wasSeen(row) && differs(row)));
  }

  private settingsChanged(): void {
    const before = this.settings;
    this.settings = viewSettings();
    this.filterChanged ||= before.filter !== this.settings.filter;
    this.projects.outdate();
    this.refresher.now();
  }

  private async showMore(more: MoreRow): Promise<void> {
    const parent = this.rows.parentOf(more);
    const siblings = this.rows.level(parent) ?? [];
    const neighbour = siblings[siblings.indexOf(more.id) + (more.side === 'earlier' ? 1 : -1)];
    this.levels.widen(more);
    this.fire([parent]);
    await this.settled();
    // The place where one was reading stays in sight.
    const row = neighbour === undefined ? undefined : this.rows.get(neighbour);
    if (row) await this.view.reveal(row, { select: true, focus: true });
  }
}
