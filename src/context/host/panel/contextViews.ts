/**
 * Manages the open context views. One of them is the preview, which the next context replaces until it is kept open, as
 * in VS Code: by its command, or by a double click on the row. Restores all views after a window reload.
 */
import * as vscode from 'vscode';
import {
  defined,
  isObject,
  isOnPath,
  newestTipBelow,
  requireEntry,
  Yielder,
  type UntrustedPaths,
  type Session,
  type SessionSummary,
  type StoreChange,
} from '../../../core/index';
import { CONTEXT_PANEL, type EntryRef, type RowKey, type SessionRef } from '../../../contract';
import { loadCode } from '../../../ui/loadCode';
import { registerCommand } from '../../../ui/safe/registerCommand';
import { ContextPreview, sameRef } from './contextPreview';
import type { ContextView, RevealTarget } from './contextView';
import type { PointFacts } from '../branches/pointFacts';
import { runPageAction } from './pageActions';
import { webviewOptions } from './pageHtml';
import { VIEW_MODES, type FindQuery, type PageAction, type TargetKind, type ViewMode } from '../../shared/protocol';
import { registerSessionEditor } from './sessionEditor';

interface ContextDeps {
  readonly extensionUri: vscode.Uri;
  /** Returns the session with its current heads. */
  readonly session: (path: string) => Promise<Session>;
  readonly summaries: () => Iterable<Pick<SessionSummary, 'id' | 'path'>>;
  readonly summary: (path: string) => Pick<SessionSummary, 'id' | 'path'> | undefined;
  /** True for a session in a read-only root. */
  readonly isProtected: (path: string) => boolean;
  /** Returns the URI under which a file opens that a session's text names. */
  readonly fileUri: (path: string) => vscode.Uri;
  readonly untrustedPaths: UntrustedPaths;
  /** Runs a command, which shows its own errors. */
  /** Tells if a session's program runs: it works, or waits for the person. */
  readonly runState?: (path: string) => 'running' | 'waiting' | undefined;
  /** True for the session of a subagent, by its place. */
  readonly isSubagent: (path: string) => boolean;
  readonly run: (command: string, ref: SessionRef) => void;
  /** Selects the entry's row in the Sessions view. */
  readonly reveal: (ref: SessionRef) => void;
  readonly onError: (error: unknown, doing: string) => void;
  readonly points: PointFacts;
  /** In milliseconds. */
  readonly now: () => number;
}

interface ShowOptions {
  readonly preserveFocus?: boolean;
  /** Opens another view to the side of the active editor. */
  readonly toSide?: boolean;
}

/** Commands that navigate in the active view. */
const NAVIGATION_COMMANDS: readonly (readonly [command: string, kind: TargetKind, by: 1 | -1])[] = [
  ['sessionTree.contextNextUser', 'user', 1],
  ['sessionTree.contextPreviousUser', 'user', -1],
  ['sessionTree.contextNextError', 'error', 1],
  ['sessionTree.contextPreviousError', 'error', -1],
  ['sessionTree.contextNextLabel', 'label', 1],
  ['sessionTree.contextPreviousLabel', 'label', -1],
  ['sessionTree.contextNextCompaction', 'cut', 1],
  ['sessionTree.contextPreviousCompaction', 'cut', -1],
];

/** The actions of the keys that apply to messages, too. */
const KEY_ACTIONS: Readonly<Partial<Record<RowKey, PageAction>>> = { rename: 'label', openToSide: 'openToSide' };

type ViewClass = typeof ContextView;

export class ContextViews implements vscode.Disposable {
  private readonly views = new Set<ContextView>();
  /** Views whose session's file is gone. */
  private readonly orphans = new WeakSet<ContextView>();
  private readonly subscriptions: vscode.Disposable[] = [];
  private readonly navigated = new vscode.EventEmitter<SessionRef>();
  /** Fires with the entry that the person went to in a page. */
  readonly onDidNavigate = this.navigated.event;
  private readonly preview: ContextPreview;
  private isDisposed = false;
  /** Loads the code of a view when the first one opens, so that it doesn't delay the start. */
  private readonly loadView = async (): Promise<ViewClass> =>
    (await loadCode(() => import('./contextView'), this.deps.onError)).ContextView;

