/**
 * One open context view. It holds a reading, not bodies; the page asks for what comes into sight.
 * A hidden page is thrown away by the editor and asks again when it is shown.
 */
import * as vscode from 'vscode';
import { type NamedPaths, type Session, SessionError, uiLine } from '../core/index';
import type { SessionRef } from '../contract';
import { setStatusBarMessage } from '../ui/messages';
import { reasonOf } from '../ui/sentence';
import { answerWish } from './answers';
import { BranchPictures } from './branches';
import { ContextFind } from './contextFind';
import { withinPatience } from './drawing';
import { bareHead, headOf } from './header';
import { PageLink } from './pageLink';
import { placeFrom } from './places';
import type { FromPage, Head, PlaceKind, ViewMode } from './protocol';
import { anchorAt, articleCount, firstDifference, groupOf, leftLeaf, linesFrom, messageCount, readContext, type Reading, type Standing } from './reading';
import { ContextCount } from './overview';
import { noPlace, pageStrings } from './strings';

export interface ViewDeps {
  readonly extensionUri: vscode.Uri;
  readonly session: (path: string) => Promise<Session>;
  readonly fileUri: (path: string) => vscode.Uri;
  readonly named: NamedPaths;
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
  /** The last load; one that was begun before it is given up. */
  private loading = new AbortController();
  private readonly page: PageLink;
  private readonly count = new ContextCount();
  private readonly branches = new BranchPictures((picture) => this.page.post({ type: 'branches', picture }));
  private readonly found = new ContextFind((message) => this.page.post(message));
  /** Where the page stood when the other view was wanted, until that is there. */
  private standing: Standing | undefined;

  constructor(
    readonly panel: vscode.WebviewPanel,
    private place: SessionRef,
    private readonly deps: ViewDeps,
    private view: ViewMode = 'model',
  ) {
    this.page = new PageLink(panel, deps.extensionUri, (message) => this.receive(message), deps.onError);
    panel.onDidDispose(() => {
      this.branches.forget();
      this.loading.abort();
    });
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
    await this.page.whenDrawn(Math.max(0, end - Date.now()));
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
    this.page.post({ type: 'openFind' });
  }

  /** Goes to the next (1) or previous (-1) place from what is in sight. Revealing the panel would take the focus off the message. */
  step(kind: PlaceKind, by: 1 | -1): void {
    this.page.post({ type: 'step', kind, by });
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
    this.panel.title = uiLine(head.title);
    if (!this.page.isThere) return;
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
    this.page.post({ type: 'update', revision: ++this.page.revision, head: this.head!, from, lines: linesFrom(reading, from), added, ...(movedFrom === undefined ? {} : { movedFrom }) });
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
    } else this.page.post({ type: 'go', index, entryId });
  }

  private open(standing?: Standing): void {
    if (!this.head) return;
    const anchor = standing && this.reading && anchorAt(this.reading, standing.entryId, standing.offset);
    const lines = this.reading ? linesFrom(this.reading) : [];
    this.page.post({ type: 'open', revision: ++this.page.revision, strings: pageStrings(), head: this.head, lines, ...(anchor ? { anchor } : {}) });
    if (anchor && standing.isWanted) this.page.post({ type: 'go', index: anchor.index, entryId: standing.entryId });
  }

  /** Says on the page what is wrong; what is there stays there. */
  private warn(error: unknown): void {
    if (!(error instanceof SessionError)) this.deps.onError(error, vscode.l10n.t('reading the context of {0}', this.place.path));
    const warning = reasonOf(error);
    const known = this.head?.path === this.place.path ? this.head : undefined;
    this.head = { ...(known ?? bareHead(this.place, this.view)), warning };
    if (!this.page.isThere) return;
    if (known && this.reading) this.page.post({ type: 'update', revision: ++this.page.revision, head: this.head, from: this.reading.groups.length, lines: [], added: 0 });
    else this.open();
  }

  private receive(message: FromPage): void {
    this.answer(message).catch((error: unknown) => {
      const text = reasonOf(error);
      if (!(error instanceof SessionError)) this.deps.onError(error, vscode.l10n.t('reading the context of {0}', this.place.path));
      // Of a session that can't be read any more it is said what it is already; what stands here is what was read before.
      if (this.head?.warning === undefined) this.page.post({ type: 'failed', message: text });
    });
  }

  private async answer(message: FromPage): Promise<void> {
    const { page, reading, page: { revision } } = this;
    switch (message.type) {
      case 'ready':
        page.begins();
        this.branches.forget();
        if (this.head) this.open();
        return this.refresh();
      case 'rendered':
        { page.drew(message.revision); return; }
      case 'want':
      case 'wantText':
      case 'wantImage':
      case 'wantPaths':
      case 'openPath':
      case 'stay':
        if (reading) await answerWish(reading, message, { revision, isThere: () => revision === page.revision && page.isThere, post: (answer) => page.post(answer), fileUri: this.deps.fileUri, named: this.deps.named });
        return;
      case 'wantOverview': {
        // The other view has the same context.
        const isTrue = (): boolean => page.isThere && this.reading?.session === reading?.session && this.reading?.plan.leafId === reading?.plan.leafId;
        const overview = reading && (await this.count.overview(reading, isTrue));
        if (overview && isTrue()) this.page.post({ type: 'overview', overview });
        return;
      }
      case 'wantLargest':
        if (reading) this.page.post({ ...message, type: 'largest', items: this.count.largest(reading.session, message.kind, message.tool) });
        return;
      case 'view': {
        const group = message.anchor && reading?.groups[message.anchor.index];
        return this.turnTo(message.view, message.anchor && group && { entryId: reading.slots[group.from]!.entryId, offset: message.anchor.offset });
      }
      case 'go':
        return this.go(message.entryId, message.view);
      case 'wantPlace': {
        const place = reading && placeFrom(reading, message.kind, message.by, message.from);
        if (place) this.page.post({ type: 'go', ...place });
        else this.sayNoPlace(message.kind, message.by);
        return;
      }
      case 'branches':
        { this.branches.unfold(message.unfolded); return; }
      case 'find':
        if (reading && message.revision === revision) await this.found.find(reading, message, () => page.isThere && this.reading === reading);
        return;
      case 'wantMatch':
        if (reading) await this.found.tellPlace(reading, message);
        return;
      case 'act':
        { this.deps.act(this, message); return; }
      case 'openLink':
        if (/^(https?|mailto):/i.test(message.href)) await vscode.env.openExternal(vscode.Uri.parse(message.href, true));
        return;
      case 'copy':
        return vscode.env.clipboard.writeText(message.text);
      case 'problem':
        { this.deps.onError(new Error(message.message), vscode.l10n.t('drawing a session’s context')); return; }
    }
  }

  /** For those who see the window, and for those who hear it. */
  private sayNoPlace(kind: PlaceKind, by: 1 | -1): void {
    const text = noPlace(kind, by);
    setStatusBarMessage(text, SAID);
    this.page.post({ type: 'say', text });
  }
}
