/** Renders one side of a comparison as a document: the activity since the fork point, then every entry since. */
import { activityAt, type ActivitySummary } from '../../../format/branches/compareBranches';
import { modelName } from '../../../format/entry/usage';
import { defined } from '../../../format/values/defined';
import type { EntryHead } from '../../../format/entry/entryHead';
import { plainRowWithRole } from '../../../format/entry/plainRow';
import { tokensIn } from '../../../format/entry/usage';
import { isBranchMark } from '../../../format/session/treeTraversal';
import { inlineCode, inlineText } from '../../../format/text/markdown/markdownText';
import { numberText } from '../../../format/text/quantities/numberText';
import { formatMessage, type TranslateMessage } from '../../../format/entry/problem';
import type { PromptSection, SystemPrompt } from '../../../format/entry/prompts/systemPrompt';
import type { Session } from '../../../format/session/session';
import { Yielder } from '../../concurrency/eventLoop';
import { readSystemPrompt } from '../../read/readSystemPrompt';
import { DEFAULT_MAX_BYTES, documentTitle, documentHead, type MarkdownOptions } from './sessionMarkdown';
import { planSections } from './sectionPlan';
import { sectionsToMarkdown } from './sections';
import { touchedFiles, type TouchedFiles } from './touchedFiles';

/** Number of files, sections and tools that a row of the document's head lists. */
const MAX_NAMES = 30;

/**
 * Renders the part of a branch after a fork point as Markdown, for a diff with the other side: equal facts in equal
 * lines, headings without times.
 *
 * @param since id of the fork point, as from {@link commonAncestor}; `null` renders the whole branch.
 * @throws {SessionError} `unknown-entry`; `changed` if the file has changed since it was read.
 * @throws the signal's reason if aborted.
 */
export async function sideToMarkdown(
  session: Session,
  since: string | null,
  { entryId, maxBytes = DEFAULT_MAX_BYTES, translate = formatMessage, signal }: MarkdownOptions = {},
): Promise<string> {
  const turn = new Yielder(signal);
  const { plan, entries, places, groups, options } = await turn.run(planSections(session, { ...defined({ entryId }), since, translate }));
  const rows = [
    ...placeRows(session, plan.path, entries, translate),
    ...promptRows(await readSystemPrompt(session, plan, signal), translate),
    ...activityRows(await turn.run(activityAt(session, places)), await touchedFiles(session, entries, signal), translate),
  ];
  const nothing = groups.length > 0 ? [] : [`*${since !== null ? translate(NOTHING_SINCE, {}) : translate('There are no entries.', {})}*`];
  const top = [documentHead(documentTitle(session, plan.path, translate), rows), ...nothing].join('\n\n');
  return sectionsToMarkdown(session, {
    top,
    groups,
    maxBytes,
    options: { ...options, omitTimes: true },
    signal,
  });
}

const NOTHING_SINCE = 'Nothing comes after the fork point on this side.';

function placeRows(
  session: Session,
  path: readonly EntryHead[],
  entries: readonly EntryHead[],
  translate: TranslateMessage,
): [string, string][] {
  const forkPoint = path[path.length - entries.length - 1];
  return [
    [translate('Session', {}), inlineCode(session.header.id)],
    [
      translate('After', {}),
      forkPoint ? entrySummary(session, forkPoint, translate) : translate('the beginning (no entries in common)', {}),
    ],
    [translate('Up to', {}), entrySummary(session, path.at(-1), translate)],
  ];
}

/** The system prompt and the tools at the end of the side, if they are recorded. */
function promptRows(prompt: SystemPrompt | undefined, translate: TranslateMessage): [string, string][] {
  const { text = '', sections = [], tools = [] } = prompt ?? {};
  const parts = text === '' ? sections : [{ name: '', text }, ...sections];
  const size = (part: PromptSection): string => `${inlineCode(part.name)} ${characters(part.text, translate)}`.trimStart();
  return [
    [translate('System prompt', {}), named(parts, size, translate)],
    [translate('Tools offered', {}), named(tools, ({ name }) => inlineCode(name), translate)],
  ];
}