  constructor(private readonly deps: ContextDeps) {
    this.preview = new ContextPreview(deps.now);
    const serializer: vscode.WebviewPanelSerializer = {
      deserializeWebviewPanel: async (panel, state: unknown) => this.restore(await this.loadView(), panel, state),
    };
    this.subscriptions.push(
      vscode.window.registerWebviewPanelSerializer(CONTEXT_PANEL, serializer),
      registerCommand('sessionTree.keepOpen', () => this.preview.keepOpen()),
      registerSessionEditor(async (panel, path) => {
        panel.webview.options = webviewOptions(deps.extensionUri);
        void this.addView(await this.loadView(), panel, { path }, false).refresh();
      }),
      registerCommand('sessionTree.copySelection', () => this.activeView()?.copySelection()),
      registerCommand('sessionTree.findInContext', () => this.activeView()?.openFind()),
      ...NAVIGATION_COMMANDS.map(([command, kind, by]) => registerCommand(command, () => this.activeView()?.step(kind, by))),
    );
  }

  /**
   * Shows a context. A `ref` without an entry follows the leaf. Resolves once the page has drawn it.
   *
   * @throws {SessionError} if the session can't be read; an `Error` if the page doesn't answer within 10 s.
   */
  async show(ref: SessionRef, options: ShowOptions = {}): Promise<{ messages: number }> {
    const target: SessionRef = ref.entryId === undefined ? { path: ref.path } : { path: ref.path, entryId: ref.entryId };
    const View = await this.loadView();
    const view = options.toSide ? undefined : [...this.views].find((open) => sameRef(open.ref, target));
    if (!options.preserveFocus || !this.preview.click(target)) return this.showIn(View, view, target, options);
    if (view && view === this.preview.view) this.preview.keepOpen();
    return this.showIn(View, view, target, {});
  }

  /** Shows a context in a view, by default in the preview. */
  private async showIn(
    View: ViewClass,
    given: ContextView | undefined,
    target: SessionRef,
    options: ShowOptions,
    revealTarget?: RevealTarget,
  ): Promise<{ messages: number }> {
    const view = given ?? (options.toSide ? undefined : this.preview.view);
    if (view) {
      if (options.preserveFocus !== true || !view.panel.visible) view.panel.reveal(undefined, options.preserveFocus);
      return view.show(target, revealTarget);
    }
    // A panel that is created now would stay open.
    if (this.isDisposed) throw new vscode.CancellationError();
    const column = {
      viewColumn: options.toSide ? vscode.ViewColumn.Beside : vscode.ViewColumn.Active,
      preserveFocus: options.preserveFocus === true,
    };
    const panel = vscode.window.createWebviewPanel(
      CONTEXT_PANEL,
      vscode.l10n.t('Session context'),
      column,
      webviewOptions(this.deps.extensionUri),
    );
    const created = this.addView(View, panel, target, !options.toSide);
    return created.show(target, revealTarget);
  }

  /**
   * Shows the branch of an entry, scrolled to the entry. The branch is the session's current one, or the newest one with
   * the entry. Uses a view that shows such a branch, otherwise the preview.
   *
   * @throws {SessionError} like `show`; `unknown-entry`.
   */
  async showEntry(
    ref: EntryRef,
    { query, ...options }: ShowOptions & { /** Marked in the page. */ readonly query?: FindQuery } = {},
  ): Promise<void> {
    const [session, View] = await Promise.all([this.deps.session(ref.path), this.loadView()]);
    requireEntry(session, ref.entryId);
    const revealTarget: RevealTarget = { entryId: ref.entryId, ...defined({ query }) };
    const open = options.toSide ? undefined : this.viewShowing(ref);
    const target = open?.ref ?? (await branchOf(session, ref.entryId));
    // Another view may have been opened or closed while the branch was looked for.
    const view = options.toSide ? undefined : this.viewShowing(ref);
    await this.showIn(View, view, view?.ref ?? target, options, revealTarget);
  }

  /** Returns a view that shows a branch with an entry: the active one, a visible one, or any. */
  private viewShowing(ref: EntryRef): ContextView | undefined {
    const open = [...this.views].filter((view) => view.shows(ref));
    return open.find(({ panel }) => panel.active) ?? open.find(({ panel }) => panel.visible) ?? open[0];
  }

  /** Returns the session and entry of the view that is the active editor, if any; at the leaf, the leaf's id. */
  active(): SessionRef | undefined {
    const view = this.activeView();
    if (!view) return undefined;
    const { ref, entryId } = view;
    return entryId === undefined ? ref : { path: ref.path, entryId };
  }

