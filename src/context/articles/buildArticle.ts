/** Messages → an article. Sanitizes every text and truncates long ones. */
import { defined } from '../../core/format/values/defined';
import { isObject, ownValue } from '../../core/format/values/jsonValues';
import { elementAt } from '../../core/format/values/lookups';
import { type AssistantMessage, type Message, textOf } from '../../core/format/entry/message';
import { modelPromptOf } from '../../core/format/entry/prompts/modelPrompt';
import { isRewind, reportBesideContent } from '../../core/format/entry/rewind';
import { providerErrorText } from '../../core/format/entry/providerError';
import { type SystemPrompt, hasPromptParts, parseSystemMessage } from '../../core/format/entry/prompts/systemPrompt';
import type { Steps } from '../../core/format/session/steps';
import type { PathBases } from '../../core/format/toolCalls/callWords';
import type { Article, ArticleKind, AttemptsLine, Part } from '../shared/protocol';
import { jsonSteps } from '../../core/format/text/jsonText';
import { oneLine } from '../../core/format/text/oneLine';
import { formatDuration } from '../shared/formatNumbers';
import { attachmentParts, blockParts, contentParts, markdownParts, outputParts, stringOf, userTextParts } from './contentParts';
import type { ImageSource } from './imageFormat';
import { MARKDOWN_LIMITS, OUTPUT_LIMITS, PartCollector } from './partCollector';
import { promptChangeParts, promptParts } from './promptParts';
import { MAX_BLOCKS, restParts } from './restPart';
import { runPart, toolPart, type SourceEntry } from './toolParts';

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
  readonly forks?: readonly AttemptsLine[];
  readonly isContinuation?: boolean;
  /** The files that a summary's entry names, as Markdown. */
  readonly files?: string;
  /** The recorded tokens and cost as localized texts. */
  readonly usage?: readonly string[];
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

const kindOf = (message: Message): ArticleKind => (isRewindMessage(message) ? 'rewind' : articleKind(message.role));

const isRewindMessage = (message: Message): boolean => message.role === 'custom' && isRewind(message);

/** Builds an article in steps: one message may have hundreds of thousands of parts. */
export function* buildArticle(source: ArticleSource): Steps<BuiltArticle> {
  const message = elementAt(source.messages, 0);
  const entry = elementAt(source.entries, 0);
  const parts = new PartCollector();
  const prompt = promptOf(source);
  const kind = prompt ? (source.isPromptChange ? 'promptChange' : 'prompt') : kindOf(message);
  const body = prompt
    ? yield* (source.isPromptChange ? promptChangeParts : promptParts)(prompt, parts)
    : yield* messageParts(message, source, parts);
  const name = nameOf(message, kind);
  const assistant = message.role === 'assistant' ? message : undefined;
  const contextStatus = entry.contextStatus ?? (isExcluded(message) ? 'excluded' : undefined);
  const article: Article = {
    key: source.key,
    kind,
    ...(name === undefined ? {} : { name: oneLine(name, 80) }),
    entryId: entry.id,
    time: entry.time,
    ...defined({
      label: source.label === undefined ? undefined : oneLine(source.label, 80),
      labelId: source.labelId === undefined || source.labelId === entry.id ? undefined : source.labelId,
      model: assistant && modelText(assistant) !== '' ? oneLine(modelText(assistant), 120) : undefined,
      stopReason:
        typeof assistant?.stopReason === 'string' && !['stop', 'toolUse'].includes(assistant.stopReason)
          ? oneLine(assistant.stopReason, 80)
          : undefined,
      usage: source.usage,
      duration: formatDuration(assistant?.['durationMs']),
      dividerText: source.dividerText,
      forks: source.forks,
      isContinuation: source.isContinuation || undefined,
      isHidden: isHidden(message) || undefined,
      contextStatus,
    }),
    parts: body.length === 0 ? [{ kind: 'empty' }] : body,
  };
  return { article, texts: parts.texts, images: parts.images };
}

/** Returns the system prompt that an article shows; `undefined` if it shows its message. */
function promptOf({ messages, prompt }: ArticleSource): SystemPrompt | undefined {
  const message = elementAt(messages, 0);
  if (prompt || message.role !== 'system') return prompt;
  const parsed = parseSystemMessage(message);
  return hasPromptParts(parsed) ? parsed : undefined;
}

const isExcluded = (message: Message): boolean =>
  (message.role === 'bashExecution' || message.role === 'pythonExecution') && message.excludeFromContext === true;

function nameOf(message: Message, kind: ArticleKind): string | undefined {
  if (kind === 'rewind') return undefined;
  if (message.role === 'custom') return message.customType;
  if (message.role === 'toolResult') return message.toolName;
  return kind === 'other' ? message.role : undefined;
}

/** Returns the requested model, the model that answered if it's a different one, and the thinking level. */
function modelText({ model, responseModel, thinkingLevel }: AssistantMessage): string {
  const answered = typeof responseModel === 'string' && responseModel !== model ? responseModel : '';
  const models = [model ?? '', answered].filter((name) => name !== '').join(' → ');
  return [models, typeof thinkingLevel === 'string' ? thinkingLevel : ''].filter((text) => text !== '').join(' · ');
}

