/** Types of entry heads: the part of an entry that stays in memory, without its body. */
import type { ModelRef, Usage } from './usage';

/**
 * The part of an entry that rows, tree walks and totals need. Its size doesn't grow with the entry's. FORMAT section 2.
 */
export interface EntryHead {
  readonly id: string;
  readonly parentId: string | null;
  readonly type: string;
  /** Only for messages. */
  readonly role?: string;
  /** ISO 8601, exactly as in the file. */
  readonly timestamp: string;
  /** `timestamp` in milliseconds since 1970; 0 if it isn't a date. */
  readonly time: number;
  /** The line in the file, from 1. */
  readonly line: number;
  /** Position of the object in the file, in bytes. */
  readonly offset: number;
  readonly length: number;
  /** The text of the entry's row, a single line. */
  readonly text: string;
  readonly usage?: Usage;
  /** For assistant messages, model changes and usage lines. */
  readonly model?: ModelRef;
  /** For assistant messages: the model that answered, if it differs from the requested model. */
  readonly responseModel?: string;
  /** oh-my-pi: the role that the model was chosen for. */
  readonly modelRole?: string;
  readonly thinkingLevel?: string;
  /** For messages: the message's own time, in milliseconds since 1970. */
  readonly messageTime?: number;
  /** For user, assistant and system messages and for `session_init`: true if there is any text. */
  readonly hasText?: boolean;
  /** For assistant messages. */
  readonly stopReason?: string;
  readonly toolCallId?: string;
  readonly toolName?: string;
  readonly isError?: boolean;
  /** For tool results: true if the tool called others while it ran. */
  readonly hasNestedCalls?: boolean;
  /** For labels, context edits, `leaf` lines and `archive` lines. */
  readonly targetId?: string | null;
  /** The label, absent if the line clears it; for `session_info`, the name. */
  readonly label?: string;
  readonly customType?: string;
  /** For messages of extensions: true if their program doesn't show them. */
  readonly isHidden?: boolean;
  readonly firstKeptEntryId?: string;
  readonly fromId?: string;
  /** For compactions: true if messages replace the kept entries. */
  readonly retainedTail?: boolean;
  /** For context edits: true if the target is removed from the context. */
  readonly omits?: boolean;
  /** For `archive` lines: true if the line archives its target, false if it brings the target back. */
  readonly archives?: boolean;
  /** For `session_init`: the name of the subagent whose session it is. */
  readonly agent?: string;
  /** oh-my-pi: the injected rules, and the mode that was entered. */
  readonly rules?: readonly string[];
  readonly mode?: string;
  /** True for an entry that never becomes the leaf (OpenClaw's `appendMode: "side"`). */
  readonly side?: boolean;
}

export interface EntryLocation {
  readonly id: string;
  readonly parentId: string | null;
  readonly line: number;
  readonly offset: number;
  readonly length: number;
}
