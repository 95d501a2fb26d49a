/** The content of the page about usage: tables of all sessions, of the sessions of a group, and of the turns of a session. */
import * as vscode from 'vscode';
import {
  DIALECT_FACTS,
  shortPath,
  sumOfTotals,
  type ComparedRange,
  type DayRange,
  type Dialect,
  type ReportFilter,
  type ReportKey,
  type ReportRow,
  type ReportRows,
  type SessionSummary,
  type TurnCost,
  type UsageCause,
  type UsageReport,
} from '../../core/index';
import { costFormat, formatCost, formatNumber } from '../../ui/formatNumbers';
import { localizeRow, localizeSessionTitle } from '../../ui/localize';
import { barLegend, columnChart, keysBetween } from './usageChart';
import { changeText, element, table, type TableOptions } from './usageTable';

const { t } = vscode.l10n;

/** The sums of the first page, after days or months. */
export const OVERVIEW_KEYS = ['project', 'model', 'program', 'family', 'cause'] as const satisfies readonly ReportKey[];

/** Facts that the page needs besides sums. */
export interface PageFacts {
  readonly compared: ComparedRange;
  readonly timeZone: string;
  readonly isLong: boolean;
  readonly summary: (path: string) => SessionSummary | undefined;
  /** The number of sessions that are read, and of all. */
  readonly progress: { readonly done: number; readonly total: number };
}

const HEADINGS: Readonly<Record<ReportKey, () => readonly [title: string, column: string]>> = {
  day: () => [t('By Day'), t('Day')],
  month: () => [t('By Month'), t('Month')],
  project: () => [t('By Project'), t('Project')],
  model: () => [t('By Model'), t('Model')],
  program: () => [t('By Program'), t('Program')],
  family: () => [t('By Session'), t('Session with Its Subagents')],
  path: () => [t('Sessions'), t('Session')],
  cause: () => [t('Causes'), t('Cause')],
};

const CAUSES: Readonly<Record<UsageCause, () => string>> = {
  failed: () => t('Failed or interrupted answers'),
  retry: () => t('Retries after errors'),
  abandoned: () => t('Branches that were left'),
  cacheMiss: () => t('Cache misses'),
  compaction: () => t('Compactions and summaries of branches'),
  subagent: () => t('Subagents'),
};

function nameOf(by: ReportKey, key: string, { summary }: Pick<PageFacts, 'summary'>): string {
  switch (by) {
    case 'day':
      return formatDay(key);
    case 'month':
      return formatMonth(key);
    case 'project':
      return key === '' ? t('Unknown project') : shortPath(key);
    case 'model':
      return key || t('Unknown');
    case 'program':
      // The keys of a report by programs are dialects.
      return DIALECT_FACTS[key as Dialect].label;
    case 'family':
    case 'path': {
      const found = summary(key);
      if (!found) return shortPath(key);
      // Many sessions have the same title.
      return [localizeSessionTitle(found), formatTime(found.modified)].filter((part) => part !== '').join(' · ');
    }
    case 'cause':
      // The keys of a report by causes are causes.
      return CAUSES[key as UsageCause]();
  }
}

/** Returns the HTML of the first page. @param time the key of the first table */
export function overview({ total, groups }: UsageReport, time: 'day' | 'month', facts: PageFacts): string {
  const { done, total: all } = facts.progress;
  const [times = NO_ROWS, ...others] = groups;
  return [
    totalLine(total, facts),
    timeChart(time, times.rows, facts),
    ...OVERVIEW_KEYS.map((by, index) => section(by, others[index] ?? NO_ROWS, total, facts, index === 0 ? legend(facts) : '')),
    // The chart shows it already.
    section(time, times, total, facts),
    element(
      'p',
      t('Days are in the time zone {timeZone}. An answer counts once, however many forks, copies, links and subagents have it.', {
        timeZone: facts.timeZone,
      }),
    ),
    element('p', t('An answer may have several causes, or none. They are part of the costs above.')),
    done < all ? element('p', t('{0} of {1} sessions have been read so far.', formatNumber(done), formatNumber(all))) : '',
  ].join('\n');
}

/** Returns the HTML of the sessions of a group. */
export function sessionsPage({ by, key }: ReportFilter, { total, groups }: UsageReport, facts: PageFacts): string {
  return [
    back(),
    heading(t('Sessions: {0}', nameOf(by, key, facts))),
    totalLine(total, facts),
    legend(facts),
    sumTable('path', groups[0] ?? NO_ROWS, total, facts),
  ].join('\n');
}

/** Returns the HTML of the turns of a session. */
export function turnsPage(path: string, turns: readonly TurnCost[], facts: PageFacts): string {
  const names = new Map(turns.map(({ entry }) => [entry.id, localizeRow(entry, 200)]));
  const rows = turns.map(({ entry, ...now }): ReportRow => ({ key: entry.id, now, before: sumOfTotals([]) }));
  return [
    back(),
    heading(t('Turns: {0}', nameOf('path', path, facts))),
    element('p', rangeText(facts.compared.range)),
    table({
      heading: t('Turn'),
      rows,
      count: rows.length,
      nameOf: (id) => names.get(id) ?? id,
      target: (key) => ({ type: 'turn', key }),
      isCompared: false,
      isLong: facts.isLong,
      total: sumOfTotals(turns).cost,
    }),
    element(
      'p',
      t('Choose a turn to see it in the context. Answers that other sessions have, too, are here, although they count for the oldest one.'),
    ),
  ].join('\n');
}

