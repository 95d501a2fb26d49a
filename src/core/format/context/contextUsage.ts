/**
 * Usage of a model's context by kind. Characters are counted as pi estimates tokens (four per token); the number of
 * tokens that an answer recorded then sets the scale of the text. Images have their providers' tokens, at no scale.
 */
import { defined } from '../values/defined';
import { isArray, isObject, type JsonObject } from '../values/jsonValues';
import { textOf, type AssistantMessage, type Message } from '../entry/message';
import { DEFAULT_IMAGE_TOKENS } from './imageTokens';
import { jsonText } from '../text/jsonText';

/**
 * Kinds of content, in display order. `prompt` is the part of the system prompt and the tools that isn't in any
 * message.
 */
export const CONTEXT_USAGE_KINDS = [
  'prompt',
  'system',
  'tools',
  'summary',
  'user',
  'command',
  'custom',
  'assistant',
  'thinking',
  'call',
  'result',
  'image',
] as const;
/** Name of a kind of content. */
export type ContextUsageKind = (typeof CONTEXT_USAGE_KINDS)[number];

/** Returns the tokens of an image, a block of a message. */
type CountImageTokens = (image: JsonObject) => number;

/** Characters of one kind in a message, of images four for each token; for tool results also the tool. */
export interface MessageShare {
  readonly kind: ContextUsageKind;
  readonly tool?: string;
  readonly chars: number;
}

/** A recorded number of tokens, and the index of the message after which it was valid. */
export interface RecordedTokens {
  readonly index: number;
  readonly tokens: number;
}

/** The tokens that a branch's first answer read, and the characters of the messages before it; the difference is the prompt. */
export interface FirstAnswerTokens {
  readonly tokens: number;
  readonly chars: number;
}

/** Tokens of one kind; for tool results also by tool. */
export interface ContextUsagePart {
  readonly kind: ContextUsageKind;
  readonly tool?: string;
  readonly tokens: number;
}

/** Estimated tokens of a context. */
export interface ContextUsage {
  /** Tokens; the sum of the parts. */
  readonly total: number;
  /** False if no answer recorded the number of tokens, so that all is estimated. */
  readonly isRecorded: boolean;
  /** Tokens per character of a message's text, and of its images. */
  readonly tokensPerChar: number;
  readonly imageTokensPerChar: number;
  /** In the order of the kinds, tools largest first, without empty parts. */
  readonly parts: readonly ContextUsagePart[];
}

const CHARS_PER_TOKEN = 4;
/** The prompt from the first answer is used only if it leaves the messages at least this share of their estimate. */
const MIN_MESSAGE_RATIO = 0.25;

/** Divides a message into shares by kind. Several shares may be of the same kind. */
export function messageShares(message: Message, countImage: CountImageTokens = () => DEFAULT_IMAGE_TOKENS): MessageShare[] {
  const imageShares = (content: unknown): MessageShare[] =>
    (isArray(content) ? content : []).flatMap((block): MessageShare[] =>
      isObject(block) && block['type'] === 'image' ? [{ kind: 'image', chars: countImage(block) * CHARS_PER_TOKEN }] : [],
    );
  switch (message.role) {
    case 'system':
      return [...systemShares(message), ...imageShares(message.content)];
    case 'developer':
      return [{ kind: 'system', chars: textOf(message.content).length }, ...imageShares(message.content)];
    case 'user':
      return [{ kind: 'user', chars: textOf(message.content).length }, ...imageShares(message.content)];
    case 'assistant':
      return assistantShares(message);
    case 'toolResult':
      return [{ kind: 'result', tool: message.toolName ?? '', chars: textOf(message.content).length }, ...imageShares(message.content)];
    case 'bashExecution':
    case 'pythonExecution': {
      if (message.excludeFromContext === true) return [];
      return [{ kind: 'command', chars: length(message.command ?? message.code) + length(message.output) }];
    }
    case 'branchSummary':
    case 'compactionSummary':
      return [{ kind: 'summary', chars: length(message.summary) }];
    default:
      return [{ kind: 'custom', chars: textOf(message.content).length }, ...imageShares(message.content)];
  }
}

/** Divides a system message into its text with the sections, and its tools as JSON. */
function systemShares(message: JsonObject): MessageShare[] {
  const sections = isObject(message['sections']) ? Object.values(message['sections']) : [];
  const chars = sections.reduce((sum: number, section) => sum + length(section), textOf(message['content']).length);
  const { toolsAdded } = message;
  const tools = isArray(toolsAdded) && toolsAdded.length > 0 ? jsonText(toolsAdded).length : 0;
  return [{ kind: 'system', chars }, ...(tools > 0 ? [{ kind: 'tools' as const, chars: tools }] : [])];
}

