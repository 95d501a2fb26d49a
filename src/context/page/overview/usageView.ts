/** Context usage: a bar, and a table with the same information. */
import { formatNumber, formatPercent } from '../../shared/formatNumbers';
import { t } from '../../shared/localization';
import type { ContextUsagePart, Overview } from '../../shared/protocol';
import { formatMessage, h, roundEstimate } from '../ui/dom';
import type { PageContext } from '../shell/pageContext';
import { withTooltip } from '../ui/tooltip';

const KINDS: Readonly<Record<ContextUsagePart['kind'], () => string>> = {
  prompt: () => t('System prompt and tools'),
  system: () => t('System prompt'),
  tools: () => t('Tools'),
  summary: () => t('Summaries'),
  user: () => t('User'),
  command: () => t('Commands'),
  custom: () => t('Other messages'),
  assistant: () => t('Assistant'),
  thinking: () => t('Thinking'),
  call: () => t('Tool calls'),
  result: () => t('Tool results'),
  image: () => t('Images'),
};

export function usageLabel({ kind, tool }: Pick<ContextUsagePart, 'kind' | 'tool'>): string {
  return tool === undefined || tool === ''
    ? KINDS[kind]()
    : formatMessage(t({ message: 'Results of {0}', comment: 'Name of a tool' }), tool);
}

/** Attributes that select a color in CSS. Tools take turns among six colors. */
function colorAttributes(part: ContextUsagePart, parts: readonly ContextUsagePart[]): Readonly<Record<string, string>> {
  const nth = parts.filter(({ kind }) => kind === part.kind).indexOf(part);
  return { 'data-kind': part.kind, 'data-nth': String(nth % 6) };
}

/** Draws the bar as one tab stop; arrow keys move between segments. */
export function drawUsageBar(
  parts: readonly ContextUsagePart[],
  total: number,
  context: PageContext,
  showLargest: (part: ContextUsagePart) => void,
): HTMLElement {
  const segments = parts.map((part, index) => {
    const text = formatMessage(
      t({ message: '{0}: ~{1} tokens, {2}', comment: 'Kind of message, estimated tokens, percentage' }),
      usageLabel(part),
      formatNumber(roundEstimate(part.tokens)),
      formatPercent(part.tokens / total),
    );
    const key = `bar/${part.kind}/${part.tool ?? ''}`;
    const segment = h('button', {
      class: 'usage-segment',
      type: 'button',
      ...colorAttributes(part, parts),
      'data-key': key,
      'aria-label': text,
      tabindex: index === 0 ? 0 : -1,
      onclick: () => showLargest(part),
    });
    segment.style.flexGrow = String(part.tokens);
    return withTooltip(segment, text);
  });
  const bar = h('div', { class: 'usage-segments', role: 'toolbar', 'aria-label': t('Context usage') }, ...segments);
  bar.addEventListener('focusin', ({ target }) => {
    for (const segment of segments) segment.tabIndex = segment === target ? 0 : -1;
  });
  bar.addEventListener('keydown', (event) => {
    const at = segments.findIndex((segment) => segment === event.target);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: segments.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    segments[Math.max(0, Math.min(to, segments.length - 1))]?.focus();
  });
  return bar;
}

/** Draws a line below the bar: how full the context window is. The number beside the bar says the same. */
export function drawWindowFill({ total, window }: Overview['contextUsage']): HTMLElement[] {
  if (window === undefined) return [];
  const fill = h('div');
  fill.style.width = `${Math.min(100, (total / window) * 100)}%`;
  return [h('div', { class: 'window-fill', 'aria-hidden': 'true' }, fill)];
}

export function drawUsageTable(
  parts: readonly ContextUsagePart[],
  total: number,
  context: PageContext,
  showLargest: (part: ContextUsagePart) => void,
): Node[] {
  const rows = parts.map((part) => {
    const name = usageLabel(part);
    const swatch = h('span', { class: 'swatch', ...colorAttributes(part, parts), 'aria-hidden': 'true' });
    // The system prompt isn't in session files, so it has no messages to show.
    const cell =
      part.kind === 'prompt'
        ? h(
            'span',
            {
              class: 'kind-name',
              title: t('Tokens that the first response read beyond the messages. They aren’t stored in this session.'),
            },
            swatch,
            h('span', {}, name),
          )
        : h(
            'button',
            {
              class: 'kind-name',
              type: 'button',
              'data-key': `kind/${part.kind}/${part.tool ?? ''}`,
              title: formatMessage(t({ message: 'Largest: {0}', comment: 'Kind of message' }), name),
              onclick: () => showLargest(part),
            },
            swatch,
            h('span', { dir: 'auto' }, name),
          );
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, cell),
      h('td', {}, formatNumber(roundEstimate(part.tokens))),
      h('td', {}, formatPercent(part.tokens / total)),
    );
  });
  return [
    h('h2', {}, t('Context usage')),
    h(
      'table',
      { class: 'data-table kinds' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          ...[
            t({ message: 'Kind', comment: 'Column heading: kind of message' }),
            t('Tokens (est.)'),
            t({ message: 'Share', comment: 'Column heading: percentage of the context; a noun' }),
          ].map((name) => h('th', { scope: 'col' }, name)),
        ),
      ),
      h('tbody', {}, ...rows),
    ),
  ];
}
