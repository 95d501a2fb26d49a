/**
 * One open context view. Holds a snapshot without bodies; the page requests what becomes visible.
 * VS Code destroys the page of a hidden view; the page requests everything again when it is shown.
 */
import { once } from 'node:events';
import * as vscode from 'vscode';
import { defined, isOnPath, type Session, SessionError, uiLine } from '../../../core/index';
import type { EntryRef, SessionRef } from '../../../contract';
import { localizeError } from '../../../ui/localize';
import { BranchGraphPublisher } from '../branches/branchGraphPublisher';
import { PointChanges, type PointFacts } from '../branches/pointFacts';
import { withRenderTimeout } from './renderWaiters';
import { buildHeader } from '../../snapshot/pageHeader';
import { PageConnection } from './pageConnection';
import { PageContent } from './pageContent';
import { PageMessages, type PageMessageDeps, type ViewActions } from './pageMessages';
import type { PageHeader } from '../../shared/pageSections';
import type { FindQuery, FromPage, PageAction, TargetKind, ViewMode } from '../../shared/protocol';
import { groupIndexOf, type RestorePosition } from '../../snapshot/snapshotPositions';
import { messageCount, type ContextSnapshot } from '../../snapshot/contextSnapshot';
import { readFileContext } from '../sessionFiles';

interface ViewDeps extends PageMessageDeps {
  readonly extensionUri: vscode.Uri;
  readonly session: (path: string) => Promise<Session>;
  /** True for a session in a read-only root. */
  readonly isProtected: (path: string) => boolean;
  /** Tells if a session's program runs: it works, or waits for the person. */
  readonly runState?: (path: string) => PageHeader['state'];
  /** True for the session of a subagent, by its place. */
  readonly isSubagent: (path: string) => boolean;
  /** Called after the person has gone to an entry in the page. */
  readonly navigated: (ref: EntryRef) => void;
  readonly points: PointFacts;
  readonly runAction: (view: ContextView, message: Extract<FromPage, { type: 'runAction' }>) => void;
}

/** An entry to scroll to, and what to mark there. */
export interface RevealTarget {
  readonly entryId: string;
  /** Shown in the find widget; absent if nothing is to be marked. */
  readonly query?: FindQuery;
}

/** Milliseconds after which a page that doesn't answer counts as failed. */
const RENDER_TIMEOUT = 10_000;

export class ContextView {
  /** Aborts the current load; a new load aborts the previous one. */
  private loading = new AbortController();
  /** The load in progress. */
  private running: Promise<void> | undefined;
  /** A refresh that waits for it. */
  private refreshing: Promise<void> | undefined;
  private readonly page: PageConnection;
  private readonly content: PageContent;
  private readonly branchGraph = new BranchGraphPublisher({
    post: (graph) => this.page.post({ type: 'branches', graph }),
    whenDrawn: () => this.page.whenRendered(RENDER_TIMEOUT).catch(() => undefined),
  });
  private readonly pointChanges: PointChanges;
  /** The position to restore once a requested view is loaded. */
  private restorePosition: RestorePosition | undefined;
  /** The next context replaces this one. */
  private isPreview = false;
  private isFocused = false;
  /** The position to go to once the page shows the session. */
  private revealTarget: RevealTarget | undefined;

  constructor(
    readonly panel: vscode.WebviewPanel,
    private location: SessionRef,
    private readonly deps: ViewDeps,
    private view: ViewMode = 'model',
  ) {
    this.page = new PageConnection(panel, deps.extensionUri, (message) => void messages.receive(message, this.location.path), deps.onError);
    this.content = new PageContent(this.page);
    this.pointChanges = new PointChanges(deps.points, (message) => this.page.post(message));
    const actions: ViewActions = {
      ready: () => this.ready(),
      switchView: (mode, position) => this.switchView(mode, position),
      goToEntry: (entryId, mode) => this.goToEntry(entryId, mode),
      navigated: (entryId) => deps.navigated({ path: this.location.path, entryId }),
      unfoldBranches: (unfolded) => this.branchGraph.unfold(unfolded),
      countChanges: (entryId) => this.pointChanges.show(entryId === undefined ? undefined : { path: this.location.path, entryId }),
      runAction: (message) => deps.runAction(this, message),
      focusChanged: (hasFocus) => (this.isFocused = hasFocus),
    };
    const messages = new PageMessages(this.page, this.content, actions, deps);
    panel.onDidDispose(() => {
      void this.pointChanges.show(undefined);
      this.branchGraph.reset();
      this.loading.abort();
    });
  }

