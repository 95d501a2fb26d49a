/** Tables of sums as HTML. Names in them are text. */
import * as vscode from 'vscode';
import { escapeHtml, oneLine, tokensIn, type ReportRow, type Totals } from '../../core/index';
import { costFormat, formatNumber, formatPercent } from '../../ui/formatNumbers';
import { shareBar } from './usageChart';

const { t } = vscode.l10n;

/** Rows of a table that isn't long, and of any table. The others are one row together. */
const MAX_ROWS = 30;
export const MAX_LONG_ROWS = 2000;
/** UTF-16 units of a name. */
const MAX_NAME_LENGTH = 300;

export interface TableOptions {
  readonly heading: string;
  readonly rows: readonly ReportRow[];
  /** The number of all rows, of which some may be left out. */
  readonly count: number;
  readonly nameOf: (key: string) => string;
  /** The attributes of a row by which the page says what was chosen. */
  readonly target: (key: string) => Readonly<Record<string, string>>;
  /** True if there is a range before: its costs and the changes are columns. */
  readonly isCompared: boolean;
  readonly isLong: boolean;
  /** The total that shares are of. */
  readonly total: number;
}

interface Column {
  readonly heading: string;
  /** The room of the cells' bars after the heading, as HTML, so that the heading is above their numbers. */
  readonly room?: string;
  readonly cell: (row: ReportRow) => string;
}

export function table({ heading, rows, count, nameOf, target, isCompared, isLong, total }: TableOptions): string {
  if (rows.length === 0) return element('p', t('No usage in these days.'));
  const shown = rows.slice(0, isLong ? MAX_LONG_ROWS : MAX_ROWS);
  const columns = [...costColumns(rows, isCompared, total), ...tokenColumns(rows)];
  const head = [{ heading }, ...columns].map(
    ({ heading: name, room = '' }: Pick<Column, 'heading' | 'room'>) => `<th scope="col">${escapeHtml(name)}${room}</th>`,
  );
  const lines = shown.map((row) => {
    const name = oneLine(nameOf(row.key), MAX_NAME_LENGTH);
    const cells = columns.map(
      ({ heading: column, cell }, index) => `<td${attributes({ column })}>${index === 0 ? button(cell(row), name) : cell(row)}</td>`,
    );
    return `<tr${attributes(target(row.key))}>${element('th', name, ' scope="row" dir="auto"')}${cells.join('')}</tr>`;
  });
  const others = count - shown.length;
  const more = others === 0 ? '' : `<p>${moreText(others, isLong)}</p>`;
  // In a narrow page, the numbers of a row are below its name, each beside the name of its column.
  return `<div class="wide"><table>\n<thead><tr>${head.join('')}</tr></thead>\n<tbody>\n${lines.join('\n')}\n</tbody>\n</table></div>${more}`;
}

function moreText(others: number, isLong: boolean): string {
  const text = t('{0} more', formatNumber(others));
  return isLong ? escapeHtml(text) : `<button data-type="more">${escapeHtml(t('Show All ({0})', text))}</button>`;
}

/** The number that leads on; the row's name says to what. @param content escaped */
const button = (content: string, name: string): string => `<button aria-label="${content}, ${escapeHtml(name)}">${content}</button>`;

function costColumns(rows: readonly ReportRow[], isCompared: boolean, total: number): Column[] {
  const format = costFormat(rows.flatMap(({ now, before }) => [now.cost, before.cost]));
  const shareOf = ({ cost }: Totals): number => (total === 0 ? 0 : cost / total);
  const change: readonly Column[] = [
    { heading: t('Before'), cell: ({ before }) => escapeHtml(format(before.cost)) },
    { heading: t('Change'), cell: ({ now, before }) => escapeHtml(format(now.cost - before.cost, true)) },
    { heading: t('Change in Percent'), cell: ({ now, before }) => escapeHtml(changeText(now, before)) },
  ];
  return [
    { heading: t('Cost'), cell: ({ now }) => escapeHtml(format(now.cost)) },
    {
      heading: t({ message: 'Share', comment: 'Column heading: percentage of the context; a noun' }),
      room: ` ${shareBar(0, undefined)}`,
      cell: ({ now, before }) =>
        `${escapeHtml(formatPercent(shareOf(now)))} ${shareBar(shareOf(now), isCompared ? Math.min(1, shareOf(before)) : undefined)}`,
    },
    ...(isCompared ? change : []),
  ];
}

/** Returns the change in percent; a dash if there was nothing before. */
export const changeText = (now: Totals, before: Totals): string =>
  before.cost === 0 ? '–' : formatPercent((now.cost - before.cost) / before.cost, true);

function tokenColumns(rows: readonly ReportRow[]): Column[] {
  const column = (heading: string, number: (sum: Totals) => number): Column => ({
    heading,
    cell: ({ now }) => escapeHtml(formatNumber(number(now))),
  });
  const hourly = ({ cacheWrite1h = 0 }: Totals): number => cacheWrite1h;
  return [
    column(t('Tokens In'), tokensIn),
    column(t('Cached'), ({ cacheRead }) => cacheRead),
    ...(rows.some(({ now }) => hourly(now) > 0) ? [column(t('Cached for an Hour'), hourly)] : []),
    column(t('Tokens Out'), ({ output }) => output),
  ];
}

/** @param attributes as HTML, each after a space */
export const element = (name: string, text: string, attributes = ''): string => `<${name}${attributes}>${escapeHtml(text)}</${name}>`;

const attributes = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`)
    .join('');
