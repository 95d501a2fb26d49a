/** Types of the messages in entries, and of their content. All other keys keep the values that the file has. */
import { isArray, isObject } from '../values/jsonValues';
import type { Usage } from './usage';

/** Text in a message's content. FORMAT section 2. */
interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}
/** An image in a message's content. FORMAT section 2. */
export interface ImageBlock {
  readonly type: 'image';
  /** Base64, or in oh-my-pi `blob:sha256:<64 hex>`. */
  readonly data: string;
  readonly mimeType: string;
}
/** Thinking of the model. FORMAT section 2. */
interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking: string;
}
/** A tool call of the model. FORMAT section 2. */
export interface ToolCallBlock {
  readonly type: 'toolCall';
  readonly id: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}
/** A block of content. FORMAT section 2. */
type ContentBlock = TextBlock | ImageBlock | ThinkingBlock | ToolCallBlock;
/** Content of a message. FORMAT section 2. */
export type Content = string | readonly ContentBlock[];

interface MessageBase {
  /** Milliseconds since 1970. */
  readonly timestamp?: number;
  readonly [key: string]: unknown;
}
/** A message of the person, or a system prompt. FORMAT section 2. */
interface UserMessage extends MessageBase {
  readonly role: 'user' | 'system' | 'developer';
  readonly content: Content;
}
/** A message of the model. FORMAT section 2. */
export interface AssistantMessage extends MessageBase {
  readonly role: 'assistant';
  readonly content: Content;
  readonly provider?: string;
  readonly model?: string;
  readonly usage?: Usage;
  /** `stop`, `length`, `toolUse`, `error` or `aborted`. */
  readonly stopReason?: string;
  readonly errorMessage?: string;
}
/** The result of a tool call. FORMAT section 2. */
export interface ToolResultMessage extends MessageBase {
  readonly role: 'toolResult';
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly content: Content;
  readonly details?: unknown;
  readonly isError?: boolean;
  readonly usage?: Usage;
}
/** A command that the person ran with `!` (`!!` excludes it from the context). FORMAT section 2. */
export interface ExecutionMessage extends MessageBase {
  readonly role: 'bashExecution' | 'pythonExecution';
  readonly command?: string;
  readonly code?: string;
  readonly output?: string;
  readonly exitCode?: number | null;
  readonly cancelled?: boolean;
  readonly truncated?: boolean;
  readonly fullOutputPath?: string;
  readonly excludeFromContext?: boolean;
}
/** A message of an extension. FORMAT section 2. */
interface CustomMessage extends MessageBase {
  readonly role: 'custom';
  readonly customType: string;
  readonly content: Content;
  readonly display?: boolean;
  readonly details?: unknown;
}
/** The message that a `branch_summary` contributes. FORMAT section 4, rule 6. */
interface BranchSummaryMessage extends MessageBase {
  readonly role: 'branchSummary';
  readonly summary: string;
  readonly fromId: string;
}
/** The message that a compaction's summary contributes. FORMAT section 4, rule 3. */
interface CompactionSummaryMessage extends MessageBase {
  readonly role: 'compactionSummary';
  readonly summary: string;
  readonly tokensBefore: number;
}
/** A message with another role; its content, if any, is shown as it is. */
interface OtherMessage extends MessageBase {
  readonly role: 'fileMention' | 'other';
  readonly content?: Content;
}
/** A message in a session. FORMAT section 2. */
export type Message =
  | UserMessage
  | AssistantMessage
  | ToolResultMessage
  | ExecutionMessage
  | CustomMessage
  | BranchSummaryMessage
  | CompactionSummaryMessage
  | OtherMessage;

/** Returns the text blocks of a content, joined by `separator`. FORMAT section 2. */
export function textOf(content: unknown, separator = ''): string {
  if (typeof content === 'string') return content;
  if (!isArray(content)) return '';
  const parts: string[] = [];
  for (const block of content) {
    if (isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string') parts.push(block['text']);
  }
  return parts.join(separator);
}
