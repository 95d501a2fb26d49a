/** Turns entries into the messages of the model's context, in the form that the programs build. */
import { isObject } from '../values/jsonValues';
import type { AssistantMessage, Content, Message, ToolCallBlock } from '../entry/message';
import type { Entry } from '../entry/entry';

/** A message with the id of the entry that it came from. */
export interface SourcedMessage {
  readonly message: Message;
  readonly source: string;
}

/**
 * Returns the messages that an entry contributes to the context. FORMAT section 4, rules 5 and 6.
 *
 * @param edit the `context_edit` that applies to it.
 */
export function entryMessages(entry: Entry, edit?: Entry): readonly Message[] {
  const messages = unchangedMessages(entry);
  const content = edit === undefined ? undefined : replacementOf(edit);
  return content === undefined ? messages : messages.map((message) => withContent(message, content));
}

function unchangedMessages(entry: Entry): readonly Message[] {
  const timestamp = Date.parse(entry.timestamp) || 0;
  switch (entry.type) {
    case 'message':
      return [entry.message];
    case 'custom_message':
      // Missing fields are present as undefined, as in the programs' own messages.
      return [
        {
          role: 'custom',
          customType: entry.customType,
          content: entry.content,
          display: entry.display,
          details: entry.details,
          timestamp,
        } as Message,
      ];
    case 'branch_summary':
      return entry.summary === '' ? [] : [{ role: 'branchSummary', summary: entry.summary, fromId: entry.fromId, timestamp }];
    case 'compaction': {
      const summary: Message = { role: 'compactionSummary', summary: entry.summary, tokensBefore: entry.tokensBefore, timestamp };
      const tail = Array.isArray(entry.retainedTail) ? entry.retainedTail.filter(isMessage) : [];
      return [...(isMessage(entry.systemMessage) ? [entry.systemMessage] : []), summary, ...tail];
    }
    default:
      return [];
  }
}

const isMessage = (value: unknown): value is Message => isObject(value) && typeof value['role'] === 'string';

/** Returns the content of an edit; `undefined` if it has none. */
function replacementOf(edit: Entry): Content | undefined {
  const replacement = edit['replacement'];
  const content = isObject(replacement) ? replacement['content'] : undefined;
  return typeof content === 'string' || Array.isArray(content) ? content : undefined;
}

const EDITABLE = new Set(['user', 'assistant', 'toolResult', 'custom']);

function withContent(message: Message, content: Content): Message {
  if (!EDITABLE.has(message.role)) return message;
  const blocks = typeof content === 'string' && (message.role === 'assistant' || message.role === 'toolResult');
  return { ...message, content: blocks ? [{ type: 'text', text: content }] : content };
}

/**
 * Filters the messages of an oh-my-pi context for the model: removes tool calls without a result, then answers that
 * failed or were aborted, together with the results of their calls. FORMAT section 4, rule 7.
 */
export function withoutFailedTurns(messages: readonly SourcedMessage[]): SourcedMessage[] {
  const answered = new Set(messages.map(({ message }) => (message.role === 'toolResult' ? message.toolCallId : undefined)));
  const failedCalls = new Set<string | undefined>();
  const kept: SourcedMessage[] = [];
  for (const sourced of messages) {
    const { message } = sourced;
    if (message.role === 'toolResult' && message.toolCallId !== undefined && failedCalls.has(message.toolCallId)) continue;
    if (message.role !== 'assistant') {
      kept.push(sourced);
      continue;
    }
    const calls = toolCalls(message);
    if (message.stopReason === 'error' || message.stopReason === 'aborted') for (const call of calls) failedCalls.add(call.id);
    else if (calls.every((call) => answered.has(call.id))) kept.push(sourced);
    else {
      const content = withoutCalls(message, answered);
      if (content.length > 0) kept.push({ ...sourced, message: { ...message, content } });
    }
  }
  return kept;
}

/** Returns the tool calls of a message, in order. FORMAT section 2. */
export function toolCalls(message: AssistantMessage): ToolCallBlock[] {
  return typeof message.content === 'string' ? [] : message.content.filter((block) => block.type === 'toolCall');
}

/** Removes calls without results. Reasoning was signed for the original answer, so the signatures go too, and reasoning that can't be read without them. */
function withoutCalls(message: AssistantMessage, answered: ReadonlySet<string | undefined>): Exclude<Content, string> {
  if (typeof message.content === 'string') return [];
  return (
    message.content
      // Files have this type, too, which pi’s own types don’t list.
      .filter((block) => !(block.type === 'toolCall' && !answered.has(block.id)) && (block.type as string) !== 'redactedThinking')
      .map((block) => (block.type === 'thinking' ? { type: 'thinking', thinking: block.thinking } : block))
  );
}
