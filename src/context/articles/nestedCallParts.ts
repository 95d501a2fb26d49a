/** The calls that a tool made while it ran, as parts of its result. Their own results aren't recorded. */
import { defined } from '../../core/format/entry/defined';
import type { ToolResultMessage } from '../../core/format/entry/message';
import type { Steps } from '../../core/format/session/steps';
import type { PathBases } from '../../core/format/toolCalls/callWords';
import { nestedCalls } from '../../core/format/toolCalls/fileTouches';
import type { ToolPart } from '../shared/protocol';
import { oneLine } from '../../core/format/text/oneLine';
import { OUTPUT_LIMITS, type PartCollector } from './partCollector';
import { argumentsText, summarizeToolCall } from './toolCallSummary';

export function* nestedCallParts(result: ToolResultMessage, bases: PathBases, parts: PartCollector): Steps<ToolPart[]> {
  const calls: ToolPart[] = [];
  for (const call of nestedCalls(result)) {
    const { arguments: args, status, error } = call;
    const name = typeof call['name'] === 'string' && call['name'] !== '' ? call['name'] : 'tool';
    const { summary, complete, path } = summarizeToolCall(name, args, bases);
    const text = complete || args === undefined ? undefined : yield* argumentsText(args);
    calls.push({
      kind: 'tool',
      name: oneLine(name, 80),
      summary,
      ...defined({ path, args: text === undefined ? undefined : yield* parts.addTextSteps(text, OUTPUT_LIMITS) }),
      state: status === 'ok' ? 'ok' : status === 'error' ? 'error' : 'waiting',
      isNested: true,
      result: typeof error === 'string' && error !== '' ? [{ kind: 'error', text: yield* parts.addTextSteps(error, OUTPUT_LIMITS) }] : [],
    });
  }
  return calls;
}
