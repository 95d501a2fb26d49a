/**
 * One open context view. Holds a snapshot without bodies; the page requests what becomes visible.
 * VS Code destroys the page of a hidden view; the page requests everything again when it is shown.
 */
import * as vscode from 'vscode';
import { type UntrustedPaths, type Session, SessionError, uiLine } from '../../../core/index';
import type { SessionRef } from '../../../contract';
import { setStatusBarMessage } from '../../../ui/messages';
import { localizeError } from '../../../ui/localize';
import { handleRequest } from './pageRequests';
import { BranchGraphPublisher } from '../snapshot/branchGraphPublisher';
import { ContextSearch } from '../search/contextSearch';
import { withRenderTimeout } from './renderWaiters';
import { placeholderHeader, buildHeader } from '../snapshot/pageHeader';
import { PageConnection } from './pageConnection';
import { findTarget } from '../snapshot/navigationTargets';
import type { FindQuery, FromPage, PageHeader, TargetKind, ViewMode } from '../../shared/protocol';
import {
  anchorAt,
  articleCount,
  firstDifference,
  groupIndexOf,
  abandonedLeaf,
  estimateLinesFrom,
  messageCount,
  readContext,
  type ContextSnapshot,
  type RestorePosition,
} from '../snapshot/contextSnapshot';
import { ContextUsageCache } from '../snapshot/contextOverview';
import { noTargetMessage, localizedStrings } from './localizedStrings';

export interface ViewDeps {
  readonly extensionUri: vscode.Uri;
  readonly session: (path: string) => Promise<Session>;
  readonly fileUri: (path: string) => vscode.Uri;
  readonly untrustedPaths: UntrustedPaths;
  /** Called after the person has gone to an entry in the page. */
  readonly navigated: (ref: Required<SessionRef>) => void;
  readonly act: (view: ContextView, message: Extract<FromPage, { type: 'act' }>) => void;
  readonly onError: (error: unknown, doing: string) => void;
}

/** An entry to scroll to, and what to mark there. */
export interface Landing {
  readonly entryId: string;
  /** Shown in the find widget; absent if nothing is to be marked. */
  readonly query?: FindQuery;
}

/** Milliseconds after which a page that doesn't answer counts as failed. */
const RENDER_TIMEOUT = 10_000;
/** Milliseconds that a status bar message is shown. */
const STATUS_MESSAGE_DURATION = 4000;

export class ContextView {
  private snapshot: ContextSnapshot | undefined;
  private header: PageHeader | undefined;
  /** Aborts the current load; a new load aborts the previous one. */
  private loading = new AbortController();
  private readonly page: PageConnection;
  private readonly usage = new ContextUsageCache();
  private readonly branchGraph = new BranchGraphPublisher((graph) => this.page.post({ type: 'branches', graph }));
  private readonly search = new ContextSearch((message) => this.page.post(message));
  /** The position to restore once a requested view is loaded. */
  private restorePosition: RestorePosition | undefined;
  /** The next context replaces this one. */
  private isPreview = false;
  /** The position to go to once the page shows the session. */
  private landing: Landing | undefined;

