/**
 * The layout of tooltips: a text above facts, one in each line. All texts are escaped, so nothing in them becomes a link, an
 * image or a command. Tooltips of rows have no links of ours either: the editor hides a hover when the pointer moves onto
 * it, unless it contains a link, and then it would cover the rows below.
 */
import * as vscode from 'vscode';
import { beginning, sanitizeText, tokensIn, type Totals } from '../../core/index';
import { formatNumber } from '../../ui/formatNumbers';
import { escapeMarkdown } from '../items/escapeMarkdown';
import * as words from '../items/rowText';

const { t } = vscode.l10n;

/** The length up to which a tooltip shows a text. */
const TEXT_LENGTH = 400;
/** The same for each fact: a label may have megabytes. */
const FACT_LENGTH = 300;

interface TooltipContent {
  /** Bold, above the text. */
  readonly title?: string;
  readonly text?: string | undefined;
  /** Empty ones are left out. */
  readonly facts: readonly (string | undefined)[];
}

export function tooltipMarkdown({ title, text = '', facts }: TooltipContent): vscode.MarkdownString {
  const shown = excerpt(text, TEXT_LENGTH);
  const lines = facts.flatMap((line) => (line === undefined || line === '' ? [] : [excerpt(line, FACT_LENGTH)])).join('\n');
  const parts = [
    title === undefined ? '' : `**${escapeMarkdown(words.truncate(title, 200))}**`,
    // One blank line separates blocks of Markdown.
    escapeMarkdown(
      sanitizeText(shown)
        .trim()
        .replace(/\n{3,}/g, '\n\n'),
    ),
    lines === '' ? '' : `---\n\n${escapeMarkdown(sanitizeText(lines))}`,
  ];
  return new vscode.MarkdownString(parts.filter((part) => part !== '' && part !== '&nbsp;').join('\n\n'));
}

const excerpt = (text: string, length: number): string => (text.length > length ? `${beginning(text, length)}…` : text);

/** Tokens and dollars; empty without either. */
export function usageText(usage: Omit<Totals, 'cost'> & { readonly cost?: number }): string {
  const { output, cost } = usage;
  const read = tokensIn(usage);
  return words.joinParts(
    read + output === 0 ? undefined : t('{0} tokens in, {1} out', formatNumber(read), formatNumber(output)),
    cost === undefined || cost <= 0 ? undefined : words.dollars(cost),
  );
}

/** @param time milliseconds since 1970. @returns `undefined` if it is 0 */
export const formatTime = (time: number): string | undefined =>
  time === 0 ? undefined : new Date(time).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });
