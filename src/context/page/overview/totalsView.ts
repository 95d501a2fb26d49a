/** Table of tokens and cost: of the session, of the branch, and of the entries that only this branch has. */
import { formatCompact, formatCost, formatNumber } from '../../shared/formatNumbers';
import { t } from '../../shared/localization';
import type { Totals } from '../../shared/protocol';
import { h } from '../ui/dom';

const COLUMNS: readonly (readonly [column: 'input' | 'cacheRead' | 'cacheWrite' | 'output', heading: () => string])[] = [
  ['input', () => t({ message: 'In', comment: 'Column heading: input tokens' })],
  ['cacheRead', () => t({ message: 'Cached', comment: 'Column heading: input tokens read from the cache' })],
  ['cacheWrite', () => t({ message: 'Cache written', comment: 'Column heading: input tokens written to the cache' })],
  ['output', () => t({ message: 'Out', comment: 'Column heading: output tokens' })],
];

export function drawTotals(totals: readonly Totals[]): Node[] {
  const rows = totals.map((sums, index) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, [t('Session'), t('This Branch'), t('Only This Branch')][index] ?? ''),
      h('td', {}, formatCost(sums.cost)),
      ...COLUMNS.map(([column]) => h('td', { title: formatNumber(sums[column]) }, formatCompact(sums[column]))),
    ),
  );
  return [
    h('h2', {}, t('Recorded tokens and cost')),
    h(
      'table',
      { class: 'data-table' },
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          h('td', {}),
          // The cost comes first: in a narrow view the last columns are scrolled to.
          h('th', { scope: 'col' }, t('Cost')),
          ...COLUMNS.map(([, heading]) => h('th', { scope: 'col' }, heading())),
        ),
      ),
      h('tbody', {}, ...rows),
    ),
  ];
}
