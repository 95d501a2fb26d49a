/** Entries as sections of a readable document. What was cut and why is said where it is. */
import { isObject, type AssistantMessage, type CompactionEntry, type Content, type Entry, type ExecutionMessage, type Message, type ToolResultMessage } from '../entry/entry';
import { modelName, type ContextCompaction } from './contextPlan';
import { toolCalls } from './contextMessages';
import type { EntryHead } from '../entry/entryHead';
import { jsonText } from '../text/jsonText';
import { normalizeMarkdown } from '../text/markdownProse';
import { truncateMiddle, codeBlock, inlineCode, inlineText, blockQuote } from '../text/markdownText';
import type { MessageArgs } from '../entry/problem';

/** Says a template in the reader's language. */
export type TranslateMessage = (template: string, args: MessageArgs) => string;

export interface SectionOptions {
  readonly translate: TranslateMessage;
  readonly labels: ReadonlyMap<string, string>;
  readonly compaction?: ContextCompaction;
  /** The first section of what the compaction kept. */
  readonly firstKeptEntryId?: string;
  /** Headings without the time of day, so that those of two branches can be alike. */
  readonly omitTimes?: boolean;
}

/** An entry with its head; of an answer also the results of its calls that come right after it. */
export interface SectionEntries {
  readonly head: EntryHead;
  readonly entry: Entry;
  readonly results: readonly Entry[];
}

/** Lengths above which the middle of a text is left out, in UTF-16 units. */
const LIMITS = { prose: 60_000, thinking: 12_000, argument: 3_000, output: 6_000 } as const;

/** Entries that a reader of the document has no use for: their effect shows elsewhere. */
const OMITTED_TYPES = new Set(['label', 'usage', 'model_usage']);

export function isOmitted(head: EntryHead): boolean {
  return OMITTED_TYPES.has(head.type);
}

/** The section of an entry: a heading and what it holds, or a single line. */
export function markdownSection({ head, entry, results }: SectionEntries, options: SectionOptions): string {
  const { translate: say, firstKeptEntryId: cutAt } = options;
  const note = cutAt === head.id ? [`*${say('The compaction below kept the messages from here on; those above are in its summary only.', {})}*`] : [];
  const parts = [...note, ...bodyOf(head, entry, results, options)];
  return parts.filter((part) => part !== '').join('\n\n');
}

function bodyOf(head: EntryHead, entry: Entry, results: readonly Entry[], options: SectionOptions): string[] {
  const { translate: say } = options;
  const title = (words: string): string => heading(words, head, options);
  switch (entry.type) {
    case 'message':
      return messageSection(entry.message, results, title, say);
    case 'custom_message':
      return [title(say('Message of {type}', { type: inlineText(entry.customType) })), ...contentParts(entry.content, say)];
    case 'branch_summary':
      return [title(say('Summary of another branch', {})), blockQuote(prose(entry.summary, say))];
    case 'compaction':
      return [title(say('Compaction', {})), compactionNote(entry, options), blockQuote(prose(entry.summary, say))];
    default: {
      const label = options.labels.get(head.id);
      return [`*${inlineText(head.text.replace(/^\[(.*)\]$/, '$1'))}*${label === undefined ? '' : mark(label)}`];
    }
  }
}

const mark = (label: string): string => ` · 🏷 ${inlineText(label)}`;

function heading(words: string, head: EntryHead, { labels, omitTimes: timeless = false }: SectionOptions): string {
  const label = labels.get(head.id);
  const model = head.role === 'assistant' && head.model ? ` · ${inlineText(modelName(head.model))}` : '';
  const time = head.time === 0 || timeless ? '' : ` · ${new Date(head.time).toISOString().slice(11, 19)}`;
  return `## ${words}${model}${time}${label === undefined ? '' : mark(label)}`;
}

function messageSection(message: Message, results: readonly Entry[], title: (words: string) => string, say: TranslateMessage): string[] {
  switch (message.role) {
    case 'user':
      return [title(say('User', {})), ...contentParts(message.content, say).map(blockQuote)];
    case 'assistant':
      return [title(say('Assistant', {})), ...answerParts(message, results, say)];
    case 'toolResult':
      return [title(say('Result of {tool}', { tool: inlineText(message.toolName ?? '?') })), ...resultParts(message, say)];
    case 'bashExecution':
    case 'pythonExecution':
      return [title(say(message.role === 'bashExecution' ? 'Command' : 'Python', {})), ...executionParts(message, say)];
    case 'branchSummary':
    case 'compactionSummary':
      return [title(say('Summary', {})), blockQuote(prose(message.summary, say))];
    default: {
      const role: string = message.role === 'custom' ? message.customType : message.role;
      return [title(say('Message of {type}', { type: inlineText(role) })), ...contentParts(message.content, say)];
    }
  }
}

function contentParts(content: Content | undefined, say: TranslateMessage): string[] {
  if (content === undefined) return [];
  if (typeof content === 'string') return [prose(content, say)];
  return content.map((block) => {
    switch (block.type) {
      case 'text':
        return prose(block.text, say);
      case 'image':
        return imageNote(block.mimeType, block.data, say);
      case 'thinking':
        return blockQuote(`*${say('Thinking', {})}*\n\n${normalizeMarkdown(truncate(block.thinking, LIMITS.thinking, say))}`);
      default:
        return '';
    }
  });
}