function assistantShares({ content }: AssistantMessage): MessageShare[] {
  if (typeof content === 'string') return [{ kind: 'assistant', chars: content.length }];
  // Another program may have written any value instead of a block.
  const blocks: unknown = content;
  if (!isArray(blocks)) return [];
  return blocks.flatMap((block): MessageShare[] => {
    if (!isObject(block)) return [];
    switch (block['type']) {
      case 'text':
        return [{ kind: 'assistant', chars: length(block['text']) }];
      case 'thinking':
        return [{ kind: 'thinking', chars: length(block['thinking']) }];
      case 'toolCall':
        return [{ kind: 'call', chars: length(block['name']) + jsonText(block['arguments'] ?? {}).length }];
      default:
        return [];
    }
  });
}

const length = (value: unknown): number => (typeof value === 'string' ? value.length : 0);

/** Sums the characters of shares. */
export const totalChars = (shares: readonly MessageShare[]): number => shares.reduce((sum, { chars }) => sum + chars, 0);

/**
 * Estimates the tokens of a context by kind.
 *
 * @param messages the shares of each message, in context order.
 * @param recorded the last record that still applies; messages after it are estimated at the same scale.
 * @param first the tokens of the branch's first answer, from which the size of the prompt is derived; `none-missing` if
 * the messages contain the whole prompt.
 */
export function contextUsage(
  messages: readonly (readonly MessageShare[])[],
  recorded?: RecordedTokens,
  first?: FirstAnswerTokens | 'none-missing',
): ContextUsage {
  const { prompt, scale, imageScale } = calibrate(messages, recorded, first);
  const sums = new Map<string, { kind: ContextUsageKind; tool?: string; tokens: number }>();
  if (prompt > 0) sums.set('prompt', { kind: 'prompt', tokens: prompt });
  for (const shares of messages) {
    for (const { kind, tool, chars } of shares) {
      const key = tool === undefined ? kind : `${kind}/${tool}`;
      const sum = sums.get(key);
      const tokens = chars * (kind === 'image' ? imageScale : scale);
      if (sum) sum.tokens += tokens;
      else sums.set(key, { kind, ...defined({ tool }), tokens });
    }
  }
  const parts = [...sums.values()].sort(
    (a, b) => CONTEXT_USAGE_KINDS.indexOf(a.kind) - CONTEXT_USAGE_KINDS.indexOf(b.kind) || b.tokens - a.tokens,
  );
  const total = Math.round(parts.reduce((sum, { tokens }) => sum + tokens, 0));
  return {
    total,
    isRecorded: recorded !== undefined,
    tokensPerChar: scale,
    imageTokensPerChar: imageScale,
    parts: roundParts(parts, total),
  };
}

function calibrate(
  messages: readonly (readonly MessageShare[])[],
  recorded: RecordedTokens | undefined,
  first: FirstAnswerTokens | 'none-missing' | undefined,
): { readonly prompt: number; readonly scale: number; readonly imageScale: number } {
  const plain = 1 / CHARS_PER_TOKEN;
  const prompt = first && first !== 'none-missing' ? Math.max(0, first.tokens - first.chars * plain) : 0;
  if (!recorded) return { prompt, scale: plain, imageScale: plain };
  const counted = messages.slice(0, recorded.index + 1).flat();
  const estimated = totalChars(counted) * plain;
  const images = totalChars(counted.filter(({ kind }) => kind === 'image')) * plain;
  const text = estimated - images;
  if (estimated === 0) return { prompt: recorded.tokens, scale: plain, imageScale: plain };
  // Without a usable first answer, the tokens beyond the estimate count as the prompt.
  const promptTokens =
    first && recorded.tokens - prompt >= estimated * MIN_MESSAGE_RATIO ? prompt : Math.max(0, recorded.tokens - estimated);
  const rest = recorded.tokens - promptTokens;
  if (text > 0 && rest - images >= text * MIN_MESSAGE_RATIO)
    return { prompt: promptTokens, scale: ((rest - images) / text) * plain, imageScale: plain };
  // The images alone exceed the count: then the provider didn't count them like that.
  const scale = (rest / estimated) * plain;
  return { prompt: promptTokens, scale, imageScale: scale };
}

/** Rounds to whole tokens whose sum is the total; the largest part takes the difference. */
function roundParts(parts: readonly ContextUsagePart[], total: number): ContextUsagePart[] {
  const whole = parts.map((part) => ({ ...part, tokens: Math.round(part.tokens) }));
  const largest = whole.reduce<(typeof whole)[number] | undefined>(
    (best, part) => (!best || part.tokens > best.tokens ? part : best),
    undefined,
  );
  if (largest) largest.tokens += total - whole.reduce((sum, { tokens }) => sum + tokens, 0);
  return whole.filter(({ tokens }) => tokens > 0);
}
