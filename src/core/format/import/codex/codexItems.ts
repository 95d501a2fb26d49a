/**
 * Converts items of Codex's sessions, in the form of OpenAI's Responses API, to blocks of format 3. The shapes come
 * from github.com/openai/codex, codex-rs/protocol/src/models.rs (`ResponseItem`).
 */
import { asString, isArray, isObject, type JsonObject } from '../../values/jsonValues';
import { textsOf, tokens, usageOf } from '../converter';
import type { OmissionList } from '../omissions';
import { splitContext } from './codexTexts';
import { customArguments } from './nestedCalls';

const TEXT_TYPES = new Set(['input_text', 'output_text', 'text', 'summary_text', 'reasoning_text']);

/** The marks that Codex puts around an image for the model (codex-rs/protocol/src/models.rs, `local_image_open_tag_text`). */
const IMAGE_MARK = /^\s*(?:<image(?: [^\n]{0,5000})?>|<\/image>)\s*$/;

/** Returns texts and images of a content, without the marks around images. Others are omitted. */
export function codexContent(content: unknown, line: number, omissions: OmissionList): JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  const items = isArray(content) ? content.filter(isObject) : [];
  const hasImage = items.some(({ type }) => type === 'input_image');
  return items.flatMap((item): JsonObject[] => {
    const { type, text } = item;
    if (typeof type === 'string' && TEXT_TYPES.has(type) && typeof text === 'string')
      return hasImage && IMAGE_MARK.test(text) ? [] : [{ type: 'text', text }];
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
  const id = callIdOf(item, line);
  // Tools of servers have the server's part of the name in a separate field.
  const namespace = asString(item['namespace']) ?? '';
  const name = `${namespace === 'functions' ? '' : namespace}${asString(item['name']) ?? ''}`;
  switch (item['type']) {
    case 'message':
      return item['role'] === 'assistant' ? codexContent(item['content'], line, omissions) : undefined;
    case 'reasoning':
      return [reasoning(item)];
    case 'function_call':
      return [{ type: 'toolCall', id, name, arguments: parsedArguments(item['arguments'], line, omissions) }];
    case 'custom_tool_call':
      return [{ type: 'toolCall', id, name, arguments: customArguments(item) }];
    case 'local_shell_call':
      return [{ type: 'toolCall', id, name: 'local_shell', arguments: isObject(item['action']) ? item['action'] : {} }];
    case 'web_search_call':
      return [{ type: 'toolCall', id, name: 'web_search', arguments: isObject(item['action']) ? item['action'] : {} }];
    case 'tool_search_call':
      return [{ type: 'toolCall', id, name: 'tool_search', arguments: isObject(item['arguments']) ? item['arguments'] : {} }];
    case 'image_generation_call':
      return [{ type: 'toolCall', id, name: 'image_generation', arguments: { prompt: asString(item['revised_prompt']) ?? '' } }];
    default:
      return undefined;
  }
}

/** Calls that the provider runs have no id in some versions. */
const callIdOf = (item: JsonObject, line: number): string => asString(item['call_id']) ?? asString(item['id']) ?? `line-${String(line)}`;

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
interface CodexResult {
  readonly callId: string;
  readonly content: readonly JsonObject[];
  readonly isError: boolean;
}

/** Returns a tool's result; `undefined` for other items. The calls that the provider runs have theirs in themselves. */
export function toolResult(item: JsonObject, line: number, omissions: OmissionList): CodexResult | undefined {
  const text = (value: unknown): JsonObject[] => [{ type: 'text', text: asString(value) ?? '' }];
  switch (item['type']) {
    case 'function_call_output':
    case 'custom_tool_call_output':
      return { callId: asString(item['call_id']) ?? '', ...outputOf(item['output'], line, omissions) };
    case 'tool_search_output':
      return { callId: asString(item['call_id']) ?? '', content: text(JSON.stringify(item['tools'] ?? [])), isError: false };
    case 'web_search_call':
      return { callId: callIdOf(item, line), content: text(item['status']), isError: item['status'] === 'failed' };
    case 'image_generation_call':
      return {
        callId: callIdOf(item, line),
        content: generatedImage(item['result'], line, omissions),
        isError: item['status'] === 'failed',
      };
    default:
      return undefined;
  }
}

/** An output is a text, a block, a list of them, or an object with one of these and `success`. */
function outputOf(output: unknown, line: number, omissions: OmissionList): Pick<CodexResult, 'content' | 'isError'> {
  const command = typeof output === 'string' ? commandOutput(output) : undefined;
  if (command) return command;
  if (!isObject(output)) return { content: codexContent(output, line, omissions), isError: false };
  const content = typeof output['type'] === 'string' ? [output] : output['content'];
  return { content: codexContent(content, line, omissions), isError: output['success'] === false };
}

/** Up to 2025, the output of a command is JSON in a text, with the exit code in another member. */
function commandOutput(text: string): Pick<CodexResult, 'content' | 'isError'> | undefined {
  if (!text.startsWith('{"output":')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (!isObject(value) || typeof value['output'] !== 'string' || !isObject(value['metadata'])) return undefined;
    const code = value['metadata']['exit_code'];
    return { content: [{ type: 'text', text: value['output'] }], isError: typeof code === 'number' && code !== 0 };
  } catch {
    return undefined;
  }
}

/** The first characters of images in Base64. */
const IMAGE_TYPES: readonly (readonly [start: string, mimeType: string])[] = [
  ['iVBOR', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['UklG', 'image/webp'],
];

function generatedImage(data: unknown, line: number, omissions: OmissionList): JsonObject[] {
  const mimeType = typeof data === 'string' ? IMAGE_TYPES.find(([start]) => data.startsWith(start))?.[1] : undefined;
  if (mimeType !== undefined) return [{ type: 'image', data, mimeType }];
  omissions.add('image', line);
  return [];
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

/** Returns the contents of the messages that a compaction kept: the person's messages. The last message is the summary itself. */
export function keptContents(history: unknown, summary: string, line: number, omissions: OmissionList): (readonly JsonObject[])[] {
  return (isArray(history) ? history.filter(isObject) : []).flatMap((item) => {
    if (item['type'] !== 'message' || item['role'] !== 'user') return [];
    const content = codexContent(item['content'], line, omissions);
    const [, said] = splitContext(content);
    return said.length === 0 || textsOf(said).includes(summary) ? [] : [said];
  });
}
