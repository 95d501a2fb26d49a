/** Entries as sections of a readable document. Each omission is noted where it occurs, with its reason. */
import {
  isObject,
  type AssistantMessage,
  type CompactionEntry,
  type Content,
  type Entry,
  type ExecutionMessage,
  type Message,
  type ToolResultMessage,
} from '../entry/entry';
import { modelName, type ContextCompaction } from './contextPlan';
import { toolCalls } from './contextMessages';
import type { EntryHead } from '../entry/entryHead';
import { lacksNestedCalls, nestedCalls } from '../entry/fileTouches';
import { summaryFileList } from './summaryFileList';
import { jsonText } from '../text/jsonText';
import { normalizeMarkdown } from '../text/markdownProse';
import { truncateMiddle, codeBlock, inlineCode, inlineText, blockQuote } from '../text/markdownText';
import type { TranslateMessage } from '../entry/problem';
import { hasPromptParts, parseSessionInit, parseSystemMessage, type SystemPrompt } from '../entry/systemPrompt';
import { promptMarkdown } from './promptMarkdown';

export interface SectionOptions {
  readonly translate: TranslateMessage;
  readonly labels: ReadonlyMap<string, string>;
  readonly compaction?: ContextCompaction;
  /** The first entry that the compaction kept; its section gets a note. */
  readonly firstKeptEntryId?: string;
  /** The system message that declares the prompt; later ones are changes. */
  readonly promptEntryId?: string;
  /** Omits the time of day from headings, so that equal entries of two branches have equal ones. */
  readonly omitTimes?: boolean;
}

/** An entry with its head; for an answer also the results of its calls that follow directly. */
export interface SectionEntries {
  readonly head: EntryHead;
  readonly entry: Entry;
  readonly results: readonly Entry[];
}

/** Longer texts lose their middle; in UTF-16 units. */
const LIMITS = { prose: 60_000, thinking: 12_000, argument: 3_000, output: 6_000 } as const;

/** Entries without a section, because their effect shows elsewhere. */
const OMITTED_TYPES = new Set(['label', 'usage', 'model_usage']);

export function isOmitted(head: EntryHead): boolean {
  return OMITTED_TYPES.has(head.type);
}

/** Types whose sections have a heading. Those of others are a single line. */
const TYPES_WITH_HEADING = new Set(['message', 'custom_message', 'session_init', 'branch_summary', 'compaction']);

/** Returns true for an entry that only keeps the book: a model, a thinking level, a name. */
export const isBookkeeping = (head: EntryHead): boolean => !TYPES_WITH_HEADING.has(head.type);

/** Returns the section of an entry: a heading and its content, or a single line. */
export function markdownSection({ head, entry, results }: SectionEntries, options: SectionOptions): string {
  const { translate, firstKeptEntryId } = options;
  const note =
    firstKeptEntryId === head.id
      ? [`*${translate('The compaction below keeps the messages from here on. Earlier ones are only in its summary.', {})}*`]
      : [];
  const parts = [...note, ...bodyOf(head, entry, results, options)];
  return parts.filter((part) => part !== '').join('\n\n');
}

function bodyOf(head: EntryHead, entry: Entry, results: readonly Entry[], options: SectionOptions): string[] {
  const { translate } = options;
  const title = (words: string): string => heading(words, head, options);
  switch (entry.type) {
    case 'message': {
      const { message } = entry;
      const prompt = message.role === 'system' ? parseSystemMessage(message) : undefined;
      return prompt && hasPromptParts(prompt)
        ? promptSection(prompt, title, translate, options.promptEntryId !== head.id)
        : messageSection(message, results, title, translate);
    }
    case 'session_init':
      return promptSection(parseSessionInit(entry), title, translate, false);
    case 'custom_message':
      return [title(translate('Message of {type}', { type: inlineText(entry.customType) })), ...contentParts(entry.content, translate)];
    case 'branch_summary':
      return [
        title(translate('Branch summary', {})),
        blockQuote(prose(entry.summary, translate)),
        summaryFileList(entry.summary, entry['details'], translate),
      ];
    case 'compaction':
      return [
        title(translate('Compaction', {})),
        compactionNote(entry, options),
        entry.shortSummary === undefined ? '' : `**${inlineText(truncate(entry.shortSummary, LIMITS.argument, translate))}**`,
        blockQuote(prose(entry.summary, translate)),
        summaryFileList(entry.summary, entry['details'], translate),
      ];
    default: {
      const label = options.labels.get(head.id);
      return [`*${inlineText(head.text.replace(/^\[(.*)\]$/, '$1'))}*${label === undefined ? '' : mark(label)}`];
    }
  }
}

