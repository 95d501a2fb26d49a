/** What the page draws of a session: articles and their parts, every text fit to be shown and short enough to be sent. */

/** A text that may be sent without its middle. */
export interface TruncatedText {
  /** The beginning, or all. */
  readonly text: string;
  /** The end, if the middle was left out. */
  readonly tail?: string;
  /** UTF-16 units that were left out between `text` and `tail`. */
  readonly omitted?: number;
  /** Which of its article's texts this is. */
  readonly n: number;
}

export interface ImagePart {
  readonly kind: 'image';
  readonly mimeType: string;
  /** Which of its article's images this is. */
  readonly n: number;
  /** In pixels, so that nothing moves when the image comes. */
  readonly width?: number;
  readonly height?: number;
  /** Why it can't be shown. */
  readonly missing?: 'gone' | 'type' | 'empty' | 'damaged';
}

export type ToolState = 'ok' | 'error' | 'waiting';

export interface ToolPart {
  readonly kind: 'tool';
  readonly name: string;
  /** What it was called with, in one line. */
  readonly summary: string;
  /** If the head is a file: which, and where in it. */
  readonly path?: string;
  /** All arguments, if the head doesn't say everything. */
  readonly args?: TruncatedText;
  readonly state: ToolState;
  readonly diff?: TruncatedText;
  readonly result: readonly Part[];
  /** The entry that holds the result. */
  readonly entryId?: string;
  /** When the result came, in milliseconds since 1970. */
  readonly time?: number;
  /** What became of the result, if that is not what became of the message. */
  readonly contextStatus?: ShownStatus;
}

/** A command that the person ran. */
export interface RunPart {
  readonly kind: 'run';
  readonly language: 'bash' | 'python';
  readonly command: TruncatedText;
  readonly output?: TruncatedText;
  readonly state: 'ok' | 'error' | 'cancelled';
  readonly exitCode?: number;
  /** Where the program kept the whole output. */
  readonly fullOutputPath?: string;
}

export type Part =
  | { readonly kind: 'markdown'; readonly text: TruncatedText }
  | { readonly kind: 'thinking'; readonly text: TruncatedText }
  | { readonly kind: 'output'; readonly text: TruncatedText }
  | { readonly kind: 'error'; readonly text: TruncatedText }
  | { readonly kind: 'empty' }
  | ImagePart
  | ToolPart
  | RunPart;

export const ARTICLE_KINDS = ['user', 'assistant', 'system', 'tool', 'run', 'custom', 'compaction', 'branch', 'other', 'row'] as const;
export type ArticleKind = (typeof ARTICLE_KINDS)[number];

/** What became of a message that the model does not get as it stands; `excluded`: the person kept it to themselves (`!!`). */
export type ShownStatus = 'edited' | 'omitted' | 'compacted' | 'reset' | 'failed' | 'excluded';

export const ENTRY_ROW_KINDS = ['label', 'model', 'thinking', 'compaction', 'branch', 'edit', 'name', 'extension', 'reset', 'other'] as const;

/** An entry in one line: one that is no message, or a message that was taken out. Its parts are folded. */
export interface EntryRow {
  readonly kind: (typeof ENTRY_ROW_KINDS)[number];
  readonly text: string;
  /** The entry that it is about. */
  readonly targetId?: string;
}

/** One message; an assistant's together with the results of its tool calls. */
export interface Article {
  /** The same as long as it is the same message. */
  readonly key: string;
  readonly kind: ArticleKind;
  /** What kind of custom message, which unknown role. */
  readonly name?: string;
  readonly entryId: string;
  /** Milliseconds since 1970; 0 if it is not known. */
  readonly time: number;
  readonly label?: string;
  /** The entry that has the label, if that is not the first of the article's. */
  readonly labelId?: string;
  /** Who answered. */
  readonly model?: string;
  /** How an answer ended, if not by itself: `length`, `error`, `aborted` … */
  readonly stopReason?: string;
  /** What the recorded tokens and their cost were, in words. */
  readonly usage?: string;
  /** A sentence on a line before the article: the cut of a compaction. */
  readonly dividerText?: string;
  /** The article before it is of the same kind: it goes on. */
  readonly isContinuation?: true;
  /** Absent: the model gets it as it is. */
  readonly contextStatus?: ShownStatus;
  /** Of the kind `row`. */
  readonly row?: EntryRow;
  readonly parts: readonly Part[];
}
