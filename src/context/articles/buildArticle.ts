/** Messages → an article. Sanitizes every text and truncates long ones. */
import { isArray, isObject, ownValue } from '../../core/format/entry/jsonValues';
import {
  type AssistantMessage,
  type ExecutionMessage,
  type Message,
  type ToolResultMessage,
  textOf,
} from '../../core/format/entry/message';
import { type SystemPrompt, hasPromptParts, parseSystemMessage } from '../../core/format/entry/systemPrompt';
import { jsonText } from '../../core/format/text/jsonText';
import { unwrapUserText } from '../../core/format/text/userText';
import type { PathBases } from '../../core/format/toolCalls/callWords';
import { lacksNestedCalls } from '../../core/format/toolCalls/fileTouches';
import { nestedCallParts } from './nestedCallParts';
import { argumentsText, summarizeToolCall } from './toolCallSummary';
import { editDiff } from './editDiff';
import type { ImageSource } from './imageFormat';
import { MARKDOWN_LIMITS, OUTPUT_LIMITS, PartCollector } from './partCollector';
import { promptChangeParts, promptParts } from './promptParts';
import type { Article, ArticleKind, Part, RunPart, ShownStatus, ToolPart, ToolState } from '../shared/protocol';
import { oneLine } from '../snapshot/oneLine';

export interface SourceEntry {
  readonly id: string;
  readonly time: number;
  readonly contextStatus?: ShownStatus;
}

export interface ArticleSource {
  readonly key: string;
  /** The folders that paths are shown relative to. */
  readonly bases: PathBases;
  /** One message; an assistant's message is followed by its tool results. */
  readonly messages: readonly Message[];
  /** The entry of each message. */
  readonly entries: readonly SourceEntry[];
  /** The system prompt that the article shows instead of its message. */
  readonly prompt?: SystemPrompt;
  /** The message changes a system prompt before it. */
  readonly isPromptChange?: boolean;
  readonly label?: string;
  readonly labelId?: string;
  readonly dividerText?: string;
  readonly isContinuation?: boolean;
  /** The files that a summary's entry names, as Markdown. */
  readonly files?: string;
  /** The recorded usage as localized text. */
  readonly usage?: string;
}

/** An article with the full texts and image data that it leaves out. */
export interface BuiltArticle {
  readonly article: Article;
  /** All texts in full, by their number. */
  readonly texts: readonly string[];
  readonly images: readonly ImageSource[];
}

const KINDS: Readonly<Record<string, ArticleKind>> = {
  user: 'user',
  assistant: 'assistant',
  system: 'system',
  developer: 'system',
  toolResult: 'tool',
  bashExecution: 'run',
  pythonExecution: 'run',
  custom: 'custom',
  compactionSummary: 'compaction',
  branchSummary: 'branch',
};

export const articleKind = (role: string): ArticleKind => ownValue(KINDS, role) ?? 'other';

export function buildArticle(source: ArticleSource): BuiltArticle {
  const message = source.messages[0]!;
  const parts = new PartCollector();
  const prompt = promptOf(source);
  const kind = prompt ? (source.isPromptChange ? 'promptChange' : 'prompt') : articleKind(message.role);
  const body = prompt ? (source.isPromptChange ? promptChangeParts : promptParts)(prompt, parts) : messageParts(message, source, parts);
  const name = nameOf(message, kind);
  const assistant = message.role === 'assistant' ? message : undefined;
  const contextStatus = source.entries[0]!.contextStatus ?? (isExcluded(message) ? 'excluded' : undefined);
  const article: Article = {
    key: source.key,
    kind,
    ...(name === undefined ? {} : { name: oneLine(name, 80) }),
    entryId: source.entries[0]!.id,
    time: source.entries[0]!.time,
    ...(source.label === undefined ? {} : { label: oneLine(source.label, 80) }),
    ...(source.labelId === undefined || source.labelId === source.entries[0]!.id ? {} : { labelId: source.labelId }),
    ...(assistant && modelText(assistant) !== '' ? { model: oneLine(modelText(assistant), 120) } : {}),
    ...(typeof assistant?.stopReason === 'string' && !['stop', 'toolUse'].includes(assistant.stopReason)
      ? { stopReason: oneLine(assistant.stopReason, 80) }
      : {}),
    ...(source.usage === undefined ? {} : { usage: source.usage }),
    ...(source.dividerText === undefined ? {} : { dividerText: source.dividerText }),
    ...(source.isContinuation ? { isContinuation: true as const } : {}),
    ...(isHidden(message) ? { isHidden: true as const } : {}),
    ...(contextStatus === undefined ? {} : { contextStatus }),
    parts: body.length === 0 ? [{ kind: 'empty' }] : body,
  };
  return { article, texts: parts.texts, images: parts.images };
}