const mark = (label: string): string => ` · 🏷 ${inlineText(label)}`;

function heading(words: string, head: EntryHead, { labels, omitTimes = false }: SectionOptions): string {
  const label = labels.get(head.id);
  const model = head.role === 'assistant' && head.model ? ` · ${inlineText(modelName(head.model))}` : '';
  const time = head.time === 0 || omitTimes ? '' : ` · ${new Date(head.time).toISOString().slice(11, 19)}`;
  return `## ${words}${model}${time}${label === undefined ? '' : mark(label)}`;
}

function messageSection(
  message: Message,
  results: readonly Entry[],
  title: (words: string) => string,
  translate: TranslateMessage,
): string[] {
  switch (message.role) {
    case 'user':
      return [title(translate('User', {})), ...contentParts(message.content, translate).map(blockQuote)];
    case 'assistant':
      return [title(translate('Assistant', {})), ...answerParts(message, results, translate)];
    case 'toolResult':
      return [title(translate('Result of {tool}', { tool: inlineText(message.toolName ?? '?') })), ...resultParts(message, translate)];
    case 'bashExecution':
    case 'pythonExecution':
      return [title(translate(message.role === 'bashExecution' ? 'Command' : 'Python', {})), ...executionParts(message, translate)];
    case 'branchSummary':
    case 'compactionSummary':
      return [title(translate('Summary', {})), blockQuote(prose(message.summary, translate))];
    default: {
      const role: string = message.role === 'custom' ? message.customType : message.role;
      return [title(translate('Message of {type}', { type: inlineText(role) })), ...contentParts(message.content, translate)];
    }
  }
}

function promptSection(prompt: SystemPrompt, title: (words: string) => string, translate: TranslateMessage, isChange: boolean): string[] {
  const words = isChange ? translate('System prompt and tools changed', {}) : translate('System prompt and tools', {});
  const cut = (text: string, limit: number): string => truncate(text, limit, translate);
  return [title(words), ...promptMarkdown(prompt, { translate, truncate: cut, isChange })];
}

function contentParts(content: Content | undefined, translate: TranslateMessage): string[] {
  if (content === undefined) return [];
  if (typeof content === 'string') return [prose(content, translate)];
  return content.map((block) => {
    switch (block.type) {
      case 'text':
        return prose(block.text, translate);
      case 'image':
        return imageNote(block.mimeType, block.data, translate);
      case 'thinking':
        return blockQuote(`*${translate('Thinking', {})}*\n\n${normalizeMarkdown(truncate(block.thinking, LIMITS.thinking, translate))}`);
      default:
        return '';
    }
  });
}

function answerParts(message: AssistantMessage, results: readonly Entry[], translate: TranslateMessage): string[] {
  const calls = new Set(toolCalls(message).map((call) => call.id));
  const answers = new Map<string, ToolResultMessage>();
  const others: string[] = [];
  for (const result of results) {
    if (result.type !== 'message' || result.message.role !== 'toolResult') continue;
    const { toolCallId } = result.message;
    if (toolCallId !== undefined && calls.has(toolCallId)) answers.set(toolCallId, result.message);
    else
      others.push(
        `**${translate('Result of {tool}', { tool: inlineText(result.message.toolName ?? '?') })}**`,
        ...resultParts(result.message, translate),
      );
  }
  const parts = (typeof message.content === 'string' ? [message.content] : message.content).flatMap((block) => {
    if (typeof block === 'string') return contentParts(block, translate);
    if (block.type !== 'toolCall') return contentParts([block], translate);
    const answer = answers.get(block.id);
    return [
      `**${translate('Tool', {})}** ${inlineCode(block.name)}`,
      ...argumentParts(answer && diffOf(answer) !== '' ? withoutEdit(block.arguments) : block.arguments, translate),
      ...(answer ? resultParts(answer, translate) : []),
    ];
  });
  const failed = message.stopReason === 'error' || message.stopReason === 'aborted';
  const failure = failed
    ? [`*${translate(message.stopReason === 'error' ? 'Failed' : 'Aborted', {})}* ${inlineText(message.errorMessage ?? '')}`.trim()]
    : [];
  return [...parts, ...others, ...failure];
}

/** Returns short arguments as a list, and each long one between fences. */
function argumentParts(args: unknown, translate: TranslateMessage): string[] {
  if (!isObject(args)) return args === undefined ? [] : [codeBlock(truncate(jsonText(args), LIMITS.argument, translate))];
  const short: string[] = [];
  const long: string[] = [];
  for (const [name, value] of Object.entries(args)) {
    const text = typeof value === 'string' ? value : jsonText(value, 2);
    if (text.length <= 120 && !/[\r\n]/.test(text)) short.push(`- ${inlineText(name)}: ${inlineCode(text)}`);
    else long.push(`${inlineText(name)}:`, codeBlock(truncate(text, LIMITS.argument, translate)));
  }
  return [short.join('\n'), ...long];
}

