/**
 * Types of the lines in a session file: the header and the entries. `readLine` guarantees the fields that are named here;
 * all other keys keep the values that the file has.
 */
import type { Content, Message } from './message';
import type { Usage } from './usage';

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

interface EntryBase {
  readonly id: string;
  /** `null` at a root. */
  readonly parentId: string | null;
  /** ISO 8601. */
  readonly timestamp: string;
  readonly [key: string]: unknown;
}
/** An entry with a message. FORMAT section 2. */
interface MessageEntry extends EntryBase {
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
interface BranchSummaryEntry extends EntryBase {
  readonly type: 'branch_summary';
  readonly fromId: string;
  readonly summary: string;
  readonly usage?: Usage;
}
/** A message of an extension, as an entry with its own type. FORMAT section 2. */
interface CustomMessageEntry extends EntryBase {
  readonly type: 'custom_message';
  readonly customType: string;
  readonly content: Content;
  readonly display?: boolean;
  readonly details?: unknown;
}
/** A change of the contribution of another entry to the context. FORMAT section 4, rule 5. */
interface ContextEditEntry extends EntryBase {
  readonly type: 'context_edit';
  readonly targetId: string;
  /** `null` takes the target out of the context. */
  readonly replacement: { readonly content: Content } | null;
}
/** A label on another entry. FORMAT section 2. */
interface LabelEntry extends EntryBase {
  readonly type: 'label';
  readonly targetId: string;
  /** Absent or empty clears. */
  readonly label?: string;
}
/** Entries of all other types, known or not: state and bookkeeping that contribute no message. FORMAT section 2. */
interface OtherEntry extends EntryBase {
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
    | 'archive'
    | 'reset_boundary'
    | 'other';
}
/** A whole entry, with missing or malformed parts made empty. FORMAT section 2. */
export type Entry = MessageEntry | CompactionEntry | BranchSummaryEntry | CustomMessageEntry | ContextEditEntry | LabelEntry | OtherEntry;

/** The current version of the format. Files with a higher version are never written to. FORMAT section 6, rule 8. */
export const CURRENT_VERSION = 3;
