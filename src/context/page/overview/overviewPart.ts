/** The overview: a usage bar that is always visible, and details on demand. */
import { formatCompact, formatNumber, formatPercent } from '../../shared/formatNumbers';
import { t } from '../../shared/localization';
import type { ContextUsagePart, Overview } from '../../shared/protocol';
import { formatMessage, h, redraw, roundEstimate } from '../ui/dom';
import { drawUsageBar, drawUsageTable, drawWindowFill } from './usageView';
import { growthView } from './growthView';
import { icon } from '../ui/icons';
import { largestView } from './largestView';
import type { PagePart } from '../shell/pagePart';
import type { PageContext } from '../shell/pageContext';
import { drawTotals } from './totalsView';

/** Milliseconds between two requests, because a running session grows continuously. */
const REQUEST_INTERVAL = 1000;
/** Milliseconds before the first request: the messages come first. */
const FIRST_DELAY = 100;

export function overviewPart(context: PageContext): PagePart {
  const bar = h('div', { class: 'usage-bar' });
  // A larger target for the mouse. With the keyboard, the button does the same.
  const total = h('span', { class: 'usage-total', onclick: () => open(!isOpen) }, t('counting…'));
  const details = h('div', { class: 'details', id: 'overview-details' });
  let isOpen = context.state.restored('overview') === true;
  const toggle = h(
    'button',
    {
      class: 'icon-button disclosure',
      type: 'button',
      title: t('Show Details: Context Usage, Growth and Cost'),
      'aria-label': t('Show Details: Context Usage, Growth and Cost'),
      'aria-controls': details.id,
      onclick: () => open(!isOpen),
    },
    icon('chevron'),
  );
  const kinds = h('section');
  const growth = growthView(context);
  const totals = h('section', { class: 'totals' });
  const largest = largestView(context);
  details.append(kinds, h('div', { class: 'details-more' }, largest.element, h('div', {}, growth.element, totals)));
  context.state.register('overview', () => isOpen);

  const open = (isNowOpen: boolean): void => {
    isOpen = isNowOpen;
    details.hidden = !isNowOpen;
    toggle.setAttribute('aria-expanded', String(isNowOpen));
    context.state.scheduleSave();
    if (isNowOpen && isCounted) largest.refresh();
  };
  /** True once the context was counted, from which the largest messages are taken. */
  let isCounted = false;
  open(isOpen);

  /** Shows the largest messages of a kind, or of all if no messages of this kind are stored. */
  const showLargest = (part: ContextUsagePart): void => {
    largest.load(part.kind === 'prompt' ? undefined : part);
    open(true);
  };

  const show = ({ contextUsage: usage, growth: newGrowth, totals: sums }: Overview): void => {
    isCounted = true;
    showTotal(usage);
    redraw(bar, [drawUsageBar(usage.parts, usage.total, context, showLargest), ...drawWindowFill(usage)]);
    redraw(kinds, drawUsageTable(usage.parts, usage.total, context, showLargest));
    growth.show(newGrowth);
    redraw(totals, drawTotals(sums));
    if (isOpen) largest.refresh();
  };

  const showTotal = ({ total: tokens, isRecorded, window }: Overview['contextUsage']): void => {
    const shown = isRecorded ? tokens : roundEstimate(tokens);
    const hint = isRecorded
      ? t('Total as recorded by the last response; the split by kind is an estimate.')
      : t('Recorded up to the last response; the rest is estimated from message lengths.');
    if (window === undefined) {
      total.textContent = formatMessage(
        isRecorded ? t('{0} tokens') : t({ message: '~{0} tokens', comment: 'An estimate' }),
        formatNumber(shown),
      );
      total.title = hint;
      return;
    }
    const parts = [formatCompact(shown), formatCompact(window), formatPercent(shown / window)];
    total.textContent = formatMessage(
      isRecorded
        ? t({ message: '{0} / {1} ({2})', comment: 'Tokens in the context, size of the context window, percentage: 180K / 200K (90%)' })
        : t({ message: '~{0} / {1} ({2})', comment: 'Estimated tokens in the context, size of the context window, percentage' }),
      ...parts,
    );
    total.title = `${t('{0} of {1} tokens in this model’s context window.', formatNumber(shown), formatNumber(window))}\n${hint}`;
  };

  /** Clears the progress text: a session that can't be read can't be counted. */
  const clearCounting = (): void => {
    if (total.textContent === t('counting…')) total.textContent = '';
  };

  let timer: ReturnType<typeof setTimeout> | undefined;
  let lastRequest = 0;
  const request = (): void => {
    timer ??= setTimeout(
      () => {
        timer = undefined;
        lastRequest = Date.now();
        context.send({ type: 'wantOverview' });
      },
      Math.max(FIRST_DELAY, lastRequest + REQUEST_INTERVAL - Date.now()),
    );
  };

  return {
    element: h(
      'section',
      { class: 'overview', 'aria-label': t('Context usage') },
      h('div', { class: 'usage-line' }, bar, total, toggle),
      details,
    ),
    receive: {
      open: request,
      update: ({ header }) => {
        if (header.warning === undefined) request();
        else clearCounting();
      },
      overview: ({ overview }) => show(overview),
      largest: (message) => largest.show(message),
      failed: clearCounting,
    },
  };
}
