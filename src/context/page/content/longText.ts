/** Long output: its beginning and its end, with buttons for what is between. */
import type { TruncatedText, Excerpt } from '../../shared/protocol';
import { formatMessage, h, formatNumber } from '../ui/dom';
import type { PageContext } from '../shell/pageContext';

/** Lines that are shown of a folded text. */
const HEAD_LINES = 12;
const TAIL_LINES = 6;
/** A text with this many lines more is not worth folding. */
const SLACK = 8;
/** Short enough that the browser lays out only the pieces in sight. */
const MAX_PIECE_LENGTH = 128_000;

export interface TextLocation {
  readonly key: string;
  readonly index: number;
  readonly entryId: string;
}

/** Draws one of the text's pieces, which begin and end with whole lines where the text has lines. */
type Draw = (text: string) => Node;

/**
 * @param name what the text is, for those who do not see it.
 * @param atOnce UTF-16 units of the middle that are drawn as one.
 */
export function longText(cut: TruncatedText, place: TextLocation, draw: Draw, name: string, room: PageContext, atOnce = MAX_PIECE_LENGTH): HTMLElement {
  const box = h('div', { class: 'long-text', role: 'group', 'aria-label': name });
  const key = `${place.key}/text/${cut.n}`;
  /** A piece of the middle that somebody looked for. */
  let excerpt: Excerpt | undefined;
  const fillBox = (): void => {
    box.replaceChildren(...(room.folds.isOpen(key, false) ? whole() : folded()));
  };
  const toggle = (open: boolean): void => {
    excerpt = undefined;
    room.folds.set(key, open, false);
    fillBox();
    box.querySelector<HTMLElement>('button')?.focus();
  };

  const folded = (): Node[] => {
    const tail = cut.tail ?? '';
    const lines = cut.text.split('\n');
    const ends = tail === '' ? lines : tail.split('\n');
    if (cut.omitted === undefined && lines.length <= HEAD_LINES + TAIL_LINES + SLACK) return [draw(cut.text)];
    const count = cut.omitted === undefined ? formatNumber(lines.length) : undefined;
    const text = count === undefined ? formatMessage(room.strings.showMore, formatNumber(cut.omitted! - room.store.middle(place.index, cut.n).length)) : formatMessage(room.strings.showAllLines, count);
    const button = h('button', { class: 'show-more', type: 'button', 'aria-expanded': 'false', onclick: () => toggle(true) }, text);
    const piece = excerpt && h('div', { class: 'excerpt' }, draw(excerpt.text));
    return [draw(lines.slice(0, HEAD_LINES).join('\n')), button, ...(piece ? [piece] : []), draw(ends.slice(-TAIL_LINES).join('\n'))];
  };

  const whole = (): Node[] => {
    const middle = room.store.middle(place.index, cut.n);
    const left = (cut.omitted ?? 0) - middle.length;
    const less = h('button', { class: 'show-more', type: 'button', 'aria-expanded': 'true', onclick: () => toggle(false) }, room.strings.showLess);
    if (cut.omitted === undefined) return [draw(cut.text), less];
    const between = left > 0 ? remainingControls(cut, place, left, room) : [];
    return [draw(cut.text), ...pieces(middle, atOnce).map(draw), ...between, ...(cut.tail === undefined ? [] : [draw(cut.tail)]), less];
  };

  box.addEventListener('piece', fillBox);
  box.addEventListener('unfold', () => {
    if (room.folds.isOpen(key, false) || cut.text.split('\n').length <= HEAD_LINES + TAIL_LINES + SLACK) return;
    room.folds.set(key, true, false);
    fillBox();
  });
  box.addEventListener('excerpt', (event) => {
    excerpt = (event as CustomEvent<Excerpt>).detail;
    room.folds.set(key, false, false);
    fillBox();
  });
  box.dataset['text'] = String(cut.n);
  box.dataset['find'] = String(cut.n);
  fillBox();
  return box;
}

function remainingControls(cut: TruncatedText, place: TextLocation, left: number, room: PageContext): Node[] {
  const more = (): void => {
    const from = cut.text.length + room.store.middle(place.index, cut.n).length;
    room.send({ type: 'wantText', index: place.index, n: cut.n, from });
  };
  const raw = (): void => room.send({ type: 'act', action: 'openRaw', entryId: place.entryId });
  return [
    h('button', { class: 'show-more', type: 'button', onclick: more }, formatMessage(room.strings.showMore, formatNumber(left))),
    h('button', { class: 'show-more', type: 'button', onclick: raw }, room.strings.openRaw),
  ];
}

/** Of at least half that length and at most all of it, with whole lines where there are lines. */
function pieces(text: string, length: number): string[] {
  const found: string[] = [];
  for (let from = 0; from < text.length; ) {
    const line = text.indexOf('\n', from + length / 2);
    const to = line < 0 || line - from >= length ? Math.min(text.length, from + length) : line + 1;
    found.push(text.slice(from, to));
    from = to;
  }
  return found;
}
