/**
 * Search in all of the session, also in what is folded and what the page does not have: the host counts, the page
 * marks what is drawn, and asks where a match is when somebody goes there.
 */
import { findPattern } from '../../../core/format/text/findPattern';
import type { MatchLocation } from '../../shared/protocol';
import { formatMessage, formatNumber } from '../ui/dom';
import { findBar } from './findBar';
import { FindHighlights } from './findHighlights';
import { scrollToRange, revealMatch } from './revealMatch';
import { MatchIndex, type MatchPosition } from './matchIndex';
import type { MessagesPart } from '../messages/messagesPart';
import type { PagePart } from '../shell/pagePart';
import type { PageContext } from '../shell/pageContext';

/** Milliseconds that typing rests before the search, and that a session at work is left alone. */
const TYPING_DELAY = 150;
const UPDATE_DELAY = 600;

type LocatedMatch = MatchPosition & { readonly place: MatchLocation };

export function findPart(room: PageContext, { list, main }: MessagesPart): PagePart {
  const { strings, send, store } = room;
  const marks = new FindHighlights();
  const hits = new MatchIndex();
  let id = 0;
  let pattern: RegExp | undefined;
  let isDone = true;
  /** Articles before this one are searched. */
  let through = 0;
  /** The number of the match that one is at. */
  let current: number | undefined;
  /** The article from which on the first match is to be shown. */
  let begin: number | undefined;
  /** Where to go as soon as it is drawn, and where one went last. */
  let wanted: LocatedMatch | undefined;
  let reached: LocatedMatch | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const search = (from: number, delay: number): void => {
    clearTimeout(timer);
    id++;
    hits.truncate(from);
    through = from;
    isDone = false;
    if (current !== undefined && current >= hits.total) current = undefined;
    const query = bar.query();
    pattern = findPattern(query);
    mark();
    timer = setTimeout(() => send({ type: 'find', id, revision: store.revision, query, from }), delay);
    if (!pattern) isDone = true;
    count();
  };

  const count = (): void => {
    if (!pattern) { bar.showCount('', false); return; }
    const { none, searching, count: known, countSoFar } = strings.find;
    if (hits.total === 0) { bar.showCount(isDone ? none : searching, isDone); return; }
    bar.showCount(formatMessage(isDone ? known : countSoFar, current === undefined ? '?' : formatNumber(current + 1), formatNumber(hits.total)), false);
  };

  const go = (to: number): void => {
    const place = hits.at(to);
    if (!place) return;
    current = to;
    begin = undefined;
    count();
    send({ type: 'wantMatch', id, ...place });
  };

  const step = (by: 1 | -1): void => {
    if (hits.total === 0) return;
    const from = current ?? (hits.firstFrom(list.top) ?? 0) - (by === 1 ? 1 : 0);
    go((from + by + hits.total) % hits.total);
  };

  /** The first match from where one is; when there is none, the first of all. */
  const first = (): void => {
    if (begin === undefined) return;
    const to = hits.firstFrom(begin) ?? (isDone && hits.total > 0 ? 0 : undefined);
    if (to !== undefined) go(to);
  };

  const reveal = (): void => {
    if (!wanted || !pattern) return;
    const { index, place } = wanted;
    const [article, row] = [store.get(index), list.row(index)];
    if (!article || !row) { list.show({ index, offset: 0 }); return; }
    [wanted, reached] = [undefined, wanted];
    const range = revealMatch(row, article.key, place, pattern);
    marks.setCurrent(range);
    // A part that is drawn otherwise than it is told: its article is the nearest there is.
    if (range) scrollToRange(range, index, list, main, bar.element.offsetHeight + 8);
    else list.show({ index, offset: 0 });
    mark();
  };

  let marking = false;
  const mark = (): void => {
    if (marking) return;
    marking = true;
    requestAnimationFrame(() => {
      marking = false;
      if (!pattern || !bar.isOpen()) { marks.clear(); return; }
      // An article that was drawn anew has its mark anew.
      const [article, row] = reached ? [store.get(reached.index), list.row(reached.index)] : [];
      if (reached && article && row && !marks.currentRange) marks.setCurrent(revealMatch(row, article.key, reached.place, pattern));
      marks.show(main, pattern);
    });
  };
  const watcher = new MutationObserver(() => {
    mark();
    // What was to be shown may have been drawn just now.
    if (wanted && list.row(wanted.index) && store.get(wanted.index)) reveal();
  });

  const open = (): void => {
    const selected = getSelection()?.toString() ?? '';
    const wasOpen = bar.isOpen();
    bar.open(selected !== '' && selected.length <= 200 && !selected.includes('\n') ? selected : undefined);
    if (!wasOpen) watcher.observe(main, { childList: true, subtree: true });
    begin = list.top;
    search(0, 0);
  };

  const close = (): void => {
    bar.close();
    watcher.disconnect();
    clearTimeout(timer);
    send({ type: 'find', id: ++id, revision: store.revision, query: { text: '', matchCase: false, wholeWord: false }, from: store.count });
    const at = marks.currentRange;
    marks.clear();
    [pattern, wanted, reached, begin, current] = [undefined, undefined, undefined, undefined, undefined];
    main.focus({ preventScroll: true });
    // One goes on where one was.
    if (at) getSelection()?.setBaseAndExtent(at.startContainer, at.startOffset, at.endContainer, at.endOffset);
  };

  const bar = findBar(room, {
    search: () => {
      begin = current === undefined ? list.top : (hits.at(current)?.index ?? list.top);
      [current, wanted, reached] = [undefined, undefined, undefined];
      marks.setCurrent(undefined);
      search(0, TYPING_DELAY);
    },
    step,
    close,
  });
  window.addEventListener('keydown', (event) => {
    if (event.key !== 'F3' || !bar.isOpen()) return;
    event.preventDefault();
    step(event.shiftKey ? -1 : 1);
  });

  return {
    element: bar.element,
    receive: {
      openFind: open,
      open: () => {
        if (!bar.isOpen()) return;
        [current, wanted, reached] = [undefined, undefined, undefined];
        marks.setCurrent(undefined);
        search(0, 0);
      },
      update: ({ from }) => {
        if (bar.isOpen() && pattern) search(Math.min(from, through), UPDATE_DELAY);
      },
      found: (message) => {
        if (message.id !== id || !bar.isOpen()) return;
        hits.add(message.counts);
        ({ through, done: isDone } = message);
        first();
        count();
      },
      match: ({ id: asked, index, nth, place }) => {
        const now = current === undefined ? undefined : hits.at(current);
        // Somebody who goes on fast has asked for another one meanwhile, and answers may overtake each other.
        if (asked !== id || !place || now?.index !== index || now.nth !== nth) return;
        wanted = { index, nth, place };
        reveal();
      },
      articles: reveal,
    },
  };
}
