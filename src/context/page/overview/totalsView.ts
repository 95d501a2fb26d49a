/** Table of tokens and cost: of the session, of the branch, and of the entries that only this branch has. */
import type { Totals } from '../../shared/protocol';
import { formatCost, h, formatNumber, formatCompact } from '../ui/dom';
import type { PageContext } from '../shell/pageContext';

const COLUMNS = ['input', 'cacheRead', 'cacheWrite', 'output'] as const satisfies readonly (keyof Totals)[];

export function drawTotals(totals: readonly Totals[], context: PageContext): Node[] {
  const words = context.strings.overview;
  const rows = totals.map((sums, index) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, words.totalsOf[index] ?? ''),
      h('td', {}, formatCost(sums.cost)),
      ...COLUMNS.map((column) => h('td', { title: formatNumber(sums[column]) }, formatCompact(sums[column]))),
    ),
  );
  return [
    h('h2', {}, words.totals),
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
          h('th', { scope: 'col' }, words.cost),
          ...COLUMNS.map((column) => h('th', { scope: 'col' }, words[column])),
        ),
      ),
      h('tbody', {}, ...rows),
    ),
  ];
}
