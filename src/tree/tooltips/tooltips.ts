/** Tooltips and click commands of rows, computed when the pointer rests on a row. */
import * as vscode from 'vscode';
import {
  beginning,
  branchDigest,
  defined,
  isBranchMark,
  isRewind,
  modelName,
  parseSystemMessage,
  providerErrorText,
  readBodies,
  textOf,
  toolCalls,
  withoutMarkdown,
  type Entry,
  type EntryHead,
  type Message,
  type Session,
  type SystemPrompt,
} from '../../core/index';
import { roleName } from '../../ui/entryRoles';
import { localizeError } from '../../ui/localize';
import type { BranchRow, EntryRow, ViewRow } from '../rows/viewRows';
import { showContext } from '../items/rowContext';
import * as words from '../items/rowText';
import { projectTooltip, sessionTooltip, type TooltipSource } from './sessionTooltip';
import { formatTime, tooltipMarkdown, usageText } from './tooltipMarkdown';

const { t } = vscode.l10n;

/** The size in bytes up to which an entry is read for a tooltip. */
const READ_LIMIT = 2_000_000;
/** UTF-16 units of a text that are prepared: more than a tooltip shows. */
const PREPARED_LENGTH = 10_000;
/** Files that are named, and UTF-16 units of an outcome. */
const [MAX_NAMED, MAX_OUTCOME] = [5, 300];
/** Results of one message before which its call is looked for. */
const MAX_CALLS = 100;
/** UTF-16 units of a command in the hover of its result, so that there's room for the result. */
const MAX_COMMAND = 300;

/** Adds a row's tooltip and click command. If an entry's file can't be read, the tooltip says so. */
export async function resolveTreeItem(
  item: vscode.TreeItem,
  row: ViewRow,
  source: TooltipSource,
  signal?: AbortSignal,
): Promise<vscode.TreeItem> {
  const click = clickCommand(row);
  if (click) item.command = click;
  if (row.row === 'project') item.tooltip = projectTooltip(row);
  if (row.row === 'session') item.tooltip = await sessionTooltip(row, source);
  if (row.row === 'entry' || row.row === 'branch')
    item.tooltip = await source
      .session(row.path)
      .then((opened) => entryTooltip(row, opened, signal))
      .catch(localizeError);
  return item;
}

function clickCommand(row: ViewRow): vscode.Command | undefined {
  if (row.row === 'entry' || row.row === 'note') return showContext(row);
  if (row.row === 'problem' && row.line !== undefined)
    return { command: 'sessionTree.openRaw', title: t('Open Raw File'), arguments: [row] };
  return undefined;
}

/** @param session the current session, which may no longer have the entry */
async function entryTooltip(row: EntryRow | BranchRow, session: Session, signal: AbortSignal | undefined): Promise<vscode.MarkdownString> {
  const head = row.row === 'entry' ? row.entry.head : row.branch.head;
  const known = session.byId.get(head.id);
  const [body] = known && known.length <= READ_LIMIT ? await readBodies(session, [known.id]) : [];
  const command = known?.toolCallId === undefined ? '' : await commandOfCall(session, known);
  const text = `${command}${body ? bodyText(body) : ''}`;
  const labels = [session.labels.get(head.id), row.row === 'branch' ? row.branch.tipLabel : undefined].filter(
    (label) => label !== undefined,
  );
  return tooltipMarkdown({
    title: headline(row, session),
    text: text.trim() === '' || isBranchMark(head) ? words.spokenText(head) : text,
    facts: [
      ...labels.map((label) => t('Label: {0}', label)),
      ...(row.row === 'branch' ? await branchFacts(session, row.entryId, signal) : []),
      ...facts(head),
    ],
  });
}

/** Returns the command of the call that a tool's result answers, as a shell shows it; empty if the call isn't right before it, or has none. */
async function commandOfCall(session: Session, { toolCallId, parentId }: EntryHead): Promise<string> {
  const { byId } = session;
  let before = byId.get(parentId ?? '');
  // The results of a message's calls follow each other.
  for (let steps = 0; before?.role === 'toolResult' && steps < MAX_CALLS; steps++) before = byId.get(before.parentId ?? '');
  if (before?.role !== 'assistant' || before.length > READ_LIMIT) return '';
  const [answer] = await readBodies(session, [before.id]);
  if (answer?.type !== 'message' || answer.message.role !== 'assistant') return '';
  const call = toolCalls(answer.message).find(({ id }) => id === toolCallId);
  const { command } = (call?.arguments ?? {}) as Record<string, unknown>;
  return typeof command === 'string' ? `$ ${words.truncate(command, MAX_COMMAND)}\n` : '';
}

