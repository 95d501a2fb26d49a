/**
 * Answers the page from the session that is embedded in it, as the extension host does from files: with the same
 * snapshots, articles and search.
 */
import { defined } from '../../../core/format/values/defined';
import { entryPlainText } from '../../../core/format/entry/entryPlainText';
import { SessionError } from '../../../core/format/entry/problem';
import type { ExportInfo } from '../../../core/format/export/exportInfo';
import { isOnPath, subtree } from '../../../core/format/session/treeTraversal';
import { readArticles, readImage } from '../../articles/articleLoader';
import { answerFromSnapshot } from '../../articles/snapshotRequests';
import { ContextSearch } from '../../search/contextSearch';
import { localizeProblem, t } from '../../shared/localization';
import { noTargetMessage } from '../../shared/noTargetMessage';
import { isSafeLink } from '../../shared/markdownRenderer';
import type { FromPage, PageHeader, ToPage, ViewMode } from '../../shared/protocol';
import { ContextOverview } from '../../snapshot/contextOverview';
import { anchorAt, estimateLinesFrom, groupIndexOf, type RestorePosition } from '../../snapshot/snapshotPositions';
import { readContext, type ContextSnapshot } from '../../snapshot/contextSnapshot';
import { findTarget } from '../../snapshot/navigationTargets';
import { buildHeader, problemsText } from '../../snapshot/pageHeader';
import { targetOfKey } from '../shell/targetKeys';
import { copyText } from './copyText';
import { hashOf, parseHash, type EntryAddress } from './entryAddress';
import type { ExportedSession } from './exportedSession';

export class EmbeddedHost {
  private snapshot: ContextSnapshot | undefined;
  private revision = 0;
  private view: ViewMode = 'model';
  private post: (message: ToPage) => void = () => undefined;
  private readonly usage: ContextOverview;
  private readonly search = new ContextSearch((message) => this.post(message));

  constructor(
    private readonly exported: ExportedSession,
    private readonly info: ExportInfo,
  ) {
    this.usage = new ContextOverview(info.windows ?? {});
  }

  listen(listener: (message: ToPage) => void): void {
    this.post = listener;
    window.addEventListener('hashchange', () => this.run(() => this.followAddress()));
    window.addEventListener('keydown', (event) => {
      const target = targetOfKey(event);
      if (!target) return;
      event.preventDefault();
      this.post({ type: 'step', ...target });
    });
  }

  /** Answers later, since parts of the page send while they handle a message. */
  send(message: FromPage): void {
    queueMicrotask(() => this.run(() => this.handle(message)));
  }

  /** Yields all articles of the view, and returns their images as `data:` URLs. */
  async *articles(): ReturnType<typeof readArticles> {
    if (this.snapshot) yield* readArticles(this.snapshot, 0, this.snapshot.groups.length);
  }

  async image(index: number, nth: number): Promise<string | undefined> {
    return this.snapshot && (await readImage(this.snapshot, index, nth)).src;
  }

  private run(work: () => Promise<void>): void {
    work().catch((error: unknown) => {
      if (!(error instanceof SessionError)) console.error(error);
      this.post({ type: 'failed', message: error instanceof SessionError ? localizeProblem(error) : String(error) });
    });
  }

  private async handle(message: FromPage): Promise<void> {
    const { snapshot } = this;
    const { byId } = this.exported.session;
    switch (message.type) {
      case 'ready':
        return this.followAddress();
      case 'view': {
        const group = message.anchor && snapshot?.groups[message.anchor.index];
        this.view = message.view;
        return this.show(this.shownId, group && { entryId: group.first.entryId, offset: message.anchor.offset });
      }
      case 'go':
        if (!byId.has(message.entryId)) return;
        setAddress(hashOf({ entryId: message.entryId, isEnd: false }));
        return this.goTo(message.entryId, message.view);
      case 'wantTarget': {
        const target = snapshot && findTarget(snapshot, message.kind, message.by, message.from);
        this.post(target ? { type: 'go', ...target } : { type: 'announce', text: noTargetMessage(message.kind, message.by) });
        return;
      }
      case 'runAction':
        return this.runAction(message);
      case 'copy':
        return this.copy(message.text);
      case 'openLink':
        if (isSafeLink(message.href)) window.open(message.href, '_blank', 'noopener,noreferrer');
        return;
      case 'wantArticles':
      case 'wantText':
      case 'wantImage':
      case 'stay':
      case 'wantOverview':
      case 'wantLargest':
      case 'find':
      case 'wantMatch':
        if (!snapshot) return;
        return answerFromSnapshot(snapshot, message, {
          revision: () => this.revision,
          shown: () => this.snapshot,
          post: (answer) => this.post(answer),
          usage: this.usage,
          search: this.search,
        });
      default:
        // Files can't be opened from an exported page, and it has no branch graph.
        return;
    }
  }

