/**
 * One open context view. It holds a reading, not bodies; the page asks for what comes into sight.
 * A hidden page is thrown away by the editor and asks again when it is shown.
 */
import * as vscode from 'vscode';
import { SessionError, type Session } from '../core/index';
import type { SessionRef } from '../contract';
import { BranchPictures } from './branches';
import { ContextFind } from './contextFind';
import { Drawing, withinPatience } from './drawing';
import { filesAmong, openFile } from './filePaths';
import { bareHead, headOf } from './header';
import { pageHtml, webviewOptions } from './html';
import { placeFrom } from './places';
import type { FromPage, Head, PlaceKind, ToPage, ViewMode } from './protocol';
import { anchorAt, articleCount, firstDifference, groupOf, leftLeaf, linesFrom, messageCount, readContext, type Reading, type Standing } from './reading';
import { ContextCount } from './overview';
import { sentence } from './sentence';
import { articles, imageOf, restOfText } from './serve';
import { noPlace, pageStrings } from './strings';

export interface ViewDeps {
  readonly extensionUri: vscode.Uri;
  readonly session: (path: string) => Promise<Session>;
  readonly act: (view: ContextView, message: Extract<FromPage, { type: 'act' }>) => void;
  readonly onError: (error: unknown, doing: string) => void;
}

/** Milliseconds until a page that does not answer counts as failed. */
const PATIENCE = 10_000;
/** Milliseconds that a word in the status bar stands. */
const SAID = 4000;

export class ContextView {
  private reading: Reading | undefined;
  private head: Head | undefined;
  private revision = 0;
  /** The last load; one that was begun before it is given up. */
  private loading = new AbortController();
  private pageIsReady = false;
  private rendered = -1;
  private isClosed = false;
  private readonly count = new ContextCount();
  private readonly branches = new BranchPictures((picture) => this.post({ type: 'branches', picture }));
  private readonly found = new ContextFind((message) => this.post(message));
  private readonly drawing = new Drawing();
  /** Where the page stood when the other view was wanted, until that is there. */
  private standing: Standing | undefined;

  constructor(
    readonly panel: vscode.WebviewPanel,
    private place: SessionRef,
    private readonly deps: ViewDeps,
    private view: ViewMode = 'model',
  ) {
    panel.webview.options = webviewOptions(deps.extensionUri);
    panel.webview.onDidReceiveMessage((message: FromPage) => this.receive(message));
    panel.onDidChangeViewState(() => {
      // A hidden page is gone; what it drew has to be drawn again.
      if (!panel.visible) this.pageIsReady = false;
    });
    panel.onDidDispose(() => {
      this.isClosed = true;
      this.branches.forget();
      this.loading.abort();
      this.drawing.fail(new Error(vscode.l10n.t('The context view was closed before it was drawn.')));
    });
    panel.webview.html = pageHtml(panel.webview, deps.extensionUri);
  }

  /** Where the view stands; without an entry it follows the leaf. */
  get ref(): SessionRef {
    return this.place;
  }

  /** The entry that is shown last, which is the leaf where the view follows it. */
  get entryId(): string | undefined {
    return this.place.entryId ?? this.reading?.plan.leafId ?? undefined;
  }

  /**
   * Goes there and resolves when it is drawn.
   *
   * @throws {SessionError} if there is nothing to read; an `Error` when the page does not answer in 10 s.
   */
  async show(ref: SessionRef): Promise<{ messages: number }> {
    const moved = ref.path !== this.place.path || ref.entryId !== this.place.entryId;
    this.place = ref;
    if (moved) this.reading = undefined;
    const end = Date.now() + PATIENCE;
    await withinPatience(this.load(), PATIENCE);
    if (!this.pageIsReady || this.rendered < this.revision) await this.drawing.wait(Math.max(0, end - Date.now()));
    return { messages: this.reading ? messageCount(this.reading) : 0 };
  }

