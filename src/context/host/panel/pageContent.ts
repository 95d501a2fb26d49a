/** The content of a context view's page: a header and a snapshot without bodies. Sends only what differs. */
import type { SessionRef } from '../../../contract';
import { defined } from '../../../core/index';
import { readLastArticles } from '../../articles/articleLoader';
import type { ArticleRange, PageHeader, ViewMode } from '../../shared/protocol';
import { abandonedLeaf, firstDifference } from '../../snapshot/compareSnapshots';
import { anchorAt, estimateLinesFrom, type RestorePosition } from '../../snapshot/snapshotPositions';
import { articleCount, type ContextSnapshot } from '../../snapshot/contextSnapshot';
import { placeholderHeader } from '../../snapshot/pageHeader';
import { localizedStrings } from '../../shared/localizedStrings';
import type { PageConnection } from './pageConnection';

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
   */
  async show(snapshot: ContextSnapshot, header: PageHeader, position: RestorePosition | undefined): Promise<void> {
    const before = this.shown?.view === snapshot.view ? this.shown : undefined;
    const isSameHeader = JSON.stringify(header) === JSON.stringify(this.header);
    this.shown = snapshot;
    this.header = header;
    if (!this.page.isConnected) {
      if (this.page.revision === 0) await this.readLast(snapshot);
      return;
    }
    if (before) this.update(before, snapshot, header, isSameHeader);
    else this.open(position);
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
      strings: localizedStrings(),
      header: this.header,
      lines: this.shown ? estimateLinesFrom(this.shown) : [],
      ...defined({ anchor, last }),
    });
    if (anchor && position.isTarget) this.page.post({ type: 'go', index: anchor.index, entryId: position.entryId });
  }

  /** Shows a warning in the header, and keeps the messages that are there. */
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
    // If they can't be read, the page requests them, and shows the reason.
    const range = await readLastArticles(snapshot).catch(() => undefined);
    if (!range || this.shown !== snapshot) return;
    if (this.page.revision === 0) this.last = { snapshot, range };
    else if (this.page.isConnected) this.page.post({ type: 'articles', revision: this.page.revision, ...range });
  }

  /** Sends the header and the articles from the first one that differs. */
  private update(before: ContextSnapshot, snapshot: ContextSnapshot, header: PageHeader, isSameHeader: boolean): void {
    const from = firstDifference(before, snapshot);
    if (from === snapshot.groups.length && from === before.groups.length && isSameHeader) return;
    const leftLeaf = abandonedLeaf(before, snapshot);
    const added = Math.max(0, articleCount(snapshot) - articleCount(before));
    this.page.post({
      type: 'update',
      revision: ++this.page.revision,
      header,
      from,
      lines: estimateLinesFrom(snapshot, from),
      added,
      ...defined({ abandonedLeaf: leftLeaf }),
    });
  }
}
