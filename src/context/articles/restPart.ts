/** The blocks of a message beyond the ones that an article shows as separate parts: their texts, in one fold. */
import { isObject } from '../../core/format/values/jsonValues';
import { textOf, type ToolResultMessage } from '../../core/format/entry/message';
import type { Steps } from '../../core/format/session/steps';
import { jsonSteps } from '../../core/format/text/jsonText';
import type { Part } from '../shared/protocol';
import { OUTPUT_LIMITS, type PartCollector } from './partCollector';
import { argumentsText } from './toolCallSummary';

/** Blocks that are shown as parts. A page takes seconds to draw tens of thousands. */
export const MAX_BLOCKS = 500;

/** Returns the fold for the blocks of a list from {@link MAX_BLOCKS} on; none if there are no more. */
export function* restParts(
  blocks: readonly unknown[],
  parts: PartCollector,
  resultOf: (block: Readonly<Record<string, unknown>>) => ToolResultMessage | undefined = () => undefined,
): Steps<Part[]> {
  const texts: string[] = [];
  for (const block of blocks.slice(MAX_BLOCKS)) {
    yield;
    if (isObject(block)) texts.push(yield* blockText(block, resultOf(block)));
  }
  if (texts.length === 0) return [];
  const text = yield* parts.addTextSteps(texts.join('\n\n'), OUTPUT_LIMITS);
  return [{ kind: 'fold', content: 'rest', summary: '', count: texts.length, parts: [{ kind: 'output', text }] }];
}

function* blockText(block: Readonly<Record<string, unknown>>, result: ToolResultMessage | undefined): Steps<string> {
  switch (block['type']) {
    case 'text':
      return String(block['text']);
    case 'thinking':
      return String(block['thinking']);
    case 'image':
      return `[${String(block['mimeType'])}]`;
    case 'toolCall': {
      const call = `${String(block['name'])}\n${yield* argumentsText(block['arguments'])}`;
      return result ? `${call}\n${textOf(result.content, '\n')}` : call;
    }
    default:
      return yield* jsonSteps(block, 2);
  }
}
