/** The content of a context view's page: a header and a snapshot without bodies. Sends only what differs. */
import type { SessionRef } from '../../../contract';
import { defined } from '../../../core/index';
import { readLastArticles } from '../../articles/articleLoader';
import type { ArticleRange, PageHeader, ToPage, ViewMode } from '../../shared/protocol';
import { abandonedLeaf, firstDifference } from '../../snapshot/compareSnapshots';
import { anchorAt, estimateLinesFrom, type RestorePosition } from '../../snapshot/snapshotPositions';
import { articleCount, type ContextSnapshot } from '../../snapshot/contextSnapshot';
import { placeholderHeader } from '../../snapshot/pageHeader';
import type { PageConnection } from './pageConnection';

type UpdatePart = Pick<Extract<ToPage, { type: 'update' }>, 'header' | 'from' | 'last'>;

export class PageContent {
  private shown: ContextSnapshot | undefined;
  private header: PageHeader | undefined;
  /** The snapshot's last articles, which are read while the page loads for the first time. */
  private last: { readonly snapshot: ContextSnapshot; readonly range: ArticleRange } | undefined;

  constructor(private readonly page: PageConnection) {}

  get snapshot(): ContextSnapshot | undefined {
    return this.shown;
  }

  /** True if the header says that the session couldn't be read. The messages are from the last time that it could. */
  get hasWarning(): boolean {
    return this.header?.warning !== undefined;
  }

  /**
   * Shows a snapshot. A page that isn't connected shows it when `open` is called. Resolves when everything is read with
   * which a new page begins.
   *
   * @param position where to scroll to if the page has no other snapshot of the same kind
   * @param signal aborted when another snapshot is being read, which is shown instead
   */
  async show(snapshot: ContextSnapshot, header: PageHeader, position: RestorePosition | undefined, signal: AbortSignal): Promise<void> {
    const before = this.shown?.view === snapshot.view ? this.shown : undefined;
    const from = before ? firstDifference(before, snapshot) : 0;
    // The page draws them with the update. If it had to request them, each new message would be a placeholder first.
    const last = before && this.page.isConnected ? await readLastOf(snapshot, from) : undefined;
    if (signal.aborted) return;
    const isSameHeader = JSON.stringify(header) === JSON.stringify(this.header);
    this.shown = snapshot;
    this.header = header;
    if (!this.page.isConnected) {
      if (this.page.revision === 0) await this.readLast(snapshot);
      return;
    }
    if (!before) this.open(position);
    else if (from < Math.max(before.groups.length, snapshot.groups.length) || !isSameHeader)
      this.update(before, snapshot, { header, from, ...defined({ last }) });
  }

  /** Forgets the snapshot, since another session or entry is to be shown. */
  clearSnapshot(): void {
    this.shown = undefined;
  }

  /** Sends everything to an empty page. */
  open(position?: RestorePosition): void {
    if (!this.header) return;
    const last = position === undefined && this.last?.snapshot === this.shown ? this.last?.range : undefined;
    this.last = undefined;
    const anchor = position && this.shown && anchorAt(this.shown, position.entryId, position.offset);
    this.page.post({
      type: 'open',
      revision: ++this.page.revision,
      header: this.header,
      lines: this.shown ? estimateLinesFrom(this.shown) : [],
      ...defined({ anchor, last }),
    });
    if (anchor && position.isTarget) this.page.post({ type: 'go', index: anchor.index, entryId: position.entryId });
  }

  /** Shows a warning in the header, and keeps the shown messages. */
  warn(warning: string, ref: SessionRef, view: ViewMode): void {
    const known = this.header?.path === ref.path ? this.header : undefined;
    this.header = { ...(known ?? placeholderHeader(ref, view)), warning };
    if (!this.page.isConnected) return;
    if (!known || !this.shown) {
      this.open();
      return;
    }
    this.page.post({
      type: 'update',
      revision: ++this.page.revision,
      header: this.header,
      from: this.shown.groups.length,
      lines: [],
      added: 0,
    });
  }

  /** Reads the articles with which a page begins, while it loads. */
  private async readLast(snapshot: ContextSnapshot): Promise<void> {
    const range = await readLastOf(snapshot, 0);
    if (!range || this.shown !== snapshot) return;
    if (this.page.revision === 0) this.last = { snapshot, range };
    else if (this.page.isConnected) this.page.post({ type: 'articles', revision: this.page.revision, ...range });
  }

  /** Sends the header and the articles from the first one that differs. */
  private update(before: ContextSnapshot, snapshot: ContextSnapshot, part: UpdatePart): void {
    const leftLeaf = abandonedLeaf(before, snapshot);
    const added = Math.max(0, articleCount(snapshot) - articleCount(before));
    this.page.post({
      type: 'update',
      revision: ++this.page.revision,
      lines: estimateLinesFrom(snapshot, part.from),
      added,
      ...part,
      ...defined({ abandonedLeaf: leftLeaf }),
    });
  }
}

/** Reads the last articles from `from` on. If they can't be read, the page requests them, and shows the reason. */
const readLastOf = (snapshot: ContextSnapshot, from: number): Promise<ArticleRange | undefined> =>
  readLastArticles(snapshot, from).catch(() => undefined);
