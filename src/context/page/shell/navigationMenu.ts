/** The menu for going to the next or previous target, which also lists the keys, and the position from which to go. */
import { t } from '../../shared/localization';
import { TARGET_KINDS, type TargetKind, type ReadingPosition } from '../../shared/protocol';
import { h } from '../ui/dom';
import { icon } from '../ui/icons';
import type { MessagesPart } from '../messages/messagesPart';
import type { PagePart } from './pagePart';
import type { PageContext } from './pageContext';
import { TARGET_KEYS, type Direction } from './targetKeys';

const MAC_SYMBOLS: Readonly<Record<string, string>> = { Alt: '⌥', Shift: '⇧', PageDown: '⇟', PageUp: '⇞' };
const ARROWS: Readonly<Record<string, string>> = { ArrowDown: '↓', ArrowUp: '↑' };

const MENU = 'go-to';
/** In pixels, as header.css sets it if there is enough space. */
const WIDTH = 360;

const NAMES: Readonly<Record<TargetKind, (by: Direction) => string>> = {
  user: (by) => (by === 1 ? t('Next User Message') : t('Previous User Message')),
  error: (by) => (by === 1 ? t('Next Tool Error') : t('Previous Tool Error')),
  label: (by) => (by === 1 ? t('Next Label') : t('Previous Label')),
  cut: (by) => (by === 1 ? t('Next Compaction or Reset') : t('Previous Compaction or Reset')),
};

/**
 * Returns the part whose element is the menu; the header has its button.
 * @param messages provides the reader's position.
 */
export function navigationPart({ send, announce }: PageContext, { list, main }: Pick<MessagesPart, 'list' | 'main'>): PagePart {
  const step = (kind: TargetKind, by: Direction): void => send({ type: 'wantTarget', kind, by, from: readingPosition(main, list, by) });
  const items = TARGET_KINDS.flatMap((kind) =>
    ([1, -1] as const).map((by) => {
      const key = TARGET_KEYS[kind](by);
      const go = (): void => {
        menu.hidePopover();
        step(kind, by);
      };
      const text = NAMES[kind](by);
      return h(
        'button',
        { class: 'menu-item', type: 'button', role: 'menuitem', tabindex: -1, 'aria-keyshortcuts': key, onclick: go },
        h('span', {}, text),
        h('kbd', {}, displayedKey(key)),
      );
    }),
  );
  const menu = h('div', { class: 'menu', id: MENU, role: 'menu', popover: 'auto', 'aria-label': t('Go to…') }, ...items);
  menu.addEventListener('toggle', ({ newState }) => {
    if (newState === 'open') items[0]?.focus();
  });
  menu.addEventListener('beforetoggle', () => {
    const box = document.querySelector(`[popovertarget=${MENU}]`)?.getBoundingClientRect();
    if (!box) return;
    menu.style.top = `${box.bottom + 2}px`;
    const { clientWidth } = document.documentElement;
    menu.style.left = `${Math.max(4, Math.min(box.left, clientWidth - 4 - WIDTH))}px`;
  });
  menu.addEventListener('keydown', (event) => {
    // The focus returns to the button, and the key goes on from there.
    if (event.key === 'Tab') menu.hidePopover();
    const at = items.findIndex((item) => item === document.activeElement);
    const to = { ArrowDown: (at + 1) % items.length, ArrowUp: (at - 1 + items.length) % items.length, Home: 0, End: items.length - 1 }[
      event.key
    ];
    if (to === undefined || event.altKey) return;
    event.preventDefault();
    items[to]?.focus();
  });
  // On some systems, the page itself would scroll with these keys.
  main.addEventListener('keydown', (event) => {
    if (event.altKey && ['ArrowDown', 'ArrowUp', 'PageDown', 'PageUp'].includes(event.key)) event.preventDefault();
  });
  return { element: menu, receive: { step: ({ kind, by }) => step(kind, by), announce: ({ text }) => announce(text) } };
}

/** The button that opens the menu. The browser closes the menu and returns the focus. */
export function navigationButton(): HTMLElement {
  const title = t('Go to…');
  return h(
    'button',
    { class: 'button', type: 'button', title, 'data-key': MENU, 'aria-haspopup': 'menu', popovertarget: MENU },
    icon('goTo'),
    h('span', { class: 'button-text' }, title),
  );
}

/**
 * Returns the position from which to go: the focused entry or the last target if it is visible; else the top edge, or
 * the end when going back from there.
 */
function readingPosition(main: HTMLElement, list: MessagesPart['list'], by: Direction): ReadingPosition {
  const view = main.getBoundingClientRect();
  const focused = main.contains(document.activeElement) ? document.activeElement?.closest('[data-entry]') : undefined;
  for (const candidate of [focused, main.querySelector('.navigation-target')]) {
    const box = candidate?.getBoundingClientRect();
    const entryId = candidate instanceof HTMLElement ? candidate.dataset['entry'] : undefined;
    const row = candidate?.closest<HTMLElement>('[data-index]')?.dataset['index'];
    if (box && entryId !== undefined && box.bottom > view.top && box.top < view.bottom) return { position: Number(row), entryId };
  }
  if (by === -1 && list.isAtEnd) return { position: Number.MAX_SAFE_INTEGER };
  const first = main.querySelector(`[data-index="${list.top}"]`)?.getBoundingClientRect();
  return { position: list.top + (first && first.top < view.top ? 0.5 : -0.5) };
}

function displayedKey(key: string): string {
  const isMac = /mac/i.test(navigator.userAgent);
  const parts = key.split('+').map((part) => (isMac ? MAC_SYMBOLS[part] : undefined) ?? ARROWS[part] ?? part);
  return parts.join(isMac ? '' : '+');
}