  /** Returns the target of the active view, without an entry if it follows the leaf. */
  activeTarget(): SessionRef | undefined {
    return this.activeView()?.ref;
  }

  /** Returns whether a page has the keyboard focus. */
  hasFocus(): boolean {
    return this.activeView()?.hasFocus === true;
  }

  /** Runs the command of a key on the message of the active view that has the focus. */
  runKey(key: RowKey): void {
    const action = KEY_ACTIONS[key];
    if (action !== undefined) this.activeView()?.runOnFocused(action);
  }

  private activeView(): ContextView | undefined {
    return [...this.views].find(({ panel }) => panel.active);
  }

  /** Paths of the sessions that are shown. */
  paths(): string[] {
    return [...new Set([...this.views].map((view) => view.ref.path))];
  }

  /** Refreshes visible views. Hidden ones reload when they are shown. Views of a session that was archived or moved follow it. */
  sessionsChanged(change: StoreChange): void {
    for (const view of this.views) {
      const { path } = view.ref;
      const moved = this.movedTo(view, change);
      if (moved !== undefined) view.follow(moved);
      const isTouched = moved !== undefined || change.changed.has(path) || change.removed.has(path);
      if (isTouched && view.panel.visible) void view.refresh();
    }
  }

  /** Returns where the session of a view is after its file was removed. The removal and the new file may be reported in either order. */
  private movedTo(view: ContextView, { changed, removed }: StoreChange): string | undefined {
    const { path } = view.ref;
    if (removed.has(path)) this.orphans.add(view);
    else if (changed.has(path)) this.orphans.delete(view);
    if (!this.orphans.has(view)) return undefined;
    const candidates = removed.has(path) ? this.deps.summaries() : Array.from(changed, this.deps.summary);
    for (const candidate of candidates) {
      if (candidate === undefined || candidate.id !== view.sessionId || candidate.path === path) continue;
      this.orphans.delete(view);
      return candidate.path;
    }
    return undefined;
  }

  /** Called when other entries of these sessions have the files that are on the disk. */
  filesHereChanged(paths: readonly string[]): void {
    for (const view of this.views) if (paths.includes(view.ref.path) && view.panel.visible) view.showBranches();
  }

  /** Called when programs opened or released these sessions, or began to wait. */
  presenceChanged(paths: readonly string[]): void {
    for (const view of this.views) if (view.panel.visible && paths.includes(view.ref.path)) void view.refresh();
  }

  dispose(): void {
    this.isDisposed = true;
    for (const view of [...this.views]) view.panel.dispose();
    for (const subscription of [...this.subscriptions, this.navigated]) subscription.dispose();
  }

  private addView(View: ViewClass, panel: vscode.WebviewPanel, ref: SessionRef, isPreview: boolean, mode?: ViewMode): ContextView {
    const icon = (theme: string): vscode.Uri => vscode.Uri.joinPath(this.deps.extensionUri, 'media', `context-${theme}.svg`);
    panel.iconPath = { light: icon('light'), dark: icon('dark') };
    const pageDeps = { ...this.deps, navigated: (to: SessionRef) => this.navigated.fire(to) };
    const view = new View(
      panel,
      ref,
      { ...this.deps, runAction: (at, message) => runPageAction(at, message, pageDeps), navigated: pageDeps.navigated },
      mode,
    );
    this.views.add(view);
    if (isPreview) this.preview.set(view);
    this.preview.updateContextKey();
    panel.onDidChangeViewState(() => this.preview.updateContextKey());
    panel.onDidDispose(() => {
      this.views.delete(view);
      this.preview.closed(view);
    });
    return view;
  }

  private restore(View: ViewClass, panel: vscode.WebviewPanel, state: unknown): void {
    if (!isObject(state) || typeof state['path'] !== 'string') {
      panel.dispose();
      return;
    }
    const { path, entryId } = state;
    const mode = VIEW_MODES.find((known) => known === state['view']);
    const isPreview = state['preview'] === true && this.preview.view === undefined;
    const view = this.addView(View, panel, { path, ...(typeof entryId === 'string' ? { entryId } : {}) }, isPreview, mode);
    void view.refresh();
  }
}

/** Returns the ref whose context has an entry: the session, or the newest branch with the entry. */
async function branchOf(session: Session, entryId: string): Promise<SessionRef> {
  const { path, leafId } = session;
  if (isOnPath(session, leafId, entryId)) return { path };
  return { path, entryId: await new Yielder(undefined).run(newestTipBelow(session, entryId)) };
}