const NO_ROWS: ReportRows = { rows: [], count: 0 };

/** @param above the table, as HTML */
function section(by: ReportKey, group: ReportRows, total: ReportRow, facts: PageFacts, above = ''): string {
  return `${element('h2', HEADINGS[by]()[0])}\n${above}${sumTable(by, group, total, facts)}`;
}

function sumTable(by: ReportKey, { rows, count }: ReportRows, total: ReportRow, facts: PageFacts): string {
  const target = (key: string): Readonly<Record<string, string>> => (by === 'path' ? { type: 'session', key } : { type: 'group', by, key });
  const options: TableOptions = {
    heading: HEADINGS[by]()[1],
    rows,
    count,
    nameOf: (key) => nameOf(by, key, facts),
    target,
    isCompared: facts.compared.before !== undefined && by !== 'day' && by !== 'month',
    isLong: facts.isLong,
    total: total.now.cost,
  };
  return table(options);
}

function timeChart(by: 'day' | 'month', rows: readonly ReportRow[], facts: PageFacts): string {
  const format = costFormat(rows.map(({ now }) => now.cost));
  const costs = new Map(rows.map(({ key, now }) => [key, now.cost]));
  const bars = keysOf(by, rows, facts.compared.range).map((key) => {
    const value = costs.get(key) ?? 0;
    return { name: nameOf(by, key, facts), value, text: format(value) };
  });
  const label =
    by === 'day'
      ? t('Chart of the cost by day; the table below has its numbers')
      : t('Chart of the cost by month; the table below has its numbers');
  return columnChart(bars, label, ({ name, text }) => t('Highest: {0}', `${text} · ${name}`));
}

/** The days or months of a range. An open one begins with the first cost and ends with the last usage, as does one with too many. */
function keysOf(by: 'day' | 'month', rows: readonly ReportRow[], { from, to }: DayRange): string[] {
  const first = rows.findLast(({ key, now }) => key !== '' && now.cost > 0)?.key;
  const last = rows[0]?.key;
  const keys = keysBetween(by, from?.slice(0, first?.length) ?? first, to?.slice(0, first?.length) ?? last);
  return keys.length > 0 ? keys : keysBetween(by, first, last);
}

function totalLine({ now, before }: ReportRow, { compared }: PageFacts): string {
  const cost = formatCost(now.cost);
  if (!compared.before) return element('p', `${cost} · ${rangeText(compared.range)}`);
  return element(
    'p',
    t('{cost} · {range}. Before: {before} · {rangeBefore}. Change: {change} ({percent})', {
      cost,
      range: rangeText(compared.range),
      before: formatCost(before.cost),
      rangeBefore: rangeText(compared.before),
      change: costFormat([now.cost, before.cost])(now.cost - before.cost, true),
      percent: changeText(now, before),
    }),
  );
}

const legend = ({ compared: { range, before } }: PageFacts): string => (before ? barLegend(rangeText(range), rangeText(before)) : '');

function rangeText({ from, to }: DayRange): string {
  if (from === undefined && to === undefined) return t('all days');
  if (from === undefined) return t('until {0}', formatDay(to ?? ''));
  if (to === undefined) return t('since {0}', formatDay(from));
  return from === to ? formatDay(from) : t('{0} to {1}', formatDay(from), formatDay(to));
}

const back = (): string => `<p><button data-type="back">${t('Back')}</button></p>`;
const heading = (text: string): string => element('h2', text, ' tabindex="-1"');

/** @returns an empty string if the time isn't known */
function formatTime(time: number): string {
  const date = new Date(time || Number.NaN);
  return Number.isNaN(date.getTime()) ? '' : dateFormat('time').format(date);
}

/** @param day such as `2026-01-31` */
const formatDay = (day: string): string => formatDate(day, 'day');
const formatMonth = (month: string): string => formatDate(month && `${month}-01`, 'month');

function formatDate(day: string, kind: keyof typeof DATES): string {
  const time = Date.parse(day);
  return Number.isNaN(time) ? t('Unknown') : dateFormat(kind).format(time);
}

const DATES = {
  time: { dateStyle: 'medium' },
  day: { dateStyle: 'medium', timeZone: 'UTC' },
  month: { year: 'numeric', month: 'long', timeZone: 'UTC' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

/** Kept, because making one takes far longer than using it. */
const formats: Partial<Record<keyof typeof DATES, Intl.DateTimeFormat>> = {};
const dateFormat = (kind: keyof typeof DATES): Intl.DateTimeFormat =>
  (formats[kind] ??= new Intl.DateTimeFormat(vscode.env.language, DATES[kind]));
