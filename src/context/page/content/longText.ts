/** Long output: its beginning and end, with buttons for the rest. */
import { formatNumber } from '../../shared/formatNumbers';
import { t } from '../../shared/localization';
import type { TruncatedText, Excerpt } from '../../shared/protocol';
import { h } from '../ui/dom';
import type { PageContext } from '../shell/pageContext';

/** Lines shown of a folded text. */
const HEAD_LINES = 12;
const TAIL_LINES = 6;
/** A text with at most this many additional lines isn't folded. */
const SLACK = 8;
/** UTF-16 units. Short enough that the browser lays out only the visible pieces. */
const MAX_PIECE_LENGTH = 128_000;

export interface TextLocation {
  readonly key: string;
  readonly index: number;
  readonly entryId: string;
}

/** Draws a piece of the text. Pieces consist of whole lines if possible. */
type Draw = (text: string) => Node;

/**
 * @param name the accessible name.
 * @param pieceLength UTF-16 units of the middle that are drawn as one piece.
 */
export function longText(
  truncated: TruncatedText,
  location: TextLocation,
  draw: Draw,
  name: string,
  context: PageContext,
  pieceLength = MAX_PIECE_LENGTH,
): HTMLElement {
  const box = h('div', { class: 'long-text', role: 'group', 'aria-label': name });
  const key = `${location.key}/text/${truncated.nth}`;
  /** A piece of the middle that contains a find match. */
  let excerpt: Excerpt | undefined;
  const render = (): void => {
    box.replaceChildren(...(context.folds.isOpen(key, false) ? whole() : folded()));
  };
  const toggle = (open: boolean): void => {
    excerpt = undefined;
    context.folds.set(key, open, false);
    render();
    box.querySelector<HTMLElement>('button')?.focus();
  };

  const folded = (): Node[] => {
    const tail = truncated.tail ?? '';
    const lines = truncated.text.split('\n');
    const ends = tail === '' ? lines : tail.split('\n');
    if (truncated.omitted === undefined && lines.length <= HEAD_LINES + TAIL_LINES + SLACK) return [draw(truncated.text)];
    const text =
      truncated.omitted === undefined
        ? t('Show All {0} Lines', formatNumber(lines.length))
        : t('Show {0} More Characters', formatNumber(truncated.omitted - context.store.middle(location.index, truncated.nth).length));
    const head = lines.slice(0, HEAD_LINES).join('\n');
    const end = ends.slice(-TAIL_LINES).join('\n');
    const hidden = truncated.text.length + (truncated.omitted ?? 0) + tail.length - head.length - end.length;
    const button = h(
      'button',
      { class: 'show-more', type: 'button', 'aria-expanded': 'false', 'data-hidden': hidden, onclick: () => toggle(true) },
      text,
    );
    const piece = excerpt && h('div', { class: 'excerpt' }, draw(excerpt.text));
    return [draw(head), button, ...(piece ? [piece] : []), draw(end)];
  };

  const whole = (): Node[] => {
    const middle = context.store.middle(location.index, truncated.nth);
    const left = (truncated.omitted ?? 0) - middle.length;
    const less = h('button', { class: 'show-more', type: 'button', 'aria-expanded': 'true', onclick: () => toggle(false) }, t('Show Less'));
    if (truncated.omitted === undefined) return [draw(truncated.text), less];
    const between = left > 0 ? remainingControls(truncated, location, left, context) : [];
    return [
      draw(truncated.text),
      ...pieces(middle, pieceLength).map(draw),
      ...between,
      ...(truncated.tail === undefined ? [] : [draw(truncated.tail)]),
      less,
    ];
  };

  box.addEventListener('piece', render);
  box.addEventListener('unfold', () => {
    if (context.folds.isOpen(key, false) || truncated.text.split('\n').length <= HEAD_LINES + TAIL_LINES + SLACK) return;
    context.folds.set(key, true, false);
    render();
  });
  box.addEventListener('excerpt', (event) => {
    // The find widget dispatches it with an excerpt.
    excerpt = (event as CustomEvent<Excerpt>).detail;
    context.folds.set(key, false, false);
    render();
  });
  box.dataset['text'] = String(truncated.nth);
  box.dataset['find'] = String(truncated.nth);
  render();
  return box;
}

function remainingControls(truncated: TruncatedText, location: TextLocation, left: number, context: PageContext): Node[] {
  const more = (): void => {
    const from = truncated.text.length + context.store.middle(location.index, truncated.nth).length;
    context.send({ type: 'wantText', index: location.index, nth: truncated.nth, from });
  };
  const raw = (): void => context.send({ type: 'runAction', action: 'openRaw', entryId: location.entryId });
  return [
    h('button', { class: 'show-more', type: 'button', onclick: more }, t('Show {0} More Characters', formatNumber(left))),
    h('button', { class: 'show-more', type: 'button', onclick: raw }, t('Open Raw File')),
  ];
}

/**
 * Splits a text into pieces of at most `length` UTF-16 units, at the end of a line if there is one in a piece's second
 * half.
 */
function pieces(text: string, length: number): string[] {
  const found: string[] = [];
  for (let from = 0; from < text.length;) {
    const line = text.indexOf('\n', from + length / 2);
    const to = line < 0 || line - from >= length ? Math.min(text.length, from + length) : line + 1;
    found.push(text.slice(from, to));
    from = to;
  }
  return found;
}