  /** Looks at the session again. What did not change is not sent again. */
  async refresh(): Promise<void> {
    // What went wrong stands on the page.
    await this.load().catch(() => undefined);
  }

  /** Opens the search in the page. */
  openFind(): void {
    this.panel.reveal();
    this.post({ type: 'openFind' });
  }

  /** Goes to the next (1) or previous (-1) place from what is in sight. Revealing the panel would take the focus off the message. */
  step(kind: PlaceKind, by: 1 | -1): void {
    this.post({ type: 'step', kind, by });
  }

  private async load(): Promise<void> {
    this.loading.abort();
    const { signal } = (this.loading = new AbortController());
    try {
      const session = await this.deps.session(this.place.path);
      const reading = await readContext(session, this.place.entryId, this.view, signal);
      if (!signal.aborted) this.take(reading);
    } catch (error) {
      if (signal.aborted) return;
      this.warn(error);
      throw error;
    }
  }

  private take(reading: Reading): void {
    const before = this.reading?.view === reading.view ? this.reading : undefined;
    const head = headOf(reading, this.place.entryId);
    const sameHead = JSON.stringify(head) === JSON.stringify(this.head);
    this.reading = reading;
    this.head = head;
    this.panel.title = head.title;
    if (!this.pageIsReady) return;
    this.tell(before, sameHead);
    this.standing = undefined;
    this.branches.show(reading.session, reading.plan.leafId);
  }

  private tell(before: Reading | undefined, sameHead: boolean): void {
    const reading = this.reading!;
    if (!before) { this.open(this.standing); return; }
    const from = firstDifference(before, reading);
    if (from === reading.groups.length && from === before.groups.length && sameHead) return;
    const movedFrom = leftLeaf(before, reading);
    const added = Math.max(0, articleCount(reading) - articleCount(before));
    this.post({ type: 'update', revision: ++this.revision, head: this.head!, from, lines: linesFrom(reading, from), added, ...(movedFrom === undefined ? {} : { movedFrom }) });
  }

  /** Shows the other view, at the same place. */
  private async turnTo(view: ViewMode, standing: Standing | undefined): Promise<void> {
    this.view = view;
    this.standing = standing;
    await this.load();
  }

  private async go(entryId: string, view = this.view): Promise<void> {
    const reading = this.reading;
    if (!reading) return;
    const index = groupOf(reading, entryId);
    if (!reading.plan.path.some(({ id }) => id === entryId)) {
      // It is on another branch.
      await this.show({ path: this.place.path, entryId });
    } else if (view !== this.view || index === undefined) {
      await this.turnTo(view === this.view ? 'transcript' : view, { entryId, offset: 0, isWanted: true });
    } else this.post({ type: 'go', index, entryId });
  }

  private open(standing?: Standing): void {
    if (!this.head) return;
    const anchor = standing && this.reading && anchorAt(this.reading, standing.entryId, standing.offset);
    const lines = this.reading ? linesFrom(this.reading) : [];
    this.post({ type: 'open', revision: ++this.revision, strings: pageStrings(), head: this.head, lines, ...(anchor ? { anchor } : {}) });
    if (anchor && standing.isWanted) this.post({ type: 'go', index: anchor.index, entryId: standing.entryId });
  }

  /** Says on the page what is wrong; what is there stays there. */
  private warn(error: unknown): void {
    if (!(error instanceof SessionError)) this.deps.onError(error, vscode.l10n.t('reading the context of {0}', this.place.path));
    const warning = sentence(error);
    const known = this.head?.path === this.place.path ? this.head : undefined;
    this.head = { ...(known ?? bareHead(this.place, this.view)), warning };
    if (!this.pageIsReady) return;
    if (known && this.reading) this.post({ type: 'update', revision: ++this.revision, head: this.head, from: this.reading.groups.length, lines: [], added: 0 });
    else this.open();
  }

