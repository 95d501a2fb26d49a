/** What there is to say of the context as a whole: a line that is always there, and details on demand. */
import type { FillPart, Overview } from '../protocol';
import { fill, h, number, redraw, rounded } from './dom';
import { drawBar, drawKinds } from './fillView';
import { growthView } from './growthView';
import { icon } from './icons';
import { largestView } from './largestView';
import type { PagePart } from './part';
import type { Room } from './room';
import { drawTotals } from './totalsView';

/** Milliseconds between two questions: a session at work grows all the time. */
const PAUSE = 1000;
/** Milliseconds until the first: the messages come first. */
const FIRST = 100;

export function overviewPart(room: Room): PagePart {
  const strings = room.strings.overview;
  const bar = h('div', { class: 'fill-bar' });
  const total = h('span', { class: 'fill-total' }, strings.counting);
  const details = h('div', { class: 'details', id: 'overview-details' });
  let isOpen = room.kept.was('overview') === true;
  const toggle = h('button', { class: 'icon-button disclosure', type: 'button', title: strings.show, 'aria-label': strings.show, 'aria-controls': details.id, onclick: () => open(!isOpen) }, icon('chevron'));
  const kinds = h('section');
  const growth = growthView(room);
  const totals = h('section', { class: 'totals' });
  const largest = largestView(room);
  details.append(kinds, h('div', { class: 'details-more' }, h('div', {}, growth.element, totals), largest.element));
  room.kept.keep('overview', () => isOpen);

  const open = (opens: boolean): void => {
    isOpen = opens;
    details.hidden = !opens;
    toggle.setAttribute('aria-expanded', String(opens));
    room.kept.changed();
  };
  open(isOpen);

  /** Shows what takes the most room of a kind. */
  const look = (part: FillPart): void => {
    open(true);
    largest.ask(part);
  };

  const show = ({ fill: context, growth: grown, totals: sums }: Overview): void => {
    total.textContent = fill(context.isRecorded ? strings.tokens : strings.about, number(context.isRecorded ? context.total : rounded(context.total)));
    total.title = context.isRecorded ? strings.recordedHint : strings.estimatedHint;
    redraw(bar, [drawBar(context.parts, context.total, room, look)]);
    redraw(kinds, drawKinds(context.parts, context.total, room, look));
    growth.show(grown);
    redraw(totals, drawTotals(sums, room));
    largest.refresh();
  };

  /** What can't be read can't be counted. */
  const uncounted = (): void => {
    if (total.textContent === strings.counting) total.textContent = '';
  };

  let asks: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;
  const ask = (): void => {
    asks ??= setTimeout(() => {
      asks = undefined;
      asked = Date.now();
      room.send({ type: 'wantOverview' });
    }, Math.max(FIRST, asked + PAUSE - Date.now()));
  };

  return {
    element: h('section', { class: 'overview', 'aria-label': strings.title }, h('div', { class: 'fill-line' }, bar, total, toggle), details),
    receive: {
      open: ask,
      update: ({ head }) => {
        if (head.warning === undefined) ask();
        else uncounted();
      },
      overview: ({ overview }) => show(overview),
      largest: (message) => largest.show(message),
      failed: uncounted,
    },
  };
}