/** The outcome of the branch, what it changed and cost, and where the session went instead. */
async function branchFacts(session: Session, tipId: string, signal: AbortSignal | undefined): Promise<(string | undefined)[]> {
  const { outcome, files, failures, usage, replacedBy } = await branchDigest(session, tipId, defined({ signal }));
  const changed = files.filter(({ kind }) => kind === 'write').map(({ file }) => words.truncate(file, 60));
  const more = changed.length - MAX_NAMED;
  const named = changed.slice(0, MAX_NAMED).join(', ');
  return [
    outcome === '' ? undefined : t('Outcome: {0}', words.truncate(outcome, MAX_OUTCOME)),
    changed.length === 0 ? undefined : t('Changed files: {0}', more > 0 ? t('{0} and {1} more', named, more) : named),
    failures === 0 ? undefined : t('{0} failed', failures),
    usageText(usage),
    replacedBy && replacedBy.prompt !== '' ? t('The session went on with “{0}”', words.truncate(replacedBy.prompt, 100)) : undefined,
  ];
}

/** Returns the role of a message, or the kind of another row. */
function headline(row: EntryRow | BranchRow, session: Session): string {
  if (row.row === 'branch') {
    const { turnCount, visibleCount } = row.branch;
    return words.joinParts(t('Abandoned branch'), turnCount === 0 ? words.entryCount(visibleCount) : words.turnCount(turnCount));
  }
  const { head, isLeaf } = row.entry;
  return words.joinParts(speaker(head), isLeaf || session.leafId === head.id ? t('current leaf') : undefined);
}

function speaker({ type, role, toolName, customType }: EntryHead): string {
  if (type === 'custom_message' && isRewind({ customType })) return t('Rewound to a checkpoint');
  if (role === 'user') return t('You');
  if (role === 'assistant') return t('Assistant');
  return role === 'toolResult' ? (toolName ?? t('Tool')) : roleName(role ?? type).replaceAll('_', ' ');
}

function facts(head: EntryHead): (string | undefined)[] {
  const { usage, model } = head;
  return [
    head.isError ? t('The tool call failed.') : undefined,
    formatTime(head.time),
    model && words.joinParts(modelName(model), head.stopReason === 'stop' ? undefined : head.stopReason),
    usage && usageText({ ...usage, cost: usage.cost?.total ?? 0 }),
    t('Entry {0}, line {1}', head.id, head.line),
  ];
}

/** Returns the text of an entry: messages and summaries as prose, and what programs printed as it is. */
function bodyText(entry: Entry): string {
  switch (entry.type) {
    case 'message':
      return messageText(entry.message);
    case 'compaction':
      return prose(entry.shortSummary === undefined ? entry.summary : `${entry.shortSummary}\n\n${entry.summary}`);
    case 'branch_summary':
      return prose(entry.summary);
    case 'custom_message':
      return prose(textOf(entry.content, '\n'));
    default:
      return '';
  }
}

function messageText(message: Message): string {
  if (message.role === 'system') return promptText(parseSystemMessage({ ...message }));
  if (message.role === 'bashExecution' || message.role === 'pythonExecution')
    return `$ ${message.command ?? message.code ?? ''}\n${message.output ?? ''}`;
  const text = 'content' in message ? textOf(message.content, '\n') : '';
  if (message.role === 'assistant') {
    const { errorMessage = '' } = message;
    return `${prose(text)}\n${providerErrorText(errorMessage) ?? errorMessage}`;
  }
  return message.role === 'user' ? prose(text) : text;
}

/** Returns the text of a system prompt, or the names of its sections and tools. */
function promptText({ text, sections, tools }: SystemPrompt): string {
  const names = (of: readonly { readonly name: string }[]): string => of.map(({ name }) => name).join(', ');
  const lists = [sections.length === 0 ? '' : t('Sections: {0}', names(sections)), tools.length === 0 ? '' : t('Tools: {0}', names(tools))];
  return [prose(text), ...lists].filter((line) => line.trim() !== '').join('\n\n');
}

const prose = (text: string): string => withoutMarkdown(beginning(text, PREPARED_LENGTH));
