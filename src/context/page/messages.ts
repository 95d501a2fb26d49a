/** The messages: what is in sight is asked for and drawn; new ones are followed, or said to be there. */
import { isObject } from '../../core/format/entry';
import type { Head } from '../protocol';
import { drawArticle, drawPlaceholder, LINE } from './articleView';
import { fill, h } from './dom';
import { icon } from './icons';
import { ArticleList, type Anchor } from './list';
import type { PagePart } from './part';
import type { Room } from './room';

/** Articles that are asked for beyond those in the page, on both sides. */
const AHEAD = 12;

export interface MessagesPart extends PagePart {
  readonly list: ArticleList;
}

export function messagesPart(room: Room): MessagesPart {
  const { strings, send, store, kept } = room;
  const main = h('main', { class: 'main', tabindex: 0, 'aria-label': strings.messages, 'data-empty': strings.empty });
  const news = h('button', { class: 'news', type: 'button', hidden: true, title: strings.toEnd });
  let head: Head | undefined;
  let unseen = 0;
  let rendered = -1;

  const list = new ArticleList(main, {
    count: () => store.count,
    estimate: (index) => store.linesAt(index) * LINE,
    draw: (index) => {
      const article = store.get(index);
      return article ? drawArticle(article, index, room) : drawPlaceholder(store.linesAt(index), room);
    },
    onRange: (from, to) => {
      const range = store.want({ from: from - AHEAD, to: to + AHEAD });
      if (range) send({ type: 'want', revision: store.revision, ...range });
      store.trim(from);
      if (store.has({ from, to })) settle();
    },
    onScroll: () => {
      if (list.isAtEnd) see();
      kept.changed();
    },
  });
  kept.keep('path', () => head?.path);
  kept.keep('entryId', () => head?.entryId);
  kept.keep('anchor', () => list.anchor);

  /** Tells the host once that this revision is on the screen. */
  const settle = (): void => {
    if (rendered === store.revision) return;
    rendered = store.revision;
    requestAnimationFrame(() => send({ type: 'rendered', revision: rendered }));
  };

  const see = (): void => {
    unseen = 0;
    news.hidden = true;
  };

  const take = (now: Head): void => {
    head = now;
    main.classList.toggle('is-empty', store.count === 0);
    if (store.count === 0) settle();
  };

  /** Keys scroll the messages, without a click into them; the focus is never taken from elsewhere in the window. */
  const enter = (): void => {
    if (!document.hasFocus() || document.activeElement !== document.body) return;
    main.classList.add('entered');
    main.focus({ preventScroll: true });
  };

  window.addEventListener('focus', enter);
  window.addEventListener('keydown', () => main.classList.remove('entered'));
  news.addEventListener('click', () => {
    list.toEnd();
    see();
    main.focus({ preventScroll: true });
  });

  return {
    list,
    element: h('div', { class: 'stage' }, main, news),
    receive: {
      open: ({ revision, head: now, lines }) => {
        const first = head === undefined;
        const stays = first ? kept.was('path') === now.path && kept.was('entryId') === now.entryId : head?.path === now.path && head.entryId === now.entryId;
        const anchor = first ? anchorOf(kept.was('anchor')) : list.anchor;
        store.open(revision, lines);
        take(now);
        see();
        list.reset(stays ? anchor : undefined);
        kept.changed();
        if (first) enter();
      },
      update: ({ revision, head: now, from, lines }) => {
        const wasAtEnd = list.isAtEnd;
        const added = store.update(revision, from, lines);
        take(now);
        list.update();
        if (added === 0) return;
        unseen = wasAtEnd ? added : unseen + added;
        const text = unseen === 1 ? strings.newMessage : fill(strings.newMessages, unseen);
        room.say(text);
        if (wasAtEnd) { see(); return; }
        news.replaceChildren(icon('down'), text);
        news.hidden = false;
      },
      articles: ({ revision, from, articles }) => list.update(store.put(revision, from, articles)),
      text: ({ index, n, from, text }) => {
        const article = list.row(index);
        const sent = store.get(index) && article?.querySelector(`[data-text="${n}"]`);
        if (!sent || from < store.middle(index, n).length) return;
        store.addPiece(index, n, text);
        sent.dispatchEvent(new Event('piece'));
      },
      image: ({ index, n, src }) => {
        const image = list.row(index)?.querySelector<HTMLImageElement>(`img[data-image="${n}"]`);
        if (!image) return;
        if (src === undefined) image.replaceWith(h('p', { class: 'image-missing muted' }, strings.imageGone));
        else image.src = src;
      },
    },
  };
}

function anchorOf(value: unknown): Anchor | undefined {
  return isObject(value) && typeof value['index'] === 'number' && typeof value['offset'] === 'number' ? { index: value['index'], offset: value['offset'] } : undefined;
}
