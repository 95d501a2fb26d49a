/** Articles and their parts, as the page draws them. The host has sanitized every text and truncated long ones. */

/** A text that may be sent without its middle. */
export interface TruncatedText {
  /** The whole text, or its beginning if it is truncated. */
  readonly text: string;
  /** The end of a truncated text. */
  readonly tail?: string;
  /** UTF-16 units left out between `text` and `tail`. */
  readonly omitted?: number;
  /** The index of this text among the texts of its article, from 0. */
  readonly nth: number;
}

export interface ImagePart {
  readonly kind: 'image';
  readonly mimeType: string;
  /** The index of this image among the images of its article, from 0. */
  readonly nth: number;
  /** In pixels. Reserves the space, so that the layout doesn't shift when the image arrives. */
  readonly width?: number;
  readonly height?: number;
  /** The reason why the image can't be shown. */
  readonly missing?: 'gone' | 'type' | 'empty' | 'damaged' | 'address';
  /** The address of an image that's missing because it's only there. */
  readonly address?: string;
}

/** `unfinished`: a nested call that was running when the calling tool ended. */
export type ToolState = 'ok' | 'error' | 'waiting' | 'unfinished';

export interface ToolPart {
  readonly kind: 'tool';
  readonly name: string;
  /** The arguments in one line. */
  readonly summary: string;
  /** The file that the summary names, maybe with a line: `src/a.ts:10`. */
  readonly path?: string;
  /** All arguments, if the summary leaves something out. */
  readonly args?: TruncatedText;
  readonly state: ToolState;
  readonly diff?: TruncatedText;
  /** The result's parts; before them the calls that the tool made while it ran. */
  readonly result: readonly Part[];
  /** True if the tool called more while it ran than the result's parts have. */
  readonly lacksCalls?: true;
  /** The sessions of subagents that the call started, with the agents' names, as its result has them. */
  readonly sessions?: string;
  /** True for a call of another tool; only that tool got its result. */
  readonly isNested?: true;
  /** The entry that holds the result. */
  readonly entryId?: string;
  /** The time of the result in milliseconds since 1970. */
  readonly time?: number;
  /** How long the call ran, as localized text. */
  readonly duration?: string;
  /** The result's status, if it differs from the message's. */
  readonly contextStatus?: ShownStatus;
}

/** A command that the user ran. */
export interface RunPart {
  readonly kind: 'run';
  readonly language: 'bash' | 'python';
  readonly command: TruncatedText;
  readonly output?: TruncatedText;
  readonly state: 'ok' | 'error' | 'cancelled';
  readonly exitCode?: number;
  /** The file in which the program kept the whole output. */
  readonly fullOutputPath?: string;
}

/** The effect of a change of the system prompt on a section or a tool. */
export type PromptChange = 'updated' | 'added' | 'removed';

/**
 * The content of a fold: a part of a system prompt, where `rest` is for sections or tools beyond the ones with separate
 * folds; a message that its program hides; a wrapper around a user's text; or an error as it's recorded.
 */
export type FoldContent =
  | 'prompt'
  | 'tools'
  | 'schema'
  | 'section'
  | 'tool'
  | 'rest'
  | 'hidden'
  | 'wrapper'
  | 'modelPrompt'
  | 'error'
  | 'diagnostics';

/** A fold with a title and a line of text next to it. */
export interface FoldPart {
  readonly kind: 'fold';
  readonly content: FoldContent;
  /** The name of a section or a tool. */
  readonly name?: string;
  /** One line next to the name. */
  readonly summary: string;
  /** The number of tools, or of other parts in the fold. */
  readonly count?: number;
  /** UTF-16 units of the text. */
  readonly characters?: number;
  readonly change?: PromptChange;
  /** Empty if there is nothing to unfold. */
  readonly parts: readonly Part[];
}

export type Part =
  | { readonly kind: 'markdown'; readonly text: TruncatedText }
  | { readonly kind: 'thinking'; readonly text: TruncatedText }
  | { readonly kind: 'output'; readonly text: TruncatedText }
  | { readonly kind: 'error'; readonly text: TruncatedText }
  | { readonly kind: 'empty' }
  | FoldPart
  | ImagePart
  | ToolPart
  | RunPart;

type MessageKind = 'user' | 'assistant' | 'tool' | 'run' | 'custom';
export type ArticleKind = MessageKind | 'system' | 'prompt' | 'promptChange' | 'compaction' | 'branch' | 'rewind' | 'other' | 'row';

/**
 * The status of a message that the model doesn't get as it stands in the file. `excluded`: run with `!!`, which keeps
 * it out of the context.
 */
export type ShownStatus = 'edited' | 'omitted' | 'compacted' | 'reset' | 'failed' | 'excluded';

const ENTRY_ROW_KINDS = [
  'label',
  'model',
  'thinking',
  'compaction',
  'branch',
  'edit',
  'name',
  'extension',
  'reset',
  'prompt',
  'other',
] as const;

/** One line for an entry that is no message, or for a message that an edit took out. Its parts are in a fold. */
export interface EntryRow {
  readonly kind: (typeof ENTRY_ROW_KINDS)[number];
  readonly text: string;
  /** The entry that this entry refers to. */
  readonly targetId?: string;
}

/** The attempts at a fork, as localized text. */
export interface AttemptsLine {
  readonly title: string;
  /** `tipId` is the entry to go to; absent for the branch that the view shows. */
  readonly attempts: readonly { readonly text: string; readonly tipId?: string }[];
  /** The number of older attempts; empty if there are none. */
  readonly more: string;
}

/** One message. An assistant's message includes the results of its tool calls. */
export interface Article {
  /** Identifies the message; stable across updates. */
  readonly key: string;
  readonly kind: ArticleKind;
  /** The type of a custom message, or an unknown role. */
  readonly name?: string;
  readonly entryId: string;
  /** Milliseconds since 1970; 0 if unknown. */
  readonly time: number;
  readonly label?: string;
  /** The entry that has the label, if it isn't `entryId`. */
  readonly labelId?: string;
  /** The model that wrote the answer. */
  readonly model?: string;
  /** The recorded stop reason, if the answer didn't end by itself: `length`, `error`, `aborted` … */
  readonly stopReason?: string;
  /** The recorded tokens and their cost, as localized texts. */
  readonly usage?: readonly string[];
  /** How long the answer took, as localized text. */
  readonly duration?: string;
  /** Text of a divider above the article, such as for a compaction. */
  readonly dividerText?: string;
  /** The forks right above the message. */
  readonly forks?: readonly AttemptsLine[];
  /** The previous article is of the same kind, so the header is hidden until hover. */
  readonly isContinuation?: true;
  /** The program doesn't show the message; its only part is a fold. */
  readonly isHidden?: true;
  /** Absent if the model gets the message as it is. */
  readonly contextStatus?: ShownStatus;
  /** Present if `kind` is `row`. */
  readonly row?: EntryRow;
  readonly parts: readonly Part[];
}