  /** The session and entry that the view shows. Without an entry it follows the leaf. */
  get ref(): SessionRef {
    return this.location;
  }

  /** The entry that the view shows; the leaf's id if it follows the leaf. */
  get entryId(): string | undefined {
    return this.location.entryId ?? this.snapshot?.plan.leafId ?? undefined;
  }

  /** True while the page has the keyboard focus. A page that was hidden doesn't report that it lost it. */
  get hasFocus(): boolean {
    return this.isFocused && this.panel.active;
  }

  /** The id of the session that was read last. */
  get sessionId(): string | undefined {
    return this.snapshot?.session.header.id;
  }

  private get snapshot(): ContextSnapshot | undefined {
    return this.content.snapshot;
  }

  /**
   * Shows a session's context at an entry and resolves once it is drawn.
   *
   * @param revealTarget an entry of this context to scroll to.
   * @throws {SessionError} if the session can't be read; an `Error` if the page doesn't answer within 10 s; a
   * `CancellationError` if it is closed before.
   */
  async show(ref: SessionRef, revealTarget?: RevealTarget): Promise<{ messages: number }> {
    this.revealTarget = revealTarget;
    const isOther = ref.path !== this.location.path || ref.entryId !== this.location.entryId;
    this.location = ref;
    if (isOther) this.content.clearSnapshot();
    const end = Date.now() + RENDER_TIMEOUT;
    await withRenderTimeout(this.load(), RENDER_TIMEOUT);
    await this.revealPending();
    await this.page.whenRendered(Math.max(0, end - Date.now()));
    return { messages: this.snapshot ? messageCount(this.snapshot) : 0 };
  }

  /** Returns whether the view shows the branch of an entry. */
  shows({ path, entryId }: EntryRef): boolean {
    const { snapshot } = this;
    return path === this.location.path && snapshot !== undefined && isOnPath(snapshot.session, snapshot.plan.leafId, entryId);
  }

  /** Makes the view show the same session in another file, which the next refresh reads. */
  follow(path: string): void {
    this.location = { ...this.location, path };
  }

  /** Reloads the session. Unchanged articles aren't sent again. */
  refresh(): Promise<void> {
    return (this.refreshing ??= this.loadAgain());
  }

  /** The page saves whether it is the preview, to be restored as such. */
  setPreview(isPreview: boolean): void {
    this.isPreview = isPreview;
    if (this.page.isConnected) void this.refresh();
  }

  /** Opens the find widget in the page. */
  openFind(): void {
    this.panel.reveal();
    this.page.post({ type: 'openFind' });
  }

  /** Copies the text that is selected in the page. */
  copySelection(): void {
    this.page.post({ type: 'copySelection' });
  }

  /** Runs an action on the message that has the focus in the page. */
  runOnFocused(action: PageAction): void {
    this.page.post({ type: 'runOnFocused', action });
  }

  /** Goes to the next (1) or previous (-1) target. Doesn't reveal the panel, which would take the focus off the message. */
  step(kind: TargetKind, by: 1 | -1): void {
    this.page.post({ type: 'step', kind, by });
  }

  private async ready(): Promise<void> {
    this.branchGraph.reset();
    this.content.open();
    const { running } = this;
    if (running) {
      // It would only start over. It shows on the page what it has read, or why it couldn't.
      await running.catch(() => undefined);
      this.showBranches();
    } else await this.refresh();
    await this.revealPending();
  }

