/** Messages as the model receives them: the programs' own kinds become user messages with the programs' text for them. */
import { textOf, type Content, type ExecutionMessage, type Message } from '../entry/message';
import { jsonText } from '../text/jsonText';

/** A message with a role that models support. */
export interface LlmMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'toolResult';
  readonly content: Content;
  readonly [key: string]: unknown;
}

const COMPACTION_WRAPPER = [
  'The conversation history before this point was compacted into the following summary:\n\n<summary>\n',
  '\n</summary>',
] as const;
const BRANCH_WRAPPER = [
  'The following is a summary of a branch that this conversation came back from:\n\n<summary>\n',
  '</summary>',
] as const;

/**
 * Converts messages to the form that a model receives, in order. Messages that are excluded from the context are left
 * out. FORMAT section 4.
 */
export function toLlmMessages(messages: readonly Message[]): LlmMessage[] {
  return messages.flatMap((message) => {
    const sent = toLlmMessage(message);
    return sent ? [sent] : [];
  });
}

function toLlmMessage(message: Message): LlmMessage | undefined {
  switch (message.role) {
    case 'system':
    case 'developer':
    case 'user':
    case 'assistant':
    case 'toolResult':
      return message;
    case 'bashExecution':
    case 'pythonExecution':
      return message.excludeFromContext ? undefined : asUser(message, executionText(message));
    case 'custom':
      return asUser(message, message.content);
    case 'branchSummary':
      return asUser(message, BRANCH_WRAPPER[0] + message.summary + BRANCH_WRAPPER[1]);
    case 'compactionSummary':
      return asUser(message, COMPACTION_WRAPPER[0] + message.summary + COMPACTION_WRAPPER[1]);
    default:
      return undefined;
  }
}

function asUser({ timestamp }: Message, content: Content): LlmMessage {
  return { role: 'user', content: typeof content === 'string' ? [{ type: 'text', text: content }] : content, timestamp };
}

/** Returns a command that the person ran, as text for the model. FORMAT section 4. */
export function executionText(message: ExecutionMessage): string {
  const { command, code, output, cancelled, exitCode, truncated, fullOutputPath } = message;
  const parts = [`Ran \`${command ?? code ?? ''}\`\n${output ? `\`\`\`\n${output}\n\`\`\`` : '(no output)'}`];
  if (cancelled) parts.push('(command cancelled)');
  else if (typeof exitCode === 'number' && exitCode !== 0) parts.push(`Command exited with code ${String(exitCode)}`);
  if (truncated && fullOutputPath) parts.push(`[Output truncated. Full output: ${fullOutputPath}]`);
  return parts.join('\n\n');
}

/**
 * Renders messages as the text that a model receives, each under its role; images and tool calls are in brackets.
 * FORMAT section 4.
 */
export function toLlmText(messages: readonly Message[]): string {
  return toLlmMessages(messages)
    .map(({ role, content }) => `[${role}]\n${contentText(content)}\n`)
    .join('\n');
}

function contentText(content: Content): string {
  if (typeof content === 'string') return content;
  return content
    .map((block) => {
      switch (block.type) {
        case 'text':
          return textOf([block]);
        case 'thinking':
          return `[thinking] ${block.thinking}`;
        case 'toolCall':
          return `[call ${block.name}] ${jsonText(block.arguments)}`;
        case 'image':
          return `[image ${block.mimeType}]`;
        default:
          return '';
      }
    })
    .filter((text) => text !== '')
    .join('\n');
}
