/**
 * Types of the lines in a session file: the header, the entries, and the messages in them. `readLine` guarantees the
 * fields that are named here; all other keys keep the values that the file has.
 */

/**
 * The header of a session file. The fields follow the programs that write it, and other keys are kept.
 * FORMAT section 2.
 */
export interface SessionHeader {
  readonly type: 'session';
  /** Absent in version 1. */
  readonly version?: number;
  readonly id: string;
  /** ISO 8601. */
  readonly timestamp: string;
  /** The project's folder; empty where the file names none. */
  readonly cwd: string;
  /** A path; in oh-my-pi also a session id. */
  readonly parentSession?: string;
  /** Version 1's name of `parentSession`. */
  readonly branchedFrom?: string;
  /** oh-my-pi's name of the session, unless a title slot says otherwise. */
  readonly title?: string;
  /** Version 1: the settings at the start. */
  readonly provider?: string;
  readonly modelId?: string;
  readonly thinkingLevel?: string;
  readonly [key: string]: unknown;
}

/** Text in a message's content. FORMAT section 2. */
export interface TextBlock {
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
export interface ThinkingBlock {
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
export type ContentBlock = TextBlock | ImageBlock | ThinkingBlock | ToolCallBlock;
/** Content of a message. FORMAT section 2. */
export type Content = string | readonly ContentBlock[];

/** Tokens and dollars of an answer. FORMAT section 2. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly totalTokens?: number;
  readonly cost?: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
    readonly total: number;
  };
}

/** A model of a provider. `provider` is empty if it's unknown. */
export interface ModelRef {
  readonly provider: string;
  readonly modelId: string;
}

interface MessageBase {
  /** Milliseconds since 1970. */
  readonly timestamp?: number;
  readonly [key: string]: unknown;
}
/** A message of the person, or a system prompt. FORMAT section 2. */
export interface UserMessage extends MessageBase {
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
export interface CustomMessage extends MessageBase {
  readonly role: 'custom';
  readonly customType: string;
  readonly content: Content;
  readonly display?: boolean;
  readonly details?: unknown;
}
/** The message that a `branch_summary` contributes. FORMAT section 4, rule 6. */
export interface BranchSummaryMessage extends MessageBase {
  readonly role: 'branchSummary';
  readonly summary: string;
  readonly fromId: string;
}
/** The message that a compaction's summary contributes. FORMAT section 4, rule 3. */
export interface CompactionSummaryMessage extends MessageBase {
  readonly role: 'compactionSummary';
  readonly summary: string;
  readonly tokensBefore: number;
}
/** A message with another role; its content, if any, is shown as it is. */
export interface OtherMessage extends MessageBase {
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

interface EntryBase {
  readonly id: string;
  /** `null` at a root. */
  readonly parentId: string | null;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly [key: string]: unknown;
}
/** An entry with a message. FORMAT section 2. */
export interface MessageEntry extends EntryBase {
  readonly type: 'message';
  readonly message: Message;
}
/** A compaction of the context. FORMAT section 2. */
export interface CompactionEntry extends EntryBase {
  readonly type: 'compaction';
  readonly summary: string;
  /** oh-my-pi: the summary in a sentence, which the model doesn't get. */
  readonly shortSummary?: string;
  readonly firstKeptEntryId?: string;
  readonly tokensBefore: number;
  /** pi: the system message that stands before the summary. */
  readonly systemMessage?: Message;
  /** pi: messages that stand in for the kept entries. */
  readonly retainedTail?: readonly Message[];
  readonly usage?: Usage;
}
/** A summary of a branch that the conversation left. FORMAT section 2. */
export interface BranchSummaryEntry extends EntryBase {
  readonly type: 'branch_summary';
  readonly fromId: string;
  readonly summary: string;
  readonly usage?: Usage;
}
/** A message of an extension, as an entry of its own type. FORMAT section 2. */
export interface CustomMessageEntry extends EntryBase {
  readonly type: 'custom_message';
  readonly customType: string;
  readonly content: Content;
  readonly display?: boolean;
  readonly details?: unknown;
}
/** A change of the contribution of another entry to the context. FORMAT section 4, rule 5. */
export interface ContextEditEntry extends EntryBase {
  readonly type: 'context_edit';
  readonly targetId: string;
  /** `null` takes the target out of the context. */
  readonly replacement: { readonly content: Content } | null;
}
/** A label on another entry. FORMAT section 2. */
export interface LabelEntry extends EntryBase {
  readonly type: 'label';
  readonly targetId: string;
  /** Absent or empty clears. */
  readonly label?: string;
}
/** Entries of all other types, known or not: state and bookkeeping that contribute no message. FORMAT section 2. */
export interface OtherEntry extends EntryBase {
  readonly type:
    | 'model_change'
    | 'thinking_level_change'
    | 'custom'
    | 'session_info'
    | 'usage'
    | 'model_usage'
    | 'active_tools_change'
    | 'ttsr_injection'
    | 'mode_change'
    | 'service_tier_change'
    | 'mcp_tool_selection'
    | 'session_init'
    | 'title_change'
    | 'credential_pin'
    | 'reset_boundary'
    | 'other';
}
/** A whole entry, with missing or malformed parts made empty. FORMAT section 2. */
export type Entry = MessageEntry | CompactionEntry | BranchSummaryEntry | CustomMessageEntry | ContextEditEntry | LabelEntry | OtherEntry;

/** The current version of the format. Files with a higher version are never written to. FORMAT section 6, rule 8. */
export const CURRENT_VERSION = 3;

/** Returns the text blocks of a content, joined by `separator`. */
export function textOf(content: unknown, separator = ''): string {
  if (typeof content === 'string') return content;
  if (!isArray(content)) return '';
  const parts: string[] = [];
  for (const block of content) {
    if (isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string') parts.push(block['text']);
  }
  return parts.join(separator);
}

/** An object from JSON. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for objects except for arrays and `null`. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for arrays; their items may be anything, which `Array.isArray` doesn't say. */
export function isArray(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Returns the value of a table's own key, whatever the key is; `undefined` for any other, such as `constructor`. */
export function ownValue<T>(table: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** True for a whole number from 0 on that a JavaScript number holds exactly. */
export function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

/** Returns a string unchanged, and `undefined` for any other value. */
export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