  private receive(message: FromPage): void {
    this.answer(message).catch((error: unknown) => {
      const text = sentence(error);
      if (!(error instanceof SessionError)) this.deps.onError(error, vscode.l10n.t('reading the context of {0}', this.place.path));
      // Of a session that can't be read any more it is said what it is already; what stands here is what was read before.
      if (this.head?.warning === undefined) this.post({ type: 'failed', message: text });
    });
  }

  private async answer(message: FromPage): Promise<void> {
    const { reading, revision } = this;
    switch (message.type) {
      case 'ready':
        this.pageIsReady = true;
        this.rendered = -1;
        this.branches.forget();
        if (this.head) this.open();
        return this.refresh();
      case 'rendered':
        this.rendered = message.revision;
        if (message.revision >= this.revision) this.drawing.done();
        return;
      case 'want':
        if (!reading || message.revision !== revision) return;
        for await (const page of articles(reading, message.from, message.to)) {
          if (revision !== this.revision || this.isClosed) return;
          this.post({ type: 'articles', revision, ...page });
        }
        return;
      case 'wantText': {
        const text = reading && (await restOfText(reading, message.index, message.n, message.from));
        if (text && revision === this.revision) this.post(text);
        return;
      }
      case 'wantImage': {
        const image = reading && (await imageOf(reading, message.index, message.n));
        if (image && revision === this.revision) this.post(image);
        return;
      }
      case 'wantOverview': {
        // The other view has the same context.
        const isTrue = (): boolean => this.pageIsReady && !this.isClosed && this.reading?.session === reading?.session && this.reading?.plan.leafId === reading?.plan.leafId;
        const overview = reading && (await this.count.overview(reading, isTrue));
        if (overview && isTrue()) this.post({ type: 'overview', overview });
        return;
      }
      case 'wantLargest':
        if (reading) this.post({ ...message, type: 'largest', items: this.count.largest(reading.session, message.kind, message.tool) });
        return;
      case 'view': {
        const group = message.anchor && reading?.groups[message.anchor.index];
        return this.turnTo(message.view, message.anchor && group && { entryId: reading.slots[group.from]!.entryId, offset: message.anchor.offset });
      }
      case 'stay': {
        const anchor = reading && anchorAt(reading, message.entryId, message.offset);
        if (anchor) this.post({ type: 'stay', anchor });
        return;
      }
      case 'go':
        return this.go(message.entryId, message.view);
      case 'wantPlace': {
        const place = reading && placeFrom(reading, message.kind, message.by, message.from);
        if (place) this.post({ type: 'go', ...place });
        else this.sayNoPlace(message.kind, message.by);
        return;
      }
      case 'branches':
        { this.branches.unfold(message.unfolded); return; }
      case 'find':
        if (reading && message.revision === revision) await this.found.find(reading, message, () => this.pageIsReady && !this.isClosed && this.reading === reading);
        return;
      case 'wantMatch':
        if (reading) await this.found.tellPlace(reading, message);
        return;
      case 'act':
        { this.deps.act(this, message); return; }
      case 'openLink':
        if (/^(https?|mailto):/i.test(message.href)) await vscode.env.openExternal(vscode.Uri.parse(message.href, true));
        return;
      case 'wantPaths':
        if (reading) this.post({ type: 'paths', found: await filesAmong(message.paths, reading.session.header.cwd) });
        return;
      case 'openPath':
        if (reading && !(await openFile(message.path, reading.session.header.cwd))) this.post({ type: 'pathGone', path: message.path });
        return;
      case 'problem':
        { this.deps.onError(new Error(message.message), vscode.l10n.t('drawing a session’s context')); return; }
    }
  }

  /** For those who see the window, and for those who hear it. */
  private sayNoPlace(kind: PlaceKind, by: 1 | -1): void {
    const text = noPlace(kind, by);
    vscode.window.setStatusBarMessage(text, SAID);
    this.post({ type: 'say', text });
  }

  private post(message: ToPage): void {
    // A closed panel throws at whoever still talks to it.
    if (!this.isClosed) void this.panel.webview.postMessage(message);
  }
}