function* messageParts(message: Message, source: ArticleSource, parts: PartCollector): Steps<Part[]> {
  switch (message.role) {
    case 'assistant':
      return yield* assistantParts(message, source, parts);
    case 'toolResult':
      return [yield* toolPart(undefined, message, resultEntry(source, 0), source.bases, parts)];
    case 'bashExecution':
    case 'pythonExecution':
      return [yield* runPart(message, parts)];
    case 'compactionSummary':
    case 'branchSummary':
      return yield* markdownParts(source.files ? `${message.summary}\n\n${source.files}` : message.summary, parts);
    case 'user':
      return [
        ...(yield* contentParts(message.content, parts, userTextParts)),
        ...(yield* attachmentParts(message['attachments'], parts)),
        ...(yield* modelPromptParts(modelPromptOf(message), parts)),
      ];
    default: {
      const body = yield* contentParts(message.content, parts, markdownParts);
      const report = message.role === 'custom' ? reportBesideContent(message) : undefined;
      if (report !== undefined) body.push(...(yield* markdownParts(report, parts)));
      return isHidden(message) ? [{ kind: 'fold', content: 'hidden', summary: oneLine(textOf(message.content), 200), parts: body }] : body;
    }
  }
}

const isHidden = (message: Message): boolean => message.role === 'custom' && message.display === false && !isRewind(message);

function* assistantParts(message: AssistantMessage, source: ArticleSource, parts: PartCollector): Steps<Part[]> {
  const results = source.messages.flatMap((result, index) => (result.role === 'toolResult' ? [{ result, index }] : []));
  const byCall = new Map<string, (typeof results)[number]>();
  for (const found of results) {
    const { toolCallId } = found.result;
    if (typeof toolCallId === 'string' && !byCall.has(toolCallId)) byCall.set(toolCallId, found);
  }
  const used = new Set<number>();
  const blocks: readonly unknown[] = typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
  const resultOf = (block: Readonly<Record<string, unknown>>): (typeof results)[number] | undefined => {
    const found = block['type'] === 'toolCall' ? byCall.get(stringOf(block['id'])) : undefined;
    if (found) used.add(found.index);
    return found;
  };
  const body: Part[] = [];
  for (const block of blocks.slice(0, MAX_BLOCKS)) {
    yield;
    if (!isObject(block)) continue;
    if (block['type'] === 'thinking') {
      const thinking = stringOf(block['thinking']);
      if (/\S/.test(thinking)) body.push({ kind: 'thinking', text: yield* parts.addTextSteps(thinking, MARKDOWN_LIMITS) });
    } else if (block['type'] === 'toolCall') {
      const found = resultOf(block);
      body.push(yield* toolPart(block, found?.result, found && resultEntry(source, found.index), source.bases, parts));
    } else body.push(...(yield* blockParts(block, parts, markdownParts)));
  }
  body.push(...(yield* restParts(blocks, parts, (block) => resultOf(block)?.result)));
  // Results without a call in this message are never left out.
  for (const { result, index } of results)
    if (!used.has(index)) body.push(yield* toolPart(undefined, result, resultEntry(source, index), source.bases, parts));
  const errors = yield* errorParts(stringOf(message.errorMessage), parts);
  return [...body, ...errors, ...(yield* diagnosticParts(message['diagnostics'], parts))];
}

/** The words of an error, and a fold with the whole error if it has more. */
function* errorParts(error: string, parts: PartCollector): Steps<Part[]> {
  if (error === '') return [];
  const words = providerErrorText(error);
  return [
    { kind: 'error', text: yield* parts.addTextSteps(words ?? error, OUTPUT_LIMITS) },
    ...(words === undefined ? [] : [{ kind: 'fold', content: 'error', summary: '', parts: yield* outputParts(error, parts) } as const]),
  ];
}

/** Returns a fold with the prompt that the model got instead of what was said. */
function* modelPromptParts(prompt: string | undefined, parts: PartCollector): Steps<Part[]> {
  if (prompt === undefined) return [];
  return [{ kind: 'fold', content: 'modelPrompt', summary: oneLine(prompt, 200), parts: yield* outputParts(prompt, parts) }];
}

/** Returns a fold with pi's records about the request: their types, and all of them as JSON. */
function* diagnosticParts(diagnostics: unknown, parts: PartCollector): Steps<Part[]> {
  if (!Array.isArray(diagnostics) || diagnostics.length === 0) return [];
  const named = diagnostics.slice(0, MAX_BLOCKS).map((record: unknown) => oneLine(stringOf(isObject(record) ? record['type'] : ''), 80));
  const summary = oneLine([...new Set(named)].filter((name) => name !== '').join(', '), 200);
  const text = yield* jsonSteps(diagnostics, 2);
  return [{ kind: 'fold', content: 'diagnostics', summary, count: diagnostics.length, parts: yield* outputParts(text, parts) }];
}

/** Returns a result's entry, with its status only if that differs from the message's. */
function resultEntry({ entries }: ArticleSource, index: number): SourceEntry {
  const { contextStatus, ...entry } = elementAt(entries, index);
  return contextStatus === undefined || contextStatus === elementAt(entries, 0).contextStatus ? entry : { ...entry, contextStatus };
}