/** Returns the system prompt that an article shows; `undefined` if it shows its message. */
function promptOf({ messages, prompt }: ArticleSource): SystemPrompt | undefined {
  const message = messages[0]!;
  if (prompt || message.role !== 'system') return prompt;
  const parsed = parseSystemMessage(message);
  return hasPromptParts(parsed) ? parsed : undefined;
}

const isExcluded = (message: Message): boolean =>
  (message.role === 'bashExecution' || message.role === 'pythonExecution') && message.excludeFromContext === true;

function nameOf(message: Message, kind: ArticleKind): string | undefined {
  if (message.role === 'custom') return message.customType;
  if (message.role === 'toolResult') return message.toolName;
  return kind === 'other' ? message.role : undefined;
}

/** Returns the model that was asked, the one that answered if it is another, and the thinking level. */
function modelText({ model, responseModel, thinkingLevel }: AssistantMessage): string {
  const answered = typeof responseModel === 'string' && responseModel !== model ? responseModel : '';
  const models = [model ?? '', answered].filter((name) => name !== '').join(' → ');
  return [models, typeof thinkingLevel === 'string' ? thinkingLevel : ''].filter((text) => text !== '').join(' · ');
}

function messageParts(message: Message, source: ArticleSource, parts: PartCollector): Part[] {
  switch (message.role) {
    case 'assistant':
      return assistantParts(message, source, parts);
    case 'toolResult':
      return [toolPart(undefined, message, resultEntry(source, 0), source.bases, parts)];
    case 'bashExecution':
    case 'pythonExecution':
      return [runPart(message, parts)];
    case 'compactionSummary':
    case 'branchSummary':
      return markdownParts(source.files ? `${message.summary}\n\n${source.files}` : message.summary, parts);
    case 'user':
      return [...contentParts(message.content, parts, userTextParts), ...attachmentParts(message['attachments'], parts)];
    default: {
      const body = contentParts(message.content, parts, markdownParts);
      return isHidden(message) ? [{ kind: 'fold', content: 'hidden', summary: oneLine(textOf(message.content), 200), parts: body }] : body;
    }
  }
}

/** The files that a message of version 2 has beside its content: images, and documents with their text. */
function attachmentParts(attachments: unknown, parts: PartCollector): Part[] {
  if (!isArray(attachments)) return [];
  return attachments.filter(isObject).flatMap((one): Part[] => {
    const mimeType = stringOf(one['mimeType']);
    if (one['type'] === 'image') return [parts.addImage({ mimeType, data: stringOf(one['content']) })];
    const text = [stringOf(one['fileName']) || mimeType, stringOf(one['extractedText'])].filter((line) => line !== '').join('\n');
    return outputParts(text, parts);
  });
}

const isHidden = (message: Message): boolean => message.role === 'custom' && message.display === false;

type TextParts = (text: string, parts: PartCollector) => Part[];

const markdownParts: TextParts = (text, parts) =>
  /\S/.test(text) ? [{ kind: 'markdown', text: parts.addText(text, MARKDOWN_LIMITS) }] : [];
const outputParts: TextParts = (text, parts) =>
  /\S/.test(text) ? [{ kind: 'output', text: parts.addText(text.trimEnd(), OUTPUT_LIMITS) }] : [];

/** Wrappers that a program put around the user's text are in folds. */
const userTextParts: TextParts = (text, parts) => {
  const { from, to } = unwrapUserText(text);
  const wrapper = (around: string): Part[] =>
    /\S/.test(around) ? [{ kind: 'fold', content: 'wrapper', summary: oneLine(around, 200), parts: outputParts(around, parts) }] : [];
  return [...wrapper(text.slice(0, from)), ...markdownParts(text.slice(from, to), parts), ...wrapper(text.slice(to))];
};

/** Handles a string or content blocks. Blocks of unknown types are shown as JSON. */
function contentParts(content: unknown, parts: PartCollector, text: TextParts): Part[] {
  if (typeof content === 'string') return text(content, parts);
  if (!isArray(content)) return [];
  return content.flatMap((block): Part[] => {
    if (!isObject(block)) return [];
    if (block['type'] === 'text') return text(stringOf(block['text']), parts);
    if (block['type'] === 'image') return [parts.addImage({ mimeType: stringOf(block['mimeType']), data: stringOf(block['data']) })];
    return [{ kind: 'output', text: parts.addText(jsonText(block, 2), OUTPUT_LIMITS) }];
  });
}

