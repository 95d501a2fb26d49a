/**
 * Items of Codex's sessions, which are those of OpenAI's Responses API, as blocks of format 3. The shapes are those of
 * github.com/openai/codex, codex-rs/protocol/src/models.rs (`ResponseItem`).
 */
import { asString, isArray, isObject, type JsonObject } from '../entry/jsonValues';
import { tokens, usageOf } from './converter';
import type { OmissionList } from './omissions';

const TEXT_TYPES = new Set(['input_text', 'output_text', 'text', 'summary_text', 'reasoning_text']);

/** Returns texts and images of a content. Others are omitted. */
export function codexContent(content: unknown, line: number, omissions: OmissionList): JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return (isArray(content) ? content.filter(isObject) : []).flatMap((item): JsonObject[] => {
    const { type, text } = item;
    if (typeof type === 'string' && TEXT_TYPES.has(type) && typeof text === 'string') return [{ type: 'text', text }];
    if (type === 'refusal' && typeof item['refusal'] === 'string') return [{ type: 'text', text: item['refusal'] }];
    if (type === 'input_image') {
      const image = dataUrl(item['image_url']);
      if (image) return [image];
      omissions.add('image', line);
      return [];
    }
    omissions.add('content-type', line, asString(type) ?? '');
    return [];
  });
}

/** Returns the image of a `data:` URL in base64. */
function dataUrl(url: unknown): JsonObject | undefined {
  const text = isObject(url) ? url['url'] : url;
  if (typeof text !== 'string' || !text.startsWith('data:')) return undefined;
  const comma = text.slice(0, 200).indexOf(',');
  const [mimeType, encoding] = text.slice('data:'.length, Math.max(comma, 0)).split(';');
  return mimeType && encoding === 'base64' ? { type: 'image', data: text.slice(comma + 1), mimeType } : undefined;
}

/** Returns the block that an item of an answer contributes; `undefined` for an item that isn't part of one. */
export function answerBlocks(item: JsonObject, line: number, omissions: OmissionList): readonly JsonObject[] | undefined {
  const id = asString(item['call_id']) ?? asString(item['id']) ?? '';
  const name = asString(item['name']) ?? '';
  switch (item['type']) {
    case 'message':
      return item['role'] === 'assistant' ? codexContent(item['content'], line, omissions) : undefined;
    case 'reasoning':
      return [reasoning(item)];
    case 'function_call':
      return [{ type: 'toolCall', id, name, arguments: parsedArguments(item['arguments'], line, omissions) }];
    case 'custom_tool_call':
      return [{ type: 'toolCall', id, name, arguments: { input: item['input'] ?? '' } }];
    case 'local_shell_call':
      return [{ type: 'toolCall', id, name: 'local_shell', arguments: isObject(item['action']) ? item['action'] : {} }];
    default:
      return undefined;
  }
}

/** pi sends such thinking back as the item that its signature is. */
function reasoning(item: JsonObject): JsonObject {
  const parts = [item['summary'], item['content']].flatMap((list) => (isArray(list) ? list.filter(isObject) : []));
  const thinking = parts.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n\n');
  const isSigned = typeof item['encrypted_content'] === 'string';
  return { type: 'thinking', thinking, ...(isSigned ? { thinkingSignature: JSON.stringify(item) } : {}) };
}

function parsedArguments(text: unknown, line: number, omissions: OmissionList): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(asString(text) ?? '');
  } catch {
    value = undefined;
  }
  if (isObject(value)) return value;
  omissions.add('arguments', line);
  return { input: text ?? null };
}

/** The result of a tool call. */
export interface CodexResult {
  readonly callId: string;
  readonly content: readonly JsonObject[];
  readonly isError: boolean;
}

/** Returns a tool's result; `undefined` for other items. Its output is a text, blocks, or an object with one of these and `success`. */
export function toolResult(item: JsonObject, line: number, omissions: OmissionList): CodexResult | undefined {
  if (item['type'] !== 'function_call_output' && item['type'] !== 'custom_tool_call_output') return undefined;
  const { output } = item;
  const content = isObject(output) ? output['content'] : output;
  return {
    callId: asString(item['call_id']) ?? '',
    content: codexContent(content, line, omissions),
    isError: isObject(output) && output['success'] === false,
  };
}

/** Returns the usage of an answer. The cached part of the input is in `input_tokens`, too. */
export function codexUsage(usage: JsonObject): JsonObject {
  const cached = tokens(usage['cached_input_tokens']);
  const reasoningTokens = tokens(usage['reasoning_output_tokens']);
  return {
    ...usageOf(Math.max(tokens(usage['input_tokens']) - cached, 0), tokens(usage['output_tokens']), cached, 0),
    ...(reasoningTokens > 0 ? { reasoning: reasoningTokens } : {}),
  };
}

/**
 * Messages that Codex adds to the conversation as the user: instructions, the environment, skills, events. They begin with
 * these tags (codex-rs/core, `is_contextual_user_fragment`).
 */
const CONTEXT =
  /^\s*(?:# AGENTS\.md instructions|<(?:environment_context|user_instructions|user_shell_command|turn_aborted|subagent_notification|skill|instructions|additional_context|permissions instructions|collaboration_mode|model_switch|personality_spec|hook_prompt)\b)/i;

/** True for text that Codex added, not the person. */
export const isContextText = (text: string): boolean => CONTEXT.test(text);
