/**
 * Find in the whole session, including folded text and articles that aren't loaded. The host counts the matches; the
 * page highlights the drawn matches and requests the location of the current one.
 */
import { formatNumber } from '../../shared/formatNumbers';
import { t } from '../../shared/localization';
import { findPattern } from '../../../core/format/text/findPattern';
import type { FindQuery, MatchLocation } from '../../shared/protocol';
import { formatMessage } from '../ui/dom';
import { findBar } from './findBar';
import { FindHighlights } from './findHighlights';
import { scrollToRange, revealMatch } from './revealMatch';
import { MatchIndex, type MatchPosition } from './matchIndex';
import type { MessagesPart } from '../messages/messagesPart';
import type { PagePart } from '../shell/pagePart';
import type { PageContext } from '../shell/pageContext';

/** Milliseconds without typing before a search starts, and between searches of a growing session. */
const TYPING_DELAY = 150;
const UPDATE_DELAY = 600;

type LocatedMatch = MatchPosition & { readonly location: MatchLocation };

export function findPart(context: PageContext, { list, main }: MessagesPart): PagePart {
  const { send, store } = context;
  const highlights = new FindHighlights();
  const matches = new MatchIndex();
  let id = 0;
  let pattern: RegExp | undefined;
  let isDone = true;
  /** Articles before this one are searched. */
  let through = 0;
  /** The number of the current match. */
  let current: number | undefined;
  /** The article from which on the first match becomes the current one. */
  let startIndex: number | undefined;
  /** True if only a match in that article is gone to. */
  let isExact = false;
  /** The match to reveal once it is drawn, and the one revealed last. */
  let pending: LocatedMatch | undefined;
  let revealed: LocatedMatch | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The session that is shown. */
  let path: string | undefined;

  const search = (from: number, delay: number): void => {
    clearTimeout(timer);
    id++;
    matches.truncate(from);
    through = from;
    isDone = false;
    if (current !== undefined && current >= matches.total) current = undefined;
    const query = bar.query();
    pattern = findPattern(query);
    updateHighlights();
    timer = setTimeout(() => send({ type: 'find', id, revision: store.revision, query, from }), delay);
    if (!pattern) isDone = true;
    count();
  };

  const count = (): void => {
    if (!pattern) {
      bar.showCount('', false);
      return;
    }
    if (matches.total === 0) {
      bar.showCount(isDone ? t('No results') : t('Searching…'), isDone);
      return;
    }
    bar.showCount(
      formatMessage(
        isDone
          ? t({ message: '{0} of {1}', comment: 'Number of the current match, number of matches' })
          : t({ message: '{0} of {1}+', comment: 'Number of the current match, number of matches found so far' }),
        current === undefined ? '?' : formatNumber(current + 1),
        formatNumber(matches.total),
      ),
      false,
    );
  };

  const go = (to: number): void => {
    const position = matches.at(to);
    if (!position) return;
    current = to;
    startIndex = undefined;
    count();
    send({ type: 'wantMatch', id, ...position });
  };

  const step = (by: 1 | -1): void => {
    if (matches.total === 0) return;
    const from = current ?? (matches.firstFrom(list.top) ?? 0) - (by === 1 ? 1 : 0);
    go((from + by + matches.total) % matches.total);
  };

  /** Goes to the first match from the starting point on, or else to the first of all. */
  const goToFirst = (): void => {
    if (startIndex === undefined) return;
    if (isExact) {
      if (through <= startIndex && !isDone) return;
      const to = matches.firstFrom(startIndex);
      if (to !== undefined && matches.at(to)?.index === startIndex) go(to);
      // The article is shown. The drawn text differs from the stored match, such as a part of a URL.
      else startIndex = undefined;
      return;
    }
    const to = matches.firstFrom(startIndex) ?? (isDone && matches.total > 0 ? 0 : undefined);
    if (to !== undefined) go(to);
  };

  const reveal = (): void => {
    if (!pending || !pattern) return;
    const { index, location } = pending;
    const [article, row] = [store.get(index), list.row(index)];
    if (!article || !row) {
      list.show({ index, offset: 0 });
      return;
    }
    [pending, revealed] = [undefined, pending];
    const range = revealMatch(row, article.key, location, pattern);
    highlights.setCurrent(range);
    // If the match isn't drawn as the host located it, the article is shown.
    if (range) scrollToRange(range, index, list, main);
    else list.show({ index, offset: 0 });
    updateHighlights();
  };

  let isScheduled = false;
  const updateHighlights = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(() => {
      isScheduled = false;
      if (!pattern || !bar.isOpen()) {
        highlights.clear();
        return;
      }
      // A redrawn article needs its current match highlighted again.
      const [article, row] = revealed ? [store.get(revealed.index), list.row(revealed.index)] : [];
      if (revealed && article && row && !highlights.currentRange)
        highlights.setCurrent(revealMatch(row, article.key, revealed.location, pattern));
      highlights.show(main, pattern);
    });
  };
  const observer = new MutationObserver(() => {
    updateHighlights();
    // The article of the pending match may just have been drawn.
    if (pending && list.row(pending.index) && store.get(pending.index)) reveal();
  });

  const open = (): void => {
    const selected = getSelection()?.toString() ?? '';
    const wasOpen = bar.isOpen();
    bar.open(selected !== '' && selected.length <= 200 && !selected.includes('\n') ? selected : undefined);
    if (!wasOpen) observe();
    [startIndex, isExact] = [list.top, false];
    search(0, 0);
  };

  const observe = (): void => observer.observe(main, { childList: true, subtree: true });

  const showMatches = (query: FindQuery, index: number): void => {
    if (!bar.isOpen()) observe();
    bar.show(query);
    forget();
    [startIndex, isExact] = [index, true];
    search(0, 0);
  };

  /** Forgets the current match. */
  const forget = (): void => {
    [current, pending, revealed] = [undefined, undefined, undefined];
    highlights.setCurrent(undefined);
  };

  const close = (): void => {
    bar.close();
    observer.disconnect();
    clearTimeout(timer);
    send({ type: 'find', id: ++id, revision: store.revision, query: { text: '', matchCase: false, wholeWord: false }, from: store.count });
    const at = highlights.currentRange;
    // The host may not have located the match yet.
    const index = current === undefined ? undefined : matches.at(current)?.index;
    const message = messageOf(at) ?? (index === undefined ? undefined : list.row(index)?.querySelector('article'));
    highlights.clear();
    [pattern, pending, revealed, startIndex, current] = [undefined, undefined, undefined, undefined, undefined];
    // A message that has the focus keeps it, so that its menu and its keys apply to it.
    const hasMessageFocus = document.activeElement !== main && main.contains(document.activeElement);
    if (!hasMessageFocus) (message ?? main).focus({ preventScroll: true });
    // Selects the match, so that the reader can continue there.
    if (at) getSelection()?.setBaseAndExtent(at.startContainer, at.startOffset, at.endContainer, at.endOffset);
  };

  const bar = findBar({
    search: () => {
      startIndex = current === undefined ? list.top : (matches.at(current)?.index ?? list.top);
      isExact = false;
      forget();
      search(0, TYPING_DELAY);
    },
    step,
    close,
  });
  window.addEventListener('keydown', (event) => {
    if (!bar.isOpen() || event.defaultPrevented) return;
    if (event.key === 'F3') step(event.shiftKey ? -1 : 1);
    // As in the editor, Escape also closes the widget when the text has the focus.
    else if (event.key === 'Escape' && !document.querySelector(':popover-open, dialog[open]')) close();
    else return;
    event.preventDefault();
  });

  return {
    element: bar.element,
    receive: {
      openFind: open,
      showMatches: ({ query, index }) => showMatches(query, index),
      open: ({ header }) => {
        const isOther = path !== undefined && path !== header.path;
        ({ path } = header);
        if (!bar.isOpen()) return;
        forget();
        // The words were looked for in the other session.
        if (isOther) close();
        else search(0, 0);
      },
      update: ({ from }) => {
        if (bar.isOpen() && pattern) search(Math.min(from, through), UPDATE_DELAY);
      },
      found: (message) => {
        if (message.id !== id || !bar.isOpen()) return;
        matches.add(message.counts);
        ({ through, done: isDone } = message);
        goToFirst();
        count();
      },
      match: ({ id: answeredId, index, nth, location }) => {
        const expected = current === undefined ? undefined : matches.at(current);
        // Ignores outdated answers: the user may have stepped on, and answers may arrive out of order.
        if (answeredId !== id || !location || expected?.index !== index || expected.nth !== nth) return;
        pending = { index, nth, location };
        reveal();
      },
      articles: reveal,
    },
  };
}

/** Returns the message of a match. */
const messageOf = (range: Range | undefined): HTMLElement | null | undefined =>
  range?.startContainer.parentElement?.closest<HTMLElement>('article');