function assistantParts(message: AssistantMessage, source: ArticleSource, parts: PartCollector): Part[] {
  const results = new Map<string, number>();
  source.messages.forEach((result, index) => {
    if (result.role === 'toolResult' && typeof result.toolCallId === 'string' && !results.has(result.toolCallId))
      results.set(result.toolCallId, index);
  });
  const used = new Set<number>([0]);
  const blocks: readonly unknown[] = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
  const body = blocks.flatMap((block): Part[] => {
    if (!isObject(block)) return [];
    if (block['type'] === 'thinking') {
      const thinking = stringOf(block['thinking']);
      return /\S/.test(thinking) ? [{ kind: 'thinking', text: parts.addText(thinking, MARKDOWN_LIMITS) }] : [];
    }
    if (block['type'] !== 'toolCall') return contentParts([block], parts, markdownParts);
    const at = results.get(stringOf(block['id']));
    if (at !== undefined) used.add(at);
    return [
      toolPart(
        block,
        at === undefined ? undefined : (source.messages[at] as ToolResultMessage),
        at === undefined ? undefined : resultEntry(source, at),
        source.bases,
        parts,
      ),
    ];
  });
  // Results without a call in this message are never left out.
  source.messages.forEach((result, index) => {
    if (!used.has(index)) body.push(toolPart(undefined, result as ToolResultMessage, resultEntry(source, index), source.bases, parts));
  });
  if (typeof message.errorMessage === 'string' && message.errorMessage !== '')
    body.push({ kind: 'error', text: parts.addText(message.errorMessage, OUTPUT_LIMITS) });
  return body;
}

/** Returns a result's entry, with its status only if that differs from the message's. */
function resultEntry({ entries }: ArticleSource, index: number): SourceEntry {
  const { contextStatus, ...entry } = entries[index]!;
  return contextStatus === undefined || contextStatus === entries[0]!.contextStatus ? entry : { ...entry, contextStatus };
}

function toolPart(
  call: Readonly<Record<string, unknown>> | undefined,
  result: ToolResultMessage | undefined,
  entry: SourceEntry | undefined,
  bases: PathBases,
  parts: PartCollector,
): ToolPart {
  const name = stringOf(call?.['name']) || stringOf(result?.toolName) || 'tool';
  const args = call?.['arguments'];
  const { summary, complete, path } = summarizeToolCall(name, args, bases);
  const details = isObject(result?.details) ? result.details : {};
  const diff = stringOf(details['diff']) || editDiff(args);
  const line = details['firstChangedLine'];
  const state: ToolState = !result ? 'waiting' : result.isError === true ? 'error' : 'ok';
  return {
    kind: 'tool',
    name: oneLine(name, 80),
    summary,
    ...(path === undefined ? {} : { path: typeof line === 'number' ? `${path}:${line}` : path }),
    ...(complete || args === undefined ? {} : { args: parts.addText(argumentsText(args), OUTPUT_LIMITS) }),
    state,
    ...(diff === undefined ? {} : { diff: parts.addText(diff, { start: 40_000, end: 0 }) }),
    result: result ? [...nestedCallParts(result, bases, parts), ...contentParts(result.content, parts, outputParts)] : [],
    ...(result && lacksNestedCalls(result) ? { lacksCalls: true as const } : {}),
    ...(entry ? { entryId: entry.id, time: entry.time } : {}),
    ...(entry?.contextStatus === undefined ? {} : { contextStatus: entry.contextStatus }),
  };
}

function runPart(message: ExecutionMessage, parts: PartCollector): RunPart {
  const failed = typeof message.exitCode === 'number' && message.exitCode !== 0;
  const text = stringOf(message.output);
  return {
    kind: 'run',
    language: message.role === 'bashExecution' ? 'bash' : 'python',
    command: parts.addText(stringOf(message.command) || stringOf(message.code), OUTPUT_LIMITS),
    ...(/\S/.test(text) ? { output: parts.addText(text.trimEnd(), OUTPUT_LIMITS) } : {}),
    state: message.cancelled === true ? 'cancelled' : failed ? 'error' : 'ok',
    ...(typeof message.exitCode === 'number' ? { exitCode: message.exitCode } : {}),
    ...(message.truncated === true && typeof message.fullOutputPath === 'string'
      ? { fullOutputPath: oneLine(message.fullOutputPath, 400) }
      : {}),
  };
}

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');
