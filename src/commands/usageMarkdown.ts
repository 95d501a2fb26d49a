/** Sums of usage as a Markdown document. Names of projects and models are text in it. */
import * as vscode from 'vscode';
import { inlineText, shortPath, type Totals, type UsageSum } from '../core/index';
import { formatCost } from '../ui/formatCost';

const { t } = vscode.l10n;

/** Rows of a table. The others are one row together. */
const MAX_ROWS = 30;

export interface UsageSums {
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

export function usageMarkdown({ days, timeZone, projects, models, progress: { done, total } }: UsageSums): string {
  const first = days[0]?.key;
  const notes = [
    t('Days are in the time zone {timeZone}. What forks have in common is counted once.', { timeZone: inlineText(timeZone) }),
    done < total ? t('{0} of {1} sessions have been read so far.', formatNumber(done), formatNumber(total)) : undefined,
  ];
  return [
    `# ${t('Usage')}`,
    first === undefined ? undefined : t('{cost} since {date}', { cost: `**${formatCost(sumOf(days).cost)}**`, date: formatDay(first) }),
    `## ${t('By Day')}`,
    table(t('Day'), days.toReversed(), formatDay, t('Earlier')),
    `## ${t('By Project')}`,
    table(t('Project'), projects, (cwd) => (cwd === '' ? t('Unknown project') : shortPath(cwd)), t('Others')),
    `## ${t('By Model')}`,
    table(t('Model'), models, (model) => model || t('Unknown'), t('Others')),
    ...notes,
  ]
    .filter((part) => part !== undefined)
    .join('\n\n')
    .concat('\n');
}

function table(heading: string, sums: readonly UsageSum[], nameOf: (key: string) => string, rest: string): string {
  const shown = sums.slice(0, MAX_ROWS);
  const others = sums.slice(MAX_ROWS);
  return [
    row([heading, t('Cost'), t('Tokens In'), t('Cached'), t('Tokens Out')]),
    row(['---', '--:', '--:', '--:', '--:']),
    ...shown.map((sum) => sumRow(nameOf(sum.key), sum)),
    ...(others.length === 0 ? [] : [sumRow(rest, sumOf(others))]),
  ].join('\n');
}

const sumRow = (name: string, { cost, input, output, cacheRead, cacheWrite }: Totals): string =>
  row([inlineText(name), formatCost(cost), formatNumber(input + cacheRead + cacheWrite), formatNumber(cacheRead), formatNumber(output)]);

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function sumOf(sums: readonly Totals[]): Totals {
  const add = (field: keyof Totals): number => sums.reduce((sum, each) => sum + each[field], 0);
  return { input: add('input'), output: add('output'), cacheRead: add('cacheRead'), cacheWrite: add('cacheWrite'), cost: add('cost') };
}

const formatNumber = (value: number): string => value.toLocaleString(vscode.env.language);

/** @param day such as `2026-01-31` */
function formatDay(day: string): string {
  const time = Date.parse(day);
  return Number.isNaN(time) ? day : new Date(time).toLocaleDateString(vscode.env.language, { dateStyle: 'medium', timeZone: 'UTC' });
}
