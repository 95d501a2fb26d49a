/** The messages: what is in sight is asked for and drawn; new ones are followed, or said to be there. */
import { isObject } from '../../../core/format/entry/entry';
import type { ScrollAnchor, PageHeader, ViewMode } from '../../shared/protocol';
import { drawArticle, drawPlaceholder, LINE_HEIGHT } from './articleView';
import { imageNote } from '../content/articleParts';
import { formatMessage, h } from '../ui/dom';
import { icon } from '../ui/icons';
import { ArticleList } from './articleList';
import type { PagePart } from '../shell/pagePart';
import type { PageContext } from '../shell/pageContext';
import { refreshTimes } from '../ui/timeElement';

/** Articles that are asked for beyond those in the page, on both sides. */
const PREFETCH = 12;

/** Pixels that stay free above what somebody went to. */
const TARGET_MARGIN = 24;

export interface MessagesPart extends PagePart {
  readonly list: ArticleList;
  /** What scrolls. */
  readonly main: HTMLElement;
  /** Shows the other view, at the same place. */
  readonly switchView: (view: ViewMode) => void;
}

export function messagesPart(room: PageContext): MessagesPart {
  const { strings, send, store, state: kept } = room;
  const main = h('main', { class: 'main', tabindex: 0, 'aria-label': strings.messages, 'data-empty': strings.empty });
  const news = h('button', { class: 'new-messages', type: 'button', hidden: true, title: strings.toEnd });
  let head: PageHeader | undefined;
  let unseen = 0;
  let rendered = -1;
  /** What is to be shown as soon as it is drawn. */
  let wanted: { readonly index: number; readonly entryId: string } | undefined;
  /** What had the focus last. */
  let last: HTMLElement | undefined;
  /** The message that had the focus before all was drawn anew. */
  let focused: string | undefined;

  const list = new ArticleList(main, {
    count: () => store.count,
    estimate: (index) => store.linesAt(index) * LINE_HEIGHT,
    has: (index) => store.get(index) !== undefined,
    prepare: (index, until) => {
      const article = store.get(index);
      return !article || room.markdown.prepare(article, room.folds, until);
    },
    draw: (index) => {
      const article = store.get(index);
      return article ? drawArticle(article, index, room) : drawPlaceholder(store.linesAt(index), room);
    },
    placeholder: (index) => drawPlaceholder(store.linesAt(index), room),
    onRange: (from, to) => {
      const range = store.requestMissing({ from: from - PREFETCH, to: to + PREFETCH });
      if (range) send({ type: 'want', revision: store.revision, ...range });
      store.trim(from);
      if (store.has({ from, to }) && list.isDrawn) settle();
      // What was known is drawn after the scroll, and nothing else tells of it.
      reach();
      refocus();
    },
    onScroll: () => {
      if (list.isAtEnd) see();
      kept.scheduleSave();
    },
  });
  kept.register('path', () => head?.path);
  kept.register('entryId', () => head?.entryId);
  kept.register('view', () => head?.view);
  kept.register('anchor', () => list.anchor);

  /** Tells the host once that this revision is on the screen. */
  const settle = (): void => {
    if (rendered === store.revision) return;
    rendered = store.revision;
    requestAnimationFrame(() => {
      performance.mark('rendered');
      send({ type: 'rendered', revision: rendered });
    });
  };

  const see = (): void => {
    unseen = 0;
    news.hidden = true;
  };

  /** Puts the focus on the message, or on the tool call in it, that somebody went to. */
  const reach = (): void => {
    const row = wanted && store.get(wanted.index) && list.row(wanted.index);
    if (!wanted || !row) return;
    const { index, entryId } = wanted;
    wanted = undefined;
    const article = row.querySelector<HTMLElement>('article');
    const found = row.querySelector<HTMLElement>(`details[data-entry="${CSS.escape(entryId)}"]`) ?? article;
    const inside = found && article && found !== article ? found.getBoundingClientRect().top - article.getBoundingClientRect().top : 0;
    if (inside > 0) list.show({ index, offset: inside - TARGET_MARGIN });
    for (const reached of main.querySelectorAll('.navigation-target')) reached.classList.remove('navigation-target');
    found?.classList.add('navigation-target');
    (found instanceof HTMLDetailsElement ? found.querySelector('summary') : found)?.focus({ preventScroll: true });
  };

  /** Whoever stood on a message stands on it again, if it is there and they went nowhere else. */
  const refocus = (): void => {
    if (focused === undefined) return;
    const { activeElement } = document;
    const isElsewhere = activeElement !== main && activeElement !== document.body;
    const article = isElsewhere ? undefined : main.querySelector<HTMLElement>(`article[data-entry="${CSS.escape(focused)}"]`);
    if (article === null) return;
    focused = undefined;
    article?.focus({ preventScroll: true });
  };

  const take = (now: PageHeader): void => {
    head = now;
    main.classList.toggle('is-empty', store.count === 0);
    if (store.count === 0) settle();
  };

  /** Keys scroll the messages, without a click into them; the focus is never taken from elsewhere in the window. */
  const enter = (): void => {
    if (!document.hasFocus() || document.activeElement !== document.body) return;
    if (last !== main && last?.checkVisibility()) { last.focus({ preventScroll: true }); return; }
    main.classList.add('focus-from-window');
    main.focus({ preventScroll: true });
  };

  // Who was in a menu of the editor comes back to what they opened it on.
  document.addEventListener('focusin', ({ target }) => { if (target instanceof HTMLElement) last = target; });
  window.addEventListener('focus', enter);
  window.addEventListener('keydown', () => main.classList.remove('focus-from-window'));
  news.addEventListener('click', () => {
    list.toEnd();
    see();
    main.focus({ preventScroll: true });
  });

  refreshTimes(main);

  return {
    list,
    main,
    switchView: (view) => {
      const { anchor } = list;
      send({ type: 'view', view, ...(anchor ? { anchor } : {}) });
    },
    element: h('div', { class: 'messages-pane' }, main, news),
    receive: {
      open: ({ revision, head: now, lines, anchor }) => {
        const first = head === undefined;
        const stays = LOCATION_KEYS.every((key) => (first ? kept.restored(key) : head?.[key]) === now[key]);
        const before = first ? anchorOf(kept.restored('anchor')) : list.anchor;
        const active = main.contains(document.activeElement) ? document.activeElement : undefined;
        focused = active?.closest<HTMLElement>('[data-entry]')?.dataset['entry'];
        store.open(revision, lines);
        if (head?.path !== now.path) room.pathLinks.clear();
        take(now);
        see();
        list.reset(anchor ?? (stays ? before : undefined));
        if (active) main.focus({ preventScroll: true });
        kept.scheduleSave();
        if (first) enter();
      },
      update: ({ revision, head: now, from, lines, added }) => {
        const wasAtEnd = list.isAtEnd;
        const { anchor } = list;
        const stood = anchor && anchor.index >= from ? store.get(anchor.index)?.entryId : undefined;
        store.update(revision, from, lines);
        take(now);
        list.update();
        if (anchor && stood !== undefined) send({ type: 'stay', entryId: stood, offset: anchor.offset });
        if (added === 0) return;
        unseen = wasAtEnd ? added : unseen + added;
        const text = unseen === 1 ? strings.newMessage : formatMessage(strings.newMessages, unseen);
        room.announce(text);
        if (wasAtEnd) { see(); return; }
        news.replaceChildren(icon('down'), text);
        news.hidden = false;
      },
      articles: ({ revision, from, articles }) => {
        list.update(store.put(revision, from, articles));
        reach();
        refocus();
      },
      stay: ({ anchor }) => list.show(anchor),
      paths: ({ found }) => room.pathLinks.confirmFiles(found),
      pathGone: ({ path }) => room.pathLinks.markMissing(path),
      go: ({ index, entryId }) => {
        wanted = { index, entryId };
        list.show({ index, offset: -TARGET_MARGIN });
        reach();
      },
      text: ({ index, n, from, text }) => {
        const article = list.row(index);
        const sent = store.get(index) && article?.querySelector(`[data-text="${n}"]`);
        if (!sent || from < store.middle(index, n).length) return;
        store.addPiece(index, n, text);
        sent.dispatchEvent(new Event('piece'));
      },
      image: ({ index, n, src, missing }) => {
        const image = list.row(index)?.querySelector<HTMLImageElement>(`img[data-image="${n}"]`);
        if (!image) return;
        if (src === undefined) image.replaceWith(imageNote(missing === 'damaged' ? strings.imageDamaged : strings.imageGone));
        else image.src = src;
      },
    },
  };
}

/** What makes a place another one. */
const LOCATION_KEYS = ['path', 'entryId', 'view'] as const satisfies readonly (keyof PageHeader)[];

function anchorOf(value: unknown): ScrollAnchor | undefined {
  return isObject(value) && typeof value['index'] === 'number' && typeof value['offset'] === 'number' ? { index: value['index'], offset: value['offset'] } : undefined;
}
