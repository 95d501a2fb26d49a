/**
 * One open context view. It holds a reading, not bodies; the page asks for what comes into sight.
 * A hidden page is thrown away by the editor and asks again when it is shown.
 */
import * as vscode from 'vscode';
import { SessionError, type Session } from '../core/index';
import type { SessionRef } from '../contract';
import { BranchPictures } from './branches';
import { linesOf } from './groups';
import { filesAmong, openFile } from './filePaths';
import { headOf } from './header';
import { pageHtml, webviewOptions } from './html';
import type { Anchor, FromPage, Head, ToPage, ViewMode } from './protocol';
import { articleCount, firstDifference, groupNear, groupOf, messageCount, readContext, type Reading } from './reading';
import { ContextCount } from './overview';
import { articles, imageOf, restOfText } from './serve';
import { pageStrings } from './strings';

export interface ViewDeps {
  readonly extensionUri: vscode.Uri;
  readonly session: (path: string) => Promise<Session>;
  readonly act: (view: ContextView, message: Extract<FromPage, { type: 'act' }>) => void;
  readonly onError: (error: unknown, doing: string) => void;
}

/** Milliseconds until a page that does not answer counts as failed. */
const PATIENCE = 10_000;

export class ContextView {
  private reading: Reading | undefined;
  private head: Head | undefined;
  private revision = 0;
  /** The last load; an older one that comes late is dropped. */
  private turn = 0;
  private pageIsReady = false;
  private rendered = -1;
  private isClosed = false;
  private readonly count = new ContextCount();
  private readonly branches = new BranchPictures((picture) => this.post({ type: 'branches', picture }));
  private readonly waiting = new Set<{ resolve: () => void; reject: (error: Error) => void }>();

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
      this.fail(new Error(vscode.l10n.t('The context view was closed before it was drawn.')));
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
    return this.drawn(Math.max(0, end - Date.now()));
  }

  /** Looks at the session again. What did not change is not sent again. */
  async refresh(): Promise<void> {
    // What went wrong stands on the page.
    await this.load().catch(() => undefined);
  }

  private async load(): Promise<void> {
    const turn = ++this.turn;
    try {
      const session = await this.deps.session(this.place.path);
      const reading = await readContext(session, this.place.entryId, this.view);
      if (turn === this.turn) this.take(reading);
    } catch (error) {
      if (turn !== this.turn) return;
      this.warn(error);
      throw error;
    }
  }

  /** @param anchor where the page is to begin, if it is to begin anew. */
  private take(reading: Reading, anchor?: Anchor): void {
    const before = this.reading?.view === reading.view ? this.reading : undefined;
    const head = headOf(reading, this.place.entryId);
    const sameHead = JSON.stringify(head) === JSON.stringify(this.head);
    this.reading = reading;
    this.head = head;
    this.panel.title = head.title;
    if (!this.pageIsReady) return;
    this.tell(before, sameHead, anchor);
    this.branches.show(reading.session, reading.plan.leafId);
  }

  private tell(before: Reading | undefined, sameHead: boolean, anchor: Anchor | undefined): void {
    const reading = this.reading!;
    const head = this.head!;
    if (!before) { this.open(anchor); return; }
    const from = firstDifference(before, reading);
    if (from === reading.groups.length && from === before.groups.length && sameHead) return;
    const lines = reading.groups.slice(from).map((group) => linesOf(group, reading.slots));
    this.post({ type: 'update', revision: ++this.revision, head, from, lines, added: Math.max(0, articleCount(reading) - articleCount(before)) });
  }

  /** Shows the other view, with `entryId` where it is wanted, or what is nearest to it. */
  private async turnTo(view: ViewMode, entryId?: string, offset = 0): Promise<void> {
    const turn = ++this.turn;
    const before = this.reading;
    if (!before) return;
    this.view = view;
    const reading = await readContext(before.session, this.place.entryId, view);
    if (turn !== this.turn) return;
    const index = entryId === undefined ? undefined : groupNear(reading, entryId);
    // What is another article has another height.
    const same = index !== undefined && groupOf(reading, entryId!) !== undefined;
    this.take(reading, index === undefined ? undefined : { index, offset: same ? offset : 0 });
  }

  private async go(entryId: string, view = this.view): Promise<void> {
    const reading = this.reading;
    if (!reading) return;
    if (!reading.plan.path.some(({ id }) => id === entryId)) {
      // It is on another branch.
      await this.show({ path: this.place.path, entryId });
      return;
    }
    if (view !== this.view || groupOf(reading, entryId) === undefined) await this.turnTo(view === this.view ? 'transcript' : view, entryId);
    const index = this.reading && groupOf(this.reading, entryId);
    if (index !== undefined) this.post({ type: 'go', index, entryId });
  }

  private open(anchor?: Anchor): void {
    if (!this.head) return;
    const lines = this.reading?.groups.map((group) => linesOf(group, this.reading!.slots)) ?? [];
    this.post({ type: 'open', revision: ++this.revision, strings: pageStrings(), head: this.head, lines, ...(anchor ? { anchor } : {}) });
  }

  /** Says on the page what is wrong; what is there stays there. */
  private warn(error: unknown): void {
    if (!(error instanceof SessionError)) this.deps.onError(error, vscode.l10n.t('reading the context of {0}', this.place.path));
    const warning = sentence(error);
    const known = this.head?.path === this.place.path ? this.head : undefined;
    this.head = { ...(known ?? bare(this.place, this.view)), warning };
    if (!this.pageIsReady) return;
    if (known && this.reading) this.post({ type: 'update', revision: ++this.revision, head: this.head, from: this.reading.groups.length, lines: [], added: 0 });
    else this.open();
  }

  private drawn(patience: number): Promise<{ messages: number }> {
    const answer = (): { messages: number } => ({ messages: this.reading ? messageCount(this.reading) : 0 });
    if (this.pageIsReady && this.rendered >= this.revision) return Promise.resolve(answer());
    return new Promise((resolve, reject) => {
      const wait = {
        resolve: () => finish(() => resolve(answer())),
        reject: (error: Error) => finish(() => reject(error)),
      };
      const timer = setTimeout(() => wait.reject(tooSlow()), patience);
      const finish = (settle: () => void): void => {
        clearTimeout(timer);
        this.waiting.delete(wait);
        settle();
      };
      this.waiting.add(wait);
    });
  }

  private fail(error: Error): void {
    this.turn++;
    for (const wait of [...this.waiting]) wait.reject(error);
  }

  private receive(message: FromPage): void {
    this.answer(message).catch((error: unknown) => {
      const text = sentence(error);
      if (!(error instanceof SessionError)) this.deps.onError(error, vscode.l10n.t('reading the context of {0}', this.place.path));
      this.post({ type: 'failed', message: text });
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
        if (message.revision >= this.revision) for (const wait of [...this.waiting]) wait.resolve();
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
        const overview = reading && (await this.count.overview(reading, () => this.pageIsReady && !this.isClosed && this.reading?.session === reading.session));
        if (overview && this.reading?.session === reading.session) this.post({ type: 'overview', overview });
        return;
      }
      case 'wantLargest': {
        const { kind, tool } = message;
        if (reading) this.post({ type: 'largest', ...(kind === undefined ? {} : { kind }), ...(tool === undefined ? {} : { tool }), items: this.count.largest(reading.session, kind, tool) });
        return;
      }
      case 'view': {
        const group = message.anchor && reading?.groups[message.anchor.index];
        return this.turnTo(message.view, group && reading.slots[group.from]!.entryId, message.anchor?.offset);
      }
      case 'stay': {
        const index = reading && groupNear(reading, message.entryId);
        if (index !== undefined) this.post({ type: 'stay', anchor: { index, offset: groupOf(reading!, message.entryId) === undefined ? 0 : message.offset } });
        return;
      }
      case 'go':
        return this.go(message.entryId, message.view);
      case 'branches':
        { this.branches.unfold(message.unfolded); return; }
      case 'act':
        { this.deps.act(this, message); return; }
      case 'openLink':
        if (/^(https?|mailto):/i.test(message.href)) await vscode.env.openExternal(vscode.Uri.parse(message.href, true));
        return;
      case 'wantPaths':
        if (reading) this.post({ type: 'paths', found: await filesAmong(message.paths, reading.session.header.cwd) });
        return;
      case 'openPath':
        if (reading) await openFile(message.path, reading.session.header.cwd);
        return;
      case 'problem':
        { this.deps.onError(new Error(message.message), vscode.l10n.t('drawing a session’s context')); return; }
    }
  }

  private post(message: ToPage): void {
    // A closed panel throws at whoever still talks to it.
    if (!this.isClosed) void this.panel.webview.postMessage(message);
  }
}

function tooSlow(): Error {
  return Object.assign(new Error(vscode.l10n.t('The context view did not draw its messages within 10 seconds.')), { code: 'timeout' });
}

/** Gives up waiting, not working: what is slow is drawn when it is there. */
async function withinPatience(work: Promise<void>, patience: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(tooSlow()), patience);
  });
  try {
    await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
  }
}

function bare({ path, entryId }: SessionRef, view: ViewMode): Head {
  return { title: vscode.l10n.t('Session context'), place: path, atLeaf: entryId === undefined, view, facts: [], note: '', path, ...(entryId === undefined ? {} : { entryId }) };
}

function sentence(error: unknown): string {
  if (error instanceof SessionError) return vscode.l10n.t(error.template, error.args);
  return error instanceof Error ? error.message : String(error);
}