const characters = (text: string, translate: TranslateMessage): string =>
  translate('{count} characters', { count: formatNumber(text.length) });

/** The length of an entry's text, in UTF-16 units. */
const MAX_SUMMARY_LENGTH = 80;

/** An entry in one line: its text, id and label. */
function entrySummary(session: Session, head: EntryHead | undefined, translate: TranslateMessage): string {
  if (!head) return '';
  const label = session.labels.get(head.id);
  const shown = isBranchMark(head)
    ? translate('Branch starts here', {})
    : inlineCode(plainRowWithRole(head, translate, MAX_SUMMARY_LENGTH));
  return `${shown} · ${inlineCode(head.id)}${label === undefined ? '' : ` · 🏷 ${inlineText(label)}`}`;
}

/**
 * Every row exists on both sides, so that the diff aligns equal facts. Only values that sessions of this kind never
 * record are left out.
 */
function activityRows(
  { userMessages: turns, messages, tools, usage, timeRange: span }: ActivitySummary,
  files: TouchedFiles,
  translate: TranslateMessage,
): [string, string][] {
  const { output, cacheRead, cacheWrite, cost, byModel } = usage;
  const tokens = translate('{input} in, {output} out, {cacheRead} cache read, {cacheWrite} cache write', {
    input: formatNumber(tokensIn(usage)),
    output: formatNumber(output),
    cacheRead: formatNumber(cacheRead),
    cacheWrite: formatNumber(cacheWrite),
  });
  const none = translate('none', {});
  return [
    [translate('Turns', {}), formatNumber(turns)],
    [translate('Messages', {}), formatNumber(messages)],
    [translate('Tools', {}), tools.map(({ name, calls, failed }) => toolText(name, calls, failed, translate)).join(', ') || none],
    [translate('Files written', {}), fileList(files.written, translate) || none],
    [translate('Files read', {}), fileList(files.read, translate) || none],
    [translate('Models', {}), byModel.flatMap(({ model }) => (model ? [inlineText(modelName(model))] : [])).join(', ') || none],
    [translate('Tokens', {}), tokens],
    [translate('Cost', {}), `$${cost.toFixed(cost > 0 && cost < 0.1 ? 4 : 2)}`],
    [translate('Time', {}), span ? spanText(span.from, span.to, translate) : none],
  ];
}

function toolText(name: string, calls: number, failed: number, translate: TranslateMessage): string {
  const text = `${inlineCode(name)} ${formatNumber(calls)}`;
  return failed === 0 ? text : `${text} (${translate('{count} failed', { count: failed })})`;
}

const fileList = (files: readonly string[], translate: TranslateMessage): string => named(files, inlineCode, translate);

/** Names the first things of a list, and the number of others. */
function named<T>(things: readonly T[], textOf: (thing: T) => string, translate: TranslateMessage): string {
  const more = things.length > MAX_NAMES ? [translate('{count} more', { count: things.length - MAX_NAMES })] : [];
  return [...things.slice(0, MAX_NAMES).map(textOf), ...more].join(', ');
}

/** A day that both times share appears only once. */
function spanText(from: number, to: number, translate: TranslateMessage): string {
  const textOfTime = (time: number): string => new Date(time).toISOString().slice(0, 19).replace('T', ' ');
  const [start, end] = [textOfTime(from), textOfTime(to)];
  const until = end.slice(0, 10) === start.slice(0, 10) ? end.slice(11) : end;
  return `${from === to ? start : `${start} – ${until}`} UTC (${durationText(to - from, translate)})`;
}

function durationText(milliseconds: number, translate: TranslateMessage): string {
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return translate('{count} s', { count: seconds });
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return translate('{count} min', { count: minutes });
  if (minutes < 48 * 60) return translate('{hours} h {minutes} min', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
  return translate('{count} d', { count: Math.round(minutes / 60 / 24) });
}

const formatNumber = (value: number): string => numberText(value, 'en-US');