  constructor(
    readonly panel: vscode.WebviewPanel,
    private location: SessionRef,
    private readonly deps: ViewDeps,
    private view: ViewMode = 'model',
  ) {
    this.page = new PageConnection(panel, deps.extensionUri, (message) => this.receive(message), deps.onError);
    panel.onDidDispose(() => {
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

  /**
   * Shows a session's context at an entry and resolves once it is drawn.
   *
   * @param landing an entry of this context to scroll to.
   * @throws {SessionError} if the session can't be read; an `Error` if the page doesn't answer within 10 s; a
   * `CancellationError` if it is closed before.
   */
  async show(ref: SessionRef, landing?: Landing): Promise<{ messages: number }> {
    this.landing = landing;
    const isOther = ref.path !== this.location.path || ref.entryId !== this.location.entryId;
    this.location = ref;
    if (isOther) this.snapshot = undefined;
    const end = Date.now() + RENDER_TIMEOUT;
    await withRenderTimeout(this.load(), RENDER_TIMEOUT);
    await this.land();
    await this.page.whenRendered(Math.max(0, end - Date.now()));
    return { messages: this.snapshot ? messageCount(this.snapshot) : 0 };
  }

  /** Returns whether the view shows the branch of an entry. */
  shows({ path, entryId }: Required<SessionRef>): boolean {
    return path === this.location.path && this.snapshot?.plan.path.some(({ id }) => id === entryId) === true;
  }

  /** Reloads the session. Unchanged articles aren't sent again. */
  async refresh(): Promise<void> {
    // `load` has shown the error on the page.
    await this.load().catch(() => undefined);
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

  /** Goes to the next (1) or previous (-1) target. Doesn't reveal the panel, which would take the focus off the message. */
  step(kind: TargetKind, by: 1 | -1): void {
    this.page.post({ type: 'step', kind, by });
  }

  /** Scrolls to the landing once the page can show it. */
  private async land(): Promise<void> {
    const { landing } = this;
    if (!landing || !this.snapshot || !this.page.isConnected) return;
    this.landing = undefined;
    await this.goToEntry(landing.entryId);
    const index = groupIndexOf(this.snapshot, landing.entryId);
    if (landing.query && index !== undefined) this.page.post({ type: 'showMatches', query: landing.query, index });
  }

  private async load(): Promise<void> {
    this.loading.abort();
    const { signal } = (this.loading = new AbortController());
    try {
      const session = await this.deps.session(this.location.path);
      const snapshot = await readContext(session, this.location.entryId, this.view, signal);
      if (!signal.aborted) this.applySnapshot(snapshot);
    } catch (error) {
      if (signal.aborted) return;
      this.showWarning(error);
      throw error;
    }
  }

  private applySnapshot(snapshot: ContextSnapshot): void {
    const before = this.snapshot?.view === snapshot.view ? this.snapshot : undefined;
    const header = { ...buildHeader(snapshot, this.location.entryId), isPreview: this.isPreview };
    const sameHeader = JSON.stringify(header) === JSON.stringify(this.header);
    this.snapshot = snapshot;
    this.header = header;
    this.panel.title = uiLine(header.title);
    if (!this.page.isConnected) return;
    this.postUpdate(before, sameHeader);
    this.restorePosition = undefined;
    this.branchGraph.show(snapshot.session, snapshot.plan.leafId);
  }

  private postUpdate(before: ContextSnapshot | undefined, sameHeader: boolean): void {
    const snapshot = this.snapshot!;
    if (!before) {
      this.postOpen(this.restorePosition);
      return;
    }
    const from = firstDifference(before, snapshot);
    if (from === snapshot.groups.length && from === before.groups.length && sameHeader) return;
    const leftLeaf = abandonedLeaf(before, snapshot);
    const added = Math.max(0, articleCount(snapshot) - articleCount(before));
    this.page.post({
      type: 'update',
      revision: ++this.page.revision,
      header: this.header!,
      from,
      lines: estimateLinesFrom(snapshot, from),
      added,
      ...(leftLeaf === undefined ? {} : { abandonedLeaf: leftLeaf }),
    });
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
    if (!snapshot.plan.path.some(({ id }) => id === entryId)) {
      // The entry is on another branch.
      await this.show({ path: this.location.path, entryId });
    } else if (view !== this.view || index === undefined) {
      await this.switchView(view === this.view ? 'transcript' : view, { entryId, offset: 0, isTarget: true });
    } else this.page.post({ type: 'go', index, entryId });
  }

  private postOpen(position?: RestorePosition): void {
    if (!this.header) return;
    const anchor = position && this.snapshot && anchorAt(this.snapshot, position.entryId, position.offset);
    const lines = this.snapshot ? estimateLinesFrom(this.snapshot) : [];
    this.page.post({
      type: 'open',
      revision: ++this.page.revision,
      strings: localizedStrings(),
      header: this.header,
      lines,
      ...(anchor ? { anchor } : {}),
    });
    if (anchor && position.isTarget) this.page.post({ type: 'go', index: anchor.index, entryId: position.entryId });
  }

  /** Shows an error on the page and keeps the messages that are there. */
  private showWarning(error: unknown): void {
    if (!(error instanceof SessionError)) this.deps.onError(error, vscode.l10n.t('reading the context of {0}', this.location.path));
    const warning = localizeError(error);
    const known = this.header?.path === this.location.path ? this.header : undefined;
    this.header = { ...(known ?? placeholderHeader(this.location, this.view)), warning };
    if (!this.page.isConnected) return;
    if (known && this.snapshot)
      this.page.post({
        type: 'update',
        revision: ++this.page.revision,
        header: this.header,
        from: this.snapshot.groups.length,
        lines: [],
        added: 0,
      });
    else this.postOpen();
  }

  private receive(message: FromPage): void {
    this.handleMessage(message).catch((error: unknown) => {
      if (error instanceof vscode.CancellationError) return;
      const text = localizeError(error);
      if (!(error instanceof SessionError)) this.deps.onError(error, vscode.l10n.t('reading the context of {0}', this.location.path));
      // If the session can't be read, the header already shows why; the messages are from the last successful read.
      if (this.header?.warning === undefined) this.page.post({ type: 'failed', message: text });
    });
  }

  private async handleMessage(message: FromPage): Promise<void> {
    const {
      page,
      snapshot,
      page: { revision },
    } = this;
    switch (message.type) {
      case 'ready':
        page.pageReady();
        this.branchGraph.reset();
        if (this.header) this.postOpen();
        await this.refresh();
        return this.land();
      case 'rendered': {
        page.markRendered(message.revision);
        return;
      }
      case 'want':
      case 'wantText':
      case 'wantImage':
      case 'wantPaths':
      case 'openPath':
      case 'stay':
        if (snapshot)
          await handleRequest(snapshot, message, {
            revision,
            isCurrent: () => revision === page.revision && page.isConnected,
            post: (answer) => page.post(answer),
            fileUri: this.deps.fileUri,
            untrustedPaths: this.deps.untrustedPaths,
          });
        return;
      case 'wantOverview': {
        // Both views have the same context, so switching between them doesn't make the overview outdated.
        const isCurrent = (): boolean =>
          page.isConnected && this.snapshot?.session === snapshot?.session && this.snapshot?.plan.leafId === snapshot?.plan.leafId;
        const overview = snapshot && (await this.usage.overview(snapshot, isCurrent));
        if (overview && isCurrent()) this.page.post({ type: 'overview', overview });
        return;
      }
      case 'wantLargest':
        if (snapshot)
          this.page.post({ ...message, type: 'largest', items: this.usage.largest(snapshot.session, message.kind, message.tool) });
        return;
      case 'view': {
        const group = message.anchor && snapshot?.groups[message.anchor.index];
        return this.switchView(message.view, message.anchor && group && { entryId: group.first.entryId, offset: message.anchor.offset });
      }
      case 'go':
        await this.goToEntry(message.entryId, message.view);
        this.deps.navigated({ path: this.location.path, entryId: message.entryId });
        return;
      case 'wantPlace': {
        const target = snapshot && findTarget(snapshot, message.kind, message.by, message.from);
        if (!target) {
          this.announceNoTarget(message.kind, message.by);
          return;
        }
        this.page.post({ type: 'go', ...target });
        this.deps.navigated({ path: this.location.path, entryId: target.entryId });
        return;
      }
      case 'branches': {
        this.branchGraph.unfold(message.unfolded);
        return;
      }
      case 'find':
        if (snapshot && message.revision === revision)
          await this.search.search(snapshot, message, () => page.isConnected && this.snapshot === snapshot);
        return;
      case 'wantMatch':
        if (snapshot) await this.search.reportMatch(snapshot, message);
        return;
      case 'act': {
        this.deps.act(this, message);
        return;
      }
      case 'openLink':
        if (/^(https?|mailto):/i.test(message.href)) await vscode.env.openExternal(vscode.Uri.parse(message.href, true));
        return;
      case 'copy':
        return vscode.env.clipboard.writeText(message.text);
      case 'problem': {
        this.deps.onError(new Error(message.message), vscode.l10n.t('showing the context'));
        return;
      }
    }
  }

  /** Shows the message in the status bar and announces it to screen readers. */
  private announceNoTarget(kind: TargetKind, by: 1 | -1): void {
    const text = noTargetMessage(kind, by);
    setStatusBarMessage(text, STATUS_MESSAGE_DURATION);
    this.page.post({ type: 'say', text });
  }
}