  /** Scrolls to the target once the page can show it. */
  private async revealPending(): Promise<void> {
    const { revealTarget } = this;
    if (!revealTarget || !this.snapshot || !this.page.isConnected) return;
    this.revealTarget = undefined;
    await this.goToEntry(revealTarget.entryId);
    const index = groupIndexOf(this.snapshot, revealTarget.entryId);
    if (revealTarget.query && index !== undefined) this.page.post({ type: 'showMatches', query: revealTarget.query, index });
  }

  /**
   * Waits for the load in progress: if each change began another load, a session that grows quickly would never be
   * shown. A replaced load may never end, as on a disk that hangs.
   */
  private async loadAgain(): Promise<void> {
    do await (this.running && Promise.race([this.running.catch(() => undefined), once(this.loading.signal, 'abort')]));
    while (this.running);
    this.refreshing = undefined;
    // `load` shows errors on the page.
    if (!this.loading.signal.aborted) await this.load().catch(() => undefined);
  }

  private load(): Promise<void> {
    this.loading.abort();
    const { signal } = (this.loading = new AbortController());
    const running = this.read(signal).finally(() => {
      if (this.running === running) this.running = undefined;
    });
    this.running = running;
    return running;
  }

  private async read(signal: AbortSignal): Promise<void> {
    try {
      const session = await this.deps.session(this.location.path);
      const snapshot = this.unchanged(session) ?? (await readFileContext(session, this.location.entryId, this.view, signal));
      if (!signal.aborted) await this.applySnapshot(snapshot, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.showWarning(error);
      throw error;
    }
  }

  /** Returns the snapshot if it is of this session, entry and view. */
  private unchanged(session: Session): ContextSnapshot | undefined {
    const { snapshot } = this;
    const isSame =
      snapshot?.session === session && snapshot.plan.leafId === (this.location.entryId ?? session.leafId) && snapshot.view === this.view;
    return isSame ? snapshot : undefined;
  }

  private async applySnapshot(snapshot: ContextSnapshot, signal: AbortSignal): Promise<void> {
    const built = buildHeader(snapshot, this.location.entryId);
    const isWritable = built.isWritable && !this.deps.isProtected(this.location.path);
    const isSubagent = this.deps.isSubagent(this.location.path) || undefined;
    const state = this.deps.runState?.(this.location.path);
    const { ending, ...rest } = built;
    // While a program runs, its answer is still to come.
    const header = {
      ...rest,
      isWritable,
      isPreview: this.isPreview,
      ...defined({ isSubagent, state, ending: state ? undefined : ending }),
    };
    this.panel.title = uiLine(header.title);
    const { isConnected } = this.page;
    const shown = this.content.show(snapshot, header, this.restorePosition, signal);
    if (isConnected) this.restorePosition = undefined;
    await shown;
    if (isConnected) this.showBranches();
  }

  /** Shows the branch graph, if it differs. */
  showBranches(): void {
    const { snapshot } = this;
    if (snapshot) this.branchGraph.show(snapshot.session, snapshot.plan.leafId, this.deps.points.filesHere(this.location.path));
  }

  /** Switches to the other view at the same position. */
  private async switchView(view: ViewMode, position: RestorePosition | undefined): Promise<void> {
    this.view = view;
    this.restorePosition = position;
    await this.load();
  }

  private async goToEntry(entryId: string, view = this.view): Promise<void> {
    const snapshot = this.snapshot;
    if (!snapshot) return;
    const index = groupIndexOf(snapshot, entryId);
    if (!isOnPath(snapshot.session, snapshot.plan.leafId, entryId)) {
      // The entry is on another branch.
      await this.show({ path: this.location.path, entryId });
    } else if (view !== this.view || index === undefined) {
      await this.switchView(view === this.view ? 'transcript' : view, { entryId, offset: 0, isTarget: true });
    } else this.page.post({ type: 'go', index, entryId });
  }

  /** Shows an error on the page and keeps the shown messages. */
  private showWarning(error: unknown): void {
    if (!(error instanceof SessionError)) this.deps.onError(error, vscode.l10n.t('reading the context of {0}', this.location.path));
    this.content.warn(localizeError(error), this.location, this.view);
  }
}
