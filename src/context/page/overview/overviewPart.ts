/** What there is to say of the context as a whole: a line that is always there, and details on demand. */
import type { ContextUsagePart, Overview } from '../../shared/protocol';
import { formatMessage, h, formatNumber, redraw, roundEstimate } from '../ui/dom';
import { drawUsageBar, drawUsageTable } from './usageView';
import { growthView } from './growthView';
import { icon } from '../ui/icons';
import { largestView } from './largestView';
import type { PagePart } from '../shell/pagePart';
import type { PageContext } from '../shell/pageContext';
import { drawTotals } from './totalsView';

/** Milliseconds between two questions: a session at work grows all the time. */
const REQUEST_INTERVAL = 1000;
/** Milliseconds until the first: the messages come first. */
const FIRST_DELAY = 100;

export function overviewPart(room: PageContext): PagePart {
  const strings = room.strings.overview;
  const bar = h('div', { class: 'usage-bar' });
  const total = h('span', { class: 'usage-total' }, strings.counting);
  const details = h('div', { class: 'details', id: 'overview-details' });
  let isOpen = room.state.restored('overview') === true;
  const toggle = h('button', { class: 'icon-button disclosure', type: 'button', title: strings.show, 'aria-label': strings.show, 'aria-controls': details.id, onclick: () => open(!isOpen) }, icon('chevron'));
  const kinds = h('section');
  const growth = growthView(room);
  const totals = h('section', { class: 'totals' });
  const largest = largestView(room);
  details.append(kinds, h('div', { class: 'details-more' }, h('div', {}, growth.element, totals), largest.element));
  room.state.register('overview', () => isOpen);

  const open = (opens: boolean): void => {
    isOpen = opens;
    details.hidden = !opens;
    toggle.setAttribute('aria-expanded', String(opens));
    room.state.scheduleSave();
  };
  open(isOpen);

  /** Shows what takes the most room of a kind. */
  const look = (part: ContextUsagePart): void => {
    open(true);
    largest.load(part);
  };

  const show = ({ contextUsage: context, growth: grown, totals: sums }: Overview): void => {
    total.textContent = formatMessage(context.isRecorded ? strings.tokens : strings.about, formatNumber(context.isRecorded ? context.total : roundEstimate(context.total)));
    total.title = context.isRecorded ? strings.recordedHint : strings.estimatedHint;
    redraw(bar, [drawUsageBar(context.parts, context.total, room, look)]);
    redraw(kinds, drawUsageTable(context.parts, context.total, room, look));
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
    }, Math.max(FIRST_DELAY, asked + REQUEST_INTERVAL - Date.now()));
  };

  return {
    element: h('section', { class: 'overview', 'aria-label': strings.title }, h('div', { class: 'usage-line' }, bar, total, toggle), details),
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