/** Arguments of edits that the diff shows in a more readable form. */
const EDIT_ARGUMENTS = new Set([
  'oldText',
  'newText',
  'old_text',
  'new_text',
  'oldString',
  'newString',
  'old_string',
  'new_string',
  'old_str',
  'new_str',
  'edits',
  'input',
]);

const withoutEdit = (args: unknown): unknown =>
  isObject(args) ? Object.fromEntries(Object.entries(args).filter(([name]) => !EDIT_ARGUMENTS.has(name))) : args;

const diffOf = ({ details }: ToolResultMessage): string =>
  isObject(details) && typeof details['diff'] === 'string' ? details['diff'] : '';

function resultParts(message: ToolResultMessage, translate: TranslateMessage): string[] {
  const diff = diffOf(message);
  return [
    ...nestedCallParts(message, translate),
    message.isError ? translate('Result (error):', {}) : translate('Result:', {}),
    ...plainParts(message.content, translate),
    ...(diff === '' ? [] : [codeBlock(truncate(diff, LIMITS.output, translate), 'diff')]),
  ];
}

/** Returns the calls that a tool made while it ran, one after the other. */
function nestedCallParts(message: ToolResultMessage, translate: TranslateMessage): string[] {
  const parts = nestedCalls(message).flatMap(({ name, arguments: args, error }) => [
    `**${translate('Nested call', {})}** ${inlineCode(typeof name === 'string' ? name : '?')}`,
    ...argumentParts(args, translate),
    ...(typeof error === 'string' ? [codeBlock(truncate(error, LIMITS.output, translate))] : []),
  ]);
  return lacksNestedCalls(message) ? [...parts, `*${translate('Some of this tool’s calls weren’t recorded.', {})}*`] : parts;
}

/** Returns a program's output, as code and never as Markdown. */
function plainParts(content: Content, translate: TranslateMessage): string[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content;
  const parts = blocks.flatMap((block) => {
    if (block.type === 'text') return block.text.trim() === '' ? [] : [codeBlock(truncate(block.text, LIMITS.output, translate))];
    return block.type === 'image' ? [imageNote(block.mimeType, block.data, translate)] : [];
  });
  return parts.length === 0 ? [`*${translate('nothing', {})}*`] : parts;
}

function executionParts(message: ExecutionMessage, translate: TranslateMessage): string[] {
  const notes = [
    ...(message.cancelled ? [translate('canceled', {})] : []),
    ...(typeof message.exitCode === 'number' && message.exitCode !== 0 ? [translate('exit code {code}', { code: message.exitCode })] : []),
    ...(message.truncated ? [translate('output truncated', {})] : []),
    ...(message.excludeFromContext ? [translate('not shown to the model', {})] : []),
  ];
  return [
    codeBlock(
      truncate(message.command ?? message.code ?? '', LIMITS.argument, translate),
      message.role === 'bashExecution' ? 'sh' : 'python',
    ),
    ...(message.output ? plainParts(message.output, translate) : []),
    ...(notes.length === 0 ? [] : [`*${notes.join(', ')}*`]),
  ];
}

function compactionNote(entry: CompactionEntry, { compaction, translate }: SectionOptions): string {
  const tokens = translate('Tokens before: {tokens}.', { tokens: entry.tokensBefore });
  if (compaction?.compactionId !== entry.id) return `${tokens} ${translate('A newer compaction replaced this summary.', {})}`;
  const sees = translate('The model sees this summary in place of {count} earlier messages.', { count: compaction.summarized });
  return compaction.firstKeptEntryId === null
    ? `${tokens} ${sees} ${translate('No earlier messages were kept.', {})}`
    : `${tokens} ${sees}`;
}

function imageNote(mimeType: string, data: string, translate: TranslateMessage): string {
  const type = inlineText(mimeType);
  if (data.startsWith('blob:')) return `*${translate('Image, {type}, stored next to the session', { type })}*`;
  const bytes = Math.floor((data.length * 3) / 4) - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0);
  return `*${translate('Image, {type}, {kilobytes} KB', { type, kilobytes: Math.max(1, Math.round(bytes / 1024)) })}*`;
}

const prose = (text: string, translate: TranslateMessage): string => normalizeMarkdown(truncate(text, LIMITS.prose, translate));

function truncate(text: string, limit: number, translate: TranslateMessage): string {
  return truncateMiddle(text, limit, (characters) => `[… ${translate('{characters} characters are left out here', { characters })} …]`);
}
