/** Messages → an article: what the page draws, every text fit to be shown and short enough to be sent. */
import { isObject, jsonText, type AssistantMessage, type ExecutionMessage, type Message, type ToolResultMessage } from '../core/index';
import { callHead } from './callHead';
import { editDiff } from './editDiff';
import { blobHash, firstBytes, imageSize, isShownType, type ImageSource } from './image';
import { PROSE_LENGTH } from './markdown';
import type { Article, ArticleKind, CutText, ImagePart, Part, RunPart, ShownFate, ToolPart, ToolState } from './protocol';
import { cut, oneLine, plain, type Ends } from './text';

/** Of markdown the beginning is sent, of what programs wrote both ends. */
const PROSE: Ends = { start: PROSE_LENGTH, end: 0 };
const OUTPUT: Ends = { start: 12_000, end: 4_000 };

export interface SourceEntry {
  readonly id: string;
  readonly time: number;
  readonly fate?: ShownFate;
}

export interface ArticleSource {
  readonly key: string;
  /** An assistant's message comes with the results that follow it. */
  readonly messages: readonly Message[];
  /** The entry of each message. */
  readonly entries: readonly SourceEntry[];
  readonly label?: string;
  readonly labelId?: string;
  readonly line?: string;
  readonly again?: boolean;
  /** The recorded usage, in words. */
  readonly usage?: string;
}

/** An article with what was left out of it. */
export interface BuiltArticle {
  readonly article: Article;
  /** All its texts in whole, by their number. */
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

export const kindOf = (role: string): ArticleKind => (Object.hasOwn(KINDS, role) ? KINDS[role]! : 'other');

export function buildArticle(source: ArticleSource): BuiltArticle {
  const message = source.messages[0]!;
  const parts = new Parts();
  const kind = kindOf(message.role);
  const body = bodyOf(message, source, parts);
  const name = nameOf(message, kind);
  const assistant = message.role === 'assistant' ? message : undefined;
  const fate = source.entries[0]!.fate ?? (isExcluded(message) ? 'excluded' : undefined);
  const article: Article = {
    key: source.key,
    kind,
    ...(name === undefined ? {} : { name: oneLine(name, 80) }),
    entryId: source.entries[0]!.id,
    time: source.entries[0]!.time,
    ...(source.label === undefined ? {} : { label: oneLine(source.label, 80) }),
    ...(source.labelId === undefined || source.labelId === source.entries[0]!.id ? {} : { labelId: source.labelId }),
    ...(typeof assistant?.model === 'string' ? { model: oneLine(assistant.model, 80) } : {}),
    ...(typeof assistant?.stopReason === 'string' && !['stop', 'toolUse'].includes(assistant.stopReason) ? { stopReason: oneLine(assistant.stopReason, 80) } : {}),
    ...(source.usage === undefined ? {} : { usage: source.usage }),
    ...(source.line === undefined ? {} : { line: source.line }),
    ...(source.again ? { again: true as const } : {}),
    ...(fate === undefined ? {} : { fate }),
    parts: body.length === 0 ? [{ kind: 'empty' }] : body,
  };
  return { article, texts: parts.texts, images: parts.images };
}

const isExcluded = (message: Message): boolean => (message.role === 'bashExecution' || message.role === 'pythonExecution') && message.excludeFromContext === true;

function nameOf(message: Message, kind: ArticleKind): string | undefined {
  if (message.role === 'custom') return message.customType;
  if (message.role === 'toolResult') return message.toolName;
  return kind === 'other' ? message.role : undefined;
}

/** Collects texts and images in the order in which they are met; the same messages give the same numbers. */
class Parts {
  readonly texts: string[] = [];
  readonly images: ImageSource[] = [];

  text(text: string, ends: Ends): CutText {
    const whole = plain(text);
    this.texts.push(whole);
    return { ...cut(whole, ends), n: this.texts.length - 1 };
  }

  image(source: ImageSource): ImagePart {
    this.images.push(source);
    const part = { kind: 'image', mimeType: oneLine(source.mimeType, 80), n: this.images.length - 1 } as const;
    if (!isShownType(source.mimeType)) return { ...part, missing: 'type' };
    if (source.data === '') return { ...part, missing: 'empty' };
    if (blobHash(source.data) !== undefined) return part;
    return { ...part, ...imageSize(firstBytes(source.data)) };
  }
}

function bodyOf(message: Message, source: ArticleSource, parts: Parts): Part[] {
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
      return prose(message.summary, parts);
    default:
      return contentParts(message.content, parts, prose);
  }
}

type TextParts = (text: string, parts: Parts) => Part[];

const prose: TextParts = (text, parts) => (/\S/.test(text) ? [{ kind: 'markdown', text: parts.text(text, PROSE) }] : []);
const output: TextParts = (text, parts) => (/\S/.test(text) ? [{ kind: 'output', text: parts.text(text.trimEnd(), OUTPUT) }] : []);

