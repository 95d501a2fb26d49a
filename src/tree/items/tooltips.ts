/** Tooltips and click commands of rows, computed when the pointer rests on a row. */
import * as vscode from 'vscode';
import {
  DIALECT_FACTS,
  modelName,
  sanitizeText,
  readBodies,
  textOf,
  type Entry,
  type EntryHead,
  type Message,
  type Session,
} from '../../core/index';
import { localizeError } from '../../ui/localize';
import { escapeMarkdown } from './escapeMarkdown';
import type { BranchRow, EntryRow, SessionRow, ViewRow } from '../rows/viewRows';
import * as words from './rowText';

const { t } = vscode.l10n;

/** The length up to which a tooltip shows an entry's text. */
const TEXT_LENGTH = 1500;
/** The size in bytes up to which an entry is read for a tooltip. */
const READ_LIMIT = 2_000_000;

/** Adds a row's tooltip and click command. If the file can't be read, the tooltip says so. */
export async function resolveTreeItem(
  item: vscode.TreeItem,
  row: ViewRow,
  session: (path: string) => Promise<Session>,
): Promise<vscode.TreeItem> {
  const click = clickCommand(row);
  if (click) item.command = click;
  if (row.row === 'session') item.tooltip = sessionTooltip(row);
  if (row.row === 'entry' || row.row === 'branch')
    item.tooltip = await session(row.path)
      .then((opened) => entryTooltip(row, opened))
      .catch(localizeError);
  return item;
}

function clickCommand(row: ViewRow): vscode.Command | undefined {
  // The focus stays in the tree, so that the arrow keys keep moving between rows.
  if (row.row === 'entry' || row.row === 'note')
    return { command: 'sessionTree.showContext', title: t('Show Context'), arguments: [row, { preserveFocus: true }] };
  if (row.row === 'problem' && row.line !== undefined)
    return { command: 'sessionTree.openRaw', title: t('Open Raw File'), arguments: [row] };
  return undefined;
}

function sessionTooltip({ path, item: { summary, forkedFrom } }: SessionRow): vscode.MarkdownString {
  const { marks } = summary;
  return tooltipMarkdown(words.sessionTitle(summary), [
    words.joinParts(DIALECT_FACTS[summary.dialect].label, summary.isPartial ? '' : words.messageCount(summary.messageCount)),
    summary.created === 0 ? undefined : t('Started {0}', formatTime(summary.created)),
    summary.modified === 0 ? undefined : t('Last message {0}', formatTime(summary.modified)),
    marks && words.marksText(marks),
    forkedFrom && words.forkOriginText(forkedFrom),
    summary.writable || summary.isPartial
      ? undefined
      : summary.isOld
        ? t('An old version of the format: migrate it to label, branch or rename.')
        : t('Read-only here.'),
    words.shortPath(path),
  ]);
}

/** @param session the current session, which may no longer have the entry */
async function entryTooltip(row: EntryRow | BranchRow, session: Session): Promise<vscode.MarkdownString> {
  const head = row.row === 'entry' ? row.entry.head : row.branch.head;
  const known = session.byId.get(head.id);
  const text = known && known.length <= READ_LIMIT ? bodyText((await readBodies(session, [known.id]))[0]!) : '';
  return tooltipMarkdown(text.trim() === '' ? head.text : text, facts(head));
}

function facts(head: EntryHead): (string | undefined)[] {
  const { usage, model } = head;
  const tokens =
    usage && t('{0} tokens in, {1} out', formatNumber(usage.input + usage.cacheRead + usage.cacheWrite), formatNumber(usage.output));
  const cost = usage?.cost && usage.cost.total > 0 ? `$${usage.cost.total.toFixed(usage.cost.total < 0.1 ? 4 : 2)}` : undefined;
  return [
    head.time === 0 ? undefined : formatTime(head.time),
    model && words.joinParts(modelName(model), head.stopReason === 'stop' ? undefined : head.stopReason),
    words.joinParts(tokens, cost),
    t('Entry {0}, line {1}', head.id, head.line),
  ];
}

/** The text is untrusted: it is escaped, and nothing in it becomes a link, an image or a command. */
function tooltipMarkdown(text: string, lines: readonly (string | undefined)[]): vscode.MarkdownString {
  const shown = text.length > TEXT_LENGTH ? `${text.slice(0, TEXT_LENGTH)}…` : text;
  const facts = lines.filter((line) => line !== undefined && line !== '').join('\n');
  return new vscode.MarkdownString(`${escapeMarkdown(sanitizeText(shown).trim())}\n\n---\n\n${escapeMarkdown(sanitizeText(facts))}`);
}

const formatNumber = (value: number): string => value.toLocaleString(vscode.env.language);
const formatTime = (time: number): string =>
  new Date(time).toLocaleString(vscode.env.language, { dateStyle: 'medium', timeStyle: 'short' });

function bodyText(entry: Entry): string {
  switch (entry.type) {
    case 'message':
      return messageText(entry.message);
    case 'compaction':
    case 'branch_summary':
      return entry.summary;
    case 'custom_message':
      return textOf(entry.content, '\n');
    default:
      return '';
  }
}

function messageText(message: Message): string {
  if (message.role === 'bashExecution' || message.role === 'pythonExecution')
    return `$ ${message.command ?? message.code ?? ''}\n${message.output ?? ''}`;
  if (message.role === 'assistant' && message.errorMessage !== undefined && message.errorMessage !== '')
    return `${textOf(message.content, '\n')}\n${message.errorMessage}`;
  return 'content' in message ? textOf(message.content, '\n') : '';
}
