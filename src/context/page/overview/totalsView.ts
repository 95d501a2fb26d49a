/** Table of tokens and cost: of the session, of the branch, and of the entries that only this branch has. */
import { tokensIn } from '../../../core/format/entry/usage';
import { formatCompact, formatCents, formatNumber } from '../../shared/formatNumbers';
import { t } from '../../shared/localization';
import type { Totals } from '../../shared/protocol';
import { h } from '../ui/dom';

const ROWS: readonly (readonly [number: (sums: Totals) => number, heading: () => string])[] = [
  [tokensIn, () => t({ message: 'In', comment: 'Row heading: input tokens' })],
  [({ cacheRead }) => cacheRead, () => t({ message: 'Cached', comment: 'Row heading: input tokens read from the cache' })],
  [({ cacheWrite }) => cacheWrite, () => t({ message: 'Cache written', comment: 'Row heading: input tokens written to the cache' })],
  [({ output }) => output, () => t({ message: 'Out', comment: 'Row heading: output tokens' })],
];

/** A column for each of the three, so that the table fits into a narrow place. */
export function drawTotals(totals: readonly Totals[]): Node[] {
  const headings = [t('Session'), t('This Branch'), t('Only This Branch')];
  return [
    h('h2', {}, t('Recorded tokens and cost')),
    h(
      'table',
      { class: 'data-table' },
      h('thead', {}, h('tr', {}, h('td', {}), ...totals.map((_, index) => h('th', { scope: 'col' }, headings[index] ?? '')))),
      h(
        'tbody',
        {},
        drawRow(
          t('Cost'),
          totals.map(({ cost }) => [formatCents(cost)]),
        ),
        ...ROWS.map(([number, heading]) => {
          const numbers = totals.map((sums) => number(sums));
          return drawRow(
            heading(),
            numbers.map((value) => [formatCompact(value), formatNumber(value)]),
          );
        }),
      ),
    ),
  ];
}

function drawRow(heading: string, cells: readonly (readonly [shown: string, hint?: string])[]): HTMLElement {
  return h('tr', {}, h('th', { scope: 'row' }, heading), ...cells.map(([shown, hint]) => h('td', { title: hint }, shown)));
}