  private async runAction({ action, entryId }: Extract<FromPage, { type: 'runAction' }>): Promise<void> {
    if (action === 'leaf') {
      setAddress('');
      return this.show(undefined);
    }
    if (entryId === undefined || !this.exported.session.byId.has(entryId)) return;
    if (action === 'copyText') return this.copy(entryPlainText(this.exported.body(entryId)));
    if (action === 'copyLink') return this.copy(linkTo({ entryId, isEnd: false }));
    if (action !== 'contextHere') return;
    setAddress(hashOf({ entryId, isEnd: true }));
    return this.show(entryId);
  }

  private async copy(text: string): Promise<void> {
    await copyText(text);
    this.post({ type: 'announce', text: t('Copied') });
  }

  /** The entry at which the conversation ends; `undefined` for the session's leaf. */
  private get shownId(): string | undefined {
    const id = this.snapshot?.plan.leafId ?? undefined;
    return id === this.exported.session.leafId ? undefined : id;
  }

  private async followAddress(): Promise<void> {
    const address = currentAddress();
    if (!address || !this.exported.session.byId.has(address.entryId)) return this.show(undefined);
    return address.isEnd ? this.show(address.entryId) : this.goTo(address.entryId);
  }

  /** Goes to an entry: on the branch that is shown, else on the newest one that contains it. */
  private async goTo(entryId: string, view = this.view): Promise<void> {
    const shown = this.snapshot ?? (await this.read(undefined, view));
    let end = this.snapshot ? this.shownId : undefined;
    if (!isOnPath(shown.session, shown.plan.leafId, entryId)) end = this.newestEnd(entryId);
    const wanted = await this.read(end, view);
    const index = groupIndexOf(wanted, entryId);
    this.view = index === undefined ? 'transcript' : view;
    const isSame = this.snapshot?.plan.leafId === wanted.plan.leafId && this.snapshot.view === this.view;
    if (isSame && index !== undefined) this.post({ type: 'go', index, entryId });
    else await this.show(end, { entryId, offset: 0, isTarget: true });
  }

  private newestEnd(entryId: string): string | undefined {
    const { session } = this.exported;
    const end = subtree(session, entryId).reduce((newest, head) => (head.line > newest.line ? head : newest)).id;
    return end === session.leafId ? undefined : end;
  }

  private read(entryId: string | undefined, view: ViewMode): Promise<ContextSnapshot> {
    return readContext(this.exported.session, this.exported.source, entryId, view);
  }

  private async show(entryId: string | undefined, position?: RestorePosition): Promise<void> {
    const snapshot = (this.snapshot = await this.read(entryId, this.view));
    const anchor = position && anchorAt(snapshot, position.entryId, position.offset);
    this.post({
      type: 'open',
      revision: ++this.revision,
      header: this.header(snapshot, entryId),
      lines: estimateLinesFrom(snapshot),
      ...defined({ anchor }),
    });
    if (anchor && position.isTarget) this.post({ type: 'go', index: anchor.index, entryId: position.entryId });
  }

  private header(snapshot: ContextSnapshot, entryId: string | undefined): PageHeader {
    const { problems: forEditor, ...header } = buildHeader(snapshot, entryId);
    // Not the editor's advice about the leaf, which names a menu.
    const problems = forEditor === undefined ? '' : problemsText(snapshot.session);
    const { title, note = '' } = this.info;
    return {
      ...header,
      ...(problems === '' ? {} : { problems }),
      title: title === '' ? header.title : title,
      note: [note, header.note].filter((text) => text !== '').join(' '),
      isWritable: false,
    };
  }
}

const meta = (name: string): string | undefined => document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content;

/** Returns the entry in the address; `undefined` if it has none. */
function currentAddress(): EntryAddress | undefined {
  const params = meta('pi-url-params');
  if (params === undefined) return parseHash(location.hash);
  const given = new URLSearchParams(params);
  const [target, leaf] = [given.get('targetId'), given.get('leafId')];
  return target ? { entryId: target, isEnd: false } : leaf ? { entryId: leaf, isEnd: true } : undefined;
}

/** Returns a link to an entry of the page. */
function linkTo(address: EntryAddress): string {
  const base = meta('pi-share-base-url');
  if (base === undefined) return location.href.replace(/#.*/s, '') + hashOf(address);
  return `${base}&${address.isEnd ? 'leafId' : 'targetId'}=${encodeURIComponent(address.entryId)}`;
}

/** Adds a place that the browser's Back button returns to. */
function setAddress(hash: string): void {
  // A frame without an address can't have one with a hash.
  if (location.protocol === 'about:' || location.hash === hash) return;
  history.pushState(history.state, '', hash === '' ? location.href.replace(/#.*/s, '') : hash);
}
