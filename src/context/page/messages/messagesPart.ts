/** The list of messages: requests and draws the visible range, follows new messages or announces them. */
import { t } from '../../shared/localization';
import { defined } from '../../../core/format/values/defined';
import { isObject } from '../../../core/format/values/jsonValues';
import type { ScrollAnchor, PageHeader, ViewMode } from '../../shared/protocol';
import { drawArticle, drawPlaceholder, LINE_HEIGHT } from './articleView';
import { imageNote } from '../content/articleParts';
import { h } from '../ui/dom';
import { icon } from '../ui/icons';
import { ArticleList } from './articleList';
import { ActionMaker } from './entryActions';
import { MessageFocus } from './messageFocus';
import type { PagePart } from '../shell/pagePart';
import type { PageContext } from '../shell/pageContext';
import { refreshTimes } from '../ui/timeElement';

/** Articles requested beyond the visible range, on both sides. */
const PREFETCH = 16;

/** Pixels kept free above a navigation target. */
const TARGET_MARGIN = 24;

export interface MessagesPart extends PagePart {
  readonly list: ArticleList;
  /** The scrolling element. */
  readonly main: HTMLElement;
  /** Switches to the other view at the same position. */
  readonly switchView: (view: ViewMode) => void;
}

export function messagesPart(context: PageContext): MessagesPart {
  const { send, store, state } = context;
  const main = h('main', { class: 'main', tabindex: 0, 'aria-label': t('Messages'), 'data-empty': t('No messages yet.') });
  const newMessages = h('button', { class: 'new-messages', type: 'button', hidden: true, title: t('Go to End') });
  const ending = h('p', { class: 'ending', hidden: true, dir: 'auto' });
  let header: PageHeader | undefined;
  let unseen = 0;
  let rendered = -1;
  /** The navigation target to reveal once it is drawn. */
  let target: { readonly index: number; readonly entryId: string } | undefined;
  const focus = new MessageFocus(main);
  const actions = new ActionMaker(main);

  const list = new ArticleList(main, {
    count: () => store.count,
    estimate: (index) => store.linesAt(index) * LINE_HEIGHT,
    has: (index) => store.get(index) !== undefined,
    prepare: (index, until) => {
      const article = store.get(index);
      return !article || context.markdown.prepare(article, context.folds, until);
    },
    draw: (index) => {
      actions.drawn();
      const article = store.get(index);
      return article ? drawArticle(article, index, context) : drawPlaceholder(store.linesAt(index));
    },
    placeholder: (index) => drawPlaceholder(store.linesAt(index)),
    onRange: (from, to) => {
      const range = store.requestMissing({ from: from - PREFETCH, to: to + PREFETCH });
      if (range) send({ type: 'wantArticles', ...range });
      store.trim(from);
      const { visible } = list;
      if (visible && store.has(visible) && list.isDrawn) reportRendered();
      // Articles that are already loaded cause no message, so this is also checked here.
      revealTarget();
      focus.restore();
    },
    onScroll: () => {
      if (list.isAtEnd) markSeen();
      state.scheduleSave();
    },
  });
  // Below the rows, which the list has put there.
  main.append(ending);
  state.register('path', () => header?.path);
  state.register('entryId', () => header?.entryId);
  state.register('view', () => header?.view);
  state.register('preview', () => header?.isPreview);
  state.register('anchor', () => list.anchor);

  /** Reports once per revision that it is on the screen. */
  const reportRendered = (): void => {
    if (rendered === store.revision) return;
    rendered = store.revision;
    requestAnimationFrame(() => {
      performance.mark('rendered');
      send({ type: 'rendered', revision: rendered });
    });
  };

  const markSeen = (): void => {
    unseen = 0;
    newMessages.hidden = true;
  };

  /** Focuses the target message, or the tool call within it, which is unfolded so that its result is shown. */
  const revealTarget = (): void => {
    const row = target && store.get(target.index) && list.row(target.index);
    if (!target || !row) return;
    const { index, entryId } = target;
    target = undefined;
    const article = row.querySelector<HTMLElement>('article');
    const found = row.querySelector<HTMLElement>(`details[data-entry="${CSS.escape(entryId)}"]`) ?? article;
    if (found !== article) found?.dispatchEvent(new Event('unfold'));
    for (const previous of main.querySelectorAll('.navigation-target')) previous.classList.remove('navigation-target');
    // Before its content is measured: a target is laid out in full.
    found?.classList.add('navigation-target');
    const place = found && placeOf(found, main.clientHeight);
    const offset = place && article && place !== article ? place.getBoundingClientRect().top - article.getBoundingClientRect().top : 0;
    if (offset > 0) list.show({ index, offset: offset - TARGET_MARGIN });
    (found instanceof HTMLDetailsElement ? found.querySelector('summary') : found)?.focus({ preventScroll: true });
  };

  const setHeader = (newHeader: PageHeader): void => {
    if (header?.isPreview !== newHeader.isPreview) state.scheduleSave();
    header = newHeader;
    main.classList.toggle('is-empty', store.count === 0);
    ending.textContent = newHeader.ending ?? '';
    ending.hidden = newHeader.ending === undefined;
    if (store.count === 0) reportRendered();
  };

  newMessages.addEventListener('click', () => {
    list.toEnd();
    markSeen();
    main.focus({ preventScroll: true });
  });

  // The browser handles the key itself, and copies what is selected.
  main.addEventListener('copy', () => {
    const entryId = focus.entryId();
    const hasSelection = getSelection()?.isCollapsed === false;
    if (!hasSelection && entryId !== undefined) send({ type: 'runAction', action: 'copyText', entryId });
  });

  refreshTimes(main);

  return {
    list,
    main,
    switchView: (view) => {
      const { anchor } = list;
      send({ type: 'view', view, ...defined({ anchor }) });
    },
    element: h('div', { class: 'messages-pane' }, main, newMessages),
    receive: {
      open: ({ revision, header: newHeader, lines, anchor, last }) => {
        const first = header === undefined;
        const stays = LOCATION_KEYS.every((key) => (first ? state.restored(key) : header?.[key]) === newHeader[key]);
        const before = first ? anchorOf(state.restored('anchor')) : list.anchor;
        const hadFocus = focus.save();
        store.open(revision, lines);
        if (last) store.put(revision, last.from, last.articles);
        if (header?.path !== newHeader.path) {
          context.pathLinks.clear();
          focus.forget();
          getSelection()?.removeAllRanges();
        }
        setHeader(newHeader);
        markSeen();
        list.reset(anchor ?? (stays ? before : undefined));
        if (hadFocus) main.focus({ preventScroll: true });
        state.scheduleSave();
        if (first) focus.take();
      },
      update: ({ revision, header: newHeader, from, lines, added, last }) => {
        const wasAtEnd = list.isAtEnd;
        const { anchor } = list;
        const topEntryId = anchor && anchor.index >= from ? store.get(anchor.index)?.entryId : undefined;
        store.update(revision, from, lines);
        const changed = last ? store.put(revision, last.from, last.articles) : [];
        setHeader(newHeader);
        list.update(changed);
        if (anchor && topEntryId !== undefined) send({ type: 'stay', entryId: topEntryId, offset: anchor.offset });
        if (added === 0) return;
        unseen = wasAtEnd ? added : unseen + added;
        const text = unseen === 1 ? t('1 new message') : t('{0} new messages', unseen);
        context.announce(text);
        if (wasAtEnd) {
          markSeen();
          return;
        }
        newMessages.replaceChildren(icon('down'), text);
        newMessages.hidden = false;
      },
      articles: ({ revision, from, articles }) => {
        list.update(store.put(revision, from, articles));
        revealTarget();
        focus.restore();
      },
      stay: ({ anchor }) => list.show(anchor),
      copySelection: () => send({ type: 'copy', text: getSelection()?.toString() ?? '' }),
      runOnFocused: ({ action }) => {
        const entryId = focus.entryId();
        send({ type: 'runAction', action, ...defined({ entryId }) });
      },
      paths: ({ found }) => context.pathLinks.confirmFiles(found),
      pathGone: ({ path }) => context.pathLinks.markMissing(path),
      go: ({ index, entryId }) => {
        target = { index, entryId };
        list.show({ index, offset: -TARGET_MARGIN });
        revealTarget();
      },
      text: ({ index, nth, from, text }) => {
        const article = list.row(index);
        const sent = store.get(index) && article?.querySelector(`[data-text="${nth}"]`);
        if (!sent || from < store.middle(index, nth).length) return;
        store.addPiece(index, nth, text);
        sent.dispatchEvent(new Event('piece'));
      },
      image: ({ index, nth, src, missing }) => {
        const image = list.row(index)?.querySelector<HTMLImageElement>(`img[data-image="${nth}"]`);
        if (!image) return;
        if (src === undefined)
          (image.closest('.image') ?? image).replaceWith(
            imageNote(missing === 'damaged' ? t('Can’t show this image because its data is damaged.') : context.imageGone),
          );
        else image.src = src;
      },
    },
  };
}

/** Returns what to scroll to in a target: a tool call, or its result if long arguments would leave no room for it. */
function placeOf(target: HTMLElement, viewHeight: number): HTMLElement {
  const result = target.querySelector<HTMLElement>('.result-name');
  if (!result) return target;
  return result.getBoundingClientRect().top - target.getBoundingClientRect().top > viewHeight / 2 ? result : target;
}

/** Header fields that identify a position; if one changes, the scroll position isn't kept. */
const LOCATION_KEYS = ['path', 'entryId', 'view'] as const satisfies readonly (keyof PageHeader)[];

function anchorOf(value: unknown): ScrollAnchor | undefined {
  return isObject(value) && typeof value['index'] === 'number' && typeof value['offset'] === 'number'
    ? { index: value['index'], offset: value['offset'] }
    : undefined;
}
