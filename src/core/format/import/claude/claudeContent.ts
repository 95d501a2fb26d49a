/**
 * Converts contents of Claude Code's messages, in the form of Anthropic's Messages API, to blocks of format 3. The shapes come
 * from public parsers and their samples: github.com/daaain/claude-code-log and github.com/microsoft/amplifier
 * (ai_working/claude_code_logging).
 */
import { defined } from '../../values/defined';
import { asString, isArray, isObject, ownValue, type JsonObject } from '../../values/jsonValues';
import type { OmissionList } from '../omissions';
import { tokens, usageOf } from '../converter';

/** The result of a tool call, in a user's line. */
interface ToolResult {
  readonly callId: string;
  readonly content: readonly JsonObject[];
  readonly isError: boolean;
}

/** Returns the texts and images of a content, and apart from them the results of tool calls. */
export function userContent(
  content: unknown,
  line: number,
  omissions: OmissionList,
): { readonly blocks: readonly JsonObject[]; readonly results: readonly ToolResult[] } {
  if (typeof content === 'string') return { blocks: [{ type: 'text', text: content }], results: [] };
  const results: ToolResult[] = [];
  const blocks = blocksOf(content).flatMap((block): JsonObject[] => {
    if (block['type'] !== 'tool_result') return visibleBlock(block, line, omissions);
    const given = block['content'];
    const shown =
      typeof given === 'string'
        ? [{ type: 'text', text: given }]
        : blocksOf(given).flatMap((inner) => visibleBlock(inner, line, omissions));
    results.push({ callId: asString(block['tool_use_id']) ?? '', content: shown, isError: block['is_error'] === true });
    return [];
  });
  return { blocks, results };
}

/** Returns the blocks of an answer: texts, thinking with its signatures, and tool calls. */
export function assistantContent(content: unknown, line: number, omissions: OmissionList): JsonObject[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return blocksOf(content).flatMap((block): JsonObject[] => {
    const signature = asString(block['signature']);
    switch (block['type']) {
      case 'thinking':
        return [
          { type: 'thinking', thinking: asString(block['thinking']) ?? '', ...defined({ thinkingSignature: signature || undefined }) },
        ];
      case 'redacted_thinking':
        return [{ type: 'thinking', thinking: '', thinkingSignature: asString(block['data']) ?? '', redacted: true }];
      case 'tool_use': {
        const input = block['input'];
        if (!isObject(input)) omissions.add('arguments', line);
        return [
          {
            type: 'toolCall',
            id: asString(block['id']) ?? '',
            name: asString(block['name']) ?? '',
            arguments: isObject(input) ? input : { input: input ?? null },
          },
        ];
      }
      default:
        return visibleBlock(block, line, omissions);
    }
  });
}

/** Returns a text or an image. Others are omitted. */
function visibleBlock(block: JsonObject, line: number, omissions: OmissionList): JsonObject[] {
  const { type, text, source } = block;
  if (type === 'text' && typeof text === 'string') return [{ type: 'text', text }];
  // A tool that a search found; the program then gives it to the model.
  if (type === 'tool_reference' && typeof block['tool_name'] === 'string') return [{ type: 'text', text: block['tool_name'] }];
  if (type === 'image' && isObject(source)) {
    const { data, media_type: mimeType } = source;
    if (source['type'] === 'base64' && typeof data === 'string' && typeof mimeType === 'string') return [{ type: 'image', data, mimeType }];
    omissions.add('image', line);
    return [];
  }
  omissions.add('content-type', line, asString(type) ?? '');
  return [];
}

const blocksOf = (content: unknown): readonly JsonObject[] => (isArray(content) ? content.filter(isObject) : []);

/** Returns an answer's usage. Lines of older versions have its cost, `costUSD`. */
export function claudeUsage(usage: unknown, costUSD: unknown): JsonObject {
  const given = isObject(usage) ? usage : {};
  const created = isObject(given['cache_creation']) ? tokens(given['cache_creation']['ephemeral_1h_input_tokens']) : 0;
  return {
    ...usageOf(
      tokens(given['input_tokens']),
      tokens(given['output_tokens']),
      tokens(given['cache_read_input_tokens']),
      tokens(given['cache_creation_input_tokens']),
      tokens(costUSD),
    ),
    ...(created > 0 ? { cacheWrite1h: created } : {}),
  };
}

const STOP_REASONS: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  tool_use: 'toolUse',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'error',
};

/** Lines of older versions have no stop reason: then it follows from the blocks. */
export function stopReasonOf(given: unknown, blocks: readonly JsonObject[]): string {
  const known = ownValue(STOP_REASONS, asString(given) ?? '');
  if (known !== undefined) return known;
  return blocks.some(({ type }) => type === 'toolCall') ? 'toolUse' : 'stop';
}
