/** Sums of usage as a page of HTML, which needs no script. Names of projects and models are text in it. */
import * as vscode from 'vscode';
import { escapeHtml, htmlFrame, oneLine, policyHash, shortPath, sumOfTotals, tokensIn, type Totals, type UsageSum } from '../core/index';
import { formatCents, formatNumber } from '../ui/formatNumbers';

const { t } = vscode.l10n;

/** Rows of a table. The others are one row together. */
const MAX_ROWS = 30;
/** UTF-16 units of a name. */
const MAX_NAME_LENGTH = 300;

const STYLE = `body{padding:0 20px 20px;color:var(--vscode-editor-foreground);font:var(--vscode-font-size)/1.5 var(--vscode-font-family)}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:3px 12px;border-bottom:1px solid var(--vscode-contrastBorder,color-mix(in srgb,currentColor 15%,transparent));text-align:end}
th:first-child{text-align:start;overflow-wrap:anywhere;min-width:10em}
tbody th{font-weight:inherit}
.wide{overflow-x:auto}
@media (max-width:600px){th,td{padding:3px 6px}th:first-child{position:sticky;left:0;background:var(--vscode-editor-background)}}`;
const POLICY = `default-src 'none'; style-src ${policyHash(STYLE)}; base-uri 'none'; form-action 'none'`;

interface UsageSums {
  /** By day, the oldest first. */
  readonly days: readonly UsageSum[];
  /** The time zone of the days. */
  readonly timeZone: string;
  /** By folder, the highest cost first. */
  readonly projects: readonly UsageSum[];
  readonly models: readonly UsageSum[];
  /** The number of sessions that are read, and of all. */
  readonly progress: { readonly done: number; readonly total: number };
}

interface Column {
  readonly heading: () => string;
  readonly number: (sum: Totals) => number;
  readonly format?: (number: number) => string;
  /** True if the column is only in tables with a number in it. */
  readonly isOptional?: boolean;
}

/** The columns after the names. */
const COLUMNS: readonly Column[] = [
  { heading: () => t('Cost'), number: ({ cost }) => cost, format: formatCents },
  { heading: () => t('Tokens In'), number: tokensIn },
  { heading: () => t('Cached'), number: ({ cacheRead }) => cacheRead },
  { heading: () => t('Cached for an Hour'), number: ({ cacheWrite1h = 0 }) => cacheWrite1h, isOptional: true },
  { heading: () => t('Tokens Out'), number: ({ output }) => output },
];

export function usagePage(title: string, { days, timeZone, projects, models, progress: { done, total } }: UsageSums): string {
  const parts = [
    element('h1', title),
    element('p', t('{cost} since {date}', { cost: formatCents(sumOfTotals(days).cost), date: formatDay(days[0]?.key ?? '') })),
    element('h2', t('By Day')),
    table(t('Day'), days.toReversed(), formatDay, t('Earlier')),
    element('h2', t('By Project')),
    table(t('Project'), projects, (cwd) => (cwd === '' ? t('Unknown project') : shortPath(cwd)), t('Others')),
    element('h2', t('By Model')),
    table(t('Model'), models, (model) => model || t('Unknown'), t('Others')),
    element(
      'p',
      t('Days are in the time zone {timeZone}. An answer counts once, however many forks, copies, links and subagents have it.', {
        timeZone,
      }),
    ),
    done < total ? element('p', t('{0} of {1} sessions have been read so far.', formatNumber(done), formatNumber(total))) : '',
  ];
  const head = htmlFrame({ title, language: vscode.env.language, policy: POLICY, elements: [`<style>${STYLE}</style>`] });
  return `${head}<body>\n${parts.join('\n')}\n</body>\n</html>\n`;
}

function table(heading: string, sums: readonly UsageSum[], nameOf: (key: string) => string, rest: string): string {
  const shown = sums.slice(0, MAX_ROWS);
  const others = sums.slice(MAX_ROWS);
  const columns = COLUMNS.filter(({ isOptional, number }) => isOptional !== true || sums.some((sum) => number(sum) > 0));
  const head = [heading, ...columns.map((column) => column.heading())].map((name) => element('th', name, ' scope="col"'));
  const rowOf = (name: string, sum: Totals): string => sumRow(name, sum, columns);
  const rows = [...shown.map((sum) => rowOf(nameOf(sum.key), sum)), ...(others.length === 0 ? [] : [rowOf(rest, sumOfTotals(others))])];
  // In a narrow page, the table scrolls while its names stay. The editor's browser lets the Tab key reach what scrolls.
  return `<div class="wide"><table>\n<thead><tr>${head.join('')}</tr></thead>\n<tbody>\n${rows.join('\n')}\n</tbody>\n</table></div>`;
}

function sumRow(name: string, sum: Totals, columns: readonly Column[]): string {
  const cells = columns.map(({ number, format = formatNumber }) => format(number(sum)));
  const heading = element('th', oneLine(name, MAX_NAME_LENGTH), ' scope="row" dir="auto"');
  return `<tr>${heading}${cells.map((cell) => element('td', cell)).join('')}</tr>`;
}

/** @param attributes as HTML, each after a space */
const element = (name: string, text: string, attributes = ''): string => `<${name}${attributes}>${escapeHtml(text)}</${name}>`;

/** @param day such as `2026-01-31` */
function formatDay(day: string): string {
  const time = Date.parse(day);
  return Number.isNaN(time) ? day : new Date(time).toLocaleDateString(vscode.env.language, { dateStyle: 'medium', timeZone: 'UTC' });
}
