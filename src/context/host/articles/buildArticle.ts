/** Messages → an article. Sanitizes every text and truncates long ones. */
import {
  isObject,
  jsonText,
  sanitizeText,
  type AssistantMessage,
  type ExecutionMessage,
  type Message,
  type ToolResultMessage,
} from '../../../core/index';
import { summarizeToolCall } from './toolCallSummary';
import { editDiff } from './editDiff';
import { blobHash, firstBytes, imageSize, isSupportedType, type ImageSource } from './imageFormat';
import { MARKDOWN_PIECE_LENGTH } from '../../shared/markdownRenderer';
import type {
  Article,
  ArticleKind,
  TruncatedText,
  ImagePart,
  Part,
  RunPart,
  ShownStatus,
  ToolPart,
  ToolState,
} from '../../shared/protocol';
import { oneLine } from '../snapshot/oneLine';
import { truncate, type TruncationLimits } from './truncateText';

/** Markdown is cut at the end; program output keeps both ends. */
const MARKDOWN_LIMITS: TruncationLimits = { start: MARKDOWN_PIECE_LENGTH, end: 0 };
const OUTPUT_LIMITS: TruncationLimits = { start: 12_000, end: 4_000 };

export interface SourceEntry {
  readonly id: string;
  readonly time: number;
  readonly contextStatus?: ShownStatus;
}

export interface ArticleSource {
  readonly key: string;
  /** One message; an assistant's message is followed by its tool results. */
  readonly messages: readonly Message[];
  /** The entry of each message. */
  readonly entries: readonly SourceEntry[];
  readonly label?: string;
  readonly labelId?: string;
  readonly dividerText?: string;
  readonly isContinuation?: boolean;
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

export const articleKind = (role: string): ArticleKind => (Object.hasOwn(KINDS, role) ? KINDS[role]! : 'other');

export function buildArticle(source: ArticleSource): BuiltArticle {
  const message = source.messages[0]!;
  const parts = new PartCollector();
  const kind = articleKind(message.role);
  const body = messageParts(message, source, parts);
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
    ...(typeof assistant?.model === 'string' ? { model: oneLine(assistant.model, 80) } : {}),
    ...(typeof assistant?.stopReason === 'string' && !['stop', 'toolUse'].includes(assistant.stopReason)
      ? { stopReason: oneLine(assistant.stopReason, 80) }
      : {}),
    ...(source.usage === undefined ? {} : { usage: source.usage }),
    ...(source.dividerText === undefined ? {} : { dividerText: source.dividerText }),
    ...(source.isContinuation ? { isContinuation: true as const } : {}),
    ...(contextStatus === undefined ? {} : { contextStatus }),
    parts: body.length === 0 ? [{ kind: 'empty' }] : body,
  };
  return { article, texts: parts.texts, images: parts.images };
}

const isExcluded = (message: Message): boolean =>
  (message.role === 'bashExecution' || message.role === 'pythonExecution') && message.excludeFromContext === true;

function nameOf(message: Message, kind: ArticleKind): string | undefined {
  if (message.role === 'custom') return message.customType;
  if (message.role === 'toolResult') return message.toolName;
  return kind === 'other' ? message.role : undefined;
}

/** Collects texts and images in the order they occur; the same messages always give the same numbers. */
class PartCollector {
  readonly texts: string[] = [];
  readonly images: ImageSource[] = [];

  addText(text: string, limits: TruncationLimits): TruncatedText {
    const whole = sanitizeText(text);
    this.texts.push(whole);
    return { ...truncate(whole, limits), n: this.texts.length - 1 };
  }

  addImage(source: ImageSource): ImagePart {
    this.images.push(source);
    const part = { kind: 'image', mimeType: oneLine(source.mimeType, 80), n: this.images.length - 1 } as const;
    if (!isSupportedType(source.mimeType)) return { ...part, missing: 'type' };
    if (source.data === '') return { ...part, missing: 'empty' };
    if (blobHash(source.data) !== undefined) return part;
    return { ...part, ...imageSize(firstBytes(source.data)) };
  }
}

function messageParts(message: Message, source: ArticleSource, parts: PartCollector): Part[] {
  switch (message.role) {
    case 'assistant':
      return assistantParts(message, source, parts);
    case 'toolResult':
      return [toolPart(undefined, message, resultEntry(source, 0), parts)];
    case 'bashExecution':
    case 'pythonExecution':
      return [runPart(message, parts)];
    case 'compactionSummary':
    case 'branchSummary':
      return markdownParts(message.summary, parts);
    default:
      return contentParts(message.content, parts, markdownParts);
  }
}

type TextParts = (text: string, parts: PartCollector) => Part[];

const markdownParts: TextParts = (text, parts) =>
  /\S/.test(text) ? [{ kind: 'markdown', text: parts.addText(text, MARKDOWN_LIMITS) }] : [];
const outputParts: TextParts = (text, parts) =>
  /\S/.test(text) ? [{ kind: 'output', text: parts.addText(text.trimEnd(), OUTPUT_LIMITS) }] : [];

/** Handles a string or content blocks. Blocks of unknown types are shown as JSON. */
function contentParts(content: unknown, parts: PartCollector, text: TextParts): Part[] {
  if (typeof content === 'string') return text(content, parts);
  if (!Array.isArray(content)) return [];
  return (content as unknown[]).flatMap((block): Part[] => {
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
        parts,
      ),
    ];
  });
  // Results without a call in this message are never left out.
  source.messages.forEach((result, index) => {
    if (!used.has(index)) body.push(toolPart(undefined, result as ToolResultMessage, resultEntry(source, index), parts));
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
  parts: PartCollector,
): ToolPart {
  const name = stringOf(call?.['name']) || stringOf(result?.toolName) || 'tool';
  const args = call?.['arguments'];
  const { summary, complete, path } = summarizeToolCall(name, args);
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
    result: result ? contentParts(result.content, parts, outputParts) : [],
    ...(entry ? { entryId: entry.id, time: entry.time } : {}),
    ...(entry?.contextStatus === undefined ? {} : { contextStatus: entry.contextStatus }),
  };
}

/** Formats arguments one after the other; long texts stay plain instead of JSON strings. */
function argumentsText(args: unknown): string {
  if (!isObject(args)) return jsonText(args, 2);
  return Object.entries(args)
    .map(([key, value]) => {
      const text = typeof value === 'string' ? value : jsonText(value, 2);
      return text.includes('\n') ? `${key}:\n${text}` : `${key}: ${text}`;
    })
    .join('\n');
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