/** A string, or blocks; what is no text and no image is shown as it stands in the file. */
function contentParts(content: unknown, parts: Parts, text: TextParts): Part[] {
  if (typeof content === 'string') return text(content, parts);
  if (!Array.isArray(content)) return [];
  return (content as unknown[]).flatMap((block): Part[] => {
    if (!isObject(block)) return [];
    if (block['type'] === 'text') return text(string(block['text']), parts);
    if (block['type'] === 'image') return [parts.image({ mimeType: string(block['mimeType']), data: string(block['data']) })];
    return [{ kind: 'output', text: parts.text(jsonText(block, 2), OUTPUT) }];
  });
}

function assistantParts(message: AssistantMessage, source: ArticleSource, parts: Parts): Part[] {
  const results = new Map<string, number>();
  source.messages.forEach((result, index) => {
    if (result.role === 'toolResult' && typeof result.toolCallId === 'string' && !results.has(result.toolCallId)) results.set(result.toolCallId, index);
  });
  const used = new Set<number>([0]);
  const blocks: readonly unknown[] = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
  const body = blocks.flatMap((block): Part[] => {
    if (!isObject(block)) return [];
    if (block['type'] === 'thinking') {
      const thinking = string(block['thinking']);
      return /\S/.test(thinking) ? [{ kind: 'thinking', text: parts.text(thinking, PROSE) }] : [];
    }
    if (block['type'] !== 'toolCall') return contentParts([block], parts, prose);
    const at = results.get(string(block['id']));
    if (at !== undefined) used.add(at);
    return [toolPart(block, at === undefined ? undefined : (source.messages[at] as ToolResultMessage), at === undefined ? undefined : resultEntry(source, at), parts)];
  });
  // Results of calls that are not in this message: never left out.
  source.messages.forEach((result, index) => {
    if (!used.has(index)) body.push(toolPart(undefined, result as ToolResultMessage, resultEntry(source, index), parts));
  });
  if (typeof message.errorMessage === 'string' && message.errorMessage !== '') body.push({ kind: 'error', text: parts.text(message.errorMessage, OUTPUT) });
  return body;
}

/** A result's entry; its fate is told only where it is another than its message's. */
function resultEntry({ entries }: ArticleSource, index: number): SourceEntry {
  const { fate, ...entry } = entries[index]!;
  return fate === undefined || fate === entries[0]!.fate ? entry : { ...entry, fate };
}

function toolPart(
  call: Readonly<Record<string, unknown>> | undefined,
  result: ToolResultMessage | undefined,
  entry: SourceEntry | undefined,
  parts: Parts,
): ToolPart {
  const name = string(call?.['name']) || string(result?.toolName) || 'tool';
  const args = call?.['arguments'];
  const { head, complete, path } = callHead(name, args);
  const details = isObject(result?.details) ? result.details : {};
  const diff = string(details['diff']) || editDiff(args);
  const line = details['firstChangedLine'];
  const state: ToolState = !result ? 'waiting' : result.isError === true ? 'error' : 'ok';
  return {
    kind: 'tool',
    name: oneLine(name, 80),
    head,
    ...(path === undefined ? {} : { path: typeof line === 'number' ? `${path}:${line}` : path }),
    ...(complete || args === undefined ? {} : { args: parts.text(argumentsText(args), OUTPUT) }),
    state,
    ...(diff === undefined ? {} : { diff: parts.text(diff, { start: 40_000, end: 0 }) }),
    result: result ? contentParts(result.content, parts, output) : [],
    ...(entry ? { entryId: entry.id, time: entry.time } : {}),
    ...(entry?.fate === undefined ? {} : { fate: entry.fate }),
  };
}

/** One argument after the other, long texts as they are and not as JSON strings. */
function argumentsText(args: unknown): string {
  if (!isObject(args)) return jsonText(args, 2);
  return Object.entries(args)
    .map(([key, value]) => {
      const text = typeof value === 'string' ? value : jsonText(value, 2);
      return text.includes('\n') ? `${key}:\n${text}` : `${key}: ${text}`;
    })
    .join('\n');
}

function runPart(message: ExecutionMessage, parts: Parts): RunPart {
  const failed = typeof message.exitCode === 'number' && message.exitCode !== 0;
  const text = string(message.output);
  return {
    kind: 'run',
    language: message.role === 'bashExecution' ? 'bash' : 'python',
    command: parts.text(string(message.command) || string(message.code), OUTPUT),
    ...(/\S/.test(text) ? { output: parts.text(text.trimEnd(), OUTPUT) } : {}),
    state: message.cancelled === true ? 'cancelled' : failed ? 'error' : 'ok',
    ...(typeof message.exitCode === 'number' ? { exitCode: message.exitCode } : {}),
    ...(message.truncated === true && typeof message.fullOutputPath === 'string' ? { fullOutputPath: oneLine(message.fullOutputPath, 400) } : {}),
  };
}

const string = (value: unknown): string => (typeof value === 'string' ? value : '');
