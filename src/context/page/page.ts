/** The context page: takes the host's messages, draws what is in sight, and says what the person wants. */
import { isObject } from '../../core/format/entry';
import type { FromPage, Head, PageStrings, ToPage } from '../protocol';
import { ArticleStore } from './articleStore';
import { drawArticle, drawPlaceholder, LINE } from './articleView';
import { fill, h } from './dom';
import { drawHead } from './headView';
import { icon } from './icons';
import { ArticleList, type Anchor } from './list';
import { Folds, type Room } from './room';

declare function acquireVsCodeApi(): { postMessage(message: FromPage): void; getState(): unknown; setState(state: unknown): void };

/** Articles that are asked for beyond those in the page, on both sides. */
const AHEAD = 12;

function start(): void {
  const vscode = acquireVsCodeApi();
  const send = (message: FromPage): void => vscode.postMessage(message);
  const saved = savedState(vscode.getState());
  const header = h('header', { class: 'head' });
  const main = h('main', { class: 'main', tabindex: 0 });
  const live = h('div', { class: 'hidden', role: 'status', 'aria-live': 'polite' });
  const news = h('button', { class: 'news', type: 'button', hidden: true });
  document.body.append(header, h('div', { class: 'stage' }, main, news), live);

  const store = new ArticleStore();
  const folds = new Folds(new Map(saved.folds), () => save());
  let room: Room | undefined;
  let head: Head | undefined;
  let unseen = 0;
  let rendered = -1;
  let saving = false;

  const list = new ArticleList(main, {
    count: () => store.count,
    estimate: (index) => store.linesAt(index) * LINE,
    draw: (index) => {
      const article = store.get(index);
      return article ? drawArticle(article, index, room!) : drawPlaceholder(store.linesAt(index), room!);
    },
    onRange: (from, to) => {
      const range = store.want({ from: from - AHEAD, to: to + AHEAD });
      if (range) send({ type: 'want', revision: store.revision, ...range });
      store.trim(from);
      if (store.has({ from, to })) settle();
    },
    onScroll: () => {
      if (list.isAtEnd) see();
      save();
    },
  });

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

  const save = (): void => {
    if (saving || !head) return;
    saving = true;
    setTimeout(() => {
      saving = false;
      if (head) vscode.setState({ path: head.path, entryId: head.entryId, anchor: list.anchor, folds: folds.entries() });
    }, 200);
  };

  const showHead = (now: Head, strings: PageStrings): void => {
    const sameSession = head === undefined ? saved.path === now.path && saved.entryId === now.entryId : head.path === now.path && head.entryId === now.entryId;
    if (!sameSession) unseen = 0;
    head = now;
    document.title = now.title;
    main.setAttribute('aria-label', strings.messages);
    header.replaceChildren(...drawHead(now, room!));
    main.classList.toggle('is-empty', store.count === 0);
    main.dataset['empty'] = strings.empty;
  };

  /** Keys scroll the messages, without a click into them; the focus is never taken from elsewhere in the window. */
  const enter = (): void => {
    if (!document.hasFocus() || document.activeElement !== document.body) return;
    main.classList.add('entered');
    main.focus({ preventScroll: true });
  };

  const receive: { [T in ToPage['type']]: (message: Extract<ToPage, { type: T }>) => void } = {
    open: ({ revision, strings, head: now, lines }) => {
      const first = head === undefined;
      const stays = first ? saved.path === now.path && saved.entryId === now.entryId : head?.path === now.path && head.entryId === now.entryId;
      room = { strings, send, store, folds };
      store.open(revision, lines);
      showHead(now, strings);
      news.hidden = true;
      list.reset(stays ? (first ? saved.anchor : list.anchor) : undefined);
      save();
      if (store.count === 0) settle();
      if (first) enter();
    },
    update: ({ revision, head: now, from, lines }) => {
      const wasAtEnd = list.isAtEnd;
      const added = store.update(revision, from, lines);
      showHead(now, room!.strings);
      list.update();
      if (store.count === 0) settle();
      if (added === 0) return;
      unseen = wasAtEnd ? added : unseen + added;
      const text = unseen === 1 ? room!.strings.newMessage : fill(room!.strings.newMessages, unseen);
      live.textContent = text;
      if (wasAtEnd) { see(); return; }
      news.replaceChildren(icon('down'), text);
      news.title = room!.strings.toEnd;
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
      if (src === undefined) image.replaceWith(h('p', { class: 'image-missing muted' }, room!.strings.imageGone));
      else image.src = src;
    },
    failed: ({ message }) => {
      header.querySelector('.warning')?.remove();
      header.append(h('p', { class: 'warning', role: 'alert' }, message));
    },
  };

  window.addEventListener('message', (event: MessageEvent<ToPage>) => {
    const handle = receive[event.data.type] as (message: ToPage) => void;
    handle(event.data);
  });
  window.addEventListener('focus', enter);
  window.addEventListener('keydown', () => main.classList.remove('entered'));
  news.addEventListener('click', () => {
    list.toEnd();
    see();
    main.focus({ preventScroll: true });
  });
  // Links go through the host, which asks first; the editor's own way would open them beside it.
  document.body.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link) return;
    event.preventDefault();
    event.stopPropagation();
    send({ type: 'openLink', href: link.getAttribute('href') ?? '' });
  });
  window.addEventListener('error', (event) => send({ type: 'problem', message: event.message }));
  document.addEventListener('securitypolicyviolation', (event) => send({ type: 'problem', message: `${event.violatedDirective}: ${event.blockedURI}` }));
  send({ type: 'ready' });
}

interface SavedState {
  readonly path?: string;
  readonly entryId?: string;
  readonly anchor?: Anchor;
  readonly folds: readonly (readonly [string, boolean])[];
}

function savedState(value: unknown): SavedState {
  if (!isObject(value)) return { folds: [] };
  const { path, entryId, anchor, folds } = value;
  return {
    ...(typeof path === 'string' ? { path } : {}),
    ...(typeof entryId === 'string' ? { entryId } : {}),
    ...(isObject(anchor) && typeof anchor['index'] === 'number' && typeof anchor['offset'] === 'number' ? { anchor: { index: anchor['index'], offset: anchor['offset'] } } : {}),
    folds: Array.isArray(folds) ? folds.filter((pair): pair is [string, boolean] => Array.isArray(pair) && typeof pair[0] === 'string' && typeof pair[1] === 'boolean') : [],
  };
}

start();