function answerParts(message: AssistantMessage, results: readonly Entry[], say: TranslateMessage): string[] {
  const calls = new Set(toolCalls(message).map((call) => call.id));
  const answers = new Map<string, ToolResultMessage>();
  const others: string[] = [];
  for (const result of results) {
    if (result.type !== 'message' || result.message.role !== 'toolResult') continue;
    const { toolCallId } = result.message;
    if (toolCallId !== undefined && calls.has(toolCallId)) answers.set(toolCallId, result.message);
    else others.push(`**${say('Result of {tool}', { tool: inlineText(result.message.toolName ?? '?') })}**`, ...resultParts(result.message, say));
  }
  const parts = (typeof message.content === 'string' ? [message.content] : message.content).flatMap((block) => {
    if (typeof block === 'string') return contentParts(block, say);
    if (block.type !== 'toolCall') return contentParts([block], say);
    const answer = answers.get(block.id);
    return [`**${say('Tool', {})}** ${inlineCode(block.name)}`, ...argumentParts(block.arguments, say), ...(answer ? resultParts(answer, say) : [])];
  });
  const failed = message.stopReason === 'error' || message.stopReason === 'aborted';
  const failure = failed ? [`*${say(message.stopReason === 'error' ? 'Failed' : 'Aborted', {})}* ${inlineText(message.errorMessage ?? '')}`.trim()] : [];
  return [...parts, ...others, ...failure];
}

/** Short arguments as a list, long ones each between fences. */
function argumentParts(args: unknown, say: TranslateMessage): string[] {
  if (!isObject(args)) return args === undefined ? [] : [codeBlock(truncate(jsonText(args), LIMITS.argument, say))];
  const short: string[] = [];
  const long: string[] = [];
  for (const [name, value] of Object.entries(args)) {
    const text = typeof value === 'string' ? value : jsonText(value, 2);
    if (text.length <= 120 && !/[\r\n]/.test(text)) short.push(`- ${inlineText(name)}: ${inlineCode(text)}`);
    else long.push(`${inlineText(name)}:`, codeBlock(truncate(text, LIMITS.argument, say)));
  }
  return [short.join('\n'), ...long];
}

function resultParts(message: ToolResultMessage, say: TranslateMessage): string[] {
  const diff = isObject(message.details) && typeof message.details['diff'] === 'string' ? message.details['diff'] : '';
  return [
    message.isError ? say('Result, an error:', {}) : say('Result:', {}),
    ...plainParts(message.content, say),
    ...(diff === '' ? [] : [codeBlock(truncate(diff, LIMITS.output, say), 'diff')]),
  ];
}

/** What a program printed: never read as markdown. */
function plainParts(content: Content, say: TranslateMessage): string[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content;
  const parts = blocks.flatMap((block) => {
    if (block.type === 'text') return block.text.trim() === '' ? [] : [codeBlock(truncate(block.text, LIMITS.output, say))];
    return block.type === 'image' ? [imageNote(block.mimeType, block.data, say)] : [];
  });
  return parts.length === 0 ? [`*${say('nothing', {})}*`] : parts;
}

function executionParts(message: ExecutionMessage, say: TranslateMessage): string[] {
  const notes = [
    ...(message.cancelled ? [say('cancelled', {})] : []),
    ...(typeof message.exitCode === 'number' && message.exitCode !== 0 ? [say('exit code {code}', { code: message.exitCode })] : []),
    ...(message.truncated ? [say('output truncated', {})] : []),
    ...(message.excludeFromContext ? [say('not shown to the model', {})] : []),
  ];
  return [
    codeBlock(truncate(message.command ?? message.code ?? '', LIMITS.argument, say), message.role === 'bashExecution' ? 'sh' : 'python'),
    ...(message.output ? plainParts(message.output, say) : []),
    ...(notes.length === 0 ? [] : [`*${notes.join(', ')}*`]),
  ];
}

function compactionNote(entry: CompactionEntry, { compaction: at, translate: say }: SectionOptions): string {
  const tokens = say('{tokens} tokens before.', { tokens: entry.tokensBefore });
  if (at?.compactionId !== entry.id) return `${tokens} ${say('A newer compaction replaced this summary.', {})}`;
  const sees = say('The model sees this summary in place of {count} earlier messages.', { count: at.summarized });
  return at.firstKeptEntryId === null ? `${tokens} ${sees} ${say('No message before it was kept.', {})}` : `${tokens} ${sees}`;
}

function imageNote(mimeType: string, data: string, say: TranslateMessage): string {
  const type = inlineText(mimeType);
  if (data.startsWith('blob:')) return `*${say('Image, {type}, kept beside the session', { type })}*`;
  const bytes = Math.floor((data.length * 3) / 4) - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0);
  return `*${say('Image, {type}, {kilobytes} KB', { type, kilobytes: Math.max(1, Math.round(bytes / 1024)) })}*`;
}

const prose = (text: string, say: TranslateMessage): string => normalizeMarkdown(truncate(text, LIMITS.prose, say));

function truncate(text: string, limit: number, say: TranslateMessage): string {
  return truncateMiddle(text, limit, (characters) => `[… ${say('{characters} characters are left out here', { characters })} …]`);
}
